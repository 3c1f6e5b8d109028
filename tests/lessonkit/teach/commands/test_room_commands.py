"""`course release` and `course collect` on the command line: what they say and how they end."""

import zipfile


def test_a_release_says_what_it_did(course, tmp_path):
    status, told, _ = course("release", "--to", tmp_path / "out", "--chapters", "00, training", "--core")
    assert status == 0 and "00_start_here: outputs of" in told and "cells of Further left out" in told
    names = ["00_start_here.ipynb", "05_training.ipynb", "manifest.json", "what_we_saw"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names


def test_a_chapter_that_there_is_not_is_refused(course, tmp_path):
    status, _, error = course("release", "--to", tmp_path / "out", "--chapters", "99")
    assert status == 2 and "no chapter called 99" in error and not (tmp_path / "out").exists()


def test_collect_ends_by_what_it_took(course, tmp_path):
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as file:
        file.writestr("ana/00_start_here.ipynb", "{}")
    status, told, _ = course("collect", tmp_path / "in.zip", "--to", tmp_path / "room")
    assert status == 0 and "1 notebook of 1 learner" in told
    status, told, _ = course("collect", tmp_path / "in.zip", "--to", tmp_path / "room")
    assert status == 0 and "1 was there already" in told
    (tmp_path / "bad.zip").write_bytes(b"nothing")
    status, _, error = course("collect", tmp_path / "bad.zip", "--to", tmp_path / "room")
    assert (
        status == 2 and "Refused: bad.zip: it is neither a zip nor a tar archive; nothing of it is taken." in error
    )
    status, _, error = course("collect", tmp_path / "nowhere", "--to", tmp_path / "room")
    assert status == 2


def test_a_release_warns_of_the_guide_s_bets_and_says_once_how_cells_are_counted(course, tmp_path):
    arguments = ["--chapters", "01,05", "--core", "--clear-bets"]
    status, told, error = course("release", "--to", tmp_path / "out", *arguments)
    warnings = [line for line in error.splitlines() if line.startswith("  Warning: ")]
    assert status == 0 and len(warnings) < 5, warnings
    assert sum("below a bet" in line or "the bet above it" in line for line in warnings) == 1
    assert error.count("Cells are counted from 1") == 1 and "below a bet)" in told


def test_a_release_that_warns_of_nothing_says_nothing_of_cells(course, tmp_path):
    status, _, error = course("release", "--to", tmp_path / "out", "--chapters", "04,08")
    assert status == 0 and error == ""
