"""Draw chapter 11's pictures from what its cells have counted and measured."""

import math
from collections.abc import Callable, Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from course_utils.chapters.allreduce.cost_model import WAYS, Measured, split
from course_utils.plotting import COLORS, SERIES, use_style

SHADES = {
    "gloo": COLORS["torch"],
    "naive": "#c7c7c7",
    "tree": SERIES[0],
    "ring": SERIES[1],
    "shared memory": COLORS["ours"],
    "shared, elsewhere": COLORS["ours"],
}


def draw_ring(strip: Sequence, messages: Sequence) -> None:
    """Draw `strip[step][rank][chunk]`, how many ranks' parts a chunk holds, with the messages of each step."""
    use_style()
    figure, axes = plt.subplots(2, 4, figsize=(7.4, 4.0))
    length = max(m.length for m in messages)
    for step, (ax, counts) in enumerate(zip(axes.flat, strip, strict=False)):
        ax.imshow(counts, cmap="viridis", vmin=0, vmax=4.6)
        ax.set(xticks=range(4), yticks=range(4), title="start" if step == 0 else f"after step {step - 1}")
        ax.grid(visible=False)
        for m in [m for m in messages if m.step == step - 1]:
            place = m.first // length - 0.2  # beside the digits
            bend = f"arc3,rad={-0.08 if m.target < m.source else 0}"
            arrow = {"arrowstyle": "-|>", "color": "white", "lw": 1.6, "connectionstyle": bend}
            ax.annotate("", (place, m.target), (place, m.source), arrowprops=arrow)
        for rank, row in enumerate(counts):
            for chunk, number in enumerate(row):
                color = "black" if number >= 3 else "white"
                ax.text(chunk + 0.15, rank + 0.13, number, color=color, fontsize=9)
    axes[0, 0].set(ylabel="rank")
    axes[1, 0].set(xlabel="chunk", ylabel="rank")
    axes[1, 3].set_axis_off()
    figure.suptitle("A ring of four: three steps add up (one complete chunk a rank), three carry around")
    plt.show()


def draw_bandwidth(times_by_ranks: dict[int, dict], sizes: Sequence[int]) -> None:
    """Draw the bus bandwidth of each way; `times_by_ranks[count][way, bytes]` is in seconds."""
    use_style()
    axes = plt.subplots(1, 2, figsize=(7.2, 2.9), sharey=True)[1]
    for ax, (count, times) in zip(axes, times_by_ranks.items(), strict=True):
        for name, color in SHADES.items():
            known = [size for size in sizes if (name, size) in times]
            rates = [2 * (count - 1) / count * size / times[name, size] / 1e9 for size in known]
            style = "o--" if name == "shared, elsewhere" else "o-"
            ax.plot(known, rates, style, color=color, label=name, markersize=4)
        ax.set(xscale="log", yscale="log", xlabel="bytes of the tensor", title=f"{count} ranks on this machine")
    axes[0].set(ylabel="bus bandwidth (GB/s)")
    axes[0].legend(fontsize=8)
    plt.show()


def draw_fit(rows: Sequence[Measured], predicted: Callable[[str, int, int], float]) -> None:
    """Draw measurements of ring and tree beside `predicted(way, ranks, bytes)`, in seconds."""
    use_style()
    axes = plt.subplots(1, 2, figsize=(7.2, 3.2), sharey=True)[1]
    for ax, name in zip(axes, ("ring", "tree"), strict=True):
        for count, color in ((2, SERIES[2]), (4, SERIES[3])):
            mine = [m for m in rows if (m.algorithm, m.world_size) == (name, count)]
            seen, sizes = split(mine)[0], sorted({m.size for m in rows})
            model = [1e3 * predicted(name, count, size) for size in sizes]
            ax.plot(sizes, model, color=color, label=f"model, {count} ranks")
            for m in mine:
                ax.plot(m.size, 1e3 * m.seconds, "o", color=color, fillstyle="full" if m in seen else "none")
        ax.set(
            xscale="log", yscale="log", xlabel="bytes of the tensor", title=f"{name}: filled fitted, open predicted"
        )
    axes[0].set(ylabel="time (ms)")
    axes[0].legend(fontsize=9)
    plt.show()


def draw_clusters(predicted: Callable[[str, float, int], float]) -> None:
    """Draw `predicted(way, bytes, GPUs)`, in seconds, for three sizes."""
    counts = [2**power for power in range(3, 15)]
    looks = (SERIES[1], "-"), (SERIES[0], "-"), (COLORS["ours"], "--"), (COLORS["torch"], "-")
    use_style()
    figure, axes = plt.subplots(1, 3, figsize=(7.4, 3.4), sharey=True)
    for ax, size, title in zip(axes, (65_536, 100e6, 10e9), ("64 KiB", "100 MB", "10 GB"), strict=True):
        for way, (color, style) in zip(WAYS, looks, strict=True):
            ax.plot(counts, [predicted(way, size, count) for count in counts], style, color=color, label=way)
        ax.set(xscale="log", yscale="log", xlabel="GPUs", title=title)
    axes[0].set(ylabel="predicted time (s)")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(WAYS), fontsize=9)
    plt.show()


def draw_overlap(found: dict[bool, dict]) -> None:
    """Draw `found[overlap][event, bucket]`, milliseconds: the backward pass, and when each bucket was under way."""
    use_style()
    axes = plt.subplots(2, 1, figsize=(6.4, 4.2), sharex=True)[1]
    for ax, (overlap, events) in zip(axes, found.items(), strict=True):
        ax.barh(-1, events["backward done", None], color=COLORS["torch"], label="backward pass")
        for number in [number for what, number in events if what == "launched"]:
            left, there = events["launched", number], events.get(("arrived", number), events["averaged", None])
            label = "bucket waits and travels" if number == 0 else None
            ax.barh(number, there - left, left=left, color=COLORS["ours"], label=label)
        ax.set(ylabel="bucket", title=f"Simulated link, overlap {'on' if overlap else 'off'}")
        ax.set_axisbelow(True)
        ax.invert_yaxis()
    axes[1].set(xlabel="milliseconds since the start of backward()")
    axes[0].legend(loc="upper right", fontsize=9)
    plt.show()


def draw_map(seen: list[dict[str, list[float]]]) -> None:
    """Draw what each rank holds, `seen[rank][collective]`: a table for each collective, a row for each rank."""
    use_style()
    figure = plt.figure(figsize=(7.2, 3.4))
    names = list(seen[0])
    for part, of_row in zip(figure.subfigures(2, 1), (names[:4], names[4:]), strict=True):
        lengths = [max(len(found[name]) for found in seen) for name in of_row]
        tables = part.subplots(1, len(of_row), width_ratios=[max(2.6, length) for length in lengths])
        for ax, name, length in zip(tables, of_row, lengths, strict=True):
            draw_table(ax, [[*found[name], *[math.nan] * (length - len(found[name]))] for found in seen])
            ax.set(xticks=[], yticks=range(len(seen)) if ax is tables[0] else [])
            ax.set_title(name, fontsize=9)
        tables[0].set(ylabel="rank")
    figure.suptitle("What each rank (a row) holds afterwards")
    plt.show()


def draw_table(ax: Axes, rows: list[list[float]]) -> None:
    """Draw numbers from 0 to 75 as coloured squares with the number in each; NaN leaves a square empty."""
    ax.imshow(rows, cmap="viridis", vmin=0, vmax=75, aspect="auto")
    for rank, row in enumerate(rows):
        for place, number in enumerate(row):
            if not math.isnan(number):
                color = "black" if number > 50 else "white"
                ax.text(place, rank, int(number), ha="center", va="center", fontsize=9, color=color)
    ax.grid(visible=False)


def draw_drift(distances: dict[str, list[float]]) -> None:
    """Draw how far apart two replicas are after each step, by dtype."""
    use_style()
    ax = plt.subplots(figsize=(6.4, 3.2))[1]
    for color, (name, line) in zip((SERIES[1], SERIES[0]), distances.items(), strict=True):
        ax.plot(range(1, len(line) + 1), line, color=color, label=f"{name}, each in its own order")
    title = "Replicas that round differently drift apart"
    ax.set(yscale="log", xlabel="step", ylabel="largest difference of two weights", title=title)
    ax.legend()
    plt.show()
