"""Copies open without our outputs; those from before are emptied of them, and a learner's own stay."""

import copy
import json

import nbformat
import pytest
import toys
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from toys import STUB, code

from lessonkit.desk.as_opened import LANGUAGE
from lessonkit.desk.copies import bring, reset
from lessonkit.desk.folder import Desk
from lessonkit.desk.merge_base import Origin, record_origin, version_of
from lessonkit.desk.own_outputs import clear_ours
from lessonkit.notebook.catalog import find
from lessonkit.notebook.what_we_saw import page_name

NAME = "05_training"
PYTHON = {"name": "python", "version": "3.12.1"}  # as JupyterLab saves it once there was a kernel


def stored(source, number, printed, *tags, name):
    cell = code(source, *tags)
    outputs = [new_output("stream", name="stdout", text=printed)] if printed else []
    cell.update(id=name, execution_count=number, outputs=outputs)
    return cell


def chapter():
    cells = [
        new_markdown_cell("# 05 · Training", id="title"),
        stored("x = 1", 1, "", name="import"),
        stored("print(x * 2)", 2, "2\n", name="bet"),
        stored(STUB, 3, "ours: not attempted", "exercise", name="task"),
        stored("print(time())", 4, "ours: 0.31 s", name="timed"),
        stored("print('end')", 5, "end\n", name="last"),
    ]
    return new_notebook(
        cells=cells,
        metadata={"kernelspec": toys.KERNEL, "language_info": {"name": "python"}, "course": {"data": []}},
    )


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    originals = toys.write(tmp_path / "mon école" / "notebooks", _05_training=chapter())
    return Desk(tmp_path / "mon école" / "work", originals)


class Copy:
    """A learner's copy, opened as `with Copy(desk) as one`, with its cells by their ids."""

    def __init__(self, desk):
        self.path = desk.copy(NAME)

    def __enter__(self):
        self.notebook = nbformat.read(self.path, 4)
        return self

    def __getitem__(self, name):
        [found] = [cell for cell in self.notebook.cells if cell.id == name]
        return found

    def run(self, name, printed, number):
        self[name].outputs = [new_output("stream", name="stdout", text=printed)]
        self[name].execution_count = number

    def __exit__(self, *_):
        nbformat.write(self.notebook, self.path)

    @staticmethod
    def shown(desk):
        """The number and text of each cell that shows either, by its id."""
        cells = [cell for cell in nbformat.read(desk.copy(NAME), 4).cells if cell.cell_type == "code"]
        found = {cell.id: (cell.execution_count, "".join(one.text for one in cell.outputs)) for cell in cells}
        return {name: shown for name, shown in found.items() if shown != (None, "")}


def copy_from_before(desk, *, language=None):
    """Put the copy there as the course made it until December 2026: with our outputs in it."""
    bring(desk)
    made = chapter()
    record_origin(made, Origin(NAME, version_of(made)))
    del made.metadata.course.copy_of["outputs"]
    made.metadata.language_info = language or {"name": "python"}
    nbformat.write(made, desk.copy(NAME))


def new_version(desk, **sources):
    made = chapter()
    for cell in made.cells:
        cell.source = sources.get(cell.id, cell.source)
    nbformat.write(made, desk.originals / f"{NAME}.ipynb")


def test_a_new_copy_opens_without_outputs_and_numbers_and_jupyterlab_has_nothing_to_add(desk):
    bring(desk)
    assert Copy.shown(desk) == {}
    made = nbformat.read(desk.copy(NAME), 4)
    assert [cell.source for cell in made.cells] == [cell.source for cell in chapter().cells]
    assert made.metadata.language_info == LANGUAGE and LANGUAGE["version"].count(".") == 2
    assert json.loads((desk.originals / f"{NAME}.ipynb").read_text(encoding="utf-8"))["cells"][2]["outputs"]


def test_a_reset_copy_opens_without_outputs(desk):
    copy_from_before(desk)
    reset(desk, find(desk.originals))
    assert Copy.shown(desk) == {}


@pytest.mark.parametrize("made_again", [False, True], ids=["same version", "new version"])
def test_a_copy_from_before_in_which_nothing_was_done_is_emptied(desk, made_again):
    copy_from_before(desk)
    if made_again:
        new_version(desk, last="print('new end')")
    [said] = bring(desk).said
    assert Copy.shown(desk) == {} and not desk.old.exists()
    expected = "replaced by its new version" if made_again else "1 chapter opens without our outputs now"
    assert expected in said
    assert bring(desk).said == [], "once is enough"


def test_what_was_typed_in_a_copy_from_before_stays_and_the_copy_is_kept(desk):
    copy_from_before(desk)
    with Copy(desk) as one:
        one["bet"].source = "print(x * 3)  # mine"
        one.notebook.cells.append(new_markdown_cell("My note."))
    before = desk.copy(NAME).read_bytes()
    [said] = bring(desk).said
    assert "our outputs are taken out" in said and Copy.shown(desk) == {}
    after = nbformat.read(desk.copy(NAME), 4)
    assert after.cells[2].source == "print(x * 3)  # mine" and after.cells[-1].source == "My note."
    assert [path.read_bytes() for path in desk.old.iterdir()] == [before]


def test_own_outputs_in_a_copy_from_before_stay_in_the_version_that_is_there(desk):
    copy_from_before(desk, language=PYTHON)
    with Copy(desk) as one:
        one.run("timed", "mine: 0.9 s", 12)
    bring(desk)
    assert Copy.shown(desk) == {"timed": (12, "mine: 0.9 s")}


def test_own_outputs_in_a_copy_from_before_stay_in_a_new_version(desk):
    copy_from_before(desk, language=PYTHON)
    with Copy(desk) as one:
        one.run("timed", "mine: 0.9 s", 12)
        one.run("last", "end\n", 13)
    new_version(desk, bet="print(x * 2.0)")
    bring(desk)
    assert Copy.shown(desk) == {"timed": (12, "mine: 0.9 s"), "last": (13, "end\n")}


def test_cells_that_print_what_ours_did_are_own_where_a_later_one_was_run_in_its_turn(desk):
    """Run from the top to the fourth cell: the numbers are ours too, and of two cells the outputs."""
    copy_from_before(desk, language=PYTHON)
    with Copy(desk) as one:
        one.run("timed", "mine: 0.9 s", 4)
    bring(desk)
    assert sorted(Copy.shown(desk)) == ["bet", "import", "task", "timed"], "the last was not run"


def test_a_copy_never_saved_with_a_kernel_shows_nothing_of_an_older_version_of_ours(desk):
    copy_from_before(desk)
    with Copy(desk) as one:
        one["timed"].outputs[0].text = "ours: 0.28 s, of the version before"
    new_version(desk, bet="print(x * 2.0)")
    bring(desk)
    assert Copy.shown(desk) == {}


def test_a_duplicate_of_a_cell_with_our_output_is_emptied(desk):
    copy_from_before(desk)
    with Copy(desk) as one:
        one.notebook.cells.insert(3, NotebookNode({**copy.deepcopy(one["bet"]), "id": "mine"}))
    bring(desk)
    assert Copy.shown(desk) == {}
    assert [cell.source for cell in nbformat.read(desk.copy(NAME), 4).cells].count("print(x * 2)") == 2


def test_from_then_on_an_output_that_equals_ours_is_the_learners(desk):
    bring(desk)
    with Copy(desk) as one:
        one.run("bet", "2\n", 2)
    assert bring(desk).said == [] and Copy.shown(desk) == {"bet": (2, "2\n")}
    new_version(desk, last="print('new end')")
    [said] = bring(desk).said
    assert said == f"{NAME}: replaced by its new version; you had changed nothing."
    assert Copy.shown(desk) == {"bet": (2, "2\n")}
    assert nbformat.read(desk.copy(NAME), 4).cells[-1].source == "print('new end')"


def test_a_changed_cell_of_the_course_has_no_output_of_ours(desk):
    bring(desk)
    with Copy(desk) as one:
        one["task"].source = STUB.replace("...  # your code here", "return 2 * x")
        one.run("timed", "mine", 7)
    new_version(desk, bet="print(x * 2.0)", timed="print(2 * time())")
    bring(desk)
    assert Copy.shown(desk) == {}, "the one of the timed cell was of another text"


def test_a_copy_that_lost_its_metadata_keeps_its_own_outputs(desk):
    bring(desk)
    with Copy(desk) as one:
        one.run("timed", "mine", 9)
        one.notebook.metadata.clear()
    bring(desk)
    assert Copy.shown(desk) == {"timed": (9, "mine")}
    assert nbformat.read(desk.copy(NAME), 4).metadata.language_info == LANGUAGE


@pytest.mark.parametrize("kernel", [None, "python3"])
def test_ours_are_found_however_an_editor_has_saved_them(desk, kernel):
    """With `transient` and metadata beside, as front ends and older nbformats write them."""
    ours = new_notebook(cells=[new_code_cell("1 + 1", id="a", execution_count=1)])
    ours.cells[0].outputs = [new_output("execute_result", {"text/plain": "2"}, execution_count=1)]
    mine = copy.deepcopy(ours)
    mine.cells[0].outputs[0].metadata = {"scrolled": True}
    if kernel:
        mine.metadata.language_info = PYTHON
    assert clear_ours(mine, ours, ours, same_version=True) == 1 and mine.cells[0].outputs == []


def test_what_we_saw_lies_beside_the_copy_and_follows_the_chapter(desk):
    bring(desk)
    page = desk.work / page_name(NAME)
    shown = page.read_text(encoding="utf-8")
    assert "ours: 0.31 s" in shown and "not attempted" not in shown and "<script" not in shown
    with Copy(desk) as one:
        one.run("timed", "mine: 7 s", 1)
    bring(desk)
    assert page.read_text(encoding="utf-8") == shown, "a learner's output is none of ours"
    page.unlink()
    new = chapter()
    new.cells[4].outputs[0].text = "ours: 0.29 s"
    nbformat.write(new, desk.originals / f"{NAME}.ipynb")
    assert bring(desk).said == []
    assert "ours: 0.29 s" in page.read_text(encoding="utf-8")


def test_a_page_that_cannot_be_written_keeps_no_chapter_from_its_copy(desk):
    (desk.work).mkdir(parents=True)
    (desk.work / page_name(NAME).parent).write_text("in the way", encoding="utf-8")
    outcome = bring(desk)
    [sentence] = outcome.troubles
    assert "which shows our outputs, cannot be written" in sentence and desk.copy(NAME).exists()


def test_the_page_of_a_renamed_chapter_goes_with_it(desk):
    bring(desk)
    (desk.originals / f"{NAME}.ipynb").rename(desk.originals / "06_to_train.ipynb")
    bring(desk)
    assert [path.name for path in (desk.work / page_name(NAME).parent).iterdir()] == ["06_to_train.html"]
