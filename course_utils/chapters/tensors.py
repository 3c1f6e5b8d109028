"""A tensor's memory as a picture: its storage as a strip of boxes, its strides as arrows into it."""

from collections import Counter
from collections.abc import Sequence
from itertools import product

import matplotlib.pyplot as plt
import torch
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Rectangle

from course_utils.plotting import SERIES

MOST_BOXES = 48  # more do not fit the width of a notebook

Layout = tuple[Sequence[int], Sequence[int], int, Sequence]  # (shape, strides, offset, storage), in elements


def memory_view(tensor: torch.Tensor | Layout, *, ax: Axes | None = None, title: str | None = None) -> Axes:
    """Draw the storage of a tensor, what the tensor reads of it, and a step along each axis; return the Axes.

    `tensor`: a tensor, or the tuple (shape, strides, offset, storage), all counted in elements. A box is tinted by
    its index along dim 0, and left white where the tensor does not read it; `×3` in a box: read three times.
    Arrows start at the offset and go along one axis each. Raises ValueError for a storage of more than 48
    elements, and for strides that leave the storage.
    """
    shape, strides, offset, storage = tensor if isinstance(tensor, tuple) else layout(tensor)
    if len(storage) > MOST_BOXES:
        raise ValueError(
            f"The storage has {len(storage)} elements, a strip shows {MOST_BOXES}: take a smaller one."
        )
    reads = positions(shape, strides, offset)
    if reads and not 0 <= min(reads.values()) <= max(reads.values()) < len(storage):
        lowest, highest = min(reads.values()), max(reads.values())
        raise ValueError(f"The tensor reads positions {lowest} to {highest}, the storage has {len(storage)}.")

    ax = ax or plt.subplots(figsize=(8, 1.9))[1]
    _boxes(ax, reads, storage)
    top = _arrows(ax, shape, strides, offset) if reads else 1
    ax.set(xlim=(-0.2, len(storage) + 0.2), ylim=(-0.05, top + 0.15), aspect="equal", anchor="W")
    ax.set_xticks([i + 0.5 for i in range(len(storage))], range(len(storage)), fontsize=7, color="#555555")
    ax.set_yticks([])
    ax.tick_params(length=0, pad=1)
    ax.set_xlabel("position in storage", fontsize=8, loc="left", labelpad=1)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    words = [
        (f"dim {d}: size {size}, stride {stride}", SERIES[d % len(SERIES)])
        for d, (size, stride) in enumerate(zip(shape, strides, strict=True))
    ]
    handles = [Line2D([], [], color=hue, lw=2, label=label) for label, hue in words]
    handles.append(Line2D([], [], lw=0, label=f"offset {offset}"))
    ax.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=4, fontsize=8, borderaxespad=0)
    ax.set_title(title or f"shape {tuple(shape)}", loc="left", fontsize=10, pad=19)
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
            ax.text(position + 0.92, 0.04, f"×{times[position]}", ha="right", va="bottom", fontsize=6)


def _arrows(ax, shape, strides, offset):
    """One chain of arrows for each axis with a step to make, longer strides higher; return the highest point."""
    top = 2.0  # room for two levels, so that strips one below the other are of one size
    levels = sorted(
        (abs(stride), -d) for d, (size, stride) in enumerate(zip(shape, strides, strict=True)) if size > 1
    )
    for d, (size, stride) in enumerate(zip(shape, strides, strict=True)):
        for step in range(size - 1 if stride else min(size - 1, 1)):
            start = offset + step * stride + 0.5
            ends = (start, start + stride) if stride else (start - 0.3, start + 0.3)  # a loop: it stays there
            height = 0.45 + 0.4 * levels.index((abs(stride), -d))
            arrow = FancyArrowPatch(
                (ends[0], 1.02),
                (ends[1], 1.02),
                connectionstyle=f"arc3,rad={-2 * height / (ends[1] - ends[0]):.3f}",
                arrowstyle="-|>",
                mutation_scale=9,
                shrinkA=0,
                shrinkB=0,
                color=SERIES[d % len(SERIES)],
                lw=1.8 if step == 0 else 0.9,
            )
            ax.add_patch(arrow)
            top = max(top, 1.1 + height)
    return top
