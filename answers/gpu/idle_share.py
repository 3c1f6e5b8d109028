# %% right_sweep: Starts and ends as events; idle where the count of running kernels is 0.
def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    cut = [(max(start, begin), min(start + duration, end)) for start, duration in kernels]
    events = sorted([(a, 1) for a, b in cut if a < b] + [(b, -1) for a, b in cut if a < b])
    idle, running, since = 0, 0, begin
    for moment, change in events:
        if not running:
            idle += moment - since
        running += change
        since = moment
    return (idle + end - since) / (end - begin)


# %% right_merged: Merges intervals into a list, then subtracts their lengths.
def idle_share(kernels, begin, end):
    if end <= begin:
        return 0
    merged = []
    for start, duration in sorted(kernels):
        stop = min(start + duration, end)
        start = max(start, begin)
        if stop <= start:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], stop)
        else:
            merged.append([start, stop])
    return 1 - sum(b - a for a, b in merged) / (end - begin)


# %% right_numpy: NumPy: sorted starts, a running maximum of the ends.
import numpy as np


def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    if not kernels:
        return 1.0
    table = np.array(sorted(kernels), dtype=np.float64) - [begin, 0]
    window = end - begin
    starts, ends = table[:, 0].clip(0, window), (table[:, 0] + table[:, 1]).clip(0, window)
    until = np.concatenate([[0.0], np.maximum.accumulate(ends)])
    gaps = np.concatenate([starts, [window]]) - until
    return float(gaps.clip(0).sum() / window)


# %% right_slices: Cuts the window at every start and end, and asks each slice whether a kernel covers it.
def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    ends = [(start, start + duration) for start, duration in kernels]
    inside = {moment for pair in ends for moment in pair if begin < moment < end}
    cuts = [begin, *sorted(inside), end]
    idle = 0
    for left, right in zip(cuts, cuts[1:]):
        if not any(start <= left and right <= stop for start, stop in ends):
            idle += right - left
    return idle / (end - begin)


# %% right_torch: Tensors in 64 bits, cummax of the ends.
import torch


def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    rows = [(begin, begin), *sorted((start, start + duration) for start, duration in kernels), (end, end)]
    pairs = torch.tensor([(a - begin, b - begin) for a, b in rows], dtype=torch.float64).clamp(0, end - begin)
    until = pairs[:, 1].cummax(0).values
    return (pairs[1:, 0] - until[:-1]).clamp(min=0).sum() / (end - begin)


# %% wrong_bitmap: One flag for each whole microsecond.
import numpy as np


def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    busy = np.zeros(int(end) - int(begin), dtype=bool)
    for start, duration in kernels:
        first, last = max(int(start - begin), 0), max(int(start + duration - begin), 0)
        busy[first:last] = True
    return 1 - busy.mean()


# %% wrong_longest_gap: The longest gap alone.
def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    longest, until = 0, begin
    for start, duration in sorted(kernels):
        longest = max(longest, min(start, end) - until)
        until = max(until, min(start + duration, end))
    return max(longest, end - until) / (end - begin)


# %% wrong_no_kernel_is_zero: Without a kernel it says 0.
def idle_share(kernels, begin, end):
    if not kernels or begin == end:
        return 0.0
    idle, until = 0, begin
    for start, duration in sorted(kernels):
        idle += max(0, min(start, end) - until)
        until = max(until, min(start + duration, end))
    return (idle + end - until) / (end - begin)


# %% wrong_empty_window_divides: Divides by the window's length, also where that is 0.
def idle_share(kernels, begin, end):
    idle, until = 0, begin
    for start, duration in sorted(kernels):
        idle += max(0, min(start, end) - until)
        until = max(until, min(start + duration, end))
    return (idle + end - until) / (end - begin)


# %% wrong_empty_window_is_one: An empty window without a kernel counts as idle.
def idle_share(kernels, begin, end):
    if not kernels:
        return 1.0
    if begin == end:
        return 0.0
    idle, until = 0, begin
    for start, duration in sorted(kernels):
        idle += max(0, min(start, end) - until)
        until = max(until, min(start + duration, end))
    return (idle + end - until) / (end - begin)


# %% wrong_sorts_in_place: Sorts the caller's list.
def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    kernels.sort()
    idle, until = 0, begin
    for start, duration in kernels:
        idle += max(0, min(start, end) - until)
        until = max(until, min(start + duration, end))
    return (idle + end - until) / (end - begin)


# %% wrong_percent: The share in percent.
def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    idle, until = 0, begin
    for start, duration in sorted(kernels):
        idle += max(0, min(start, end) - until)
        until = max(until, min(start + duration, end))
    return 100 * (idle + end - until) / (end - begin)


# %% wrong_partly_outside_dropped: Kernels that reach over an end of the window are left out whole.
def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    inside = [(s, d) for s, d in kernels if begin <= s and s + d <= end]
    idle, until = 0, begin
    for start, duration in sorted(inside):
        idle += max(0, start - until)
        until = max(until, start + duration)
    return (idle + end - until) / (end - begin)


# %% wrong_begins_before_dropped: Only those that begin before the window are left out.
def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    idle, until = 0, begin
    for start, duration in sorted(kernels):
        if start < begin:
            continue
        idle += max(0, min(start, end) - until)
        until = max(until, min(start + duration, end))
    return (idle + end - until) / (end - begin)


# %% wrong_span_of_the_kernels: The window is taken from the first start to the last end.
def idle_share(kernels, begin, end):
    if not kernels or begin == end:
        return 0.0 if begin == end else 1.0
    begin, end = min(s for s, _ in kernels), max(s + d for s, d in kernels)
    idle, until = 0, begin
    for start, duration in sorted(kernels):
        idle += max(0, start - until)
        until = max(until, start + duration)
    return idle / (end - begin) if end > begin else 0.0


# %% wrong_float32: Everything in float32: microseconds since 1970 come out alike.
import torch


def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    until, idle = torch.tensor(float(begin)), torch.tensor(0.0)
    for start, duration in sorted(kernels):
        first, last = (torch.tensor(float(x)).clamp(begin, end) for x in (start, start + duration))
        idle = idle + (first - until).clamp(min=0)
        until = torch.maximum(until, last)
    return ((idle + end - until) / (end - begin)).item()


# %% wrong_thousand_samples: Asks at a thousand moments.
def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    moments = [begin + (end - begin) * (i + 0.5) / 1000 for i in range(1000)]
    return sum(not any(s <= t < s + d for s, d in kernels) for t in moments) / 1000


# %% wrong_neighbours_only: Subtracts the overlap of each kernel with the one before it.
def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    cut = sorted((max(s, begin), min(s + d, end)) for s, d in kernels if s < end and s + d > begin)
    busy = sum(b - a for a, b in cut)
    busy -= sum(max(0, min(x[1], y[1]) - y[0]) for x, y in zip(cut, cut[1:]))
    return 1 - busy / (end - begin)


# %% wrong_integer_division: Whole numbers are divided without a rest.
def idle_share(kernels, begin, end):
    if begin == end:
        return 0
    idle, until = 0, begin
    for start, duration in sorted(kernels):
        idle += max(0, min(start, end) - until)
        until = max(until, min(start + duration, end))
    return (idle + end - until) // (end - begin)


# %% wrong_zero_duration_is_one: A kernel of zero duration takes a microsecond.
def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    idle, until = 0, begin
    for start, duration in sorted(kernels):
        idle += max(0, min(start, end) - until)
        until = max(until, min(start + max(duration, 1), end))
    return (idle + end - until) / (end - begin)


# %% wrong_begins_at_zero: The walk begins at 0, whatever `begin` is.
def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    idle, until = 0, 0
    for start, duration in sorted(kernels):
        idle += max(0, min(start, end) - until)
        until = max(until, min(start + duration, end))
    return (idle + end - until) / (end - begin)


# %% wrong_single_precision: torch.tensor makes float32 of times with a fraction, too coarse for large ones.
import torch


def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    if not kernels:
        return 1.0
    table = torch.tensor(kernels)
    starts, order = table[:, 0].sort()
    stops = (table[:, 0] + table[:, 1])[order]
    reach, idle = begin, 0
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        idle += max(0, min(start, end) - reach)
        reach = max(reach, min(stop, end))
    return min(1.0, (idle + end - reach) / (end - begin))


# %% wrong_rounded: Rounds the share to six digits after the point.
def idle_share(kernels, begin, end):
    if begin == end:
        return 0.0
    idle, until = 0, begin
    for start, duration in sorted(kernels):
        idle += max(0, min(start, end) - until)
        until = max(until, min(start + duration, end))
    return round((idle + end - until) / (end - begin), 6)
