"""Draw a tensor's memory: its storage as a row of boxes, its strides or its reading order as arrows."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, product

import matplotlib.pyplot as plt
import torch
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Rectangle
from matplotlib.path import Path

from course_utils.plotting import COLORS, SERIES

MOST_BOXES = 48  # more do not fit the width of a notebook

Layout = tuple[Sequence[int], Sequence[int], int, Sequence]  # (shape, strides, offset, storage), in elements


def memory_view(
    tensor: torch.Tensor | Layout, *, ax: Axes | None = None, title: str | None = None, blanks: bool = False
) -> Axes:
    """Draw the storage of a tensor, what the tensor reads of it, and a step along each axis; return the Axes.

    `tensor`: a tensor, or the tuple (shape, strides, offset, storage), all counted in elements. A box is tinted by
    its index along dim 0, and left white where the tensor does not read it; `×3` in a box: read three times.
    Arrows start at the offset and go along one axis each; one that ends where it began is a stride of 0. `blanks`:
    the legend has question marks for sizes, strides and offset. Raises ValueError for a storage of more than 48
    elements, and for strides that leave the storage.
    """
    shape, strides, offset, storage = tensor if isinstance(tensor, tuple) else layout(tensor)
    reads = _read(shape, strides, offset, storage)
    ax = ax or plt.subplots(figsize=(8, 1.9))[1]
    _boxes(ax, reads, storage)
    top = _arrows(ax, shape, strides, offset) if reads else 1
    _frame(ax, len(storage), (-0.05, top + 0.15))
    sizes = [("?", "?") if blanks else pair for pair in zip(shape, strides, strict=True)]
    handles = [
        Line2D([], [], color=SERIES[d % len(SERIES)], lw=2, label=f"dim {d}: size {size}, stride {stride}")
        for d, (size, stride) in enumerate(sizes)
    ]
    handles.append(Line2D([], [], lw=0, label=f"offset {'?' if blanks else offset}"))
    ax.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=4, fontsize=9, borderaxespad=0)
    ax.set_title(title or ("" if blanks else f"shape {tuple(shape)}"), loc="left", fontsize=10, pad=19)
    return ax


def memory_walk(tensor: torch.Tensor | Layout, *, ax: Axes | None = None, title: str | None = None) -> Axes:
    """Draw the steps along the storage that reading a tensor row by row takes; return the Axes.

    Steps like the first one go above the strip, all others below it. Raises ValueError as `memory_view` does.
    """
    shape, strides, offset, storage = tensor if isinstance(tensor, tuple) else layout(tensor)
    reads = _read(shape, strides, offset, storage)
    walk = list(reads.values())
    steps = [(place, other - place) for place, other in pairwise(walk)]
    usual = steps[0][1] if steps else 0
    hues = {step: SERIES[0] if step == usual else COLORS["val"] for _, step in steps}
    ax = ax or plt.subplots(figsize=(8, 2.2))[1]
    _boxes(ax, reads, storage)
    for place, step in steps:
        level, outward = (1.02, 1) if step == usual else (-0.35, -1)
        rad = -outward * 0.4 if step > 0 else outward * 0.25
        bend, start = f"arc3,rad={rad}", place + 0.5
        ax.add_patch(_arrow(hues[step], 1.2, posA=(start, level), posB=(start + step, level), connectionstyle=bend))
    times = Counter(step for _, step in steps)
    handles = [Line2D([], [], color=hues[step], lw=2, label=f"{times[step]} steps of {step:+}") for step in hues]
    reach = max((abs(step) for _, step in steps), default=1)
    _frame(ax, len(storage), (-0.6 - reach * 0.15, 1.2 + abs(usual) * 0.22))
    ax.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=4, fontsize=9, borderaxespad=0)
    ax.set_title(title or f"shape {tuple(shape)}, row by row", loc="left", fontsize=10, pad=19)
    return ax


def layout(tensor: torch.Tensor) -> Layout:
    """Return (shape, strides, offset, storage) of a tensor; the storage is a list of all values it could read."""
    whole = torch.empty(0, dtype=tensor.dtype, device=tensor.device).set_(tensor.untyped_storage())
    return tuple(tensor.shape), tensor.stride(), tensor.storage_offset(), whole.tolist()


def positions(shape: Sequence[int], strides: Sequence[int], offset: int) -> dict[tuple[int, ...], int]:
    """Return where each element lies: a dict from index tuple to position in the storage."""
    indices = product(*(range(size) for size in shape))
    return {
        index: offset + sum(step * stride for step, stride in zip(index, strides, strict=True)) for index in indices
    }


def _read(shape, strides, offset, storage):
    """Return `positions`; raise ValueError where a strip cannot show them."""
    if len(storage) > MOST_BOXES:
        raise ValueError(
            f"The storage has {len(storage)} elements, a strip shows {MOST_BOXES}: take a smaller one."
        )
    reads = positions(shape, strides, offset)
    if reads and not 0 <= min(reads.values()) <= max(reads.values()) < len(storage):
        lowest, highest = min(reads.values()), max(reads.values())
        raise ValueError(f"The tensor reads positions {lowest} to {highest}, the storage has {len(storage)}.")
    return reads


def _frame(ax, boxes, heights):
    ax.set(xlim=(-0.2, boxes + 0.2), ylim=heights, aspect="equal", anchor="W")
    ax.set_xticks([i + 0.5 for i in range(boxes)], range(boxes), fontsize=9, color="#555555")
    ax.set_yticks([])
    ax.tick_params(length=0, pad=1)
    ax.set_xlabel("position in storage", fontsize=9, loc="left", labelpad=1)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)


def _boxes(ax, reads, storage):
    times = Counter(reads.values())
    rows = {position: index[0] if len(index) > 1 else 0 for index, position in reversed(reads.items())}
    for position, value in enumerate(storage):
        tint = (SERIES[rows[position] % len(SERIES)], 0.3) if position in rows else "white"
        edge = "#444444" if position in rows else "#bbbbbb"
        ax.add_patch(Rectangle((position + 0.04, 0), 0.92, 1, facecolor=tint, edgecolor=edge))
        text = str(value) if isinstance(value, bool) else f"{value:g}"
        ink = "black" if position in rows else "#999999"
        ax.text(position + 0.5, 0.5, text, ha="center", va="center", fontsize=9, color=ink)
        if times[position] > 1:
            ax.text(position + 0.92, 0.05, f"×{times[position]}", ha="right", va="bottom", fontsize=8.5)


def _arrows(ax, shape, strides, offset):
    """One chain of arrows for each axis with a step to make, longer strides higher; return the highest point."""
    top = 2.0  # room for two levels, so that strips one below the other are of one size
    levels = sorted(
        (abs(stride), -d) for d, (size, stride) in enumerate(zip(shape, strides, strict=True)) if size > 1
    )
    for d, (size, stride) in enumerate(zip(shape, strides, strict=True)):
        for step in range(size - 1 if stride else min(size - 1, 1)):
            start = offset + step * stride + 0.5
            height = 0.45 + 0.4 * levels.index((abs(stride), -d))
            hue, width = SERIES[d % len(SERIES)], 1.8 if step == 0 else 0.9
            if stride:
                bend = f"arc3,rad={-2 * height / stride:.3f}"
                arrow = _arrow(hue, width, posA=(start, 1.02), posB=(start + stride, 1.02), connectionstyle=bend)
            else:
                arrow = _arrow(hue, width, path=_loop(start, 1.02, height))
            ax.add_patch(arrow)
            top = max(top, 1.1 + height)
    return top


def _arrow(hue, width, **course):
    return FancyArrowPatch(arrowstyle="-|>", mutation_scale=9, shrinkA=0, shrinkB=0, color=hue, lw=width, **course)


def _loop(x, y, height):
    """Up, round and back to the place where it began: a step of 0."""
    corners = [(x - 0.12, y), (x - 0.7, y + 1.5 * height), (x + 0.7, y + 1.5 * height), (x + 0.12, y)]
    return Path(corners, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
