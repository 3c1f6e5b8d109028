"""Our answers to the questions of chapter 08: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import math

import torch

from lessonkit.checks.answer import Answer


def move_to(batch, device):
    """Tensors are moved; dicts, lists and tuples are rebuilt with moved values; everything else is returned
    unchanged."""

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
    """Nothing was moved. `.to()` returns a new tensor and does not change the old one, so keep and return what
    it returns."""
    values = batch.values() if isinstance(batch, dict) else batch if isinstance(batch, (list, tuple)) else [batch]
    for value in values:
        if isinstance(value, torch.Tensor):
            value.to(device)
    return batch


def first_level_only(batch, device):
    """The tensors at the first level were moved, but those inside an inner list, tuple or dict were not. Call
    your function recursively for each value."""

    def one(value):
        return value.to(device) if isinstance(value, torch.Tensor) else value

    if isinstance(batch, dict):
        return {key: one(value) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return type(batch)(one(value) for value in batch)
    return one(batch)


def tuples_became_lists(batch, device):
    """Every tensor was moved, but your tuples came back as lists. `inputs, targets = batch` still works with a
    list, but a dict key or a type check does not. Rebuild each one with `type(batch)`."""
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: tuples_became_lists(value, device) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return [tuples_became_lists(value, device) for value in batch]
    return batch


def tuples_forgotten(batch, device):
    """Tensors in dicts and lists were moved, but those in a tuple were not. A loader's `(inputs, targets)` is
    often a tuple."""
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: tuples_forgotten(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [tuples_forgotten(value, device) for value in batch]
    return batch


def only_tensors_kept(batch, device):
    """The tensors were moved, but all other values were lost. Return strings, numbers and None as they are."""
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: only_tensors_kept(value, device) for key, value in batch.items() if _moves(value)}
    if isinstance(batch, (list, tuple)):
        return type(batch)(only_tensors_kept(value, device) for value in batch if _moves(value))
    return None


def _moves(value):
    return isinstance(value, (torch.Tensor, dict, list, tuple))


move_to = Answer(
    move_to,
    mistakes=(result_thrown_away, first_level_only, tuples_became_lists, tuples_forgotten, only_tensors_kept),
    hints=(
        "Distinguish four cases with `isinstance`: a tensor, a dict, a list or tuple, and anything else.",
        "For a dict, return `{key: move_to(value, device) for key, value in batch.items()}`. The function calls "
        "itself.",
        "For a list or tuple, `type(batch)(…)` makes a list from a list and a tuple from a tuple.",
    ),
)


def gpu_behind(visible, logical, count):
    """Read the list up to the first entry that is no GPU. The logical number is an index into it."""
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
    """You returned the number unchanged. Inside the process, `cuda:0` is the *first entry* of the variable,
    whatever its number is."""
    return logical if logical < len(_usable(visible, count)) else None


def sorted_by_number(visible, logical, count):
    """You sorted the GPUs. The logical numbers follow the order of the variable, so "0,3,2" differs from
    "0,2,3"."""
    numbers = sorted(_usable(visible, count))
    return numbers[logical] if logical < len(numbers) else None


def skipped_what_is_no_gpu(visible, logical, count):
    """You skipped the entry that is no GPU and read on. CUDA does not: the list *ends* there."""
    entries = [str(number) for number in range(count)] if visible is None else visible.split(",")
    numbers = [int(entry) for entry in entries if entry.isdigit() and int(entry) < count]
    return numbers[logical] if logical < len(numbers) else None


def empty_means_all(visible, logical, count):
    """You treated an empty variable like an unset one. If the variable is unset, every GPU is visible; if it is
    empty, none is. (`if not visible` cannot tell the two apart.)"""
    numbers = _usable(visible or None, count)
    return numbers[logical] if logical < len(numbers) else None


def looked_up_backwards(visible, logical, count):
    """You looked up the index of the number, which turns a physical number into a logical one. The task asks for
    the reverse."""
    numbers = _usable(visible, count)
    return numbers.index(logical) if logical in numbers else None


def _usable(visible, count):
    numbers = []
    for entry in map(str, range(count)) if visible is None else visible.split(","):
        if not entry.isdigit() or int(entry) >= count:
            break
        numbers.append(int(entry))
    return numbers


gpu_behind = Answer(
    gpu_behind,
    mistakes=(
        logical_is_physical,
        sorted_by_number,
        skipped_what_is_no_gpu,
        empty_means_all,
        looked_up_backwards,
    ),
    hints=(
        "First make the list of physical numbers that the process sees. If `visible` is None, these are all from "
        "0 to count − 1.",
        "Go through `visible.split(',')`, and `break` at an entry that is not all digits (`str.isdigit`) or is "
        "too large.",
        "The logical number is an index into that list. If the list is too short, return `None`.",
    ),
)


def training_bytes(parameters, bytes_each):
    """Count the value of each parameter, and for a trained one also its gradient and Adam's two averages."""
    total = 0
    for shape, trained in parameters:
        copies = 4 if trained else 1
        total += copies * math.prod(shape) * bytes_each
    return total


def values_only(parameters, bytes_each):
    """That is the memory of the parameters alone. Training adds, for each trained parameter, a gradient and
    Adam's two averages."""
    return sum(math.prod(shape) for shape, _ in parameters) * bytes_each


def three_copies(parameters, bytes_each):
    """You counted three values for each element of a trained parameter. There are four: the parameter, its
    gradient (which `backward` leaves in `.grad`), and Adam's *two* averages, of the gradient and of its square."""
    return sum((3 if trained else 1) * math.prod(shape) for shape, trained in parameters) * bytes_each


def frozen_counted_whole(parameters, bytes_each):
    """You counted gradients and averages for the frozen parameters too. They have neither, which is why freezing
    saves memory."""
    return 4 * sum(math.prod(shape) for shape, _ in parameters) * bytes_each


def frozen_left_out(parameters, bytes_each):
    """You did not count the frozen parameters. They are not trained, but their values are in memory like all
    others."""
    return 4 * sum(math.prod(shape) for shape, trained in parameters if trained) * bytes_each


def numbers_not_bytes(parameters, bytes_each):
    """That is the *number* of values. Each takes `bytes_each` bytes."""
    return sum((4 if trained else 1) * math.prod(shape) for shape, trained in parameters)


training_bytes = Answer(
    training_bytes,
    mistakes=(values_only, three_copies, frozen_counted_whole, frozen_left_out, numbers_not_bytes),
    hints=(
        "How many elements does a shape have? `math.prod(shape)`, which is 1 for `()`.",
        "A trained parameter counts four times: value, gradient and two averages. A frozen one counts once.",
    ),
)


def honest_seconds(work, synchronize, clock, repeats):
    """Warm up, synchronise and start the clock. Call `work` `repeats` times, synchronise again, and stop the
    clock."""
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats


def never_waited(work, synchronize, clock, repeats):
    """Your time does not include the kernels that are still queued at the end, so it measures how long it takes
    to *launch* them. Synchronise after the loop, and then stop the clock."""
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    return (clock() - start) / repeats


def never_warmed_up(work, synchronize, clock, repeats):
    """Your measurement includes the first call, which also pays for what happens only once: loading and choosing
    kernels, and allocating memory. Make one call before you start the clock."""
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats


def warm_up_leaks_in(work, synchronize, clock, repeats):
    """You warmed up but did not wait for it. The first call was still running when your clock started, so its
    time was counted. Synchronise before you start the clock too."""
    work()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats


def started_before_the_wait(work, synchronize, clock, repeats):
    """You started the clock and then waited for the warm-up, so your time includes the rest of the first call.
    Wait first, and then start the clock."""
    work()
    start = clock()
    synchronize()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats


def waited_each_time(work, synchronize, clock, repeats):
    """You synchronised after every call. Then the queue is empty each time, so launching no longer overlaps with
    execution, and the result is slower than in real use. Synchronise once, after the loop."""
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
        synchronize()
    return (clock() - start) / repeats


def never_divided(work, synchronize, clock, repeats):
    """That is the time of all calls together. Divide it by `repeats`."""
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return clock() - start


honest_seconds = Answer(
    honest_seconds,
    mistakes=(
        never_waited,
        never_warmed_up,
        warm_up_leaks_in,
        started_before_the_wait,
        waited_each_time,
        never_divided,
    ),
    hints=(
        "Draw two lanes, host and device. When is the device's lane empty? Read the clock only then.",
        "Which call is the slow one, and what must have happened to it before the clock starts?",
        "Call `work()`, `synchronize()` and `clock()`, then run the loop, then `synchronize()` and `clock()` "
        "again. Finally divide.",
    ),
)


def idle_share(kernels, begin, end):
    """Sort the kernels by their start. There is a gap wherever the next kernel begins after all earlier ones
    have ended."""
    idle, busy_until = 0, begin
    for start, duration in sorted(kernels):
        idle += max(0, min(start, end) - busy_until)
        busy_until = max(busy_until, min(start + duration, end))
    return (idle + end - busy_until) / (end - begin) if end > begin else 0


def busy_share(kernels, begin, end):
    """That is the fraction of time in which a kernel *was* running. The task asks for the rest."""
    return 1 - _walked(sorted(kernels), begin, end) if end > begin else 0


def durations_added(kernels, begin, end):
    """You added up the durations. While two streams run kernels at the same time, that time is counted twice.
    Merge overlapping kernels first."""
    parts = [max(0, min(start + duration, end) - max(start, begin)) for start, duration in kernels]
    return 1 - sum(parts) / (end - begin) if end > begin else 0


def in_the_order_given(kernels, begin, end):
    """You go through the kernels in the order of the list. A later entry can begin earlier, because the streams
    were recorded one after the other. Sort by the start first."""
    return _walked(kernels, begin, end) if end > begin else 0


def the_last_end_counts(kernels, begin, end):
    """You took the end of the *last* kernel as the end of the busy time. A short kernel inside a long one ends
    earlier, so keep the largest end so far."""
    idle, busy_until = 0, begin
    for start, duration in sorted(kernels):
        idle += max(0, min(start, end) - busy_until)
        busy_until = min(max(start + duration, begin), end)
    return (idle + end - busy_until) / (end - begin) if end > begin else 0


def the_ends_forgotten(kernels, begin, end):
    """You counted only the gaps between kernels. The GPU is also idle before the first and after the last
    kernel, up to the ends of the window."""
    inside = [(start, duration) for start, duration in sorted(kernels) if start < end and start + duration > begin]
    if end == begin or not inside:
        return 0 if end == begin else 1
    first = max(begin, inside[0][0])
    last = min(end, max(start + duration for start, duration in inside))
    return _walked(inside, first, last) * (last - first) / (end - begin) if last > first else 0


def outside_counted(kernels, begin, end):
    """You counted kernels, or parts of them, that are outside the window. Clip each kernel to `begin` and `end`."""
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


idle_share = Answer(
    idle_share,
    mistakes=(
        busy_share,
        durations_added,
        in_the_order_given,
        the_last_end_counts,
        the_ends_forgotten,
        outside_counted,
    ),
    hints=(
        "Draw the bars of one input on paper. Which moments does no bar cover?",
        "Go through `sorted(kernels)` and keep one number: until when has the GPU been busy so far?",
        "There is a gap if the next start is later than this number. Then set the number to the larger of itself "
        "and this kernel's end.",
        "Start with this number at `begin`, clip starts and ends to the window, and add the gap at its end.",
    ),
)
