"""A file with a drawn or photographed digit, as an image like those of MNIST."""

from pathlib import Path

import numpy
import torch
from PIL import Image, ImageOps

from course_utils import PROJECT

SAMPLE = PROJECT / "data" / "samples" / "drawn_digit.png"
SAMPLE_TARGET = 3
SIZE, BOX = 28, 20  # pixels of an image of MNIST, and of the square into which its digit was fitted
FAINT = 64  # of 255: what is darker than this belongs to no stroke
LARGEST = 1000  # pixels of a side that are looked at
PENS = 30  # grey values by which the brightest stroke differs from the ground, at least


def read_digit(path: str | Path) -> tuple[torch.Tensor, str]:
    """Return the digit in a file, (28, 28) uint8, white on black, and a sentence that says what it is.

    As in MNIST, the digit is scaled to fit 20 × 20 pixels, and its centre of mass comes to the middle. An image
    that is dark on light is inverted. The course's sample takes the place of a file that is missing, empty or no
    image; the sentence says so.

    >>> digit, said = read_digit("no such file.png")
    >>> digit.shape, digit.dtype, said
    (torch.Size([28, 28]), torch.uint8, 'There is no drawing yet, so this is the sample of the course, a 3.')
    """
    path = Path(path)
    sample = f"so this is the sample of the course, a {SAMPLE_TARGET}."
    if not path.exists():
        return _as_in_mnist(_read(SAMPLE)), f"There is no drawing yet, {sample}"
    try:
        ink = _read(path)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        return _as_in_mnist(_read(SAMPLE)), f"{path.as_posix()} cannot be read as an image ({error}), {sample}"
    ground = float(numpy.median(numpy.concatenate([ink[0], ink[-1], ink[:, 0], ink[:, -1]])))
    inverted = ground > 127
    if inverted:
        ink, ground = 255 - ink, 255 - ground
    ink = (ink - ground).clip(min=0)
    if ink.max() < PENS:
        return _as_in_mnist(_read(SAMPLE)), f"{path.as_posix()} is empty, {sample}"
    said = f"This is your digit, from {path.as_posix()}."
    if inverted:
        said += " It was dark on light there, so it is inverted here."
    return _as_in_mnist(ink * (255 / ink.max())), said


def _read(path):
    """Return the grey values of an image, (H, W) float; what is transparent counts as white."""
    with Image.open(path) as opened:
        image = ImageOps.exif_transpose(opened)
        image.thumbnail((LARGEST, LARGEST))
        image = image.convert("RGBA")
    white = Image.new("RGBA", image.size, "white")
    return numpy.asarray(Image.alpha_composite(white, image).convert("L"), dtype=numpy.float32)


def _as_in_mnist(ink):
    rows, columns = (numpy.flatnonzero((ink > FAINT).any(axis=axis)) for axis in (1, 0))
    digit = Image.fromarray(ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].round().astype(numpy.uint8))
    scale = BOX / max(digit.size)
    digit = digit.resize([max(1, round(side * scale)) for side in digit.size], Image.Resampling.BOX)
    small = torch.from_numpy(numpy.array(digit))
    share = small / small.sum()
    middle = [(share.sum(dim=1 - axis) * torch.arange(small.shape[axis])).sum().item() for axis in (0, 1)]
    # The centre of mass comes to (13.5, 13.5), as far as the digit then stays within the image.
    top, left = (
        min(max(round(SIZE / 2 - 0.5 - at), 0), SIZE - side) for at, side in zip(middle, small.shape, strict=True)
    )
    small_image = torch.zeros(SIZE, SIZE, dtype=torch.uint8)
    small_image[top : top + small.shape[0], left : left + small.shape[1]] = small
    return small_image
