"""What a check, a hint, a solution and a question leave in the record, and that none of it costs the verdict."""

import os
import subprocess
import sys

import pytest

import course_utils.exercises.tensors as ex
from course_utils.chapters.clinic import ask
from lessonkit.checks import listeners
from lessonkit.checks.exercise import Exercise
from lessonkit.progress import listener, record, start_page
from lessonkit.progress.record import read


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A work folder in which this process seems to have been started; returns its record's path."""
    monkeypatch.setattr(listener, "at_desk", lambda: True)
    monkeypatch.setattr(listener, "work_folder", lambda: tmp_path)
    one = listener.ProgressListener()
    monkeypatch.setattr(listeners, "registered", lambda: (one,))
    for name in ("COURSE_PROGRESS", "CI"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / record.FILE


def wrong(*arguments):
    return "nothing of the kind"


def test_checks_hints_and_solutions_are_noted(desk):
    ex.survives.check(None)
    ex.survives.check(wrong)
    ex.survives.hint()
    ex.survives.check(ex.survives.mistakes[0])
    ex.survives.solution()
    [one] = read(desk)
    assert (one.chapter, one.exercise) == ("tensors", "survives")
    assert (one.passed, one.state) == (False, "known mistake")
    assert one.mistake == ex.survives.mistakes[0].__name__
    assert (one.tries, one.hints, one.solution) == (2, 1, True)
    assert 0 < one.seconds < 60


def test_a_right_answer_gets_its_tick_on_the_start_page_before_the_verdict_is_shown(desk):
    def survives(values, dtype):
        return values.to(dtype).to(values.dtype) == values

    assert ex.survives.check(survives).passed
    assert read(desk)[0].state == "passed"
    assert "✓ [Exercise 5: there and back](01_tensors.ipynb)\n" in (desk.parent.parent / "START.md").read_text(
        encoding="utf-8"
    )


def test_a_hint_that_is_none_is_not_noted(desk):
    for _ in range(len(ex.windows.hints) + 3):
        ex.windows.hint()
    assert read(desk)[0].hints <= len(ex.windows.hints)


def test_questions_are_noted_by_their_number_with_the_letter(desk):
    ask("case 1")
    ask("case 1", "b")
    [one] = read(desk)
    assert (one.chapter, one.exercise, one.tries) == ("clinic", "case 1", 1)
    assert one.state in ("passed", "known mistake") and one.mistake in (None, "b")
    for letter in "abc":
        ask("case 1", letter)
    assert read(desk)[0].passed


def test_an_exercise_of_one_s_own_is_not_the_course_s(desk):
    def double(x):
        return 2 * x

    verdict = Exercise(double, inputs=lambda seed: [(1,), (seed,)]).check(lambda x: x + x)
    assert verdict.passed
    assert not desk.exists()


@pytest.mark.parametrize("names", [{"COURSE_PROGRESS": "0"}, {"CI": "true"}])
def test_nothing_is_noted_when_it_is_switched_off(desk, monkeypatch, names):
    for name, value in names.items():
        monkeypatch.setenv(name, value)
    assert ex.survives.check(wrong).state == "wrong"
    assert list(desk.parent.parent.iterdir()) == []


def test_nothing_is_noted_elsewhere_than_at_the_desk(desk, monkeypatch):
    monkeypatch.setattr(listener, "at_desk", lambda: False)
    ex.survives.check(wrong)
    assert list(desk.parent.parent.iterdir()) == []


def test_where_it_cannot_be_kept_the_verdict_comes_and_one_sentence(desk, capsys):
    desk.parent.write_text("in the folder's place", encoding="utf-8")
    for _ in range(3):
        assert ex.survives.check(wrong).state == "wrong"
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("Progress is not kept: ") and "cannot be written" in line
    desk.parent.unlink()
    ex.survives.hint()  # and with it what could not be kept so far
    ex.survives.check(wrong)
    assert (read(desk)[0].tries, read(desk)[0].hints) == (4, 1)
    assert capsys.readouterr().err == ""


def test_a_page_that_cannot_be_written_is_said_and_the_note_is_kept(desk, capsys):
    (desk.parent.parent / "START.md").mkdir()
    for _ in range(2):
        assert ex.survives.check(wrong).state == "wrong"
    [line] = capsys.readouterr().err.splitlines()
    assert "START.md was not updated" in line
    assert read(desk)[0].tries == 2


def test_a_page_behind_is_said_and_the_note_is_kept_once(desk, capsys, monkeypatch):
    def locked(path):
        raise record.NotKept("it is locked.")

    monkeypatch.setattr(start_page, "read", locked)
    for _ in range(2):
        assert ex.survives.check(wrong).state == "wrong"
    [line] = capsys.readouterr().err.splitlines()
    assert line.endswith("START.md was not updated: it is locked.")
    assert read(desk)[0].tries == 2


def test_a_cell_that_replaces_the_clock_gets_its_verdict(desk, monkeypatch):
    monkeypatch.setattr("time.perf_counter", lambda: None)
    assert ex.survives.check(None).state == "not attempted"
    assert read(desk)[0].state == "not attempted"


def test_whatever_goes_wrong_the_verdict_comes(desk, capsys, monkeypatch):
    monkeypatch.setattr(record, "note", lambda *arguments, **named: 1 / 0)
    assert ex.survives.check(wrong).state == "wrong"
    assert capsys.readouterr().err == "Progress is not kept: ZeroDivisionError: division by zero\n"


@pytest.mark.parametrize("between", ["", "import os; os.chdir('/'); "], ids=["there", "moved before the check"])
def test_a_kernel_in_the_work_folder_notes_by_itself(tmp_path, between):
    """The whole way, in a process of its own: an import, a check, a line in the record."""
    program = f"import course_utils.exercises.tensors as ex; {between}print(ex.survives.check(None).state)"
    env = {name: value for name, value in os.environ.items() if name not in ("CI", "COURSE_PROGRESS")}
    env["COURSE_WORK"] = str(tmp_path)
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300)
    assert (ran.stdout, ran.stderr) == ("not attempted\n", "")
    [one] = read(tmp_path / record.FILE)
    assert (one.chapter, one.exercise, one.state, one.tries) == ("tensors", "survives", "not attempted", 0)
    assert (tmp_path / "START.md").exists()
