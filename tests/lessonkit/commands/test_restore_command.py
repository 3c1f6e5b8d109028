"""`course restore`, as a learner types it: the number or name of a chapter, and an exercise or a question."""

import nbformat
import pytest
from command_line import course

from lessonkit.desk.folder import Desk, work_folder


@pytest.fixture
def say(monkeypatch, capsys, tmp_path):
    """A function that says one command, in a work folder of its own."""
    monkeypatch.setenv("COURSE_WORK", str(tmp_path / "mon école"))
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    assert course(monkeypatch, capsys, "update")[0] == 0
    return lambda *words: course(monkeypatch, capsys, *words)


def delete(name, marked):
    """Delete the one cell of a copy that holds `marked`."""
    path = Desk(work_folder()).copy(name)
    notebook = nbformat.read(path, 4)
    [cell] = [one for one in notebook.cells if one.cell_type == "code" and marked in one.source]
    notebook.cells.remove(cell)
    nbformat.write(notebook, path)
    return lambda: cell.source in [one.source for one in nbformat.read(path, 4).cells]


@pytest.mark.parametrize(
    ("words", "name", "marked"),
    [
        (("05", "measure"), "05_training", "ex.measure.check(measure)"),
        (("training", "choices"), "05_training", "ex.choices.check(choices)"),
        (("12", "case", "7"), "12_clinic", 'ask("case 7"'),
        (("05", "2"), "05_training", "ex.measure.check(measure)"),
        (("05", "Exercise", "2"), "05_training", "ex.measure.check(measure)"),
        (("00", "ten", "accuracies"), "00_start_here", "ex.hit_rates.check(hit_rates)"),
        (("12_clinic.ipynb", "case 24"), "12_clinic", 'ask("case 24"'),
    ],
)
def test_an_exercise_or_question_is_brought_back(say, words, name, marked):
    is_there = delete(name, marked)
    assert not is_there()
    status, told, _ = say("restore", *words)
    assert status == 0 and "again; your copy before it is" in told and is_there()
    assert say("update")[1].endswith("is up to date.\n")


def test_what_cannot_be_done_is_refused_in_a_sentence(say):
    status, _, told = say("restore", "05", "mesure")
    assert (
        status == 2
        and "05_training has no exercise called mesure; it has: train_step (1: the five steps), measure (2:" in told
    )
    status, _, told = say("restore", "05", "measure")
    assert status == 2 and "has the exercise measure: it is cell" in told
    status, _, told = say("restore", "99", "measure")
    assert status == 2 and "no chapter called 99" in told
