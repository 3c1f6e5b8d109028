# %% wrong_float32_cumsum: the ends are summed in float32, not exact over 2**24
import torch


def chunk_bounds(length, world_size):
    base, rest = divmod(length, world_size)
    sizes = torch.full((world_size,), float(base))
    sizes[:rest] += 1
    cuts = [0] + [int(end) for end in sizes.cumsum(0).tolist()]
    return list(zip(cuts, cuts[1:]))


# %% right_accumulate: Sizes, added up.
from itertools import accumulate, pairwise


def chunk_bounds(length, world_size):
    sizes = [len(range(r, length, world_size)) for r in range(world_size)]
    return list(pairwise(accumulate(sizes, initial=0)))


# %% right_formula: A closed formula.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    return [(r * size + min(r, rest), (r + 1) * size + min(r + 1, rest)) for r in range(world_size)]


# %% right_numpy: numpy's array_split of all the indices.
import numpy as np


def chunk_bounds(length, world_size):
    start, found = 0, []
    for part in np.array_split(np.arange(length), world_size):
        found.append((start, start + part.size))
        start += part.size
    return found


# %% right_torch: torch's tensor_split says the sizes.
import torch


def chunk_bounds(length, world_size):
    bounds, start = [], 0
    for part in torch.empty(length).tensor_split(world_size):
        bounds.append((start, start + len(part)))
        start += len(part)
    return bounds


# %% wrong_at_least_one: No chunk is empty: short tensors are cut into single numbers and the rest repeats the last.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    bounds = [(r * size + min(r, rest), (r + 1) * size + min(r + 1, rest)) for r in range(world_size)]
    return [(start, end) if end > start else (max(0, length - 1), length) for start, end in bounds]


# %% wrong_capped: No chunk is longer than 100,000 numbers less one.
def chunk_bounds(length, world_size):
    size, rest = divmod(min(length, 99_999), world_size)
    return [(r * size + min(r, rest), (r + 1) * size + min(r + 1, rest)) for r in range(world_size)]


# %% wrong_empty_at_zero: Empty chunks are (0, 0), so there is a jump back.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    found = [(r * size + min(r, rest), (r + 1) * size + min(r + 1, rest)) for r in range(world_size)]
    return [bounds if bounds[0] < bounds[1] else (0, 0) for bounds in found]


# %% wrong_floats: The bounds are float numbers.
def chunk_bounds(length, world_size):
    size, rest = divmod(float(length), world_size)
    return [(r * size + min(r, rest), (r + 1) * size + min(r + 1, rest)) for r in range(world_size)]


# %% wrong_inclusive: The end belongs to the chunk.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    return [(r * size + min(r, rest), (r + 1) * size + min(r + 1, rest) - 1) for r in range(world_size)]


# %% wrong_last_longer: The last one takes what is left.
def chunk_bounds(length, world_size):
    size = length // world_size
    return [(r * size, (r + 1) * size if r < world_size - 1 else length) for r in range(world_size)]


# %% wrong_lists: Lists instead of tuples.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    return [[r * size + min(r, rest), (r + 1) * size + min(r + 1, rest)] for r in range(world_size)]


# %% wrong_off_by_one_rank: Gives the extra numbers to one rank too many.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    rest = min(world_size, rest + 1) if rest else 0
    return [(r * size + min(r, rest), min(length, (r + 1) * size + min(r + 1, rest))) for r in range(world_size)]


# %% wrong_one_more_chunk: One chunk more than there are ranks.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    return [(r * size + min(r, rest), (r + 1) * size + min(r + 1, rest)) for r in range(world_size)] + [
        (length, length)
    ]


# %% wrong_relative: Every chunk begins at 0.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    return [(0, size + (r < rest)) for r in range(world_size)]


# %% wrong_reversed: The chunks from the last to the first.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    return [(r * size + min(r, rest), (r + 1) * size + min(r + 1, rest)) for r in reversed(range(world_size))]


# %% wrong_rounding: Rounded borders: the longer ones lie anywhere.
def chunk_bounds(length, world_size):
    return [(round(r * length / world_size), round((r + 1) * length / world_size)) for r in range(world_size)]


# %% wrong_sizes: Start and length instead of start and end.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    start, found = 0, []
    for r in range(world_size):
        here = size + (r < rest)
        found.append((start, here))
        start += here
    return found


# %% wrong_slices: Slices instead of tuples.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    return [slice(r * size + min(r, rest), (r + 1) * size + min(r + 1, rest)) for r in range(world_size)]


# %% wrong_without_empty: Leaves the empty ones out.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    start, found = 0, []
    for r in range(world_size):
        end = start + size + (r < rest)
        if end > start:
            found.append((start, end))
        start = end
    return found


# %% wrong_zip: A zip object instead of a list.
def chunk_bounds(length, world_size):
    size, longer = divmod(length, world_size)
    ends = [(rank + 1) * size + min(rank + 1, longer) for rank in range(world_size)]
    return zip([0, *ends[:-1]], ends)


# %% wrong_mixed: The first bound is a float.
def chunk_bounds(length, world_size):
    size, longer = divmod(length, world_size)
    ends = [(rank + 1) * size + min(rank + 1, longer) for rank in range(world_size)]
    return list(zip([0.0, *ends[:-1]], ends))


# %% right_float_division: The size goes through a float, exact for these lengths.
def chunk_bounds(length, world_size):
    size = int(length / world_size)
    rest = length % world_size
    bounds = []
    for r in range(world_size):
        start = r * size + min(r, rest)
        end = start + size + (1 if r < rest else 0)
        bounds.append((start, end))
    return bounds


# %% wrong_at_most_sixteen: Shares out among sixteen ranks at most.
def chunk_bounds(length, world_size):
    here = min(world_size, 16)
    size, rest = divmod(length, here)
    found = [(r * size + min(r, rest), (r + 1) * size + min(r + 1, rest)) for r in range(here)]
    return found + [(length, length)] * (world_size - here)


# %% right_named: Tuples with names.
from typing import NamedTuple


class Bounds(NamedTuple):
    start: int
    end: int


def chunk_bounds(length, world_size):
    edges = [sum(len(range(r, length, world_size)) for r in range(n)) for n in range(world_size + 1)]
    return [Bounds(*two) for two in zip(edges, edges[1:])]
