"""Questions of chapter 11: chunks, a whole ring, buckets, an honest replica, where the tree stops winning."""

import copy
import inspect
import itertools
import math
import random
from collections.abc import Callable

import torch

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.variants import strided


def sets_of_replicas(seed: int) -> list[tuple]:
    """Return the arguments (replicas,) of each case.

    Honest and aliased lists of tensors; equal values, views that overlap and views that do not, tied tensors, one
    replica alone, other dtypes, rows and columns of one storage, trainable ones; of three replicas any two; of
    three tensors the middle one. Then some that are drawn.
    """
    draw, dice = torch.Generator().manual_seed(seed), random.Random(seed)

    def tensors():
        return [torch.randn(2, 3, generator=draw), torch.randn(4, generator=draw)]

    def drawn():
        replicas = [tensors() for _ in range(dice.randint(2, 4))]
        if dice.random() < 0.5:
            one, other = dice.sample(replicas, 2)
            place = dice.randrange(2)
            other[place] = one[place].detach()
        return (replicas,)

    def copies(originals):
        return [tensor.detach().clone().requires_grad_(tensor.requires_grad) for tensor in originals]

    one, flat, tied = tensors(), torch.randn(10, generator=draw), torch.randn(3, generator=draw)
    table, whole = torch.randn(3, 4, generator=draw), torch.arange(6)
    trained = [tensor.clone().requires_grad_() for tensor in one]
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
        ([tensors(), one, [tensor.detach() for tensor in one]],),  # the second and the third
        ([[flat[:3]], [flat[3:6]], [flat.clone()]],),  # one storage, and no number of it in both
        ([[table], [table.T]],),  # the same numbers, of which only one is contiguous
        ([[table[:, :2]], [table.T.clone().T[:, :2]]],),  # neither is contiguous, and they are honest
        ([[whole, whole[:4] > 2], [whole.clone(), whole[:4] > 2]],),
        ([[whole, whole[:4] > 2], [whole.view(torch.int32), whole[:4] > 2]],),  # seen as another dtype
        ([[*tensors(), table], [*tensors(), table[1]]],),  # the last of three, the second from its own first number
        ([[tied, *tensors()], [one[0], tied.view(3, 1), one[1]]],),  # a first and a middle one
        ([[table.expand(2, 3, 4)], [*tensors(), table.clone().expand(2, 3, 4)]],),  # honest, each number seen twice
        ([trained, copies(trained)],),
        ([trained, copies(trained), copies(trained), [trained[1]]],),  # the first and the last
        *(drawn() for _ in range(12)),
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


def asked_for_overlap(replicas):
    """Right but for two replicas that use *different parts* of one storage: neither sees the other's writes, so no
    test by writing or by bounds finds them. Asked is whether a storage is used twice: each has one address."""

    def numbers(tensor):
        every = torch.arange(tensor.untyped_storage().nbytes()).as_strided(
            tensor.shape,
            [step * tensor.element_size() for step in tensor.stride()],
            tensor.storage_offset() * tensor.element_size(),
        )
        return {tensor.untyped_storage().data_ptr() + number for number in every.flatten().tolist()}

    return not any(numbers(tensor) & numbers(other) for tensor, other in _pairs(replicas))


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


def call_for_a_bool(answer: Callable, replicas: list[list[torch.Tensor]]) -> object:
    """What it returned; where that is no bool, words for what it is."""
    found = answer(replicas)
    if isinstance(found, bool):
        return found
    return f"a value of the class {type(found).__name__} for {len(replicas)} replicas, where a bool is asked for"


honest = Exercise(
    honest,
    inputs=sets_of_replicas,
    probe=call_for_a_bool,
    mistakes=(
        compared_values,
        asked_for_identity,
        compared_first_addresses,
        asked_for_overlap,
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
    """Return (length, world_size): divided, not divided, fewer than ranks, one, none, one rank, a large prime.

    Many ranks, most of them without a number; a bound over 2**24 that float32 cannot hold.
    Sizes that a tensor in memory may have, so that arrays of all the numbers are right too.
    """
    draw = random.Random(seed)
    fixed = [(10, 4), (12, 4), (7, 3), (3, 5), (1, 4), (0, 3), (9, 1), (104_729, 6), (5, 5), (11, 4)]
    fixed += [(1000, 300), (2, 200), (2**20 - 1, 64), (2**24 + 3, 2)]
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


def _as_listed(found, inner, given):
    """`found`, or words for a list whose parts are not of the type `inner`, each of whole numbers.

    The words name what was given, so that they differ from input to input as the answers do.
    """
    for_ = f"for {given!r:.40}"
    if not isinstance(found, list):
        return f"a value of the class {type(found).__name__} {for_}, where a list is asked for"
    for part in found:
        if not isinstance(part, inner):
            return f"a part of the class {type(part).__name__} {for_}, where each is to be a {inner.__name__}"
        if kinds := sorted({type(number).__name__ for number in part} - {"int"}):
            return f"numbers of the class {' and '.join(kinds)} {for_}, where int is asked for"
    return found


def call_for_pairs(answer: Callable, length: int, world_size: int) -> object:
    """What it returned; where that is no list of tuples of whole numbers, words for what it is."""
    return _as_listed(answer(length, world_size), tuple, (length, world_size))


chunk_bounds = Exercise(
    chunk_bounds,
    inputs=lengths_and_ranks,
    probe=call_for_pairs,
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


def tensors_in_chunks(seed: int) -> list[tuple]:
    """Return the arguments (tensors,) of each case.

    A list of chunks for each rank, 3, 1, 2, 4 and 5 ranks: uneven and empty chunks, the last one large, whole
    numbers that no float holds, double precision, infinities and NaN, chunks with gaps in memory, no number at all;
    short dtypes with whole numbers, so that no order of the sums rounds, and complex ones.
    """
    draw = torch.Generator().manual_seed(seed)

    def cut(world_size, sizes, make):
        return [[make(size) for size in sizes] for _ in range(world_size)]

    def normal(size):
        return torch.randn(size, generator=draw)

    def large(size):
        return torch.randint(2**54, 2**56, (size,), generator=draw)

    def fine(size):
        return torch.randn(size, generator=draw, dtype=torch.float64)

    plans = [(3, [2, 2, 2]), (1, [4]), (2, [3, 2]), (4, [2, 1, 1, 1]), (5, [1, 1, 1, 0, 0]), (4, [3, 3, 3, 3])]
    cases = [cut(*plan, normal) for plan in plans]
    cases += [cut(3, [2, 2, 1], large), cut(4, [1, 1, 1, 1], fine), cut(3, [0, 0, 0], normal), cut(1, [0], large)]
    cases += [cut(3, [1, 0, 5], normal)]
    special = cut(3, [2, 1, 1], normal)
    special[0][0][0], special[1][0][1], special[2][2][0] = math.inf, math.nan, -math.inf
    gaps = [[strided(chunk) for chunk in chunks] for chunks in cut(3, [3, 2, 2], normal)]
    kinds = (torch.int32, torch.uint8, torch.float16, torch.bfloat16, torch.complex64)
    short = [
        cut(3, [2, 1, 1], lambda size, to=to: torch.randint(1, 40, (size,), generator=draw).to(to)) for to in kinds
    ]
    short[-1][1][0][:] *= 1j
    return [(case,) for case in [*cases, special, gaps, *short]]


def in_words(tensors: list[list[torch.Tensor]]) -> str:
    """How many ranks, the chunks' sizes and their dtype."""
    sizes = [len(chunk) for chunk in tensors[0]]
    dtype = str(tensors[0][0].dtype).removeprefix("torch.")
    return f"{len(tensors)} rank{'s' if len(tensors) > 1 else ''}, chunks of {sizes} {dtype} numbers"


def run_in_lockstep(answer: Callable, tensors: list[list[torch.Tensor]]) -> dict:
    """Drive one generator a rank: each step, what rank r yields goes to rank r + 1. No process, no thread.

    Return what each rank returned, how many messages it sent, how many numbers all of them sent, and whether each
    message could be a chunk, by its dtype and size. Raises RuntimeError where a rank waits for a neighbour that has
    returned, or sends without end; TypeError for no generator and for a message that is no tensor.
    """
    world_size, results = len(tensors), {}
    ranks = [answer(copy.deepcopy(chunks), r, world_size) for r, chunks in enumerate(tensors)]
    if not all(inspect.isgenerator(rank) for rank in ranks):
        raise TypeError("expected a generator: send with `arrived = yield chunk`, end with `return chunks`")
    arriving, messages, numbers = [None] * world_size, 0, 0
    like, other = {(chunk.dtype, chunk.shape) for chunk in tensors[0]}, set()
    while True:
        sent = []
        for number, rank in enumerate(ranks):
            try:
                sent.append(_message(rank.send(arriving[number]), number))
            except StopIteration as end:
                results[number] = end.value
        if not sent:
            sums = {f"what rank {number} returned": results[number] for number in range(world_size)}
            report = {**sums, "messages that each rank sent": messages, "numbers that all ranks sent": numbers}
            return report | {"each message has a chunk's dtype and size": not other}
        if results:
            raise RuntimeError(f"rank {min(results)} has returned, and another still sends: all take as many steps")
        messages, numbers = messages + 1, numbers + sum(message.numel() for message in sent)
        other |= {(message.dtype, message.shape) for message in sent} - like
        if messages > 6 * world_size:
            raise RuntimeError(f"{messages} messages from each of {world_size} ranks, and no end")
        arriving = [sent[number - 1] for number in range(world_size)]


def _message(sent, rank):
    """A copy of what a rank sends, so that what it does to its own afterwards is not seen elsewhere."""
    if not isinstance(sent, torch.Tensor):
        raise TypeError(f"rank {rank} sent a {type(sent).__name__}: a message is one chunk, a tensor")
    return sent.clone()


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


def each_chunk_alone(chunks, rank, world_size):
    """The sums are right, but each chunk goes all the way around by itself: N (N - 1) messages, and (N - 1) times
    the tensor from each rank. Send on the *sum* so far, and each message does the work of many."""
    sums = list(chunks)
    for place in range(world_size):
        passing = chunks[place]
        for _ in range(world_size - 1):
            passing = yield passing
            sums[place] = sums[place] + passing
    return sums


ring = Exercise(
    ring,
    inputs=tensors_in_chunks,
    describe=in_words,
    mistakes=(
        half_a_ring,
        added_all_the_way,
        gathered_from_the_start,
        whole_tensors_around,
        each_chunk_alone,
        same_chunk_for_all,
    ),
    hints=(
        "One loop of 2 (N - 1) steps. `arrived = yield chunks[...]` is all the communication there is.",
        "In step s rank r sends chunk r - s and receives chunk r - s - 1, both % N: what arrived is sent on next.",
        "In the first N - 1 steps add what arrived to your chunk of that number; later put it in its place.",
    ),
    probe=run_in_lockstep,
)


def gradients_and_caps(seed: int) -> list[tuple]:
    """Return (sizes, cap): filled exactly, one too large, the last or first large, none, one, zeros, LeNet's.

    Bytes over 2**53, which no float counts.
    """
    draw = random.Random(seed)
    lenet = [720, 80, 100_000, 200, 409_600, 512, 5120, 40]
    fixed = [
        ([30, 10, 20, 40], 50),
        ([4, 4, 4, 4], 8),
        ([4, 100, 4, 4], 8),
        ([3, 3, 3, 100], 8),
        ([100, 3, 3, 3], 8),
    ]
    fixed += [([], 8), ([5], 8), ([8], 8), ([9, 9, 9], 1), ([2, 0, 8, 0, 0], 8), ([0, 8], 8), ([0, 0], 8)]
    fixed += [([1] * 10, 10**9), (lenet, 2**17), ([2**40, 1, 2**40], 2**40 + 1), ([5, 4, 3], 7), ([7, 7, 7], 8)]
    fixed += [([5, 0, 8, 0, 8], 8), ([3, 1, 2**53], 2**53 + 1), ([1, 2] * 100, 7)]
    return [*fixed, ([draw.randint(1, 60) for _ in range(12)], draw.randint(20, 90))]


def buckets(sizes, cap):
    """From the last parameter to the first; a bucket is closed when it has reached the cap."""
    found, filled = [], cap
    for number in reversed(range(len(sizes))):
        if filled >= cap:
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += sizes[number]
    return found


def first_parameters_first(sizes, cap):
    """You began with the first parameter. The backward pass completes the *last* layer's gradients first: a bucket
    of the first layers is full at the very end, and nothing travels before."""
    found, filled = [], cap
    for number in range(len(sizes)):
        if filled >= cap:
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += sizes[number]
    return found


def cut_from_the_front(sizes, cap):
    """You cut from the first parameter on, and then turned the list of buckets round. The remainder, which should
    leave last, leaves first, and within a bucket the gradients stand against the order in which they come."""
    return first_parameters_first(sizes, cap)[::-1]


def never_above_the_cap(sizes, cap):
    """You closed a bucket *before* the gradient that would go beyond the cap. Here that gradient still belongs to
    it: `cap` says when a bucket is full enough to leave, not how large it may be."""
    found, filled = [], 0
    for number in reversed(range(len(sizes))):
        if not found or (found[-1] and filled + sizes[number] > cap):
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += sizes[number]
    return found


def only_above_the_cap(sizes, cap):
    """A bucket that has *reached* the cap is full: yours goes on until there is more."""
    found, filled = [], cap + 1
    for number in reversed(range(len(sizes))):
        if filled > cap:
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += sizes[number]
    return found


def _cut(sizes, cap):
    found, filled = [], cap
    for number in reversed(range(len(sizes))):
        if filled >= cap:
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += sizes[number]
    return found


def forgot_the_rest(sizes, cap):
    """The parameters that are left at the end do not reach the cap, and are in no bucket of yours: their gradients
    would never be averaged."""
    found = _cut(sizes, cap)
    return found[:-1] if found and sum(sizes[number] for number in found[-1]) < cap else found


def sizes_for_numbers(sizes, cap):
    """You listed the gradients' sizes. Asked for are the parameters' *numbers*, counted from 0: two of
    one size are two gradients."""
    return [[sizes[number] for number in bucket] for bucket in _cut(sizes, cap)]


def call_for_lists(answer: Callable, sizes: list[int], cap: int) -> object:
    """What it returned; where that is no list of lists of whole numbers, words for what it is."""
    return _as_listed(answer(sizes, cap), list, (sizes, cap))


buckets = Exercise(
    buckets,
    inputs=gradients_and_caps,
    probe=call_for_lists,
    mistakes=(
        first_parameters_first,
        cut_from_the_front,
        never_above_the_cap,
        only_above_the_cap,
        forgot_the_rest,
        sizes_for_numbers,
    ),
    hints=(
        "Walk through `reversed(range(len(sizes)))`, with an open bucket and how many bytes it has.",
        "Put the number in, add its size, and only then ask whether the cap is reached.",
        "At the end the open bucket counts too, unless nothing is in it.",
    ),
)


def links(seed: int) -> list[tuple]:
    """Return (alpha, beta, world_size): powers of two and not, two ranks, thousands; crossings up to 13 TB.

    2**29 ranks, since `math.log(2**29, 2)` is 29.000000000000004; 2**24 + 1, which float32 cannot hold.
    """
    draw = random.Random(seed)
    fixed = [(14e-6, 2e-11, 8), (3.4e-6, 2.7e-12, 3), (14e-6, 8e-11, 5), (5e-5, 2e-10, 16_384), (1e-4, 1e-9, 100)]
    fixed += [(1e-5, 1e-10, 2), (14e-6, 2e-11, 32_768), (1e-9, 1e-6, 4), (14e-6, 2e-11, 2**29)]
    fixed += [(1e-5, 1e-10, 3), (14e-6, 2e-11, 2**20 + 1), (14e-6, 2e-11, 2**24 + 1)]
    return [*fixed, (draw.uniform(1e-6, 1e-4), draw.uniform(1e-12, 1e-9), draw.randint(6, 5000))]


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


def log_with_a_base(alpha, beta, world_size):
    """For 2**29 ranks you count 30 levels: `math.log(2**29, 2)` is a quotient of two rounded numbers, a little over
    29. `math.log2` is exact for powers of two."""
    levels = math.ceil(math.log(world_size, 2))
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


def call_for_a_float(answer: Callable, alpha: float, beta: float, world_size: int) -> object:
    """What it returned; where that is no float, words for what it is."""
    found = answer(alpha, beta, world_size)
    if isinstance(found, float):
        return found
    return f"{found!r:.40} of the class {type(found).__name__}, where a float is asked for"


crossover = Exercise(
    crossover,
    inputs=links,
    probe=call_for_a_float,
    mistakes=(
        half_levels,
        rounded_down,
        log_with_a_base,
        ring_moves_nothing,
        up_but_not_down,
        bandwidth_for_beta,
    ),
    hints=(
        "Write both times down: messages * alpha + bytes * beta. Only the bytes hold the unknown size.",
        "ring: 2 (N - 1) messages, 2 (N - 1) / N sizes. tree: 2 levels messages, 2 levels sizes.",
        "Set them equal: alpha * (messages saved) = beta * size * (sizes added).",
    ),
    rtol=1e-9,
)
