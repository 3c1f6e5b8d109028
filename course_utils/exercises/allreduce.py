"""Questions of chapter 11: an honest replica, chunks, a ring's step, a whole ring, where the tree stops winning."""

import inspect
import itertools
import math
import random
from collections.abc import Callable

import torch

from course_utils.checks.exercise import Exercise


def sets_of_replicas(seed: int) -> list[tuple]:
    """Return the arguments (replicas,) of each case.

    Honest and aliased lists of tensors; equal values, views, tied tensors, one replica alone.
    """
    draw = torch.Generator().manual_seed(seed)

    def tensors():
        return [torch.randn(2, 3, generator=draw), torch.randn(4, generator=draw)]

    def copies(originals):
        return [tensor.clone() for tensor in originals]

    one, flat, tied = tensors(), torch.randn(10, generator=draw), torch.randn(3, generator=draw)
    return [
        ([one, copies(one)],),  # honest, with equal values
        ([one, [tensor.to("cpu") for tensor in one]],),  # what a fall-back to the CPU gives
        ([one, [tensor.detach() for tensor in one]],),  # other objects, the same memory
        ([[flat[:4]], [flat[3:8]]],),  # another first address
        ([one, copies(one), one],),  # the first and the third
        ([tensors(), one, copies(one), one],),  # the second and the fourth
        ([one, [one[0].clone(), one[1].view(2, 2)]],),  # only the second tensor
        ([one, [one[1], one[0]]],),  # another order
        ([[tied, tied], [tied.clone()]],),  # shared, but within one replica
        ([one],),
        ([tensors(), tensors(), tensors()],),
    ]


def honest(replicas):
    """No storage is used by two replicas."""
    owner = {}
    for number, tensors in enumerate(replicas):
        for tensor in tensors:
            storage = tensor.untyped_storage().data_ptr()
            if owner.setdefault(storage, number) != number:
                return False
    return True


def _pairs(replicas):
    """Every pair of tensors from two different replicas."""
    for number, tensors in enumerate(replicas):
        for others in replicas[number + 1 :]:
            yield from ((tensor, other) for tensor in tensors for other in others)


def compared_values(replicas):
    """You compared values. Honest copies hold equal values too: that is what makes them copies. Ask where the
    numbers lie, not which they are."""
    return not any(tensor.shape == other.shape and torch.equal(tensor, other) for tensor, other in _pairs(replicas))


def asked_for_identity(replicas):
    """You compared Python objects. `detach()` and `view()` make new objects on old memory: compare the storages'
    addresses."""
    return not any(tensor is other for tensor, other in _pairs(replicas))


def compared_first_addresses(replicas):
    """`tensor.data_ptr()` is the address of a tensor's first number. Two views of one storage may begin at
    different ones and still overlap: ask the storage for its address."""
    return not any(tensor.data_ptr() == other.data_ptr() for tensor, other in _pairs(replicas))


def neighbours_only(replicas):
    """You compared each replica with the next one only. The first and the third may share as well."""
    storages = [{tensor.untyped_storage().data_ptr() for tensor in tensors} for tensors in replicas]
    return not any(one & other for one, other in itertools.pairwise(storages))


def refused_tied_tensors(replicas):
    """Two tensors *within* one replica may share a storage: tied weights do, and no other replica sees it. Only
    sharing between replicas counts."""
    storages = [tensor.untyped_storage().data_ptr() for tensors in replicas for tensor in tensors]
    return len(set(storages)) == len(storages)


def first_tensors_only(replicas):
    """You looked at the first tensor of each replica. One aliased bias is enough to spoil a training: look at
    all."""
    storages = [tensors[0].untyped_storage().data_ptr() for tensors in replicas]
    return len(set(storages)) == len(storages)


honest = Exercise(
    honest,
    inputs=sets_of_replicas,
    mistakes=(
        compared_values,
        asked_for_identity,
        compared_first_addresses,
        neighbours_only,
        refused_tied_tensors,
        first_tensors_only,
    ),
    hints=(
        "Where does a tensor's memory begin? `tensor.untyped_storage().data_ptr()` is a number.",
        "For each replica, a set of such numbers. Two sets of different replicas must have nothing in common.",
        "Or one dictionary: storage -> the replica that was seen with it first.",
    ),
)


def lengths_and_ranks(seed: int) -> list[tuple]:
    """Return (length, world_size): divided, not divided, fewer than ranks, one, none, one rank, a large prime."""
    draw = random.Random(seed)
    fixed = [(10, 4), (12, 4), (7, 3), (3, 5), (1, 4), (0, 3), (9, 1), (104_729, 6), (5, 5), (11, 4)]
    return [*fixed, (draw.randint(1, 1000), draw.randint(2, 16))]


def chunk_bounds(length, world_size):
    """Everybody gets the quotient; the first ones one more, as many as the remainder is."""
    size, longer = divmod(length, world_size)
    chunks, start = [], 0
    for rank in range(world_size):
        end = start + size + (rank < longer)
        chunks.append((start, end))
        start = end
    return chunks


def lost_the_remainder(length, world_size):
    """The last numbers belong to no chunk: nobody reduces them. The remainder of the division must go somewhere."""
    size = length // world_size
    return [(rank * size, (rank + 1) * size) for rank in range(world_size)]


def remainder_to_the_last(length, world_size):
    """Complete, but the last chunk is up to N - 1 longer than the others, and every step waits for the longest.
    Give the first chunks one more each."""
    size = length // world_size
    return [(rank * size, (rank + 1) * size) for rank in range(world_size - 1)] + [
        ((world_size - 1) * size, length)
    ]


def as_torch_chunk(length, world_size):
    """You rounded the size up, as `torch.chunk` does: the last chunks get short or go missing (7 numbers in 5 parts
    become 2, 2, 2, 1 and none). Sizes are to differ by one at most."""
    size = -(-length // world_size)
    return [(min(rank * size, length), min((rank + 1) * size, length)) for rank in range(world_size)]


def longer_ones_last(length, world_size):
    """The sizes are right, but the longer chunks are to come first: all ranks must cut alike."""
    return [(rank * length // world_size, (rank + 1) * length // world_size) for rank in range(world_size)]


def sizes_instead_of_ends(length, world_size):
    """You gave (start, size). Asked for are (start, end), as a slice takes them."""
    size, longer = divmod(length, world_size)
    return [(rank * size + min(rank, longer), size + (rank < longer)) for rank in range(world_size)]


def _with_kinds(answer, length, world_size):
    found = answer(length, world_size)
    if not isinstance(found, list):
        return found
    inside = [list(map(_kind, pair)) if isinstance(pair, tuple | list) else None for pair in found]
    return {"chunks": found, "each is a": list(map(_kind, found)), "of": inside}


def _kind(thing):
    return type(thing).__name__


chunk_bounds = Exercise(
    chunk_bounds,
    inputs=lengths_and_ranks,
    probe=_with_kinds,
    mistakes=(
        lost_the_remainder,
        remainder_to_the_last,
        as_torch_chunk,
        longer_ones_last,
        sizes_instead_of_ends,
    ),
    hints=(
        "`divmod(length, world_size)` gives the size of a short chunk and how many are longer by one.",
        "Go from chunk to chunk: each starts where the last one ended, and the first `longer` are one longer.",
    ),
)


def steps_of_rings(seed: int) -> list[tuple]:
    """Return (rank, step, world_size): every rank and step of rings of 2, 3 and 4, and some of a larger one."""
    draw = random.Random(seed)
    small = [(rank, step, n) for n in (3, 2, 4) for rank in range(n) for step in range(2 * (n - 1))]
    n = draw.randint(5, 50)
    return small + [(draw.randrange(n), draw.randrange(2 * (n - 1)), n) for _ in range(5)]


def ring_step(rank, step, world_size):
    """What arrived in one step is sent in the next, in both halves."""
    sent = (rank - step) % world_size
    received = (rank - step - 1) % world_size
    return sent, received, step < world_size - 1


def forgot_to_wrap(rank, step, world_size):
    """There is no chunk with a negative number: count around the ring, with `% world_size`."""
    return rank - step, rank - step - 1, step < world_size - 1


def other_way_round(rank, step, world_size):
    """You count upwards. Rank r receives from rank r - 1, which sent chunk r - 1 in step 0: the numbers go down."""
    return (rank + step) % world_size, (rank + step + 1) % world_size, step < world_size - 1


def began_again(rank, step, world_size):
    """You began the second half with chunk r again. After N - 1 steps the finished chunk of rank r is another: the
    one that arrived last."""
    late = step - (world_size - 1) if step >= world_size - 1 else step
    return (rank - late) % world_size, (rank - late - 1) % world_size, step < world_size - 1


def one_sum_too_many(rank, step, world_size):
    """A chunk is complete after N - 1 additions, in steps 0 to N - 2. Yours adds once more, and counts a rank
    twice."""
    return (rank - step) % world_size, (rank - step - 1) % world_size, step <= world_size - 1


def same_chunk_back(rank, step, world_size):
    """You receive the chunk that you send. The left neighbour sends *its* chunk of this step: put r - 1 into your
    own formula."""
    return (rank - step) % world_size, (rank - step) % world_size, step < world_size - 1


ring_step = Exercise(
    ring_step,
    inputs=steps_of_rings,
    mistakes=(forgot_to_wrap, other_way_round, began_again, one_sum_too_many, same_chunk_back),
    hints=(
        "Take three ranks and draw the first step: rank 1 sends chunk 1 and receives chunk 0 from rank 0.",
        "In step 1 rank 1 sends what it received in step 0, chunk 0: every step one lower, around the ring.",
        "What a rank receives is what rank - 1 sends in the same step. Additions end after N - 1 steps.",
    ),
)


def tensors_in_chunks(seed: int) -> list[tuple]:
    """Return the arguments (tensors,) of each case.

    A list of chunks for each rank, 3, 1, 2, 4 and 5 ranks, also of uneven and empty chunks.
    """
    draw = torch.Generator().manual_seed(seed)

    def cut(world_size, sizes):
        return [[torch.randn(size, generator=draw) for size in sizes] for _ in range(world_size)]

    plans = [(3, [2, 2, 2]), (1, [4]), (2, [3, 2]), (4, [2, 1, 1, 1]), (5, [1, 1, 1, 0, 0]), (4, [3, 3, 3, 3])]
    return [(cut(world_size, sizes),) for world_size, sizes in plans]


def run_in_lockstep(answer: Callable, tensors: list[list[torch.Tensor]]) -> tuple[list, int, int]:
    """Drive one generator a rank: each step, what rank r yields goes to rank r + 1. No process, no thread.

    Return what each rank returned, how many messages it sent, and how many numbers in all. Raises RuntimeError
    where a rank waits for a neighbour that has returned, or sends without end; TypeError for no generator.
    """
    world_size, results = len(tensors), {}
    ranks = [answer([chunk.clone() for chunk in chunks], r, world_size) for r, chunks in enumerate(tensors)]
    if not all(inspect.isgenerator(rank) for rank in ranks):
        raise TypeError("expected a generator: send with `arrived = yield chunk`, end with `return chunks`")
    arriving, messages, numbers = [None] * world_size, 0, 0
    while True:
        sent = []
        for number, rank in enumerate(ranks):
            try:
                sent.append(rank.send(arriving[number]).clone())
            except StopIteration as end:
                results[number] = end.value
        if not sent:
            return [results[number] for number in range(world_size)], messages, numbers
        if results:
            raise RuntimeError(f"rank {min(results)} has returned, and another still sends: all take as many steps")
        messages, numbers = messages + 1, numbers + sum(message.numel() for message in sent)
        if messages > 4 * world_size:
            raise RuntimeError(f"{messages} messages from each of {world_size} ranks, and no end")
        arriving = [sent[number - 1] for number in range(world_size)]


def ring(chunks, rank, world_size):
    """N - 1 steps that add what arrives, N - 1 that keep it."""
    for step in range(2 * (world_size - 1)):
        arrived = yield chunks[(rank - step) % world_size]
        place = (rank - step - 1) % world_size
        chunks[place] = chunks[place] + arrived if step < world_size - 1 else arrived
    return chunks


def half_a_ring(chunks, rank, world_size):
    """That is the first half, a reduce-scatter: every rank has *one* complete chunk. N - 1 more steps carry the
    complete ones around."""
    for step in range(world_size - 1):
        arrived = yield chunks[(rank - step) % world_size]
        place = (rank - step - 1) % world_size
        chunks[place] = chunks[place] + arrived
    return chunks


def added_all_the_way(chunks, rank, world_size):
    """You add in the second half too. What arrives there is complete: adding it to your own part counts ranks
    twice. Keep it as it is."""
    for step in range(2 * (world_size - 1)):
        arrived = yield chunks[(rank - step) % world_size]
        place = (rank - step - 1) % world_size
        chunks[place] = chunks[place] + arrived
    return chunks


def gathered_from_the_start(chunks, rank, world_size):
    """Your second half begins with chunk r, as the first did. But rank r's complete chunk is the one that arrived
    last, r + 1: with one rank nothing is wrong, with two or more everything is."""
    for step in range(2 * (world_size - 1)):
        late = step % (world_size - 1)
        arrived = yield chunks[(rank - late) % world_size]
        place = (rank - late - 1) % world_size
        chunks[place] = chunks[place] + arrived if step < world_size - 1 else arrived
    return chunks


def whole_tensors_around(chunks, rank, world_size):
    """The sums are right, but each message is a whole tensor: (N - 1) times the tensor from each rank, where chunks
    need 2 (N - 1) / N times. On eight ranks that is four times as much."""
    sizes, passing = [len(chunk) for chunk in chunks], torch.cat(chunks)
    total = passing.clone()
    for _ in range(world_size - 1):
        passing = yield passing
        total = total + passing
    return list(total.split(sizes))


def same_chunk_for_all(chunks, rank, world_size):
    """All ranks send the chunk of the same number in a step, so each chunk meets only the neighbour's part of it.
    Rank r must be one chunk ahead of rank r - 1."""
    for step in range(2 * (world_size - 1)):
        place = step % world_size
        arrived = yield chunks[place]
        chunks[place] = chunks[place] + arrived if step < world_size - 1 else arrived
    return chunks


ring = Exercise(
    ring,
    inputs=tensors_in_chunks,
    mistakes=(half_a_ring, added_all_the_way, gathered_from_the_start, whole_tensors_around, same_chunk_for_all),
    hints=(
        "One loop of 2 (N - 1) steps. `arrived = yield chunks[...]` is all the communication there is.",
        "Which chunk to send and which one arrives: exercise 3 has the numbers.",
        "In the first N - 1 steps add what arrived to your chunk of that number; later put it in its place.",
    ),
    probe=run_in_lockstep,
)


def links(seed: int) -> list[tuple]:
    """Return (alpha, beta, world_size): powers of two and not, two ranks, thousands, slow and fast links."""
    draw = random.Random(seed)
    fixed = [(14e-6, 2e-11, 8), (3.4e-6, 2.7e-12, 3), (14e-6, 8e-11, 5), (5e-5, 2e-10, 16_384), (1e-4, 1e-9, 100)]
    return [*fixed, (1e-5, 1e-10, 2), (draw.uniform(1e-6, 1e-4), draw.uniform(1e-12, 1e-9), draw.randint(6, 5000))]


def crossover(alpha, beta, world_size):
    """Messages saved times alpha = bytes added times beta."""
    levels = math.ceil(math.log2(world_size))
    saved = 2 * (world_size - 1) - 2 * levels
    added = 2 * levels - 2 * (world_size - 1) / world_size
    return alpha * saved / (beta * added)


def half_levels(alpha, beta, world_size):
    """A tree over five ranks has three levels: round log2 up, not down, and do not leave it as a fraction."""
    levels = math.log2(world_size)
    saved = 2 * (world_size - 1) - 2 * levels
    return alpha * saved / (beta * (2 * levels - 2 * (world_size - 1) / world_size))


def rounded_down(alpha, beta, world_size):
    """Five ranks do not fit on two levels: round log2 up."""
    levels = math.floor(math.log2(world_size))
    saved = 2 * (world_size - 1) - 2 * levels
    return alpha * saved / (beta * (2 * levels - 2 * (world_size - 1) / world_size))


def ring_moves_nothing(alpha, beta, world_size):
    """You left out the ring's own bytes: it moves 2 (N - 1) / N of the tensor, nearly two of them."""
    levels = math.ceil(math.log2(world_size))
    return alpha * (2 * (world_size - 1) - 2 * levels) / (beta * 2 * levels)


def up_but_not_down(alpha, beta, world_size):
    """You counted the way up the tree. The sum must come down again: twice the levels, in messages and in bytes."""
    levels = math.ceil(math.log2(world_size))
    saved = 2 * (world_size - 1) - levels
    return alpha * saved / (beta * (levels - 2 * (world_size - 1) / world_size))


def bandwidth_for_beta(alpha, beta, world_size):
    """`beta` is seconds for each byte, the inverse of a bandwidth: bytes times beta are seconds."""
    levels = math.ceil(math.log2(world_size))
    saved = 2 * (world_size - 1) - 2 * levels
    return alpha * saved * beta / (2 * levels - 2 * (world_size - 1) / world_size)


crossover = Exercise(
    crossover,
    inputs=links,
    mistakes=(half_levels, rounded_down, ring_moves_nothing, up_but_not_down, bandwidth_for_beta),
    hints=(
        "Write both times down: messages * alpha + bytes * beta. Only the bytes hold the unknown size.",
        "ring: 2 (N - 1) messages, 2 (N - 1) / N sizes. tree: 2 levels messages, 2 levels sizes.",
        "Set them equal: alpha * (messages saved) = beta * size * (sizes added).",
    ),
    rtol=1e-9,
)
