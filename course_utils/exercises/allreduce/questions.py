"""What chapter 11 asks: chunks, a whole ring, buckets, an honest replica, where the tree stops winning.

The inputs of each question, and how an answer is driven. A submission that is graded sees this file.
"""

import copy
import inspect
import math
import random
from collections.abc import Callable

import torch

from lessonkit.checks.question import Question
from lessonkit.checks.variants import strided
from lessonkit.checks.wording import dtype_of


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


def call_for_a_bool(answer: Callable, replicas: list[list[torch.Tensor]]) -> object:
    """What it returned; where that is no bool, words for what it is."""
    found = answer(replicas)
    if isinstance(found, bool):
        return found
    return f"a value of the class {type(found).__name__} for {len(replicas)} replicas, where a bool is asked for"


honest = Question(
    "honest",
    inputs=sets_of_replicas,
    probe=call_for_a_bool,
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


chunk_bounds = Question(
    "chunk_bounds",
    inputs=lengths_and_ranks,
    probe=call_for_pairs,
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
    dtype = dtype_of(tensors[0][0])
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
            raise RuntimeError(
                f"rank {min(results)} returned while another still sends; all must take equally many steps"
            )
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


ring = Question(
    "ring",
    inputs=tensors_in_chunks,
    describe=in_words,
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


def call_for_lists(answer: Callable, sizes: list[int], cap: int) -> object:
    """What it returned; where that is no list of lists of whole numbers, words for what it is."""
    return _as_listed(answer(sizes, cap), list, (sizes, cap))


buckets = Question(
    "buckets",
    inputs=gradients_and_caps,
    probe=call_for_lists,
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


def call_for_a_float(answer: Callable, alpha: float, beta: float, world_size: int) -> object:
    """What it returned; where that is no float, words for what it is."""
    found = answer(alpha, beta, world_size)
    if isinstance(found, float):
        return found
    return f"{found!r:.40} of the class {type(found).__name__}, where a float is asked for"


crossover = Question(
    "crossover",
    inputs=links,
    probe=call_for_a_float,
    rtol=1e-9,
)
