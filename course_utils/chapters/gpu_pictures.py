"""Draw chapter 08's pictures: timelines in lanes, memory over time, a segment of memory, a roofline."""

from collections.abc import Iterable, Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from course_utils.plotting import SERIES

LANES = ("GPU: kernels", "GPU: copies", "CPU: launches", "compute", "copy", "loader")
SHADES = {"forward": SERIES[0], "backward": SERIES[1], "step": SERIES[3]}
BOUNDS = {"launch": SERIES[3], "memory": SERIES[0], "compute": SERIES[1]}


def bars_of(trace: Iterable[dict], spans: Sequence[str]) -> list[tuple[str, float, float]]:
    """Return the bars (lane, start, length in milliseconds) of a profiler's trace, for `draw_lanes`.

    `trace`: the list `traceEvents` of `export_chrome_trace`. `spans`: names given to `record_function`.
    """
    lane_of_kind = {"kernel": "GPU: kernels", "gpu_memcpy": "GPU: copies", "gpu_memset": "GPU: copies"}
    bars = []
    for event in trace:
        ours = event.get("cat") == "user_annotation" and event.get("name") in spans
        if lane := event["name"] if ours else lane_of_kind.get(event.get("cat")):
            bars.append((lane, event["ts"] / 1000, event["dur"] / 1000))
    return bars


def draw_lanes(
    programs: Mapping[str, Sequence[tuple[str, float, float]]], unit: str, *, common: bool = True
) -> Axes:
    """Draw a timeline for each title, bars of (lane, start, length), on a common axis; return the last Axes.

    `common=False`: each has its own axis, for programs of which one takes many times as long as another.
    """
    shares = [0.55 + 0.24 * len({lane for lane, *_ in bars}) for bars in programs.values()]
    height = 0.7 + sum(shares)
    grid = {"height_ratios": shares}
    axes = plt.subplots(len(programs), figsize=(7, height), sharex=common, squeeze=False, gridspec_kw=grid)[1][:, 0]
    for ax, (title, bars) in zip(axes, programs.items(), strict=True):
        seen = [lane for lane in LANES if any(lane == bar[0] for bar in bars)]
        first = min(start for _, start, _ in bars)
        whole = max(start + length for _, start, length in bars) - first
        for lane, start, length in bars:
            color = SERIES[1] if lane.startswith("GPU") else SERIES[0]
            edge = "white" if length > whole / 200 else color  # a white edge would hide a short one
            ax.barh(seen.index(lane), length, left=start - first, height=0.75, color=color, edgecolor=edge, lw=0.5)
        ax.set_yticks(range(len(seen)), seen)
        ax.set_title(title, fontsize="small")
        ax.grid(visible=False)
    axes[-1].set_xlabel(unit)
    return axes[-1]


def draw_memory(times: Sequence[float], in_use: Sequence[float], spans: Sequence[tuple[str, float, float]]) -> Axes:
    """Draw memory over time: `times` in µs, `in_use` in MiB, behind it the spans (name, begin, end in µs)."""
    ax = plt.subplots(figsize=(7, 2.6))[1]
    for name, begin, end in spans:
        left, right = ((moment - times[0]) / 1000 for moment in (begin, end))
        ax.axvspan(left, right, color=SHADES[name], alpha=0.3, lw=0, label=name)
    ax.step([(moment - times[0]) / 1000 for moment in times], in_use, where="post", color=SERIES[2], lw=1)
    handles, labels = ax.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    ax.legend(unique.values(), unique.keys(), loc="upper left", bbox_to_anchor=(1, 1))
    top = 1.1 * max(float(value) for value in in_use)
    ax.set(
        xlabel="milliseconds", ylabel="MiB more than before", ylim=(0, top), title="Memory in two training steps"
    )
    return ax


def draw_segments(rows: Mapping[str, Sequence[tuple[int, str | None]]], title: str) -> Axes:
    """Draw blocks (MiB, owner or None) side by side, a row for each name; the owner "wanted" stands out."""
    ax = plt.subplots(figsize=(7, 0.9 + 0.4 * len(rows)))[1]
    for row, blocks in enumerate(rows.values()):
        left = 0
        for size, owner in blocks:
            color = "white" if owner is None else SERIES[1] if owner == "wanted" else SERIES[0]
            ax.barh(row, size, left=left, color=color, edgecolor=SERIES[2], lw=0.6)
            left += size
    ax.set_yticks(range(len(rows)), rows)
    ax.invert_yaxis()
    ax.set(xlabel="MiB", title=title)
    ax.grid(visible=False)
    return ax


def draw_roofline(rows: Sequence[tuple[str, float, float, float]], bandwidth: float, peak: float) -> Axes:
    """Draw kernels (name, FLOP, bytes, seconds) below a roof of `bandwidth` (bytes/s) and `peak` (FLOP/s).

    The color is what bounds the kernel: the launch where it takes less than three times the shortest one.
    """
    ridge, shortest = peak / bandwidth, min(seconds for *_, seconds in rows)
    ax = plt.subplots(figsize=(7, 3.6))[1]
    ax.loglog([0.005, ridge, 2000], [0.005 * bandwidth / 1e9, peak / 1e9, peak / 1e9], color=SERIES[2])
    points = [(name, flop / moved, flop / seconds / 1e9, seconds) for name, flop, moved, seconds in rows]
    *_, last_but_one, _ = sorted([0.0, 0.0, *(intensity for _, intensity, _, _ in points)])
    for name, intensity, speed, seconds in points:
        below = "memory" if intensity < ridge else "compute"
        bound = "launch" if seconds < 3 * shortest else below
        ax.scatter(intensity, speed, color=BOUNDS[bound], zorder=3, label=f"{bound}-bound")
        # A name must not lie on the roof, nor on the name of the next dot, which is often at the same height.
        on_slope = intensity < ridge and speed > 0.6 * intensity * bandwidth / 1e9
        left_above, right_above, right_below = ((-6, 4), "right"), ((6, 5), "left"), ((6, -12), "left")
        offset, side = left_above if on_slope else right_above if intensity == last_but_one else right_below
        ax.annotate(name, (intensity, speed), offset, textcoords="offset points", ha=side, fontsize=8)
    handles, labels = ax.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    ax.legend(unique.values(), unique.keys(), loc="lower right")
    ax.margins(y=0.1)  # room for the names of the highest and of the lowest dot
    ax.set(
        xlabel="FLOP a byte", ylabel="GFLOP/s", xlim=(0.005, 2e4), title="What bounds each kernel, below the roof"
    )
    return ax
