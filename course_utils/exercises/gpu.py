"""Questions of chapter 08: a nested batch, the GPU behind a number, the freest one, bytes, an honest clock."""

import math
from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from course_utils.checks.exercise import Exercise


def nested_batches(seed: int) -> list[tuple]:
    """Return the arguments (batch, device) of each case.

    A dict with a list and a tuple inside, a bare tensor, an empty list, words and numbers. Then what targets
    and masks are made of: other dtypes, one number, a parameter, a key that is no word.
    """
    draw = torch.Generator().manual_seed(seed)
    rows = int(torch.randint(2, 6, (), generator=draw))

    def some(*shape):
        return torch.rand(rows, *shape, generator=draw)

    meta = torch.device("meta")
    targets = {"labels": torch.randint(9, (rows,), generator=draw), "mask": some() > 0.5, 0: some(1)}
    targets |= {"scale": torch.rand((), generator=draw), "weight": nn.Parameter(some(2)), "fine": some().double()}
    return [
        ({"image": some(4), "boxes": [some(2), some(3)], "sizes": (some(), "cm"), "id": "a7"}, meta),
        (some(3), meta),
        ([some(2), {"mask": some(1), "missing": None}, 3.5], meta),
        (((some(2), [some(1)]), rows), meta),
        ({"empty": [], "deep": {"deeper": {"deepest": (some(2),)}}}, meta),
        ({"stays": [some(2)]}, torch.device("cpu")),
        (targets, meta),
    ]


class Route:
    """Neither a tensor nor a container, with a method `to` of its own."""

    def to(self, place: object) -> "Route":
        """Return another one."""
        return Route()


def where_everything_is(answer: Callable, batch: object, device: torch.device) -> dict:
    """Drive a mover: to the device, the same batch to another one, and once for each thing that is no batch.

    Return each tensor of what came back, in words for its kind and device; the numbers of those on the CPU; and of
    each thing that is no batch whether it is handed on as it is.
    """
    other = torch.device("cpu" if device.type == "meta" else "meta")
    again = _rebuilt(batch)  # the same tensors, whatever the first call does to the containers
    first, second = answer(batch, device), answer(again, other)
    odd = {
        "an array of NumPy": np.zeros(2),
        "a set": {1, 2},
        "a range": range(3),
        "an object with a method `to` of its own": Route(),
    }
    return {
        f"moved to {device}, in words": _walk(first, _in_words),
        f"then the same batch moved to {other}, in words": _walk(second, _in_words),
        "the numbers on the CPU": _walk(second if other.type == "cpu" else first, _numbers),
        "the same object is handed on": {name: answer(one, device) is one for name, one in odd.items()},
    }


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
    return f"{str(tensor.dtype).removeprefix('torch.')} of {tuple(tensor.shape)} on {tensor.device}"


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
    beside one of one, and what `int` reads though it is not made of digits alone.
    """
    draw = torch.Generator().manual_seed(seed)
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
    ]


def number_or_none(answer: Callable, *arguments: object) -> object:
    """Drive an answer for which None is a good one; in words, for a None is otherwise taken for a lost `return`."""
    number = answer(*arguments)
    return "no GPU (None)" if number is None else number


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
        "`visible.split(',')`, entry by entry: `break` where one is no number (`str.isdigit`) or too large.",
        "The logical number is a place in that list; beyond its end the answer is `None`.",
    ),
    probe=number_or_none,
)


def gpu_records(seed: int) -> list[tuple]:
    """Return lists of (total, free, there).

    Mixed sizes, the freest gone, a tie, a single one, none left, none at all. Then a full one behind a lost
    one, fractions, and three: the freest, the largest share, the least used.
    """
    draw = torch.Generator().manual_seed(seed)
    small, large = (torch.randint(5, 15, (2,), generator=draw) + torch.tensor([0, 40])).tolist()
    records = [
        [(80, small, True), (64, large, False), (40, small + 12, True), (24, small + 8, True)],
        [(80, 79, False), (80, small, True), (80, small + 1, True)],
        [(80, large, True), (48, 4, True)],
        [(80, small, True), (24, small + 4, True), (24, small + 4, True)],
        [(80, small, True)],
        [(80, large, False), (80, large, False)],
        [(80, 0, True), (80, small, False)],
        [(80, small, True), (64, large, True), (80, large, True), (56, large, True)],
        [(80, large, False), (80, large, True)],
        [],
        [(80, large, False), (48, 0, True)],
        [(80, small + 0.25, True), (80, small + 0.75, True), (80, small + 0.5, True)],
        [(80, small + 25, True), (24, small + 5, True), (8, 3, True)],
    ]
    return [(record,) for record in records]


def freest_gpu(records):
    """The place of the largest `free` among the GPUs that are there; the first of equals."""
    best = None
    for number, (_, free, there) in enumerate(records):
        if there and (best is None or free > records[best][1]):
            best = number
    return best


def largest(records):
    """You chose the GPU with the most memory altogether. It may be full: what counts is how much is *free*."""
    there = [number for number, record in enumerate(records) if record[2]]
    return max(there, key=lambda number: records[number][0]) if there else None


def largest_share(records):
    """You compared the free *share*. Half of 24 GB is less than a quarter of 80 GB: compare bytes."""
    there = [number for number, record in enumerate(records) if record[2]]
    return max(there, key=lambda number: records[number][1] / records[number][0]) if there else None


def chose_the_absent(records):
    """You chose a GPU that is not there any more. Its last figures are still on the list; `there` says that they
    mean nothing."""
    return max(range(len(records)), key=lambda number: records[number][1]) if records else None


def counted_after_filtering(records):
    """The right GPU and the wrong number: you counted after leaving out the absent ones, which moves everybody
    behind them up."""
    free = [record[1] for record in records if record[2]]
    return free.index(max(free)) if free else None


def last_of_equals(records):
    """Of GPUs with equally much free you chose the last. The task says the first, so that two runs agree."""
    there = [number for number, record in enumerate(records) if record[2]]
    return max(there, key=lambda number: (records[number][1], number)) if there else None


freest_gpu = Exercise(
    freest_gpu,
    inputs=gpu_records,
    mistakes=(largest, largest_share, chose_the_absent, counted_after_filtering, last_of_equals),
    hints=(
        "Keep the numbers: `[number for number, (total, free, there) in enumerate(records) if there]`.",
        "`max(numbers, key=…)` compares by anything you like, and keeps the first of equals.",
        "`max` of nothing raises: answer `None` before you ask for it.",
    ),
    probe=number_or_none,
)


def parameter_lists(seed: int) -> list[tuple]:
    """Return the arguments (parameters, bytes_each) of each case.

    All trained, part frozen, a scalar, half precision, nothing trained, nothing. Then equal entries, and a
    table of words with more bytes than 32 bits count.
    """
    draw = torch.Generator().manual_seed(seed)
    a, b, c = torch.randint(2, 9, (3,), generator=draw).tolist()
    return [
        ([((a, b), True), ((a,), True), ((c, a), False)], 4),
        ([((a, b, c, c), True), ((a,), True)], 4),
        ([((), True), ((a,), False)], 2),
        ([((a, b), False), ((b,), False)], 2),
        ([((c, 1000), True)], 8),
        ([((0, a), True), ((b,), True)], 4),
        ([], 4),
        ([((a, b), True), ((a, b), True), ((a, b), False)], 4),
        ([((50_257, 4_096), True), ((b,), True)], 4),
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

    def __init__(self, launch: float, cost: float, first: float) -> None:
        self.now, self.ready, self.launch, self.cost, self.first = 0.0, 0.0, launch, cost, first
        self.calls = 0

    def work(self) -> None:
        """Queue up one call: asking takes `launch`, doing `cost`, and `first` more the first time."""
        self.calls += 1
        self.now += self.launch
        self.ready = max(self.ready, self.now) + self.cost + self.first
        self.first = 0.0

    def synchronize(self) -> None:
        """Wait until all that is queued up is done."""
        self.now = max(self.now, self.ready)

    def clock(self) -> float:
        """Return the seconds since the start."""
        return self.now


def pretend_devices(seed: int) -> list[tuple]:
    """Return the arguments (launch, cost, first, repeats) of each case.

    Seconds to ask, to do, and once at the first call; an accelerator, a CPU.
    """
    draw = torch.Generator().manual_seed(seed)
    launch, cost, first = (torch.rand(3, generator=draw) + torch.tensor([0.5, 5.0, 20.0])).tolist()
    return [
        (launch, cost, first, 10),
        (launch, cost, first, 1),
        (launch, 2 * cost, 0.0, 25),
        (cost, 0.0, first, 4),
    ]


def time_a_pretend_device(answer: Callable, launch: float, cost: float, first: float, repeats: int) -> dict:
    """Drive a timer on a device of paper: the seconds it says one call takes, and how many calls it made."""
    device = PretendDevice(launch, cost, first)
    seconds = answer(device.work, device.synchronize, device.clock, repeats)
    return {"the seconds of one call": seconds, "calls of `work`, with the warm-up": device.calls}


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
    mistakes=(never_waited, never_warmed_up, warm_up_leaks_in, waited_each_time, never_divided),
    hints=(
        "One call before anything is measured. When may the clock start? Not while that call is still running.",
        "Warm up, synchronise, start; then the loop of calls; then what, before the clock is read again?",
        "`synchronize()` twice in all: before the clock starts, and before it stops. Divide by `repeats`.",
    ),
    probe=time_a_pretend_device,
)
