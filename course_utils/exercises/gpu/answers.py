"""Our answers to the questions of chapter 08: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import math

import torch

from lessonkit.checks.answer import Answer


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


move_to = Answer(
    move_to,
    mistakes=(result_thrown_away, first_level_only, tuples_became_lists, tuples_forgotten, only_tensors_kept),
    hints=(
        "Four cases, told apart by `isinstance`: a tensor, a dict, a list or tuple, anything else.",
        "A dict: `{key: move_to(value, device) for key, value in batch.items()}`. The function calls itself.",
        "A list or tuple: `type(batch)(…)` makes a list from a list and a tuple from a tuple.",
    ),
)


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
        "First make the list of physical numbers that the process sees; `None` means all of 0 … count − 1.",
        "`visible.split(',')`, entry by entry: `break` where one is not digits (`str.isdigit`) or too large.",
        "The logical number is a place in that list; beyond its end the answer is `None`.",
    ),
)


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


training_bytes = Answer(
    training_bytes,
    mistakes=(values_only, three_copies, frozen_counted_whole, frozen_left_out, numbers_not_bytes),
    hints=(
        "How many numbers does a shape hold? `math.prod(shape)`; of `()` it is 1.",
        "For each number of a trained parameter: value, gradient, two averages. Of a frozen one: the value.",
    ),
)


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
        "Draw two lanes, host and device. When is the device's lane empty? Only there may a clock be read.",
        "Which call is the slow one, and what must have happened to it before the clock starts?",
        "`work()`, `synchronize()`, `clock()`; the loop; then the same two again. One number is left to divide by.",
    ),
)


def idle_share(kernels, begin, end):
    """Sorted by their start, the kernels leave a gap wherever the next begins after all former ones have ended."""
    idle, busy_until = 0, begin
    for start, duration in sorted(kernels):
        idle += max(0, min(start, end) - busy_until)
        busy_until = max(busy_until, min(start + duration, end))
    return (idle + end - busy_until) / (end - begin) if end > begin else 0


def busy_share(kernels, begin, end):
    """That is the share of time in which a kernel *did* run. The task asks for the rest."""
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
        "Draw the bars of one input on paper. Which moments are covered by none of them?",
        "Walk `sorted(kernels)` and remember one number: until when has the GPU been busy so far?",
        "A gap opens where the next start lies beyond it; then it becomes `max(it, this end)`.",
        "Begin with it at `begin`, cut starts and ends at `end`, and add what is left at the end of the window.",
    ),
)
