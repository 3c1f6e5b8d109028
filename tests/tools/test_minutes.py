"""tools/minutes.py --write: minutes.toml reaches titles and README's table, and nothing else changes."""

import shutil

import minutes
import nbformat
import pytest

from lessonkit.notebook import catalog
from lessonkit.notebook.catalog import NOTEBOOKS

NAMES = ("00_start_here", "05_training")


@pytest.fixture
def copied(tmp_path):
    """Two chapters and README, as `write` takes them."""
    (tmp_path / "notebooks").mkdir()
    for name in NAMES:
        shutil.copy(NOTEBOOKS / f"{name}.ipynb", tmp_path / "notebooks")
    shutil.copy(minutes.README, tmp_path)
    return {"notebooks": tmp_path / "notebooks", "readme": tmp_path / "README.md"}


def test_minutes_that_are_said_already_change_no_byte(copied):
    assert minutes.write({name: minutes.kept()[name] for name in NAMES}, **copied) == []


def test_new_minutes_reach_the_title_and_the_row_and_nothing_else(copied):
    path, readme = copied["notebooks"] / "05_training.ipynb", copied["readme"]
    old = minutes.kept()
    before = [file.read_text(encoding="utf-8").splitlines() for file in (path, readme)]
    assert minutes.write({NAMES[0]: old[NAMES[0]], "05_training": (45, 90)}, **copied) == [readme, path]
    assert catalog.minutes(nbformat.read(path, 4).cells[0].source) == (45, 90)
    after = [file.read_text(encoding="utf-8").splitlines() for file in (path, readme)]
    for old_lines, lines in zip(before, after, strict=True):
        (pair,) = [pair for pair in zip(old_lines, lines, strict=True) if pair[0] != pair[1]]
        assert pair[1].replace("45", "60").replace("90", "135") == pair[0]


def test_a_chapter_that_is_not_divided_says_one_number():
    assert minutes.in_title("# 03 · A\n\n**45 minutes for the core, 60 with *Further*.** CPU.", 50, 50).endswith(
        "**50 minutes.** CPU."
    )
    assert minutes.shown(50, 50) == "50"


def test_a_chapter_without_minutes_is_named_and_nothing_is_written(copied):
    before = copied["readme"].read_bytes()
    with pytest.raises(ValueError, match="05_training: expected a notebook and its minutes"):
        minutes.write({"00_start_here": (10, 20)}, **copied)
    assert copied["readme"].read_bytes() == before


@pytest.mark.parametrize("line", ["core = 60", "core = 60\nall = 50", 'core = "60"\nall = 70', "core = 0\nall = 5"])
def test_minutes_that_cannot_be_are_refused(line, tmp_path):
    (tmp_path / "minutes.toml").write_text(f"[05_training]\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"\[05_training\].*expected `core` and `all`"):
        minutes.kept(tmp_path / "minutes.toml")
