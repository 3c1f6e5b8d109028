"""One picture for each benchmark: its figures, their spread, and the goals."""

import os

os.environ["MPLBACKEND"] = "Agg"  # before matplotlib is imported: a benchmark opens no window

import matplotlib.pyplot as plt

from course_utils.plotting import COLORS, use_style

from book import figures, goal_in_words, in_words, missed  # isort: skip


def draw(path, row, entry, *, machine):
    """Write the picture of one entry to `path` (PNG); False where the benchmark names no figure to draw."""
    shown = figures(row, entry["result"])
    if not shown:
        return False
    use_style()
    figure, axes = plt.subplots(len(shown), figsize=(6.4, 0.5 + 1.15 * len(shown)), squeeze=False)
    for ax, (wanted, value, low, high) in zip(axes[:, 0], shown, strict=True):
        bad = missed(wanted, value)
        ends = [value - (low if low is not None else value)], [(high if high is not None else value) - value]
        ends = [[max(0, end[0])] for end in ends]
        style = {"color": COLORS["wrong" if bad else "ours"], "markersize": 9, "capsize": 5, "linewidth": 2}
        ax.errorbar([value], [0], xerr=ends, fmt="s" if bad else "o", **style)
        points = [number for number in (value, low, high) if number is not None]
        goal = goal_in_words(wanted)
        if goal:
            ax.axvline(wanted["goal"], color=COLORS["torch"], linestyle="--")
            points.append(wanted["goal"])
        room = 0.15 * (max(points) - min(points)) or 0.1 * abs(value) or 1
        ax.set(xlim=(min(points) - room, max(points) + room), ylim=(-1, 1), yticks=[])
        ax.spines["left"].set_visible(False)
        ax.set_xlabel(f"{wanted['key']}{', ' + wanted['unit'] if 'unit' in wanted else ''}", fontsize="small")
        words = f"; goal {goal}, dashed: {'missed' if bad else 'met'}" if goal else ""
        ax.set_title(f"{in_words(wanted, value, low, high)}{words}", fontsize="small")
    figure.suptitle(f"{entry['benchmark']} · {machine} · {entry['date'][:10]}", fontsize="medium")
    figure.savefig(path, format="png", dpi=90 if len(shown) < 6 else 64)  # a picture stays under 60 KiB
    plt.close(figure)
    return True
