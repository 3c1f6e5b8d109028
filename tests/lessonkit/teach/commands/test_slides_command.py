"""`course slides` on the command line: what it says, where it writes, how it ends."""


def test_it_says_how_many_slides_for_how_many_minutes_and_where(course, tmp_path):
    out = tmp_path / "à moi" / "deck.html"
    status, told, _ = course("slides", "05", "--out", out, "--solved")
    assert status == 0 and "slides for 60 minutes" in told and str(out) in told
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_chapter_that_there_is_not_is_refused(course, tmp_path):
    status, _, error = course("slides", "99", "--out", tmp_path / "deck.html")
    assert status == 2 and "Refused: no chapter called 99; there are: 00_start_here" in error
    assert not (tmp_path / "deck.html").exists()


def test_a_folder_is_no_file(course, tmp_path):
    status, _, error = course("slides", "05", "--out", tmp_path)
    assert status == 2 and "is a directory" in error
