"""`course restore`: a deleted exercise comes back where it stood, and nothing else changes."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from lessonkit.desk.copies import bring
from lessonkit.desk.restore import restore
from lessonkit.notebook.catalog import find
from lessonkit.system.errors import Refused

NAME = "05_training"


def sources(desk):
    return [cell.source for cell in nbformat.read(desk.copy(NAME), 4).cells]


def training(desk):
    return find(desk.originals)[1]


def without(desk, *deleted, added=()):
    """The copy without the cells of these ids, and with `added` at its end."""
    notebook = nbformat.read(desk.copy(NAME), 4)
    notebook.cells = [cell for cell in notebook.cells if cell.id not in deleted] + list(added)
    nbformat.write(notebook, desk.copy(NAME))
    return desk.copy(NAME).read_bytes()


def test_a_deleted_exercise_comes_back_where_it_stood_and_the_copy_before_it_is_kept(desk, edit):
    bring(desk)
    whole = sources(desk)
    before = without(desk, "task")
    said = restore(desk, training(desk), "double")
    assert sources(desk) == whole and "is in" in said and "again" in said
    assert [path.read_bytes() for path in desk.old.iterdir()] == [before]
    cell = nbformat.read(desk.copy(NAME), 4).cells[2]
    assert cell.id == "task" and cell.metadata.tags == ["exercise"] and cell.outputs == []
    assert bring(desk).said == [], "an update finds nothing to do"


def test_what_the_learner_wrote_around_it_stays(desk):
    bring(desk)
    own = [new_code_cell("mine = 1", id="own"), new_markdown_cell("A note.", id="note")]
    without(desk, "task", "a", added=own)
    restore(desk, training(desk), "double")
    found = sources(desk)
    assert found[1].startswith("def double") and found[2:] == ["print(x)", "mine = 1", "A note."]


def test_the_statement_above_it_comes_back_where_it_was_deleted_too(desk, edit):
    with edit(desk.originals / f"{NAME}.ipynb") as chapter:
        statement = {"cell_type": "markdown", "id": "asked", "metadata": {}, "source": "## Exercise 1"}
        chapter.notebook["cells"].insert(2, statement)
    bring(desk)
    whole = sources(desk)
    without(desk, "asked", "task")
    restore(desk, training(desk), "double")
    assert sources(desk) == whole


def test_an_exercise_whose_cell_became_something_else_gets_a_cell_of_its_own(desk, edit):
    bring(desk)
    with edit(desk.copy(NAME)) as copy:
        copy["task"]["source"] = "print('written over')"
    restore(desk, training(desk), "double")
    notebook = nbformat.read(desk.copy(NAME), 4)
    assert "print('written over')" in sources(desk) and any(one.startswith("def double") for one in sources(desk))
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


def test_a_cell_that_only_calls_the_check_is_not_the_exercise(desk):
    bring(desk)
    without(desk, "task", added=[new_code_cell("ex.double.check(double)", id="mine")])
    restore(desk, training(desk), "double")
    assert sources(desk)[2].startswith("def double") and sources(desk)[-1] == "ex.double.check(double)"


@pytest.mark.parametrize("name", ["doubel", "", "case 7"])
def test_an_unknown_name_is_refused_with_those_that_there_are(desk, name):
    bring(desk)
    with pytest.raises(Refused, match=r"05_training has no exercise called .*; it has: double"):
        restore(desk, training(desk), name)


def test_an_exercise_that_is_there_is_refused_with_the_number_of_its_cell(desk):
    bring(desk)
    before = desk.copy(NAME).read_bytes()
    with pytest.raises(Refused, match=r"it is cell 3, counted from 1.*delete that cell"):
        restore(desk, training(desk), "double")
    assert desk.copy(NAME).read_bytes() == before and not desk.old.exists()


@pytest.mark.parametrize(
    ("data", "said"), [(None, "`course update` makes it"), (b"{ not json", "`course reset 05` keeps it")]
)
def test_a_copy_that_cannot_be_read_is_refused_with_what_to_do(desk, data, said):
    bring(desk)
    desk.copy(NAME).unlink() if data is None else desk.copy(NAME).write_bytes(data)
    with pytest.raises(Refused, match=said):
        restore(desk, training(desk), "double")
