"""What a learner folds or opens stays so and is no change; what instructors make of a chapter keeps its folds."""

import copy

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from lessonkit.desk.copies import bring
from lessonkit.desk.merge import merge
from lessonkit.notebook.catalog import find, notebook_of, select
from lessonkit.notebook.folds import HEADING, KINDS, is_folded
from lessonkit.notebook.solutions import solve
from lessonkit.teach.assignments.marking import mark
from lessonkit.teach.assignments.points import parse

CHAPTER = "05_training"


def metadata(*kinds, **others):
    """The metadata of a cell with these folds, as JupyterLab writes them."""
    below = {kind: True for kind in kinds if kind != HEADING}
    return others | ({HEADING: True} if HEADING in kinds else {}) | ({"jupyter": below} if below else {})


def chapter(*kinds, source="plot(x)", text="## Further: aside", **others):
    """A heading and a code cell; each takes those of the folds that are meant for it."""
    heading, code = [kind for kind in kinds if kind == HEADING], [kind for kind in kinds if kind != HEADING]
    return new_notebook(
        cells=[
            new_markdown_cell(text, id="h", metadata=metadata(*heading, **others)),
            new_code_cell(source, id="c", metadata=metadata(*code, **others)),
        ]
    )


def folds(notebook):
    return {kind for cell in notebook.cells for kind in KINDS if is_folded(cell, kind)}


# Whether a fold is there in the chapter before, in the learner's copy, in the new chapter, and in the result.
CASES = {
    "nobody folds": (False, False, False, False),
    "the learner folds": (False, True, False, True),
    "the learner opens": (True, False, True, False),
    "nobody opens": (True, True, True, True),
    "the course folds, in a copy from before": (False, False, True, True),
    "the course opens": (True, True, False, False),
    "the learner opens, and the course too": (True, False, False, False),
    "the learner folds, and the course too": (False, True, True, True),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("changed", ["nothing", "the text", "a tag"])
@pytest.mark.parametrize(("base", "mine", "new", "expected"), CASES.values(), ids=CASES)
def test_each_fold_is_as_the_learner_left_it_or_else_as_the_course_has_it(kind, changed, base, mine, new, expected):
    base, mine, new = ([kind] if folded else [] for folded in (base, mine, new))
    anew = {
        "nothing": {},
        "the text": {"source": "plot(y)", "text": "## Further: aside\n\nAnew."},
        "a tag": {"tags": ["further"]},
    }
    merged = merge(chapter(*base), chapter(*mine), chapter(*new, **anew[changed]))
    assert folds(merged.notebook) == ({kind} if expected else set())
    assert not merged.carried, "nothing was typed"
    assert [cell.source for cell in merged.notebook.cells] == [
        cell.source for cell in chapter(**anew[changed]).cells
    ]
    assert [cell.metadata.get("tags") for cell in merged.notebook.cells] == [anew[changed].get("tags")] * 2


def test_a_learner_s_text_in_a_cell_that_he_has_opened_stays_open():
    merged = merge(
        chapter("source_hidden"), chapter(source="plot(2 * x)"), chapter("source_hidden", text="## Further: anew")
    )
    assert folds(merged.notebook) == set() and merged.notebook.cells[1].source == "plot(2 * x)"


def test_what_else_stands_with_a_fold_in_the_metadata_stays():
    base, mine, new = chapter("source_hidden"), chapter(), chapter("source_hidden", source="plot(y)")
    new.cells[1].metadata["jupyter"]["name"] = "theirs"
    assert merge(base, mine, new).notebook.cells[1].metadata == {"jupyter": {"name": "theirs"}}


@pytest.fixture
def folded(desk, edit):
    """A chapter with a folded heading and a folded cell, and its copy."""
    with edit(desk.originals / f"{CHAPTER}.ipynb") as original:
        original["t5"]["metadata"] = {HEADING: True}
        original["b"]["metadata"] = {"jupyter": {"source_hidden": True}}
    bring(desk)
    return desk


def opens_both(edit, desk, ran=False):
    with edit(desk.copy(CHAPTER)) as mine:
        del mine["t5"]["metadata"][HEADING]
        mine["b"]["metadata"] = {}
        if ran:
            mine["b"]["outputs"] = [new_output("stream", name="stdout", text="1")]
            mine["b"]["execution_count"] = 3


@pytest.mark.parametrize("ran", [False, True])
@pytest.mark.parametrize("part", ["a", "b"])
def test_a_copy_in_which_only_folds_were_opened_is_unchanged_and_they_stay_open(folded, edit, part, ran):
    """`b` is the folded cell itself, which the course gives another text."""
    opens_both(edit, folded, ran)
    with edit(folded.originals / f"{CHAPTER}.ipynb") as original:
        original[part]["source"] = "x = 2  # anew"
    assert bring(folded).said == [f"{CHAPTER}: replaced by its new version; you had changed nothing."]
    notebook = nbformat.read(folded.copy(CHAPTER), as_version=4)
    assert folds(notebook) == set() and "x = 2  # anew" in [cell.source for cell in notebook.cells]
    assert not folded.old.exists(), "there is nothing of the learner's to be kept"
    assert bring(folded).said == []


def test_without_a_new_version_a_copy_with_opened_folds_is_not_written(folded, edit):
    opens_both(edit, folded)
    before = folded.copy(CHAPTER).read_bytes()
    assert bring(folded).said == [] and folded.copy(CHAPTER).read_bytes() == before


def test_copies_from_before_get_the_folds_of_the_course(desk, edit):
    bring(desk)
    with edit(desk.originals / f"{CHAPTER}.ipynb") as original:
        original["t5"]["metadata"] = {HEADING: True}
        original["b"]["metadata"] = {"jupyter": {"source_hidden": True}}
    bring(desk)
    assert folds(nbformat.read(desk.copy(CHAPTER), as_version=4)) == {HEADING, "source_hidden"}


@pytest.mark.parametrize("make", [solve, lambda notebook: mark(notebook, parse(()))], ids=["solved", "nbgrader's"])
@pytest.mark.parametrize("one", select(find(), ("01", "05", "12")), ids=lambda one: one.name)
def test_a_chapter_that_is_solved_or_made_for_nbgrader_keeps_its_folds(one, make):
    before = notebook_of(one)
    after = copy.deepcopy(before)
    make(after)
    there = {cell.id: [is_folded(cell, kind) for kind in KINDS] for cell in after.cells if cell.get("id")}
    assert {cell.id: there[cell.id] for cell in before.cells} == {
        cell.id: [is_folded(cell, kind) for kind in KINDS] for cell in before.cells
    }
    assert any(map(any, there.values())), "the cell of the imports is folded"
