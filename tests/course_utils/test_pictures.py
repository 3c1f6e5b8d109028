"""Pictures are read as a viewer shows them, by the module and by chapter 03; hidden files are no pictures."""

import pickle

import pytest
import torchvision
from notebook_cells import defined
from PIL import Image

from course_utils.pictures import VisibleImageFolder, read_picture

CHAPTERS = defined("03", "read_picture").read_picture


@pytest.fixture(params=[read_picture, CHAPTERS], ids=["the module's", "the chapter's"])
def read(request):
    return request.param


def near(first, second):
    return all(abs(one - other) <= 2 for one, other in zip(first, second, strict=True))


@pytest.mark.parametrize(("value", "grey"), [(0, 0), (257, 1), (4095, 15), (32_768, 127), (65_535, 255)])
@pytest.mark.parametrize("suffix", ["png", "tif"])
def test_grey_of_16_bits_keeps_its_brightness(tmp_path, read, value, grey, suffix):
    Image.new("I;16", (5, 3), value).save(tmp_path / f"a.{suffix}")
    picture = read(tmp_path / f"a.{suffix}")
    assert picture.mode == "RGB" and near(picture.getpixel((0, 0)), (grey,) * 3)


# EXIF's eight orientations: where the first pixel of what is stored must be seen, right or left, top or bottom.
SEEN = {1: "lt", 2: "rt", 3: "rb", 4: "lb", 5: "lt", 6: "rt", 7: "rb", 8: "lb"}


@pytest.mark.parametrize("orientation", SEEN)
@pytest.mark.parametrize("suffix", ["jpg", "png"])
def test_a_photograph_is_turned_as_its_exif_data_say(tmp_path, read, orientation, suffix):
    stored = Image.new("RGB", (64, 32))
    stored.paste((255, 0, 0), (0, 0, 32, 16))
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored.save(tmp_path / f"a.{suffix}", exif=exif)
    picture = read(tmp_path / f"a.{suffix}")
    assert picture.size == ((32, 64) if orientation > 4 else (64, 32))
    x, y = (0.25 if side in "lt" else 0.75 for side in SEEN[orientation])
    assert picture.getpixel((int(x * picture.width), int(y * picture.height)))[0] > 200


def transparent(mode):
    if mode == "P":
        return Image.new("P", (4, 4)), {"transparency": 0}
    if mode == "RGB":  # one colour of a picture without an alpha channel
        return Image.new("RGB", (4, 4)), {"transparency": (0, 0, 0)}
    return Image.new(mode, (4, 4)), {}


@pytest.mark.parametrize("mode", ["P", "RGB", "RGBA", "LA"])
def test_what_is_transparent_is_white(tmp_path, read, mode):
    picture, options = transparent(mode)
    picture.save(tmp_path / "a.png", **options)
    assert read(tmp_path / "a.png").getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("mode", "colour", "expected", "suffix"),
    [
        ("RGB", (200, 100, 50), (200, 100, 50), "png"),
        ("L", 77, (77, 77, 77), "jpg"),
        ("1", 1, (255, 255, 255), "png"),
        ("P", 0, (0, 0, 0), "png"),
        ("CMYK", (0, 0, 0, 55), (200, 200, 200), "jpg"),
        ("CMYK", (0, 255, 255, 0), (255, 0, 0), "jpg"),
        ("YCbCr", (128, 128, 128), (128, 128, 128), "jpg"),
    ],
)
def test_all_other_kinds_are_as_they_were(tmp_path, read, mode, colour, expected, suffix):
    Image.new(mode, (8, 8), colour).save(tmp_path / f"a.{suffix}")
    picture = read(tmp_path / f"a.{suffix}")
    assert picture.mode == "RGB" and near(picture.getpixel((4, 4)), expected)


@pytest.fixture
def insects(tmp_path):
    for kind, number in (("ants", 2), ("bees", 1)):
        (tmp_path / kind).mkdir()
        for index in range(number):
            Image.effect_noise((20, 10), 50).save(tmp_path / kind / f"{index}.jpg")
    return tmp_path


def test_where_nothing_is_odd_it_is_imagefolder(insects):
    ours, theirs = VisibleImageFolder(insects), torchvision.datasets.ImageFolder(insects)
    assert (ours.class_to_idx, ours.samples, ours.targets) == (theirs.class_to_idx, theirs.samples, theirs.targets)
    for (picture, _), (other, _) in zip(ours, theirs, strict=True):
        assert picture.tobytes() == other.tobytes()
    assert len(pickle.loads(pickle.dumps(ours))) == 3, "workers get it as a pickle"


HIDDEN = (".ipynb_checkpoints/0-checkpoint.jpg", "ants/._0.jpg", "ants/.thumbs/0.jpg", "__MACOSX/ants/0.jpg")


@pytest.mark.parametrize("name", [*HIDDEN, "ants/Thumbs.db", "ants/desktop.ini"])
def test_hidden_files_and_folders_are_passed_over(insects, name):
    (insects / name).parent.mkdir(parents=True, exist_ok=True)
    (insects / name).write_bytes(b"no picture")
    found = VisibleImageFolder(insects, transform=lambda picture: picture.size)
    assert list(found) == [((20, 10), 0), ((20, 10), 0), ((20, 10), 1)]
    assert found.classes == ["ants", "bees"]


def test_an_empty_class_raises_or_keeps_its_number(insects):
    (insects / "aphids").mkdir()
    with pytest.raises(FileNotFoundError, match="aphids"):
        VisibleImageFolder(insects)
    found = VisibleImageFolder(insects, allow_empty=True)
    assert found.class_to_idx == {"ants": 0, "aphids": 1, "bees": 2} and found.targets == [0, 0, 2]
