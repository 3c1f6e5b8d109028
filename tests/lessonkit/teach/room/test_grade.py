"""`course grade` on a small room: rows as they should be, kept when it is said again, whatever is handed in."""

import csv
import json
import os
import pickle
import shutil
import sys
from types import SimpleNamespace

import pytest
from command_line import course
from submissions import FIRST, WRONG, behind, mistaken, notebook, older, room, tricks, with_answer, write

from lessonkit.notebook.catalog import find, find_question
from lessonkit.system.errors import Refused
from lessonkit.teach.room import grade as grading_of
from lessonkit.teach.room import gradebook, grades_page, submission
from lessonkit.teach.room.grading import Grader
from lessonkit.teach.room.grading_queue import GradingQueue, waiting_in
from lessonkit.teach.room.handed_in import notebooks
from lessonkit.teach.room.rows import Graded, Row
from lessonkit.teach.room.sandbox import isolation
from lessonkit.teach.room.sandbox.isolation import BUBBLEWRAP, LIMITS, NAMESPACES
from lessonkit.teach.room.sandbox.process import Limits

CHAPTERS = tuple(find())


def rows(out):
    """(learner, exercise) -> row of grades.json."""
    graded = json.loads((out / "grades.json").read_text(encoding="utf-8"))["submissions"]
    return {(one["learner"], row["exercise"]): row for one in graded for row in one["rows"]}


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    """A solved, a wrong, an untouched, an older and a hostile notebook, one that is none, and one of no chapter."""
    folder = tmp_path_factory.mktemp("room é")
    solved = notebook(FIRST, solved=True)
    write(folder, "ana", FIRST, solved)
    write(folder, "bob", FIRST, mistaken(*WRONG[0])[0])
    write(folder, "carol", FIRST, notebook(FIRST, solved=False))
    write(folder, "dora", FIRST, older(solved))
    write(folder, "emil", FIRST, with_answer(solved, "ink", behind("import os\nos._exit(0)")))
    write(folder, "fay", FIRST, "{")
    write(folder, "gus", "mine", '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    return folder


def test_every_row_is_as_it_should_be_and_kept(handed_in, tmp_path, apart, monkeypatch, capsys):
    status, told, _ = course(monkeypatch, capsys, "grade", handed_in / "in", "--out", tmp_path / "out")
    found = rows(tmp_path / "out")
    assert status == 1 and f"Isolation: {apart.name}" in told and "[7 of 7]" in told
    exercises = ["half_dtype", "to_unit", "hit_rates", "ink", "halvings"]
    states = {learner: [found[learner, one]["state"] for one in exercises] for learner in ("ana", "bob", "carol")}
    assert states["ana"] == ["passed"] * 5 and states["carol"] == ["not attempted"] * 5
    assert states["bob"] == ["passed"] * 3 + ["known mistake", "passed"]
    assert found["bob", "ink"]["mistake"] == "over_everything"
    assert found["dora", "halvings"]["state"] == "missing" and found["dora", "ink"]["state"] == "passed"
    assert found["emil", "ink"]["state"] == "ended" and found["emil", "halvings"]["state"] == "passed"
    assert found["fay", "ink"]["state"] == found["gus", ""]["state"] == "unreadable"
    with (tmp_path / "out" / "grades.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == len(found) and {one["learner"] for one in table} == set(
        ["ana", "bob", "carol", "dora", "emil", "fay", "gus"]
    )
    page = (tmp_path / "out" / "grades.html").read_text(encoding="utf-8")
    assert "over_everything" in page and "1 of 6" in page and f"Isolation: {apart.name}" in page
    before = (tmp_path / "out" / "grades.json").read_bytes()
    status, told, _ = course(monkeypatch, capsys, "grade", handed_in / "in", "--out", tmp_path / "out")
    assert status == 1 and "7 of 7 submissions were graded before" in told and "[" not in told
    assert (tmp_path / "out" / "grades.json").read_bytes() == before


def test_nothing_is_run_where_there_is_no_isolation(handed_in, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(grading_of, "available", lambda: LIMITS)
    status, _, error = course(monkeypatch, capsys, "grade", handed_in / "in", "--out", tmp_path / "out")
    assert status == 2 and "cannot isolate submissions" in error and not (tmp_path / "out").exists()
    (tmp_path / "empty").mkdir()
    status, _, error = course(monkeypatch, capsys, "grade", tmp_path / "empty", "--out", tmp_path / "out")
    assert status == 2 and "no notebook" in error


@pytest.mark.parametrize("one", [BUBBLEWRAP, NAMESPACES, LIMITS], ids=lambda one: one.name)
def test_a_submission_runs_in_what_the_report_names(tmp_path, monkeypatch, capsys, one):
    """In a judge's process too, which gets a copy: one that took the wrong way there made LIMITS unusable."""
    if one.of_files and not (sys.platform == "linux" and isolation.works(one)):
        pytest.skip(f"no {one.name} for this user")
    secret = tmp_path / "secret.txt"
    secret.touch()
    look = f"from pathlib import Path\nraise ValueError('seen', Path({str(secret)!r}).exists())"
    write(tmp_path, "ana", FIRST, with_answer(notebook(FIRST, solved=True), "ink", behind(look)))
    monkeypatch.setattr(grading_of, "available", lambda: one)
    out = tmp_path / "out"
    status, told, _ = course(monkeypatch, capsys, "grade", tmp_path / "in", "--out", out, "--unconfined")
    found = rows(out)
    assert status == 0 and f"Isolation: {one.name}" in told
    assert found["ana", "halvings"]["state"] == "passed" and found["ana", "ink"]["state"] == "raised"
    assert f"('seen', {not one.of_files})" in found["ana", "ink"]["message"]


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
@pytest.mark.parametrize("one", [BUBBLEWRAP, NAMESPACES, LIMITS], ids=lambda one: one.name)
def test_a_copy_of_an_isolation_starts_what_it_does(tmp_path, monkeypatch, one):
    started = []
    monkeypatch.setattr(isolation.subprocess, "Popen", lambda command, **_: started.append(command))
    for each in (one, pickle.loads(pickle.dumps(one))):
        isolation.start(each, ["answer"], tree=tmp_path, root=str(tmp_path), home=str(tmp_path), mark="")
    first, again = ([word for word in command if not word.startswith("{")] for command in started)
    assert first == again and first[0] == {BUBBLEWRAP: "bwrap", LIMITS: "answer"}.get(one, sys.executable)


def opened(out, *, seconds=30.0, anew=False):
    limits = vars(Limits(seconds=seconds))
    return gradebook.opened(out, isolation=NAMESPACES, limits=limits, chapters=CHAPTERS[:1], anew=anew)


def result(learner, *states, file="", sha256=""):
    made = tuple(Row(exercise=f"e{n}", state=state, message=f"m{n}") for n, state in enumerate(states))
    return Graded(learner=learner, file=file or f"{learner}/a.ipynb", sha256=sha256, chapter=FIRST, rows=made)


def test_only_what_is_new_or_changed_is_graded_again(tmp_path, handed_in):
    places = list(notebooks(handed_in / "in", CHAPTERS))
    book = opened(tmp_path)
    assert len(waiting_in(handed_in / "in", places, book)) == 7
    grader = Grader(CHAPTERS, tmp_path, NAMESPACES, Limits(), 1)
    for place in places[-2:]:  # which need no process
        file = place.path.as_posix()
        book.add(grader.grade(handed_in / "in" / place.path, learner=place.learner, file=file))
    again = opened(tmp_path)
    assert len(waiting_in(handed_in / "in", places, again)) == 5 and again.head["secret"] == book.head["secret"]
    shutil.copytree(handed_in / "in", tmp_path / "in")
    (tmp_path / "in" / "fay" / f"{FIRST}.ipynb").write_text("{{", encoding="utf-8")
    assert len(waiting_in(tmp_path / "in", places, again)) == 6
    assert len(waiting_in(handed_in / "in", places, opened(tmp_path, seconds=3.0))) == 7
    assert len(waiting_in(handed_in / "in", places, opened(tmp_path, anew=True))) == 7


def test_what_another_judge_or_isolation_said_is_not_kept_and_that_is_told(tmp_path, monkeypatch):
    opened(tmp_path).add(result("ana", "passed"))
    assert opened(tmp_path).graded and not opened(tmp_path).dropped
    limits = vars(Limits())
    given = {"limits": limits, "chapters": CHAPTERS[:1], "anew": False}
    unconfined = gradebook.opened(tmp_path, isolation=LIMITS, **given)
    assert (unconfined.graded, unconfined.dropped) == ({}, "submissions ran in another isolation")
    other = gradebook.opened(tmp_path, isolation=NAMESPACES, **given | {"chapters": CHAPTERS[1:2]})
    assert (other.graded, other.dropped) == ({}, "the course or its chapters have changed since")
    monkeypatch.setattr(gradebook, "versions", lambda *_: {"torch": "9.9"})
    both = opened(tmp_path, seconds=3.0)
    assert (both.graded, both.dropped) == ({}, "the limits were others and the versions of packages were others")


def test_every_module_of_the_engine_and_the_course_counts_for_what_is_kept_and_no_bytecode_does(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(gradebook, "package_folder", lambda name: tmp_path / name)
    digests = [gradebook.judged_by(CHAPTERS[:1])]
    for name in (
        "lessonkit/checks/judge.py",
        "lessonkit/teach/room/rows.py",
        "course_utils/exercises/nets/answers.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("x = 1\n")
        digests.append(gradebook.judged_by(CHAPTERS[:1]))
    assert len(set(digests)) == 4
    (tmp_path / "lessonkit" / "checks" / "__pycache__").mkdir()
    (tmp_path / "lessonkit" / "checks" / "__pycache__" / "judge.cpython-313.pyc").write_bytes(b"x")
    assert gradebook.judged_by(CHAPTERS[:1]) == digests[-1]
    (tmp_path / "course_utils" / "exercises" / "nets").rename(tmp_path / "course_utils" / "exercises" / "text")
    digests.append(gradebook.judged_by(CHAPTERS[:1]))
    monkeypatch.setattr(gradebook, "PROJECT", tmp_path)
    (tmp_path / "course.toml").write_text('title = "Another"')
    digests.append(gradebook.judged_by(CHAPTERS[:1]))
    assert len(set(digests)) == 6


def test_another_explanation_of_a_letter_counts_too(monkeypatch):
    chapters = [chapter for chapter in CHAPTERS if any(task.asked for task in submission.tasks(chapter))]
    before = gradebook.judged_by(chapters)
    assert before == gradebook.judged_by(chapters)
    one = find_question("case 1")
    options = {letter: SimpleNamespace(why="because") for letter in one.options}
    other = SimpleNamespace(id=one.id, answer=one.answer, options=options)
    monkeypatch.setattr(gradebook, "find_question", lambda name: other if name == "case 1" else find_question(name))
    assert gradebook.judged_by(chapters) != before


def test_grades_are_not_read_from_what_was_handed_in(handed_in, tmp_path, monkeypatch, capsys):
    shutil.copytree(handed_in / "in", tmp_path / "in")
    out = tmp_path / "in" / "grades"
    status, _, error = course(monkeypatch, capsys, "grade", tmp_path / "in", "--out", out)
    assert status == 2 and "a hand-in could then bring grades of its own" in error and not out.exists()


def test_a_file_that_is_no_result_is_refused(tmp_path):
    (tmp_path / "grades.json").write_text("[]", encoding="utf-8")
    with pytest.raises(Refused, match="is no result of `course grade`"):
        opened(tmp_path)


def test_what_learners_wrote_is_text_on_the_page_and_in_the_table(tmp_path):
    book = opened(tmp_path)
    evil = "<script>alert(1)</script>"
    row = Row(exercise="ink", state="known mistake", message=f"=1+1 {evil}", mistake=evil)
    book.add(Graded(learner=evil, file=f"{evil}/=a.ipynb", sha256="", chapter=FIRST, rows=(row,), notes=(evil,)))
    page = (tmp_path / "grades.html").read_text(encoding="utf-8")
    assert "<script>" not in page and "&lt;script&gt;" in page
    assert "'=1+1" in (tmp_path / "grades.csv").read_text(encoding="utf-8")


def test_the_commonest_mistake_is_that_of_most(tmp_path):
    def with_mistake(learner, name):
        row = Row(exercise="ink", state="known mistake", message=f"You {name}.", mistake=name)
        return Graded(learner=learner, file=f"{learner}/a.ipynb", sha256="", chapter=FIRST, rows=(row,))

    made = [with_mistake("a", "summed"), with_mistake("b", "halved"), with_mistake("c", "summed")]
    found = grades_page.commonest([*made, result("d", "wrong")])
    assert found == {(FIRST, "ink"): grades_page.Commonest("summed", 2, "You summed.")}


class Deadly(Grader):
    """A judge that dies over one file."""

    def grade(self, path, *, learner, file):
        """Die over the file of one who is called fatal."""
        if learner == "fatal":
            os._exit(9)
        return result(learner, "passed", file=file)


def test_a_judge_that_dies_takes_no_other_result_along(tmp_path):
    for name in ("a", "b", "fatal", "y", "z"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / f"{FIRST}.ipynb").write_text("{}", encoding="utf-8")
    places, book, told = list(notebooks(tmp_path / "in", CHAPTERS)), opened(tmp_path / "out"), []
    grader = Deadly(CHAPTERS, tmp_path, NAMESPACES, Limits(), 1)
    GradingQueue(tmp_path / "in", book, grader, 2, told.append).run(places)
    states = {one.learner: one.rows[0].state for one in book.results()}
    assert states == {"a": "passed", "b": "passed", "fatal": "not judged", "y": "passed", "z": "passed"}
    assert len(told) == 5


ODD = [
    b"",
    b"null",
    b"[]",
    b'{"cells": 3, "nbformat": 4}',
    b'{"cells": [3], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
    b'{"cells": [{"cell_type": "code", "source": 5, "metadata": 7}], "metadata": [], "nbformat": 4}',
    b'{"cells": [{"cell_type": "code", "source": "ex.ink.check(", "metadata": {"tags": 3}, "outputs": 1}], '
    b'"metadata": {"course": {"copy_of": {"chapter": "00_start_here", "version": 3}}}, "nbformat": 4}',
    b"\xff\xfe\x00",
    b"[" * 200_000,
    b'{"cells": [], "metadata": {}, "nbformat": 99}',
]


@pytest.mark.parametrize("data", ODD, ids=range(len(ODD)))
def test_whatever_a_file_holds_it_gets_rows(tmp_path, data):
    path = tmp_path / f"{FIRST}.ipynb"
    path.write_bytes(data)
    graded = Grader(CHAPTERS, tmp_path, isolation.LIMITS, Limits(), 1).grade(path, learner="a", file="a")
    assert graded.rows and not any(row.passed for row in graded.rows)
    assert {row.state for row in graded.rows} <= {"unreadable", "raised", "missing"}


def test_the_script_makes_the_whole_room(tmp_path):
    expected = room(tmp_path)
    assert len(expected) == 40 == len(list((tmp_path / "in").glob("*/*.ipynb")))
    assert len(tricks(tmp_path / "tricks")) >= 64
