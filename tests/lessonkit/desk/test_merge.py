"""A new version of a chapter and a learner's copy of the old one: what people expect to find afterwards."""

import copy

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from toys import STUB

from lessonkit.desk.merge import CHANGED, REMOVED, merge

ANSWER = STUB.replace("...  # your code here", "return 2 * x")


def code(name, source, *tags):
    outputs = [new_output("stream", name="stdout", text=f"the course's {name}")]
    return new_code_cell(source, id=name, metadata={"tags": list(tags)} if tags else {}, outputs=outputs)


@pytest.fixture
def base():
    return new_notebook(
        cells=[
            new_markdown_cell("# 05 · A claim", id="title"),
            code("first", "x = 1"),
            code("task", STUB, "exercise"),
            code("last", "print(x)"),
        ]
    )


@pytest.fixture
def mine(base):
    """The learner's copy; in place of the fixture's cells, a test puts what it wants."""
    return copy.deepcopy(base)


@pytest.fixture
def new(base):
    return copy.deepcopy(base)


def cell(notebook, name):
    (found,) = [cell for cell in notebook.cells if cell.id == name]
    return found


def sources(merged):
    return [cell.source for cell in merged.notebook.cells]


def test_an_answer_stays_where_the_course_changed_another_cell(base, mine, new):
    cell(mine, "task").source = ANSWER
    cell(new, "last").source = "print(x + 1)"
    merged = merge(base, mine, new)
    assert sources(merged) == ["# 05 · A claim", "x = 1", ANSWER, "print(x + 1)"]
    assert dict(merged.carried) == {"answers": 1}
    assert cell(merged.notebook, "task").metadata.tags == ["exercise"]


def test_an_answer_follows_its_exercise_to_another_cell(base, mine, new):
    cell(mine, "task").source = ANSWER
    del new.cells[2]
    new.cells.append(code("other", STUB, "exercise"))
    merged = merge(base, mine, new)
    assert sources(merged) == ["# 05 · A claim", "x = 1", "print(x)", ANSWER]
    assert merged.notebook.cells[3].id == "other"


def test_the_courses_new_stub_stands_above_an_answer_to_the_old_one(base, mine, new):
    cell(mine, "task").source = ANSWER
    cell(new, "task").source = STUB.replace("double(x)", "double(x, times)")
    merged = merge(base, mine, new)
    position = sources(merged).index(cell(new, "task").source)
    assert sources(merged)[position + 1] == f"# {CHANGED}\n{ANSWER}"
    assert merged.notebook.cells[position + 1].metadata.course == {"yours": "task"}
    assert merged.carried["beside"] == 1


WORDS = STUB.replace("...", '"""Twice x."""\n    ...')


def test_an_answer_goes_into_the_new_stub_where_only_its_words_changed(base, mine, new):
    cell(mine, "task").source = ANSWER
    cell(new, "task").source = WORDS
    merged = merge(base, mine, new)
    assert sources(merged)[2] == WORDS.replace("...  # your code here", "return 2 * x")
    assert cell(merged.notebook, "task").outputs == [] and len(merged.notebook.cells) == 4
    assert dict(merged.carried) == {"answers": 1}


@pytest.mark.parametrize(
    ("answer", "stub"),
    [
        (ANSWER, WORDS.replace("double(x)", "double(x, times)", 1)),  # another signature
        (ANSWER, WORDS + "\nprint(double(3))"),  # more to do
        (ANSWER, WORDS.replace("# your code here", "# here")),  # no gap to be known by
        (ANSWER.replace("(x)", "(y)", 1), WORDS),  # the learner changed the signature as well
        ("import math\n" + ANSWER, WORDS),
        (ANSWER.replace("\nex", "\n# ex"), WORDS),
        (f"{STUB}\n{STUB}", WORDS),
    ],
)
def test_an_answer_that_may_not_fit_the_new_stub_stands_under_it(base, mine, new, answer, stub):
    cell(mine, "task").source, cell(new, "task").source = answer, stub
    assert sources(merge(base, mine, new))[2:4] == [stub, f"# {CHANGED}\n{answer}"]


def test_an_answer_to_an_exercise_that_is_gone_is_kept_and_cannot_end_run_all(base, mine, new):
    cell(mine, "task").source = ANSWER
    del new.cells[2]
    merged = merge(base, mine, new)
    assert sources(merged) == ["# 05 · A claim", "x = 1", f"# {REMOVED}\n{ANSWER}", "print(x)"]
    assert "raises-exception" in merged.notebook.cells[2].metadata.tags


def test_what_the_course_removed_and_nobody_touched_goes(base, mine, new):
    del new.cells[3]
    assert sources(merge(base, mine, new)) == ["# 05 · A claim", "x = 1", STUB]


def test_own_cells_stay_behind_what_they_stood_behind(base, mine, new):
    mine.cells.insert(0, new_markdown_cell("before all"))
    mine.cells.insert(3, new_code_cell("x + 1"))
    mine.cells.insert(4, new_markdown_cell("a note"))
    new.cells.insert(2, code("added", "y = 2"))
    merged = merge(base, mine, new)
    assert sources(merged) == [
        "before all",
        "# 05 · A claim",
        "x = 1",
        "x + 1",
        "a note",
        "y = 2",
        STUB,
        "print(x)",
    ]
    assert dict(merged.carried) == {"cells": 1, "notes": 2}


def test_own_cells_go_with_a_cell_that_the_course_moved(base, mine, new):
    mine.cells.insert(2, new_code_cell("x + 1"))
    new.cells.append(new.cells.pop(1))
    assert sources(merge(base, mine, new)) == ["# 05 · A claim", STUB, "print(x)", "x = 1", "x + 1"]


def test_the_learners_order_stays_where_the_course_moved_nothing(base, mine, new):
    mine.cells.append(mine.cells.pop(1))
    cell(new, "task").source += "  # new"
    new.cells.append(code("added", "y = 2"))
    found = sources(merge(base, mine, new))
    assert found == ["# 05 · A claim", STUB + "  # new", "print(x)", "y = 2", "x = 1"]


def test_a_deleted_cell_comes_back_only_if_the_course_changed_it(base, mine, new):
    del mine.cells[1], mine.cells[2]
    cell(new, "last").source = "print(x, 'anew')"
    assert sources(merge(base, mine, new)) == ["# 05 · A claim", STUB, "print(x, 'anew')"]


def test_both_changed_a_note_and_a_cell_that_begins_with_magic(base, mine, new):
    base.cells[1].source = mine.cells[1].source = "%%writefile a.py\nx = 1"
    mine.cells[0].source, mine.cells[1].source = "# My title", "%%writefile a.py\nx = 3"
    new.cells[0].source, new.cells[1].source = "# A better claim", "%%writefile a.py\nx = 2"
    found = sources(merge(base, mine, new))
    assert found[:4] == [
        "# A better claim",
        f"**{CHANGED}**\n\n# My title",
        "%%writefile a.py\nx = 2",
        f"%%writefile a.py\n# {CHANGED}\nx = 3",
    ]


def test_the_same_change_on_both_sides_is_one_cell(base, mine, new):
    cell(mine, "first").source = cell(new, "first").source = "x = 2"
    assert sources(merge(base, mine, new)) == ["# 05 · A claim", "x = 2", STUB, "print(x)"]


def test_outputs_are_the_learners_where_the_text_is_and_the_courses_where_that_is_new(base, mine, new):
    for one in mine.cells[1:]:
        one.outputs = [new_output("stream", name="stdout", text=f"my {one.id}")]
    cell(mine, "task").source = ANSWER
    cell(new, "last").source = "print(x + 1)"
    merged = merge(base, mine, new).notebook
    shown = {one.id: one.outputs[0].text for one in merged.cells[1:]}
    assert shown == {"first": "my first", "task": "my task", "last": "the course's last"}


def test_lost_ids_and_ids_given_twice_lose_nothing(base, mine, new):
    cell(mine, "task").source = ANSWER
    again = copy.deepcopy(mine.cells[1])
    again.source = "x = 5"
    mine.cells.insert(2, again)  # some editors copy the id as well
    for one in mine.cells[3:]:
        del one["id"]
    cell(new, "last").source = "print(x + 1)"
    merged = merge(base, mine, new).notebook
    assert [one.source for one in merged.cells] == ["# 05 · A claim", "x = 1", "x = 5", ANSWER, "print(x + 1)"]
    assert [one.id for one in merged.cells if one.source != "x = 5"] == ["title", "first", "task", "last"]
    assert len({one.id for one in merged.cells}) == 5


def test_a_half_typed_answer_is_an_answer(base, mine, new):
    cell(mine, "task").source = "def double(x:\n    retur\n\nex.double.check(double)"
    del cell(mine, "task")["id"]
    cell(new, "first").source = "x = 2"
    merged = merge(base, mine, new)
    assert merged.notebook.cells[2].source.startswith("def double(x:") and merged.carried["answers"] == 1
    assert merged.notebook.cells[2].id == "task"


def test_a_pasted_picture_is_a_change_and_the_kernel_stays_the_learners(base, mine, new):
    mine.cells[0].attachments = {"me.png": {"image/png": "AAAA"}}
    mine.metadata.kernelspec = {"name": "mine", "display_name": "mine"}
    new.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    cell(new, "first").source = "x = 2"
    merged = merge(base, mine, new).notebook
    assert merged.cells[0].attachments == {"me.png": {"image/png": "AAAA"}}
    assert merged.metadata.kernelspec.name == "mine"


def test_nothing_given_is_altered(base, mine, new):
    cell(mine, "task").source = ANSWER
    cell(new, "task").source += "  # new"
    before = copy.deepcopy((base, mine, new))
    merged = merge(base, mine, new).notebook
    merged.cells[0].source = merged.cells[2].metadata["x"] = "written over"
    assert (base, mine, new) == before
