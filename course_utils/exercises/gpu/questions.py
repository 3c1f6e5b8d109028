"""What chapter 08 asks: a nested batch, the GPU behind a number, bytes, an honest clock, an idle GPU.

The inputs of each question, and how an answer is driven. A submission that is graded sees this file.
"""

import random
from collections.abc import Callable
from types import MappingProxyType

import numpy as np
import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

from lessonkit.checks.question import Question
from lessonkit.checks.wording import dtype_of


def nested_batches(seed: int) -> list[tuple]:
    """Return the arguments (batch, device) of each case.

    A dict with a list and a tuple inside, a bare tensor, an empty list, words and numbers. Then what targets
    and masks are made of: other dtypes, one number, a parameter, a key that is no word. Then what `or` takes for
    nothing, an empty tuple, thirty levels, and tensors of other dtypes, one of them without rows.
    """
    draw = torch.Generator().manual_seed(seed)
    rows = int(torch.randint(2, 6, (), generator=draw))

    def some(*shape):
        return torch.rand(rows, *shape, generator=draw)

    meta = torch.device("meta")
    targets = {"labels": torch.randint(9, (rows,), generator=draw), "mask": some() > 0.5, 0: some(1)}
    targets |= {"scale": torch.rand((), generator=draw), "weight": nn.Parameter(some(2)), "fine": some().double()}
    sizes = {"small": torch.tensor([3], dtype=torch.uint8), "half": some().bfloat16(), "none": torch.empty(0, 4)}
    sizes |= {"wave": torch.tensor([1j]), "last": (some().half(), torch.tensor(7, dtype=torch.int32))}
    deep = some(1)
    for level in range(30):
        deep = ([deep], {"in": deep}, (deep,))[level % 3]
    return [
        ({"image": some(4), "boxes": [some(2), some(3)], "sizes": (some(), "cm"), "id": "a7"}, meta),
        (some(3), meta),
        ([some(2), {"mask": some(1), "missing": None}, 3.5], meta),
        (((some(2), [some(1)]), rows), meta),
        ({"empty": [], "deep": {"deeper": {"deepest": (some(2),)}}}, meta),
        ({"stays": [some(2)]}, torch.device("cpu")),
        (targets, meta),
        ([0, {"count": 0, "share": 0.0, "name": "", "last": False}, (some(1), "")], meta),
        ((), meta),
        (deep, meta),
        (sizes, meta),
    ]


class Route:
    """Neither a tensor nor a container, with a method `to` of its own."""

    def to(self, place: object) -> "Route":
        """Return another one."""
        return Route()


def where_everything_is(answer: Callable, batch: object, device: torch.device) -> dict:
    """Drive a mover: to the device, to another one, to a third; and once for each thing that is no batch.

    Return each tensor of what came back, in words for its kind and device; the numbers of those on the CPU; and of
    each thing that is no batch whether it is handed on as it is. The third device is one that no machine needs to
    have: under FakeTensorMode tensors only say where they are.
    """
    other = torch.device("cpu" if device.type == "meta" else "meta")
    again = _rebuilt(batch)  # the same tensors, whatever the first call does to the containers
    first, second = answer(batch, device), answer(again, other)
    with FakeTensorMode():
        third = _walk(answer([torch.empty(2), {"mask": torch.empty(1)}], torch.device("cuda:1")), _in_words)
    module, stream = nn.Linear(1, 1), iter([torch.zeros(1)])
    odd = {
        "an array of NumPy": np.zeros(2),
        "a set": {1, 2},
        "a range": range(3),
        "an object with a method `to` of its own": Route(),
        "a module": module,
        "an iterator": stream,
        "bytes": b"ab",
        "a mapping that is no dict": MappingProxyType({"a": 0}),
        "a word": "a7",
        "None": None,
    }
    given = {"empty list": [], "list": [0], "dict": {"a": 0}, "empty dict": {}}
    inner = {"list in a dict": {"a": [0]}, "empty list in a list": [[]], "empty dict in a tuple": ({},)}
    return {
        f"moved to {device}, in words": _walk(first, _in_words),
        f"then the same batch moved to {other}, in words": _walk(second, _in_words),
        "two pretended tensors moved to cuda:1, in words": third,
        "the numbers on the CPU": _walk(second if other.type == "cpu" else first, _numbers),
        "the same object is returned": {name: answer(one, device) is one for name, one in odd.items()},
        "the same object is returned, in a list": {
            name: _only(answer([x], device)) is x for name, x in odd.items()
        },
        "a new one is returned": {name: answer(one, device) is not one for name, one in given.items()},
        "a new one is returned, of the inner one": {
            name: _only(answer(one, device)) is not _only(one) for name, one in inner.items()
        },
        "the keys of a dict, in their order": _keys(answer({"b": 0, "a": torch.zeros(1), 0: []}, device)),
        "the module's own weight is on": str(module.weight.device),
        "the iterator still has what it had": len(list(stream)) == 1,
    }


def _only(value):
    values = list(value.values()) if isinstance(value, dict) else value
    return values[0] if isinstance(values, (list, tuple)) and values else None


def _keys(value):
    return list(value) if isinstance(value, dict) else value


def _rebuilt(value):
    if isinstance(value, dict):
        return {key: _rebuilt(one) for key, one in value.items()}
    return type(value)(map(_rebuilt, value)) if isinstance(value, (list, tuple)) else value


def _walk(value, look):
    if isinstance(value, dict):
        words = [key if isinstance(key, str) else f"{key!r}, no word" for key in value]
        return {word: _walk(one, look) for word, one in zip(words, value.values(), strict=True)}
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *(_walk(one, look) for one in value)]
    return "None" if value is None else look(value) if isinstance(value, torch.Tensor) else value


def _in_words(tensor):
    graph = " that requires grad" if tensor.requires_grad else ""
    return f"{dtype_of(tensor)} of {tuple(tensor.shape)}{graph} on {tensor.device}"


def _numbers(tensor):
    return "none, it is on meta" if tensor.is_meta else tensor.detach()


move_to = Question(
    "move_to",
    inputs=nested_batches,
    probe=where_everything_is,
)


def visible_variables(seed: int) -> list[tuple]:
    """Return the arguments (visible, logical, count) of each case.

    In order, out of order, unset, an end in the middle, empty, beyond the list. Then numbers of two digits
    beside one of one, and what `int` reads though it is not made of digits alone. An entry that is empty, first,
    in the middle and last; numbers of three digits; no GPU at all. Then some that are drawn.
    """
    draw, dice = torch.Generator().manual_seed(seed), random.Random(seed)
    a, b, c = (torch.randperm(3, generator=draw) + 5).tolist()  # none of them is its own logical number
    return [
        (f"{a},{b}", 1, 8),
        (f"{b},{a},{c}", 0, 8),
        (f"{b},{a},{c}", 2, 8),
        ("7,6,5", 0, 8),
        ("0,3,2", 1, 4),
        (None, 2, 4),
        (None, 4, 4),
        ("", 0, 4),
        (f"{a}", 1, 8),
        (f"{a},8,{b}", 0, 8),
        (f"{a},8,{b}", 1, 8),
        (f"{a},-1,{b}", 1, 8),
        ("3,2,1,0", 3, 4),
        (f"{a},8,{b}", 2, 8),
        ("10,11,3", 0, 12),
        ("10,11,3", 1, 12),
        ("11,no,3", 0, 12),
        ("11,no,3", 1, 12),
        ("11,no,3", 2, 12),
        ("9,10,3", 0, 12),
        ("9,10,3", 2, 12),
        ("+1,0", 0, 4),
        (f"{a},1_0,{b}", 1, 12),
        (f"{a},,{b}", 1, 8),
        (f",{a}", 0, 8),
        (f"{b},", 1, 8),
        ("2.0,1", 0, 4),
        ("100,99", 0, 128),
        (None, 3, 4),
        (None, 0, 0),
        ("0", 0, 0),
        *(_drawn_variable(dice) for _ in range(8)),
    ]


def _drawn_variable(dice):
    """Some numbers in any order, in half of the cases with an entry among them that means no GPU."""
    count = dice.randint(4, 12)
    entries = [str(number) for number in dice.sample(range(count), dice.randint(2, count))]
    if dice.random() < 0.5:
        entries.insert(dice.randint(1, len(entries)), dice.choice([str(count), "-1", "no"]))
    return ",".join(entries), dice.randrange(len(entries)), count


def the_number(answer: Callable, visible: str | None, logical: int, count: int) -> dict:
    """Drive an answer for which None is a good one, and no lost `return`."""
    return {"the physical number": answer(visible, logical, count)}


gpu_behind = Question(
    "gpu_behind",
    inputs=visible_variables,
    probe=the_number,
)


def parameter_lists(seed: int) -> list[tuple]:
    """Return the arguments (parameters, bytes_each) of each case.

    Part frozen; more numbers than 32 bits count or a memory holds; all trained, a scalar, half precision, nothing
    trained, nothing. Then equal entries, one byte each and many axes, and odd numbers above 2**53, one of them
    beside a scalar.
    """
    draw = torch.Generator().manual_seed(seed)
    a, b, c = torch.randint(2, 9, (3,), generator=draw).tolist()
    return [
        ([((a, b), True), ((a,), True), ((c, a), False)], 4),
        ([((3_000_000, 4_000_000), True)], 4),  # second: whoever allocates it fails at once, and eats no memory
        ([((a, b, c, c), True), ((a,), True)], 4),
        ([((), True), ((a,), False)], 2),
        ([((a, b), False), ((b,), False)], 2),
        ([((c, 1000), True)], 8),
        ([((0, a), True), ((b,), True)], 4),
        ([], 4),
        ([((a, b), True), ((a, b), True), ((a, b), False)], 4),
        ([((2, a, 1, b, 3, 2), True), ((), False)], 1),
        ([((94_906_267, 94_906_267), False), ((a,), True)], 1),  # a float cannot hold it
        ([((a,), True), ((94_906_267, 94_906_269, 3), True)], 4),
        ([((), True), ((94_906_267, 94_906_269), False)], 1),
    ]


training_bytes = Question(
    "training_bytes",
    inputs=parameter_lists,
)


class PretendDevice:
    """A device of paper with a clock of its own: calls queue up work, `synchronize` waits for it."""

    def __init__(self, launch: float, cost: float, first: float, more: float) -> None:
        self.now, self.ready, self.launch, self.cost, self.first = 1024.0, 0.0, launch, cost, first
        self.more, self.called = more, []

    def work(self) -> None:
        """Queue up one call: asking takes `launch`, doing `cost`, `more` from call to call, and `first` once."""
        self.called.append("work")
        self.now += self.launch
        self.ready = max(self.ready, self.now) + self.cost + self.first
        self.cost, self.first = self.cost + self.more, 0.0

    def synchronize(self) -> None:
        """Wait until all that is queued up is done."""
        self.called.append("synchronize")
        self.now = max(self.now, self.ready)

    def clock(self) -> float:
        """Return the seconds since some moment."""
        self.called.append("clock")
        return self.now


def pretend_devices(seed: int) -> list[tuple]:
    """Return the arguments (launch, cost, first, repeats, more) of each case.

    Seconds to ask, to do, and once at the first call; an accelerator, a CPU. Then one that is launch-bound; one
    that is asked often; nanoseconds, in powers of 2, so that whatever order they are added in is exact; calls that
    take ever longer.
    """
    draw = torch.Generator().manual_seed(seed)
    launch, cost, first = (torch.rand(3, generator=draw) + torch.tensor([0.5, 5.0, 20.0])).tolist()
    return [
        (launch, cost, first, 10, 0.0),
        (launch, cost, first, 1, 0.0),
        (launch, 2 * cost, 0.0, 25, 0.0),
        (cost, 0.0, first, 4, 0.0),
        (cost, launch, first, 6, 0.0),
        (launch, cost, first, 300, 0.0),
        (2.0**-31, 2.0**-28, 2.0**-26, 8, 0.0),
        (launch, cost, first, 5, launch),
    ]


def time_a_pretend_device(
    answer: Callable, launch: float, cost: float, first: float, repeats: int, more: float
) -> dict:
    """Drive a timer on a device of paper: whether it used what it was given, and the seconds of one call."""
    device = PretendDevice(launch, cost, first, more)
    seconds = answer(device.work, device.synchronize, device.clock, repeats)
    asked = [at for at, name in enumerate(device.called) if name == "work"]
    between = device.called[asked[1] : asked[-1]] if len(asked) > 1 else []
    return {
        "the `synchronize` that you were given was called": "synchronize" in device.called,
        "the `clock` that you were given was called": "clock" in device.called,
        "calls of `work`, with the warm-up": len(asked),
        "waits between one timed call and the next": between.count("synchronize"),
        "the seconds of one call": seconds,
    }


honest_seconds = Question(
    "honest_seconds",
    inputs=pretend_devices,
    probe=time_a_pretend_device,
    atol=0,
)


def recorded_kernels(seed: int) -> list[tuple]:
    """Return the arguments (kernels, begin, end) of each case, in microseconds.

    Gaps and an overlap, unsorted; one within another; beyond both ends of the window, at its ends, around it,
    outside it; of zero duration, in a gap and in a kernel; none; an empty window, with and without a kernel;
    negative times; fractions; microseconds since 1970; a window too long for one entry a microsecond; many. Then
    fractions of microseconds since 1970, and a share of some millionths.
    """
    draw = torch.Generator().manual_seed(seed)
    a, b, c, d = torch.randint(2, 9, (4,), generator=draw).tolist()
    long, since = 100 + a, 1_700_000_000_000_000
    starts, durations = torch.randint(0, 3000, (60,), generator=draw), torch.randint(0, 40, (60,), generator=draw)
    return [
        ([(40 + a, 10), (10, b), (12, 20 + c), (80, d)], 0, long),
        ([(5, 60), (10, a), (70, b)], 0, long),  # a short kernel within a long one, then a gap
        ([(20, 3), (5, 40), (8, 2)], 0, long),
        ([(-a, 10 + a), (95, 50), (30, b)], 0, long),
        ([(50, 10), (30, b)], 20, 55),
        ([(10, 10 + c), (20, 10)], 10, 60),
        ([(-5, 500)], 0, long),
        ([(-50, 20), (300, a), (30, b)], 0, long),
        ([(-50, 20), (300, a)], 0, long),
        ([(30, 0), (60, 10 + b), (65, 0), (90, 0)], 0, long),
        ([(30, 0)], 0, long),
        ([], 0, long),
        ([], 7, 7),
        ([(0, 10)], 5, 5),
        ([(-90, 20 + a), (-60, b), (-10, 30)], -100, -a),
        ([(0.25, 0.5 + b / 16), (0.5, 0.125), (3.75, 0.5)], 0.125, 4.0),
        ([(since + 10, 30), (since + 20, 30 + b), (since + 90, 40)], since, since + 100),
        ([(10**12, 10**12), (5 * 10**12, a * 10**11)], 0, 10**13),
        ([(10, 30), (10, 30), (10, 5), (60, b)], 0, long),
        (list(zip(starts.tolist(), durations.tolist(), strict=True)), 200, 2800),
        ([(since + 50, 20.25), (since + 10.25, 30.5), (since + 20.5, 2)], since, since + 100),
        ([(13, 2 * 10**7), (2 * 10**7 + 100 + a, 2 * 10**7)], 0, 30_000_001),
    ]


idle_share = Question(
    "idle_share",
    inputs=recorded_kernels,
    atol=1e-12,
)
