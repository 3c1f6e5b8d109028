# %% right_cycle: itertools: an endless row, cut.
import math
from itertools import cycle, islice


def rank_indices(length, world_size):
    row = list(islice(cycle(range(length)), math.ceil(length / world_size) * world_size))
    return [row[rank::world_size] for rank in range(world_size)]


# %% right_dealing: Deals one card after the other until all have equally many and none is left.
def rank_indices(length, world_size):
    hands = [[] for _ in range(world_size)]
    card = 0
    while card < length or card % world_size:
        hands[card % world_size].append(card % length)
        card += 1
    return hands


# %% right_modulo: Position modulo length.
def rank_indices(length, world_size):
    each = (length + world_size - 1) // world_size
    return [[(rank + turn * world_size) % length for turn in range(each)] for rank in range(world_size)]


# %% right_sampler: Asks torch's own sampler, rank by rank.
from torch.utils.data import DistributedSampler


def rank_indices(length, world_size):
    return [
        list(DistributedSampler(range(length), num_replicas=world_size, rank=rank, shuffle=False))
        for rank in range(world_size)
    ]


# %% wrong_blocks: Neighbouring blocks instead of every N-th index.
def rank_indices(length, world_size):
    each = -(-length // world_size)
    whole = [i % length for i in range(each * world_size)]
    return [whole[rank * each : (rank + 1) * each] for rank in range(world_size)]


# %% wrong_drop_last: Drops what does not divide, instead of beginning again.
def rank_indices(length, world_size):
    each = length // world_size
    return [list(range(rank, each * world_size, world_size)) for rank in range(world_size)]


# %% wrong_float_ceil: Half-rounded: round() instead of rounding up.
def rank_indices(length, world_size):
    each = max(1, round(length / world_size))
    return [[(rank + i * world_size) % length for i in range(each)] for rank in range(world_size)]


# %% wrong_generators: Iterators, not lists.
from itertools import cycle, islice


def rank_indices(length, world_size):
    each = -(-length // world_size)
    return [islice(cycle(range(length)), rank, each * world_size, world_size) for rank in range(world_size)]


# %% wrong_one_too_many: One round more where the length divides evenly.
def rank_indices(length, world_size):
    each = length // world_size + 1
    return [[(rank + i * world_size) % length for i in range(each)] for rank in range(world_size)]


# %% wrong_pad_from_end: Pads with the last indices instead of the first ones.
def rank_indices(length, world_size):
    indices = list(range(length))
    missing = -length % world_size
    while missing:
        part = indices[-missing:]
        indices, missing = indices + part, missing - len(part)
    return [indices[rank::world_size] for rank in range(world_size)]


# %% wrong_pad_last: Repeats the last index.
def rank_indices(length, world_size):
    indices = list(range(length)) + [length - 1] * (-length % world_size)
    return [indices[rank::world_size] for rank in range(world_size)]


# %% wrong_pad_once: Pads with one slice from the beginning, too short when ranks outnumber indices by far.
def rank_indices(length, world_size):
    indices = list(range(length))
    missing = -length % world_size
    indices += indices[:missing]
    return [indices[rank::world_size] for rank in range(world_size)]


# %% wrong_rank_pads_itself: Each short rank repeats its own first index.
def rank_indices(length, world_size):
    each = -(-length // world_size)
    dealt = []
    for rank in range(world_size):
        mine = list(range(rank, length, world_size)) or [0]
        dealt.append((mine * each)[:each])
    return dealt


# %% wrong_shuffled: Shuffled as the sampler does when nobody says otherwise.
from torch.utils.data import DistributedSampler


def rank_indices(length, world_size):
    data = range(length)
    return [list(DistributedSampler(data, num_replicas=world_size, rank=rank)) for rank in range(world_size)]


# %% wrong_tensors: Tensors instead of lists of ints.
import torch


def rank_indices(length, world_size):
    each = -(-length // world_size)
    whole = torch.arange(each * world_size) % length
    return [whole[rank::world_size] for rank in range(world_size)]


# %% wrong_by_turn: The indices of each turn instead of each rank.
def rank_indices(length, world_size):
    turns = -(-length // world_size)
    return [[(turn * world_size + rank) % length for rank in range(world_size)] for turn in range(turns)]


# %% wrong_zeros: Fills up with zeros.
def rank_indices(length, world_size):
    turns = -(-length // world_size)
    filled = list(range(length)) + [0] * (turns * world_size - length)
    return [filled[rank::world_size] for rank in range(world_size)]


# %% wrong_floats: Floor division of floats gives floats.
def rank_indices(length, world_size):
    rounds = -(-length // world_size)
    return [[(rank + turn * world_size) % float(length) for turn in range(rounds)] for rank in range(world_size)]


# %% wrong_doubled_twice: Doubles the row twice at most.
def rank_indices(length, world_size):
    rounds = -(-length // world_size)
    row = list(range(length))
    for _ in range(2):
        if len(row) < rounds * world_size:
            row = row + row
    row = row[: rounds * world_size]
    return [row[rank::world_size] for rank in range(world_size)]


# %% wrong_zero_dim_tensors: Lists of tensors without dimensions.
import torch


def rank_indices(length, world_size):
    rounds = -(-length // world_size)
    whole = torch.arange(rounds * world_size) % length
    return [list(whole[rank::world_size]) for rank in range(world_size)]


# %% right_resize: NumPy's resize, which begins again as often as it takes.
import numpy as np


def rank_indices(length, world_size):
    rounds = int(np.ceil(length / world_size))
    return np.resize(np.arange(length), (rounds, world_size)).T.tolist()
