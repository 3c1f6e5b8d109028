"""What chapter 00 draws: a picture beside its bytes, the curve of a model that learns, ten scores as bars."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import torch
from matplotlib.figure import Figure

from course_utils.plotting import COLORS, use_style


def show_bytes(image: torch.Tensor, *, top: int, left: int, size: int = 8) -> None:
    """Show a grey picture, (H, W) uint8, and beside it the bytes of a square piece of it.

    `top` and `left`: the row and column at which the piece begins; `size`: its rows and columns.
    """
    use_style()
    patch = image[top : top + size, left : left + size]
    edges = (left - 0.5, left + size - 0.5, top + size - 0.5, top - 0.5)  # a pixel reaches half a step each way
    whole, piece = plt.subplots(1, 2, figsize=(8, 3.8), dpi=90)[1]
    whole.imshow(image, cmap="gray", vmin=0, vmax=255)
    whole.add_patch(plt.Rectangle(edges[::3], size, size, fill=False, color=COLORS["ours"], lw=2))
    whole.set_title(f"{image.shape[0]} × {image.shape[1]} bytes")
    piece.imshow(patch, cmap="gray", vmin=0, vmax=255, extent=edges)
    for row, values in enumerate(patch.tolist(), top):
        for column, value in enumerate(values, left):
            shade = "black" if value > 127 else "white"
            piece.text(column, row, value, ha="center", va="center", color=shade, size=8)
    piece.set_title("the piece in the frame: 0 is black, 255 white")
    for axis in (whole, piece):
        axis.set(xlabel="column", ylabel="row")
        axis.grid(visible=False)
    plt.show()


def learning_curve(shares: Sequence[float], *, every: int = 10, steps: int = 200) -> Figure:
    """Return the curve so far, to be shown in one place again and again; `shares`: one after each `every` steps.

    >>> learning_curve([0.1, 0.6]).axes[0].get_title()
    '60 % of the test pictures are right after 10 steps'
    """
    use_style()
    figure, axis = plt.subplots(figsize=(6.4, 2.6), dpi=80)
    axis.plot(range(0, every * len(shares), every), [100 * share for share in shares], "o-", color=COLORS["val"])
    axis.set(xlabel="steps of 100 pictures each", ylabel="% right", xlim=(-5, steps + 5), ylim=(0, 100))
    axis.set_title(
        f"{100 * shares[-1]:.0f} % of the test pictures are right after {every * (len(shares) - 1)} steps"
    )
    plt.close(figure)
    return figure


def show_scores(pictures: dict[str, torch.Tensor], scores: Sequence[torch.Tensor]) -> None:
    """Show each picture, (28, 28), above its ten scores as bars; the largest score, the model's guess, is coloured.

    `pictures`: a title for each. `scores`: (10,) for each.
    """
    use_style()
    axes = plt.subplots(
        2, len(pictures), figsize=(3.6 * len(pictures), 4.4), dpi=80, squeeze=False, height_ratios=(3, 2)
    )[1]
    for (title, picture), each, (upper, lower) in zip(pictures.items(), scores, axes.T, strict=True):
        upper.imshow(picture, cmap="gray", vmin=0, vmax=255)
        upper.set_title(title)
        upper.set(xticks=[], yticks=[])
        upper.spines[:].set_visible(True)
        guess = each.argmax().item()
        lower.bar(
            range(10), each, color=[COLORS["val"] if digit == guess else COLORS["torch"] for digit in range(10)]
        )
        lower.axhline(0, color="black", lw=0.8)
        lower.set(title=f"the model says {guess}", xlabel="digit", xticks=range(10), ylabel="score")
    plt.show()
