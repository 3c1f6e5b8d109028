"""What `course nbgrader` writes: every chapter as nbgrader's instructor version, with points; what it refuses."""

import nbformat
import pytest
from command_line import course
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import ClearSolutions

from course_utils.exercises import start_here
from lessonkit.notebook.catalog import Chapter, find, select
from lessonkit.notebook.cells import tags
from lessonkit.notebook.solutions import solve
from lessonkit.system.errors import Refused
from lessonkit.teach.assignments.course_directory import CONFIG, write
from lessonkit.teach.assignments.marking import mark, with_solution
from lessonkit.teach.assignments.points import Points, parse, stars
from lessonkit.teach.assignments.require import NotSolved, require
from lessonkit.teach.room.submission import submission, tasks

CHAPTERS = find()
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda one: one.name)


def read(chapter):
    return nbformat.read(chapter.path, as_version=4)


@each_chapter
def test_what_nbgrader_releases_is_the_chapter_and_a_cell_with_points_for_each_exercise(chapter):
    nb, before = read(chapter), read(chapter)
    points = mark(nb, Points())
    MetadataValidator().validate_nb(nb)
    nbformat.validate(nb)
    grade_ids = [cell.metadata.nbgrader.grade_id for cell in nb.cells if "nbgrader" in cell.metadata]
    assert len(set(grade_ids)) == 2 * len(points) == len(grade_ids)
    assert all("### BEGIN SOLUTION" in cell.source for cell in nb.cells if "exercise" in tags(cell))
    ClearSolutions(code_stub={"python": ""}).preprocess(nb, {})
    graded = [cell for cell in nb.cells if cell.metadata.get("nbgrader", {}).get("grade")]
    assert [cell.metadata.nbgrader.grade_id for cell in graded] == list(points) == list(stars(before))
    assert all(cell.metadata.nbgrader.locked for cell in graded)
    others = [(cell.id, cell.source) for cell in nb.cells if cell not in graded]
    assert others == [(cell.id, cell.source) for cell in before.cells]


def test_a_cell_with_points_of_further_is_left_out_with_it(tmp_path):
    chosen = select(CHAPTERS, ["00"])
    (whole,) = write(chosen, tmp_path / "whole", core=False, points=Points())
    (core,) = write(chosen, tmp_path / "core", core=True, points=Points())
    assert whole.points == {"half_dtype": 1, "to_unit": 1, "hit_rates": 2, "ink": 2, "halvings": 3}
    assert core.points == {"half_dtype": 1, "to_unit": 1, "hit_rates": 2}
    written = nbformat.read(tmp_path / "whole" / "source" / whole.name / f"{whole.name}.ipynb", as_version=4)
    marked = [cell for cell in written.cells if "nbgrader" in cell.metadata]
    assert ["further" in tags(cell) for cell in marked] == 6 * [False] + 4 * [True]
    assert not any(cell.outputs for cell in marked), "a stored verdict would show the answer's hints"
    assert any(cell.get("outputs") for cell in written.cells), "what a chapter shows stays"


def test_points_are_the_stars_or_what_is_said():
    assert parse([]) == Points()
    assert parse(["2", "ink=5, halvings = 0.5"]) == Points(2.0, {"ink": 5.0, "halvings": 0.5})
    nb = read(CHAPTERS[0])
    given = mark(nb, parse(["2", "ink=0"]))
    assert given == {"half_dtype": 2, "to_unit": 2, "hit_rates": 2, "ink": 0, "halvings": 2}


@pytest.mark.parametrize("text", ["ink=", "=3", "-1", "nan", "many", "ink=inf", ""])
def test_points_that_are_no_number_are_refused(text):
    with pytest.raises(Refused, match="is neither a number from 0 on nor NAME=NUMBER"):
        parse([text])


def test_an_exercise_without_stars_a_gap_or_a_chapter_without_exercises_is_refused(tmp_path):
    nb = read(CHAPTERS[0])
    for cell in nb.cells:
        cell.source = cell.source.replace("★", "")
    with pytest.raises(Refused, match="are given for the exercise half_dtype"):
        mark(nb, Points())
    with pytest.raises(Refused, match="no empty line follows the stub"):
        with_solution("def ink(x):\n    ...\nex.ink.check(ink)", "ink", "")
    with pytest.raises(Refused, match="neither defines nor assigns it"):
        with_solution("\nex.ink.check(ink)", "ink", "")
    nbformat.write(nbformat.v4.new_notebook(), tmp_path / "00_none.ipynb")
    with pytest.raises(Refused, match=r"00_none: there is no exercise in it"):
        write([Chapter(tmp_path / "00_none.ipynb")], tmp_path / "to", core=False, points=Points())
    assert not (tmp_path / "to").exists()


def test_nothing_of_somebodys_is_written_over(monkeypatch, capsys, tmp_path):
    to = tmp_path / "Kurs é"
    status, told, _ = course(monkeypatch, capsys, "nbgrader", "--to", to, "--chapters", "00")
    assert status == 0 and "00_start_here: 9 points (half_dtype 1," in told
    (to / CONFIG).write_text((to / CONFIG).read_text() + "\nc.Execute.timeout = 5\n")
    status, told, _ = course(monkeypatch, capsys, "nbgrader", "--to", to, "--chapters", "00, tensors")
    assert status == 0 and "01_tensors: 14 points" in told, "the same again, and one more, beside an edited config"
    assert "timeout = 5" in (to / CONFIG).read_text()
    status, _, error = course(monkeypatch, capsys, "nbgrader", "--to", to, "--chapters", "00", "--points", "3")
    assert status == 2 and "differs from what would be written" in error
    status, _, error = course(monkeypatch, capsys, "nbgrader", "--to", tmp_path / "x", "--points", "inc=3")
    assert status == 2 and "--points names inc; the exercises are: Accuracy" in error
    assert not (tmp_path / "x").exists()
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / CONFIG).write_text("c = get_config()\n")
    status, _, error = course(monkeypatch, capsys, "nbgrader", "--to", tmp_path / "theirs")
    assert (
        status == 2 and "is not from `course nbgrader`" in error and len(list((tmp_path / "theirs").iterdir())) == 1
    )


def test_what_cannot_be_written_is_refused_in_a_sentence(monkeypatch, capsys, tmp_path):
    (tmp_path / "file").write_text("")
    status, _, error = course(monkeypatch, capsys, "nbgrader", "--to", tmp_path / "file" / "x", "--chapters", "00")
    assert status == 2 and error.startswith("Refused: ") and "cannot be written or read" in error
    (tmp_path / "to" / CONFIG).mkdir(parents=True)
    status, _, error = course(monkeypatch, capsys, "nbgrader", "--to", tmp_path / "to", "--chapters", "00")
    assert status == 2 and "cannot be written or read" in error


def test_what_is_not_solved_is_an_error_in_nbgraders_hands_alone(monkeypatch):
    def one_mean(images):
        return (images / 255).mean()

    def mean(images):
        return (images / 255).mean(dim=(1, 2))

    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    assert require(start_here.ink, one_mean) is None
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert require(start_here.ink, mean) is None
    with pytest.raises(NotSolved, match="✗ ink: You averaged over all dimensions"):
        require(start_here.ink, one_mean)


def test_course_grade_finds_each_answer_once_in_what_nbgrader_released(tmp_path):
    nb = read(CHAPTERS[0])
    solve(nb)
    mark(nb, Points())
    found = submission(nb, CHAPTERS[0]).answers
    assert set(found) == {task.name for task in tasks(CHAPTERS[0])}
    assert [len(answers) for answers in found.values()] == [1] * len(found)
    mark(nb := read(CHAPTERS[0]), Points())
    ClearSolutions(code_stub={"python": ""}).preprocess(nb, {})
    untouched = submission(nb, CHAPTERS[0]).answers
    assert set(untouched) == set(found) and not any(untouched.values()), "what was released holds no answer"
