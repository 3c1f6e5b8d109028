"""Asserts beside a chapter: how their file is read, what is refused, and what a run and a review make of them."""

import json

import nbformat
import pytest
import toys
from toys import code, notebook, parameters

from course_utils import PROJECT
from lessonkit.notebook import asserts
from lessonkit.review import chapter as review
from lessonkit.runner.request import RunRequest
from lessonkit.runner.run import PASSED, carry_out

CHAPTERS = sorted((PROJECT / "notebooks").glob("[0-9]*.ipynb"))


@pytest.fixture
def folder(tmp_path):
    """A chapter of three cells, named one, two and three, the last of the part *Further*."""
    book = notebook(parameters(), code("x = 1"), code("x += 1\nx"), code("y = x", "further"))
    for cell, name in zip(book.cells[1:], ("one", "two", "three"), strict=True):
        cell.id = name
    return toys.write(tmp_path / "notebooks", _00_a=book)


def beside(folder, text, name="00_a"):
    path = folder / "asserts" / f"{name}.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return folder / f"{name}.ipynb"


def outcome(folder, out, **options):
    status = carry_out(RunRequest(out=out, notebooks=folder, device="cpu", **options))
    [found] = json.loads((out / "report.json").read_text(encoding="utf-8"))["chapters"]
    assert (status == PASSED) == (found["status"] == "passed")
    return found["error"]


def test_each_part_is_read_by_the_id_of_its_cell(folder):
    path = beside(
        folder, "# What must hold.\n\n# after one\nassert x == 1  # as told\n\n# after two\nassert x\nassert 2\n"
    )
    assert asserts.read(path) == {"one": "assert x == 1  # as told", "two": "assert x\nassert 2"}


def test_a_notebook_without_such_a_file_has_none(folder):
    assert asserts.read(folder / "00_a.ipynb") == {}


@pytest.mark.parametrize(
    "text, said",
    [
        ("# after one\nassert x == 1\n\n# after one\nassert x", "after one: there are two such parts"),
        ("# after one\nx = 3", "`x = 3` does not belong here"),
        ("# after one\nassert x\nprint(x)", "`print(x)` does not belong here"),
        ("# after one\nimport math\nassert math.pi > x", "`import math` does not belong here"),
        ("assert x", "above the first `# after ID`: `assert x` does not belong here"),
        ("# after one\nassert (x", "after one: not Python"),
        ("# after one\n\n# after two\nassert x", "after one: no assert"),
        ("# after one\n# assert x", "after one: no assert"),
    ],
)
def test_a_file_that_holds_anything_else_is_refused_by_reader_review_and_run(folder, tmp_path, text, said):
    path = beside(folder, text)
    with pytest.raises(asserts.Malformed) as refused:
        asserts.read(path)
    assert said in str(refused.value) and str(refused.value).startswith("asserts/00_a.py")
    assert str(refused.value) in [finding.text for finding in review.notebook(path)]
    assert outcome(folder, tmp_path / "out") == str(refused.value)


def test_bytes_that_are_no_text_are_refused(folder):
    path = beside(folder, "")
    asserts.beside(path).write_bytes(b"# after one\nassert '\xff'")
    with pytest.raises(asserts.Malformed, match="cannot be read"):
        asserts.read(path)


def test_what_holds_lets_the_chapter_pass_and_leaves_no_trace_in_it(folder, tmp_path):
    outcome(folder, tmp_path / "before")
    beside(folder, "# after one\nassert x == 1\n# after two\nassert x == 2\n# after three\nassert y == 2")
    assert outcome(folder, tmp_path / "out") is None
    before, found = (nbformat.read(tmp_path / name / "00_a.ipynb", 4) for name in ("before", "out"))
    for what in ("source", "execution_count", "outputs"):  # by the counts, the same numbers stand in tracebacks
        assert [cell.get(what) for cell in found.cells] == [cell.get(what) for cell in before.cells]


def test_what_does_not_hold_fails_the_chapter_at_its_cell_and_the_rest_runs(folder, tmp_path):
    beside(
        folder,
        "# after one\nassert x == 1\nassert (\n    x > 1\n), x\n# after two\nassert x > unknown\n",
    )
    assert outcome(folder, tmp_path / "out").splitlines() == [
        "cell 2: x = 1 -> after it must hold `assert ( x > 1 ), x`: AssertionError: 1",
        "cell 3: x += 1 -> after it must hold `assert x > unknown`: NameError: name 'unknown' is not defined",
    ]


def test_the_core_alone_is_not_asked_for_what_holds_after_further_parts(folder, tmp_path):
    beside(folder, "# after three\nassert y == 3")
    assert outcome(folder, tmp_path / "core", extent="core") is None
    assert "assert y == 3" in outcome(folder, tmp_path / "whole")


def test_a_changed_assert_is_a_reason_to_run_the_chapter_again(folder, tmp_path):
    assert outcome(folder, tmp_path / "out") is None
    beside(folder, "# after one\nassert x == 7")
    assert "assert x == 7" in outcome(folder, tmp_path / "out", resume=True)


def test_an_assert_that_never_ends_is_ended_and_told(folder, tmp_path):
    beside(folder, "# after one\nassert all(True for _ in iter(int, 1))")
    assert (
        outcome(folder, tmp_path / "out", limit=5.0)
        == "the asserts after cell 2: x = 1 -> ended after its limit of 5 s"
    )


def test_the_review_names_a_cell_that_is_gone_and_one_that_asks_for_an_answer(folder):
    book = nbformat.read(folder / "00_a.ipynb", 4)
    book.cells[2].metadata["tags"] = ["exercise"]
    nbformat.write(book, folder / "00_a.ipynb")
    path = beside(folder, "# after gone\nassert 1\n# after two\nassert x")
    found = [finding.text for finding in review.notebook(path) if finding.level == "error"]
    assert "no code cell has the id gone" in found
    assert "the cell two asks for an answer, so an assert would fail until it is solved" in found


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_assert_of_the_course_runs_behind_a_cell_that_is_there(path):
    assert list(asserts.astray(nbformat.read(path, 4), asserts.read(path))) == []


def test_every_file_of_asserts_lies_beside_a_chapter():
    files = {path.stem for path in (PROJECT / "notebooks" / asserts.FOLDER).glob("*.py")}
    assert files and files <= {path.stem for path in CHAPTERS}
