"""nbgrader's own commands on what `course nbgrader` writes: who solves a chapter gets all points, and so on.

`nbgrader_submissions.py FOLDER`, beside this file, does the same for all chapters and each mistake alone.
With COURSE_SOAK=1 each known mistake of chapter 01 is handed in here.
"""

import copy

import nbformat
import pytest
from faults import SOAK
from nbgrader_submissions import different, hand_in, light, marks, mistaken, nbgrader, released, submit

from lessonkit.notebook.catalog import find, select
from lessonkit.teach.assignments.course_directory import write
from lessonkit.teach.assignments.points import Points


def room(folder, name, *, how, whole):
    """A course directory with one chapter, released and handed in; what each learner should get."""
    (chapter,) = select(find(), [name])
    (made,) = write([chapter], folder, core=False, points=Points())
    nbgrader(folder, "generate_assignment", chapter.name)
    return chapter, submit(folder, chapter, made.points, how=how, whole=whole)


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """Chapter 01, each cell executed: solved, untouched, with mistakes; our own version; one with failing cells."""
    folder = tmp_path_factory.mktemp("Kurs é")
    chapter, expected = room(folder, "01", how="together" if SOAK else "sample", whole=True)
    source = nbformat.read(folder / "source" / chapter.name / f"{chapter.name}.ipynb", as_version=4)
    hand_in(folder, chapter, light(source), "source")
    careless = mistaken(light(released(folder, chapter)), chapter, {})
    for place, text in ((40, "import sys\nprint('a warning', file=sys.stderr)"), (5, "1 / 0")):
        careless.cells.insert(place, nbformat.v4.new_code_cell(text))
    lost = next(
        cell for cell in careless.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "survives-answer"
    )
    lost.source = "survives = undefined_name"
    hand_in(folder, chapter, careless, "careless")
    expected["source"] = copy.deepcopy(expected["solved"])
    expected["careless"] = expected["solved"] | {"survives": (0, "NameError: name 'survives' is not defined")}
    said = nbgrader(folder, "autograde", chapter.name)
    return folder, chapter, expected, said


def test_a_solved_notebook_gets_full_marks_and_an_untouched_one_none(first):
    folder, chapter, expected, _ = first
    found = marks(folder, chapter)
    assert {"solved", "untouched", "source", "careless"} <= set(found)
    assert [learner for learner, row in expected.items() if different(row, found[learner])] == []
    assert sum(points for points, _ in found["solved"].values()) == 14


def test_each_known_mistake_loses_its_exercise(first):
    folder, chapter, expected, _ = first
    found = marks(folder, chapter)
    made = set(found) - {"solved", "untouched", "source", "careless"}
    assert [(learner, found[learner]) for learner in made if different(expected[learner], found[learner])] == []
    # Rows of mistakes, one of each exercise, and mistakes alone (the first of each exercise).
    assert len(made) == (8 + 6 if SOAK else 2 + 1)


def test_the_feedback_says_what_the_check_says(first):
    folder, chapter, _, _ = first
    nbgrader(folder, "generate_feedback", chapter.name)
    page = (folder / "feedback" / "untouched" / chapter.name / f"{chapter.name}.html").read_text(encoding="utf-8")
    assert "NotSolved" in page and "Not attempted" in page and "(Score: 0.0 / 14.0)" in page
    assert not list((folder / "feedback").rglob("results")), "what a chapter writes is no feedback"


def test_a_learners_notebook_validates_only_when_it_is_solved(first, tmp_path):
    folder, chapter, _, _ = first
    untouched = light(released(folder, chapter))
    nbformat.write(untouched, tmp_path / "untouched.ipynb")
    nbformat.write(mistaken(untouched, chapter, {}), tmp_path / "solved.ipynb")
    assert "Success!" in nbgrader(folder, "validate", tmp_path / "solved.ipynb")
    said = nbgrader(folder, "validate", tmp_path / "untouched.ipynb")
    assert "Success!" not in said and said.count("NotSolved: ○") == 6
