"""The pad of chapter 00 and the file of a drawing: whatever the file is, it becomes an image as MNIST has it."""

from pathlib import Path

import numpy
import pytest
import torch
from PIL import Image, ImageDraw

from course_utils.chapters.drawing.digit import SAMPLE, SAMPLE_TARGET, read_digit
from course_utils.chapters.drawing.pad import DrawingPad
from course_utils.datasets import load

SEVEN = ((75, 55), (200, 52), (125, 245))


def drawn(
    points=SEVEN, *, size=(280, 280), ground="black", ink="white", width=24, mode="RGB", times=1.0, at=(0, 0)
):
    image = Image.new(mode, size, ground)
    places = [(at[0] + x * times, at[1] + y * times) for x, y in points]
    ImageDraw.Draw(image).line(places, fill=ink, width=width, joint="curve")
    return image


@pytest.fixture(scope="module")
def weights():
    """What the fourteen lines of chapter 00 learn, for three seeds."""
    digits, found = load("mnist"), []
    for seed in range(3):
        torch.manual_seed(seed)
        each = torch.zeros(784, 10, requires_grad=True)
        for _ in range(201):
            batch = torch.randint(len(digits.images), (100,))
            scores = digits.images[batch].flatten(1) / 255 @ each
            torch.nn.functional.cross_entropy(scores, digits.targets[batch]).backward()
            with torch.no_grad():
                each -= 0.5 * each.grad
                each.grad = None
        found.append(each.detach())
    return found


def guesses(picture, weights):
    return [(picture.flatten() / 255 @ each).argmax().item() for each in weights]


def test_the_sample_is_read_right_and_in_black_on_white_wrongly_with_any_seed(tmp_path, weights):
    sample, _ = read_digit(tmp_path / "none.png")
    assert guesses(sample, weights) == [SAMPLE_TARGET] * 3
    assert SAMPLE_TARGET not in guesses(255 - sample, weights)
    assert torch.equal(sample, read_digit(SAMPLE)[0])


FILES = {
    "as the pad saves it": (drawn(), "png", False),
    "in a corner, and small": (drawn(times=0.2, at=(220, 10), width=6), "png", False),
    "in a wide picture": (drawn(size=(1200, 300), at=(800, 20)), "png", False),
    "large, with the noise of a JPEG": (drawn(size=(3000, 3000), times=9, width=220), "jpg", False),
    "black on white": (drawn(ground="white", ink="black"), "png", True),
    "blue on yellowish paper": (drawn(ground="#eeeedd", ink="#203080"), "jpg", True),
    "grey on dark grey": (drawn(ground="#303030", ink="#b0b0b0"), "png", False),
    "black on nothing": (drawn(ground=(0, 0, 0, 0), ink="black", mode="RGBA"), "png", True),
    "with a palette": (drawn().convert("P"), "gif", False),
}


@pytest.mark.parametrize("name", FILES)
def test_the_same_seven_is_the_same_picture_however_it_was_made(tmp_path, name, weights):
    image, ending, inverted = FILES[name]
    image.save(path := tmp_path / f"digit.{ending}")
    picture, said = read_digit(path)
    assert (picture.shape, picture.dtype, (picture.max() > 200).item()) == ((28, 28), torch.uint8, True)
    assert (
        said.startswith(f"This is your digit, from {path.as_posix()}.")
        and ("so it is inverted here" in said) == inverted
    )
    rows, columns = picture.nonzero().T
    assert max(rows.max() - rows.min(), columns.max() - columns.min()) in (18, 19)
    share = picture / picture.sum()
    centre = [(share.sum(dim=1 - axis) * torch.arange(28)).sum().item() for axis in (0, 1)]
    assert centre == pytest.approx([13.5, 13.5], abs=0.6)
    assert guesses(picture, weights) == [7] * 3


@pytest.mark.parametrize("points", [((140, 140), (141, 140)), ((20, 140), (260, 140)), ((0, 0), (279, 279))])
def test_a_dot_a_dash_and_a_line_from_corner_to_corner_are_pictures_too(tmp_path, points):
    drawn(points).save(path := tmp_path / "digit.png")
    picture, said = read_digit(path)
    assert picture.shape == (28, 28) and picture.any() and "your digit" in said


@pytest.mark.parametrize(
    "content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + bytes(40), SAMPLE.read_bytes()[:900]]
)
def test_a_file_that_is_no_whole_picture_is_said_and_the_sample_taken(tmp_path, content):
    (path := tmp_path / "digit.png").write_bytes(content)
    picture, said = read_digit(path)
    assert "digit.png cannot be read as an image (" in said and said.endswith(
        "this is the sample of the course, a 3."
    )
    assert torch.equal(picture, read_digit(SAMPLE)[0])


def test_a_folder_of_that_name_is_said(tmp_path):
    (path := tmp_path / "digit.png").mkdir()
    assert "cannot be read as an image" in read_digit(path)[1]


@pytest.mark.parametrize("grey", [0, 10, 128, 255])
def test_an_empty_picture_is_said(tmp_path, grey):
    Image.fromarray(numpy.full((280, 280), grey, dtype=numpy.uint8)).save(path := tmp_path / "digit.png")
    assert read_digit(path)[1] == f"{path.as_posix()} is empty, so this is the sample of the course, a 3."


def test_the_pad_makes_its_folder_whatever_it_is_called(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pad = DrawingPad("results/é & 1/digit.png", kernel="k")
    assert Path("results/é & 1").is_dir()
    assert 'data-file="results/é &amp; 1/digit.png"' in pad._repr_html_()


def test_two_pads_on_one_page_are_told_apart():
    pages = [DrawingPad("digit.png", kernel="")._repr_html_() for _ in range(2)]
    assert pages[0] != pages[1]


def test_a_path_that_no_page_could_save_is_refused(tmp_path):
    with pytest.raises(
        ValueError, match="is absolute; give the file's path as it is seen from the notebook's folder"
    ):
        DrawingPad(tmp_path / "digit.png")


def test_outside_of_a_kernel_the_pad_has_none():
    assert 'data-kernel=""' in DrawingPad("digit.png")._repr_html_()
