"""Copies made when there was one package: an update brings the new imports and keeps what the learner typed."""

import importlib
import re
from importlib.util import find_spec

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from course_utils import PROJECT
from lessonkit.desk.copies import bring
from lessonkit.desk.folder import Desk
from lessonkit.notebook.tags import EXERCISE

# A name of today and the one it had before there were three packages, as lines of a notebook have them.
OLD = {
    "from course_utils.progress_bar import": "from course_utils.system.progress import",
    "from course_utils.chapters.doctor.command import examine": "from course_utils.doctor.findings import examine",
    "from course_utils.chapters.doctor.facts import": "from course_utils.doctor.facts import",
    "from course_utils.chapters.clinic import": "from course_utils.clinic.question import",
    "from torch_clinic.": "from course_utils.clinic.",
    "from course_utils.chapters.speed import": "from course_utils.system.processes import",
}
ANSWERED = ("00_start_here", "05_training", "12_clinic")  # in which a learner of this test types
GAP = "...  # your code here"
NOTE, OWN = "A note of mine: ask about momentum.", "mine = 6 * 7"
IMPORT = re.compile(
    r"^ *(?:from|import) ((?:course_utils|lessonkit|torch_clinic)[\w.]*)(?: import ([^#\n]*))?", re.M
)
NAMES = sorted(path.stem for path in (PROJECT / "notebooks").glob("*.ipynb"))


def original(name):
    return nbformat.read(PROJECT / "notebooks" / f"{name}.ipynb", 4)


def as_it_was(notebook):
    """The notebook with the imports of the old layout."""
    for cell in notebook.cells:
        for now, before in OLD.items():
            cell.source = cell.source.replace(now, before)
    return notebook


def first_gap(notebook):
    """The first cell with a gap to type into."""
    tasks = [cell for cell in notebook.cells if EXERCISE in cell.metadata.get("tags", [])]
    return next(cell for cell in tasks if GAP in cell.source)


def missing(notebook):
    """What the cells import of ours and is not there, as `module` or `module.name`."""
    for cell in notebook.cells:
        # By pattern, not by syntax: some cells have magics.
        for module, names in IMPORT.findall(cell.source if cell.cell_type == "code" else ""):
            try:
                found = importlib.import_module(module) if find_spec(module) else None
            except ModuleNotFoundError:  # its package is not there
                found = None
            if found is None:
                yield module
            for name in re.findall(r"(\w+)(?: as \w+)?", names) if found else ():
                if not hasattr(found, name) and find_spec(f"{module}.{name}") is None:
                    yield f"{module}.{name}"


@pytest.fixture(scope="module")
def updated(tmp_path_factory):
    """A desk made in the old layout, typed into, and brought up to date; the copies before; what was said."""
    place = tmp_path_factory.mktemp("desk")
    desk = Desk(place / "work", place / "notebooks")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_DATA_DIR", str(place / "jupyter"))
        desk.originals.mkdir()
        for name in NAMES:
            nbformat.write(as_it_was(original(name)), desk.originals / f"{name}.ipynb")
        assert bring(desk).troubles == []
        for name in ANSWERED:
            copy = nbformat.read(desk.copy(name), 4)
            task = first_gap(copy)
            task.source = task.source.replace(GAP, f"return {name!r}")
            copy.cells[3:3] = [new_markdown_cell(NOTE), new_code_cell(OWN)]
            nbformat.write(copy, desk.copy(name))
        before = {name: desk.copy(name).read_bytes() for name in NAMES}
        for name in NAMES:
            nbformat.write(original(name), desk.originals / f"{name}.ipynb")
        outcome = bring(desk)
    assert outcome.troubles == []
    return desk, before, outcome.said


@pytest.mark.parametrize("name", ANSWERED)
def test_answers_a_note_and_a_cell_of_ones_own_are_there(updated, name):
    desk, _, said = updated
    copy = nbformat.read(desk.copy(name), 4)
    asked = first_gap(original(name))
    answer = asked.source.replace(GAP, f"return {name!r}")
    sources = [cell.source for cell in copy.cells]
    place = sources.index(NOTE)
    assert sources[place + 1] == OWN
    theirs = [source for source in sources if source not in (NOTE, OWN)]
    assert theirs == [answer if cell.id == asked.id else cell.source for cell in original(name).cells]
    assert any(line.startswith(f"{name}: its new version, with 1 answer") and "Yours:" not in line for line in said)


@pytest.mark.parametrize("name", NAMES)
def test_every_copy_has_the_new_imports_and_none_of_what_is_no_longer_there(updated, name):
    desk, _, _ = updated
    copy = nbformat.read(desk.copy(name), 4)
    assert list(missing(copy)) == []
    if name not in ANSWERED:  # of those that are, the test above says it
        assert [cell.source for cell in copy.cells] == [cell.source for cell in original(name).cells]


def test_only_copies_that_a_learner_had_changed_are_kept_in_old(updated):
    desk, before, _ = updated
    kept = {path.name.rsplit(" ", 2)[0]: path.read_bytes() for path in desk.old.iterdir()}
    assert kept == {name: before[name] for name in ANSWERED}


def test_seven_chapters_had_imports_that_are_no_longer_there():
    gone = {name: list(missing(as_it_was(original(name)))) for name in NAMES}
    assert [name[:2] for name, modules in gone.items() if modules] == ["00", "03", "05", "07", "09", "12", "13"]
    clinic = ("question", "cases", "diagnosis")
    assert gone["12_clinic"] == [f"course_utils.clinic.{module}" for module in clinic]
