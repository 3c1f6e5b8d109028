"""The course's plots: one palette, one style, and the few plots that several chapters draw.

The functions take arrays and return Axes; none uses a model. `python -m course_utils.plotting` shows the
palette.
"""

import math
import sys
from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy
import torch
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

# These are from Okabe and Ito's palette, which colour-blind readers can distinguish. Each has one meaning.
COLORS = {"train": "#0072B2", "val": "#D55E00", "ours": "#009E73", "torch": "#666666", "wrong": "#CC79A7"}
# The palette's other colours, for series that have none of these roles.
SERIES = ("#56B4E9", "#E69F00", "#222222", "#999999")


def use_style() -> None:
    """Set the course's defaults for all later figures.

    >>> use_style()
    >>> plt.rcParams["axes.grid"]
    True
    """
    plt.rcParams.update(
        {
            "figure.figsize": (6.4, 3.4),
            "figure.dpi": 90,
            "figure.facecolor": "white",  # opaque, so that plots are legible on a dark page too
            "savefig.facecolor": "white",
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.alpha": 0.25,
            "axes.prop_cycle": plt.cycler(color=SERIES),
            "axes.titlesize": "medium",
            "legend.frameon": False,
            "figure.constrained_layout.use": True,
        }
    )


def show_images(
    images: ArrayLike,
    *,
    titles: Sequence[str] | None = None,
    columns: int = 8,
    size: float = 1.0,
    cmap: str = "gray_r",
) -> numpy.ndarray:
    """Draw grey pictures in a grid; return the array of Axes, (rows, `columns`).

    `images`: (N, H, W) or (N, 1, H, W), of any range. Large values are dark, or light with `cmap="gray"`. `titles`:
    N strings. `size`: the width of a picture in inches.

    >>> axes = show_images(torch.rand(10, 28, 28), columns=4)
    >>> axes.shape
    (3, 4)
    >>> plt.close()
    """
    rows = math.ceil(len(images) / columns)
    height = size * (1.35 if titles else 1.05)
    axes = plt.subplots(rows, columns, figsize=(columns * size, rows * height), squeeze=False)[1]
    for ax in axes.flat:
        ax.set_axis_off()
    for index, (image, ax) in enumerate(zip(images, axes.flat, strict=False)):
        ax.imshow(numpy.asarray(image).squeeze(), cmap=cmap)
        if titles:
            ax.set_title(titles[index], fontsize="small", pad=2)
    return axes


def plot_confusion(matrix: torch.Tensor, *, classes: Sequence[str | int], ax: Axes | None = None) -> Axes:
    """Draw a confusion matrix. The diagonal is left blank, so that the mistakes are visible.

    `matrix`: (C, C) counts on the CPU with the true classes in rows; it is not modified. `classes`: C names, for
    both axes.

    >>> ax = plot_confusion(torch.tensor([[9, 1], [2, 8]]), classes=["ant", "bee"])
    >>> ax.get_ylabel()
    'truth'
    >>> plt.close()
    """
    ax = ax or plt.subplots(figsize=(4.6, 4.2))[1]
    mistakes = matrix.clone()
    mistakes.fill_diagonal_(0)
    ax.imshow(mistakes.numpy(), cmap="Oranges", vmin=0, vmax=max(1, int(mistakes.max())))
    for row in range(len(matrix)):
        for column in range(len(matrix)):
            count = int(mistakes[row, column])
            if count:
                dark = count > mistakes.max() / 2
                ax.text(
                    column, row, count, ha="center", va="center", color="white" if dark else "black", fontsize=8
                )
    ax.set(xlabel="predicted", ylabel="truth")
    ax.set_xticks(range(len(classes)), classes)
    ax.set_yticks(range(len(classes)), classes)
    ax.grid(visible=False)
    return ax


def _swatches(*, colored):
    """Return a line for each colour of the palette with code and name; `colored` adds a patch for a terminal."""
    names = [(color, f'COLORS["{name}"]') for name, color in COLORS.items()]
    names += [(color, f"SERIES[{index}]") for index, color in enumerate(SERIES)]
    lines = []
    for color, name in names:
        red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
        patch = f"\x1b[48;2;{red};{green};{blue}m        \x1b[0m  " if colored else ""
        lines.append(f"{patch}{color}  {name}")
    return lines


if __name__ == "__main__":
    print("\n".join(_swatches(colored=sys.stdout.isatty())))
