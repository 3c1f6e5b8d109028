"""Questions of chapter 08: a nested batch, the GPU behind a number, bytes, an honest clock, an idle GPU."""

import math
import random
from collections.abc import Callable
from types import MappingProxyType

import numpy as np
import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

from lessonkit.checks.exercise import Exercise


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
        "the same object is handed on": {name: answer(one, device) is one for name, one in odd.items()},
        "the same object is handed on, in a list": {
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
    return f"{str(tensor.dtype).removeprefix('torch.')} of {tuple(tensor.shape)}{graph} on {tensor.device}"


def _numbers(tensor):
    return "none, it is on meta" if tensor.is_meta else tensor.detach()


def move_to(batch, device):
    """Tensors move; dicts, lists and tuples are rebuilt around what they hold; the rest is handed on."""

    def move(value):
        if isinstance(value, torch.Tensor):
            return value.to(device)
        if isinstance(value, dict):
            return {key: move(one) for key, one in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(move(one) for one in value)
        return value

    return move(batch)


def result_thrown_away(batch, device):
    """Everything is where it was: `.to()` returns a new tensor and leaves the old one alone, so what it returns
    has to be kept and handed back."""
    values = batch.values() if isinstance(batch, dict) else batch if isinstance(batch, (list, tuple)) else [batch]
    for value in values:
        if isinstance(value, torch.Tensor):
            value.to(device)
    return batch


def first_level_only(batch, device):
    """Your tensors at the first level moved; those inside an inner list, tuple or dict stayed behind. Call the
    function itself for each value."""

    def one(value):
        return value.to(device) if isinstance(value, torch.Tensor) else value

    if isinstance(batch, dict):
        return {key: one(value) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return type(batch)(one(value) for value in batch)
    return one(batch)


def tuples_became_lists(batch, device):
    """Every tensor moved, but your tuples came back as lists: `inputs, targets = batch` would still work, a key
    or a type check would not. Rebuild with `type(batch)`."""
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: tuples_became_lists(value, device) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return [tuples_became_lists(value, device) for value in batch]
    return batch


def tuples_forgotten(batch, device):
    """Dicts and lists moved; what lay in a tuple stayed behind. A loader's `(inputs, targets)` is often one."""
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: tuples_forgotten(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [tuples_forgotten(value, device) for value in batch]
    return batch


def only_tensors_kept(batch, device):
    """The tensors moved, but what is no tensor was lost on the way: words, numbers and None are handed on as they
    are."""
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: only_tensors_kept(value, device) for key, value in batch.items() if _moves(value)}
    if isinstance(batch, (list, tuple)):
        return type(batch)(only_tensors_kept(value, device) for value in batch if _moves(value))
    return None


def _moves(value):
    return isinstance(value, (torch.Tensor, dict, list, tuple))


move_to = Exercise(
    move_to,
    inputs=nested_batches,
    mistakes=(result_thrown_away, first_level_only, tuples_became_lists, tuples_forgotten, only_tensors_kept),
    hints=(
        "Four cases, told apart by `isinstance`: a tensor, a dict, a list or tuple, anything else.",
        "A dict: `{key: move_to(value, device) for key, value in batch.items()}`. The function calls itself.",
        "A list or tuple: `type(batch)(…)` makes a list from a list and a tuple from a tuple.",
    ),
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


def gpu_behind(visible, logical, count):
    """The list is read until the first entry that means no GPU; the logical number is a place in it."""
    if visible is None:
        numbers = list(range(count))
    else:
        numbers = []
        for entry in visible.split(","):
            if not entry.isdigit() or int(entry) >= count:
                break
            numbers.append(int(entry))
    return numbers[logical] if logical < len(numbers) else None


def logical_is_physical(visible, logical, count):
    """You handed the number on as it is. Inside the process `cuda:0` is the *first entry* of the variable,
    whatever number stands there."""
    return logical if logical < len(_usable(visible, count)) else None


def sorted_by_number(visible, logical, count):
    """You sorted the GPUs. The order of the variable is the order of the logical numbers: that is what makes
    "0,3,2" different from "0,2,3"."""
    numbers = sorted(_usable(visible, count))
    return numbers[logical] if logical < len(numbers) else None


def skipped_what_is_no_gpu(visible, logical, count):
    """You left out the entry that means no GPU and went on behind it. CUDA does not: the list *ends* there."""
    entries = [str(number) for number in range(count)] if visible is None else visible.split(",")
    numbers = [int(entry) for entry in entries if entry.isdigit() and int(entry) < count]
    return numbers[logical] if logical < len(numbers) else None


def empty_means_all(visible, logical, count):
    """For you an empty variable is the same as none at all. It is not: unset shows every GPU, empty shows none
    (`if not visible` cannot tell them apart)."""
    numbers = _usable(visible or None, count)
    return numbers[logical] if logical < len(numbers) else None


def looked_up_backwards(visible, logical, count):
    """You looked up at which place the number stands: that turns a physical number into a logical one. The
    question runs the other way."""
    numbers = _usable(visible, count)
    return numbers.index(logical) if logical in numbers else None


def _usable(visible, count):
    numbers = []
    for entry in map(str, range(count)) if visible is None else visible.split(","):
        if not entry.isdigit() or int(entry) >= count:
            break
        numbers.append(int(entry))
    return numbers


gpu_behind = Exercise(
    gpu_behind,
    inputs=visible_variables,
    mistakes=(
        logical_is_physical,
        sorted_by_number,
        skipped_what_is_no_gpu,
        empty_means_all,
        looked_up_backwards,
    ),
    hints=(
        "First make the list of physical numbers that the process sees; `None` means all of 0 … count − 1.",
        "`visible.split(',')`, entry by entry: `break` where one is not digits (`str.isdigit`) or too large.",
        "The logical number is a place in that list; beyond its end the answer is `None`.",
    ),
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


def training_bytes(parameters, bytes_each):
    """The value of each parameter, and for a trained one its gradient and Adam's two averages besides."""
    total = 0
    for shape, trained in parameters:
        copies = 4 if trained else 1
        total += copies * math.prod(shape) * bytes_each
    return total


def values_only(parameters, bytes_each):
    """That is the model alone. Training adds a gradient for each trained number, and Adam two averages."""
    return sum(math.prod(shape) for shape, _ in parameters) * bytes_each


def three_copies(parameters, bytes_each):
    """You counted three numbers for each trained one. There are four: its value, its gradient (which `backward`
    leaves in `.grad`), and Adam's *two* averages, of the gradient and of its square."""
    return sum((3 if trained else 1) * math.prod(shape) for shape, trained in parameters) * bytes_each


def frozen_counted_whole(parameters, bytes_each):
    """You counted gradients and averages for the frozen parameters too. They have neither: that is why freezing
    saves memory."""
    return 4 * sum(math.prod(shape) for shape, _ in parameters) * bytes_each


def frozen_left_out(parameters, bytes_each):
    """You left the frozen parameters out. They are not trained, but their values lie in memory like all others."""
    return 4 * sum(math.prod(shape) for shape, trained in parameters if trained) * bytes_each


def numbers_not_bytes(parameters, bytes_each):
    """That is how many *numbers* there are. Each takes `bytes_each` bytes."""
    return sum((4 if trained else 1) * math.prod(shape) for shape, trained in parameters)


training_bytes = Exercise(
    training_bytes,
    inputs=parameter_lists,
    mistakes=(values_only, three_copies, frozen_counted_whole, frozen_left_out, numbers_not_bytes),
    hints=(
        "How many numbers does a shape hold? `math.prod(shape)`; of `()` it is 1.",
        "For each number of a trained parameter: value, gradient, two averages. Of a frozen one: the value.",
    ),
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


def honest_seconds(work, synchronize, clock, repeats):
    """Warm up, wait, start, ask `repeats` times, wait again, stop."""
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats


def never_waited(work, synchronize, clock, repeats):
    """The wait for the work still queued at the end is not in your time: that is the time to *ask*. Synchronise
    after the loop, then stop the clock."""
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    return (clock() - start) / repeats


def never_warmed_up(work, synchronize, clock, repeats):
    """Your first call is in the measurement, and it pays for what happens once: loading kernels, choosing
    them, memory. One call before the clock starts."""
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats


def warm_up_leaks_in(work, synchronize, clock, repeats):
    """You warmed up and did not wait for it: the first call was still running when your clock started, and was
    counted. Synchronise before the start too."""
    work()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats


def started_before_the_wait(work, synchronize, clock, repeats):
    """You read the clock and then waited for the warm-up: what was left of the first call is in your time. Wait
    first, then start."""
    work()
    start = clock()
    synchronize()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats


def waited_each_time(work, synchronize, clock, repeats):
    """You synchronised after every call. The queue then runs empty each time, and asking no longer overlaps with
    doing: slower than real use. Once, after the loop."""
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
        synchronize()
    return (clock() - start) / repeats


def never_divided(work, synchronize, clock, repeats):
    """That is the time of all calls together. Divide by `repeats`."""
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return clock() - start


honest_seconds = Exercise(
    honest_seconds,
    inputs=pretend_devices,
    mistakes=(
        never_waited,
        never_warmed_up,
        warm_up_leaks_in,
        started_before_the_wait,
        waited_each_time,
        never_divided,
    ),
    hints=(
        "Draw two lanes, host and device. When is the device's lane empty? Only there may a clock be read.",
        "Which call is the slow one, and what must have happened to it before the clock starts?",
        "`work()`, `synchronize()`, `clock()`; the loop; then the same two again. One number is left to divide by.",
    ),
    probe=time_a_pretend_device,
    atol=0,  # seconds may be nanoseconds
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


def idle_share(kernels, begin, end):
    """Sorted by their start, the kernels leave a gap wherever the next begins after all former ones have ended."""
    idle, busy_until = 0, begin
    for start, duration in sorted(kernels):
        idle += max(0, min(start, end) - busy_until)
        busy_until = max(busy_until, min(start + duration, end))
    return (idle + end - busy_until) / (end - begin) if end > begin else 0


def busy_share(kernels, begin, end):
    """That is the share in which a kernel *did* run. Asked for is the rest."""
    return 1 - _walked(sorted(kernels), begin, end) if end > begin else 0


def durations_added(kernels, begin, end):
    """You added up the durations. Where two streams run kernels at the same time, that time is counted twice:
    join what overlaps first."""
    parts = [max(0, min(start + duration, end) - max(start, begin)) for start, duration in kernels]
    return 1 - sum(parts) / (end - begin) if end > begin else 0


def in_the_order_given(kernels, begin, end):
    """Your walk takes the kernels in the order of the list. Several streams were recorded one after the other, so
    a later entry may begin earlier: sort by the start first."""
    return _walked(kernels, begin, end) if end > begin else 0


def the_last_end_counts(kernels, begin, end):
    """You took the end of the *last* kernel for the end of the busy time. A short kernel within a long one ends
    earlier: keep the largest end so far."""
    idle, busy_until = 0, begin
    for start, duration in sorted(kernels):
        idle += max(0, min(start, end) - busy_until)
        busy_until = min(max(start + duration, begin), end)
    return (idle + end - busy_until) / (end - begin) if end > begin else 0


def the_ends_forgotten(kernels, begin, end):
    """You counted the gaps between kernels alone. Before the first and after the last one the GPU is idle too, as
    far as the window goes."""
    inside = [(start, duration) for start, duration in sorted(kernels) if start < end and start + duration > begin]
    if end == begin or not inside:
        return 0 if end == begin else 1
    first = max(begin, inside[0][0])
    last = min(end, max(start + duration for start, duration in inside))
    return _walked(inside, first, last) * (last - first) / (end - begin) if last > first else 0


def outside_counted(kernels, begin, end):
    """You counted kernels, or parts of them, that lie outside the window: cut each to `begin` and `end`."""
    busy, busy_until = 0, None
    for start, duration in sorted(kernels):
        if busy_until is None or start > busy_until:
            busy, busy_until = busy + duration, start + duration
        elif start + duration > busy_until:
            busy, busy_until = busy + start + duration - busy_until, start + duration
    return 1 - busy / (end - begin) if end > begin else 0


def _walked(kernels, begin, end):
    idle, busy_until = 0, begin
    for start, duration in kernels:
        idle += max(0, min(start, end) - busy_until)
        busy_until = max(busy_until, min(start + duration, end))
    return (idle + end - busy_until) / (end - begin)


idle_share = Exercise(
    idle_share,
    inputs=recorded_kernels,
    mistakes=(
        busy_share,
        durations_added,
        in_the_order_given,
        the_last_end_counts,
        the_ends_forgotten,
        outside_counted,
    ),
    hints=(
        "Draw the bars of one input on paper. Which moments are covered by none of them?",
        "Walk `sorted(kernels)` and remember one number: until when has the GPU been busy so far?",
        "A gap opens where the next start lies beyond it; then it becomes `max(it, this end)`.",
        "Begin with it at `begin`, cut starts and ends at `end`, and add what is left at the end of the window.",
    ),
    atol=1e-12,  # the share may be small; `1 - busy` is as exact as that
)
