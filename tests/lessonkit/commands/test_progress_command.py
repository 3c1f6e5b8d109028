"""`course progress`: the table, the same for programs, and forgetting."""

import json
import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner

from lessonkit.cli import course
from lessonkit.progress import record
from lessonkit.progress.record import Entry, note, read
from lessonkit.system.errors import Refused


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_WORK", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "180")
    for name in ("COURSE_PROGRESS", "CI"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / record.FILE


def begin(path):
    note(path, Entry("training", "train_step", "check", "passed", None, 0.5), warn=pytest.fail)
    note(path, Entry("training", "measure", "check", "known mistake", "in_train_mode", 0.5), warn=pytest.fail)


def run(*arguments, text=None):
    return CliRunner().invoke(course, ["progress", *arguments], input=text, catch_exceptions=False)


def test_without_progress_a_sentence_says_how_to_begin(path):
    result = run()
    assert result.exit_code == 0
    assert "Nothing is noted in" in result.output and "`course lab`" in result.output


def test_the_table_has_a_row_for_each_chapter(path):
    begin(path)
    output = run().output
    rows = [[column.strip() for column in line.split("│")[1:-1]] for line in output.splitlines() if "│" in line]
    [row] = [row for row in rows if row[0].startswith("05 · The same net")]
    assert row[1:4] == ["1 of 3", "0 of 2", "Exercise 2: a fair measurement"]
    core, all_of_it = map(int, row[4].split(" / "))
    assert 35 <= core < 45 and all_of_it == core + 75
    assert len([row for row in rows if row[1]]) == 14
    assert "Next: Exercise 1: the type of a half, in 00 · Start here" in output  # the lowest open one of the core
    assert "Next: " in output and "half_dtype" not in output and "05_training" not in output


def test_who_has_finished_a_core_is_told_so(path):
    begin(path)
    for name in ("measure", "choices"):
        note(path, Entry("training", name, "check", "passed", None, 0.5), warn=pytest.fail)
    said = " ".join(run().output.split())
    assert "You have finished the core of 05 · The same net" in said
    assert "That makes 1 of 14 cores. Its Further has 2 exercises left; no later chapter needs it." in said


def test_programs_get_every_exercise(path):
    begin(path)
    data = json.loads(run("--json").output)
    [training] = [one for one in data["chapters"] if one["chapter"] == "05_training"]
    first, second, third = training["exercises"][:3]
    assert first["name"] == "train_step" and first["passed"] and first["tries"] == 1
    assert second["mistake"] == "in_train_mode" and not second["passed"]
    assert third == {
        "name": "choices",
        "title": "Exercise 3: epoch and fix",
        "further": False,
        "passed": False,
        "tries": 0,
    }
    assert data["next"] == {"chapter": "00_start_here", "exercise": "half_dtype"}
    assert 35 <= training["minutes_left"]["core"] < 45 and training["minutes_left"]["further"] == pytest.approx(75)
    assert training["title"].startswith("05 · The same net")


@pytest.mark.parametrize(("arguments", "text"), [((), "y\n"), (("--yes",), None)])
def test_forgetting_asks_and_keeps_a_copy(path, arguments, text):
    begin(path)
    result = run("--forget", *arguments, text=text)
    [copy] = path.parent.glob("progress-until-*.sqlite3")
    assert copy.name in result.output
    assert read(path) == [] and len(read(copy)) == 2
    page = (path.parent.parent / "START.md").read_text(encoding="utf-8")
    assert "**Begin here: [00 · Start here" in page and "✓ Exercise" not in page
    assert "nothing to forget" in run("--forget").output


def test_that_nothing_is_noted_is_said(path, monkeypatch):
    assert "not noted" not in run().output
    monkeypatch.setenv("COURSE_PROGRESS", "0")
    assert "what you solve now is not noted" in run().output


def test_who_says_no_forgets_nothing(path):
    begin(path)
    assert "2 exercises?" in run("--forget", text="n\n").output
    assert len(read(path)) == 2


def test_a_damaged_file_is_refused_with_a_sentence(path):
    path.parent.mkdir()
    path.write_bytes(b"no database " * 100)
    with pytest.raises(Refused, match=r"is damaged \(file is not a database\)"):
        run()


def test_a_file_of_a_newer_course_is_refused_and_not_forgotten(path):
    begin(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 2")
    before = path.read_bytes()
    for arguments in ((), ("--json",), ("--forget", "--yes")):
        with pytest.raises(Refused, match=r"was written by a newer course \(version 2, here 1\); update this one$"):
            run(*arguments)
    assert path.read_bytes() == before
    assert list(path.parent.glob("progress-*")) == []
