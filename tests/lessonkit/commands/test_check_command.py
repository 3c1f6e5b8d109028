"""`course check`: errors apart from warnings, exit status 1 on errors only, and what is not compared."""

import json
import shutil

import nbformat
import pytest

from course_utils import PROJECT
from lessonkit.review.chapter import own_findings
from lessonkit.review.diagnostics import errors


@pytest.fixture
def content(tmp_path):
    """A copy of chapter 00 and of the bank's answers to its exercises, to plant faults in."""
    (tmp_path / "notebooks").mkdir()
    shutil.copy(PROJECT / "notebooks" / "00_start_here.ipynb", tmp_path / "notebooks")
    shutil.copytree(PROJECT / "answers" / "start_here", tmp_path / "answers" / "start_here")
    return tmp_path


def check(course, content, *words):
    status, text, error = course(
        "check", *words, "--notebooks", content / "notebooks", "--answers", content / "answers"
    )
    warnings, _, wrong = text.partition(" error")
    return status, warnings, wrong, error


def change(content, edit):
    path = content / "notebooks" / "00_start_here.ipynb"
    nb = json.loads(path.read_text(encoding="utf-8"))
    edit(nb["cells"])
    path.write_text(json.dumps(nb), encoding="utf-8")


def test_a_warning_is_printed_and_is_no_failure(course, content):
    change(content, lambda cells: cells.insert(8, nbformat.v4.new_markdown_cell("word " * 130)))
    status, warnings, wrong, _ = check(course, content, "00", "--quick")
    assert status == 0, wrong
    assert "words without a cell or a heading: 'word word" in warnings
    assert "1 chapters" in wrong


def test_an_error_is_printed_last_and_fails(course, content):
    change(content, lambda cells: cells[-1].update(source="The end."))
    (content / "answers" / "start_here" / "stray.py").write_text("# %% right_x: Of no exercise.\nx = 1\n")
    (content / "answers" / "start_here" / "ink.py").unlink()
    status, _, wrong, _ = check(course, content, "--quick")
    assert status == 1
    assert "00_start_here: the last cell has no “Sources”" in wrong
    assert "start_here/stray.py of the bank belongs to no exercise of this chapter" in wrong
    assert "start_here.ink: the bank has no start_here/ink.py" in wrong


def test_one_exercise_is_judged_with_its_mutants_and_its_bank(course, content):
    path = content / "answers" / "start_here" / "half_dtype.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text + "\n\n# %% wrong_planted: It is right.\nhalf_dtype = (1 / __import__('torch').ones(1)).dtype\n"
    )
    status, _, wrong, _ = check(course, content, "00", "--exercise", "half_dtype")
    assert status == 1
    assert "start_here.half_dtype: wrong_planted is wrong (It is right.), and the check says: passed" in wrong
    assert "1 exercises, 6 mistakes" in wrong and "wrong answers" in wrong and "chapters" not in wrong


def test_a_notebook_that_is_none_is_an_error_and_not_a_crash(course, content):
    (content / "notebooks" / "00_start_here.ipynb").write_text("{", encoding="utf-8")
    status, _, wrong, _ = check(course, content, "--quick")
    assert status == 1
    assert "00_start_here: 00_start_here.ipynb is not a notebook that nbformat accepts" in wrong


def test_what_does_not_exist_is_refused(course, content):
    status, *_, error = check(course, content, "00", "--exercise", "halves")
    assert status == 2 and "no exercise called halves; there are: half_dtype" in error
    shutil.rmtree(content / "answers")
    status, *_, error = check(course, content, "00")
    assert status == 2 and "there is no folder of answers" in error


def test_cells_that_are_not_compared_are_listed_by_chapter(course, content):
    path = content / "notebooks" / "00_start_here.ipynb"
    nb = nbformat.read(path, 4)
    tagged = [cell for cell in nb.cells if "nbval-ignore-output" in cell.metadata.get("tags", [])]
    status, text, _ = course("check", "--uncompared", "--notebooks", content / "notebooks")
    code = sum(cell.cell_type == "code" for cell in nb.cells)
    assert status == 0 and f"00_start_here: {len(tagged)} of {code} code cells\n" in text
    assert text.splitlines()[-1] == f"{len(tagged)} of {code} code cells are not compared."
    assert all(f": {cell.source.strip().splitlines()[0].strip()[:70]}" in text for cell in tagged)


def test_a_check_of_the_course_s_own_that_breaks_off_is_an_error(tmp_path):
    (tmp_path / "own.py").write_text("def findings(chapters):\n    yield from ()\n    1 / 0\n", encoding="utf-8")
    assert errors(own_findings(tmp_path, [])) == ["own.py broke off with ZeroDivisionError: division by zero"]
    assert errors(own_findings(tmp_path / "none", [])) == []
