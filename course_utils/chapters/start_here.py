"""What chapter 00 draws: an image next to its bytes, the curve of a model that learns, ten scores as bars."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import torch
from matplotlib.figure import Figure

from course_utils.plotting import COLORS, use_style


def show_bytes(image: torch.Tensor, *, top: int, left: int, size: int = 8) -> None:
    """Show a grey image, (H, W) uint8, and next to it the bytes of a square part of it.

    `top` and `left`: the row and column at which that part begins; `size`: its rows and columns.
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
    piece.set_title("the part in the frame: 0 is black, 255 is white")
    for axis in (whole, piece):
        axis.set(xlabel="column", ylabel="row")
        axis.grid(visible=False)
    plt.show()


def learning_curve(accuracies: Sequence[float], *, every: int = 10, steps: int = 200) -> Figure:
    """Return a figure of the accuracies so far, one for every `every` steps; each replaces the figure before it.

    The title names the accuracy after the first `every` steps, and the last one.

    >>> learning_curve([0.1, 0.6]).axes[0].get_title()
    'accuracy on the test set: 60 % after 10 steps'
    >>> learning_curve([0.1, 0.6, 0.7]).axes[0].get_title()
    'accuracy on the test set: 60 % after 10 steps, 70 % after 20'
    """
    use_style()
    figure, axis = plt.subplots(figsize=(6.4, 2.6), dpi=80)
    percent, done = [100 * accuracy for accuracy in accuracies], every * (len(accuracies) - 1)
    axis.plot(range(0, done + 1, every), percent, "o-", color=COLORS["val"])
    axis.set(xlabel="steps of 100 images each", ylabel="accuracy (%)", xlim=(-5, steps + 5), ylim=(0, 100))
    title = f"accuracy on the test set: {percent[min(1, len(percent) - 1)]:.0f} % after {min(every, done)} steps"
    axis.set_title(title + (f", {percent[-1]:.0f} % after {done}" if done > every else ""))
    plt.close(figure)
    return figure


def show_scores(images: dict[str, torch.Tensor], scores: Sequence[torch.Tensor]) -> None:
    """Show each image, (28, 28), above its ten scores as bars; the highest, the model's guess, is coloured.

    `images`: a title for each. `scores`: (10,) for each.
    """
    use_style()
    axes = plt.subplots(
        2, len(images), figsize=(3.6 * len(images), 4.4), dpi=80, squeeze=False, height_ratios=(3, 2)
    )[1]
    for (title, image), each, (upper, lower) in zip(images.items(), scores, axes.T, strict=True):
        upper.imshow(image, cmap="gray", vmin=0, vmax=255)
        upper.set_title(title)
        upper.set(xticks=[], yticks=[])
        upper.spines[:].set_visible(True)
        guess = each.argmax().item()
        lower.bar(
            range(10), each, color=[COLORS["val"] if digit == guess else COLORS["torch"] for digit in range(10)]
        )
        lower.axhline(0, color="black", lw=0.8)
        lower.set(title=f"the model's guess: {guess}", xlabel="digit", xticks=range(10), ylabel="score")
    plt.show()
