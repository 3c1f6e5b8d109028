"""Random histories: a learner edits as people do, the course goes through three versions, nothing typed is lost."""

import copy
import json
import random
from collections import Counter

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from lessonkit.desk import copies
from lessonkit.desk.copies import bring, reset
from lessonkit.desk.folder import Desk
from lessonkit.desk.matching import names
from lessonkit.desk.merge import CHANGED, REMOVED
from lessonkit.desk.merge_base import origin, version_of
from lessonkit.notebook.catalog import find
from lessonkit.notebook.reader import parse

HISTORIES = 500
COUNTS = Counter()


OURS = "ours"  # which every output begins with that the course has stored


class Course:
    """A chapter in versions; each text in it is said once only, so it can be told from what a learner typed."""

    def __init__(self, chance, folder):
        self.chance, self.path, self.number = chance, folder / "05_training.ipynb", 0
        folder.mkdir()
        self.texts, self.versions, self.copied_before = set(), {}, False
        self.cells = [self.cell() for _ in range(chance.randint(3, 8))]
        self.publish()

    def count(self):
        self.number += 1
        return self.number

    def exercise(self, name=None):
        name = name or f"task{self.count()}"
        gap = self.chance.choice([*["your code here"] * 4, f"here {self.count()}"])
        return f'def {name}(x):\n    """Stub {self.count()}."""\n    ...  # {gap}\n\n\nex.{name}.check({name})'

    def cell(self, source=None):
        name, kind = f"c{self.count()}", self.chance.choice(["text", "code", "exercise"])
        if kind == "text" and not source:
            return new_markdown_cell(f"## Text {name}\nof the course", id=name)
        if kind == "code" and not source:
            return new_code_cell(f"a = '{name}'\nprint(a)", id=name)
        return new_code_cell(source or self.exercise(), id=name, metadata={"tags": ["exercise"]})

    def change(self, cell):
        if "ex." in cell.source:
            name = cell.source.split("(")[0].removeprefix("def ")
            cell.source = self.exercise(self.chance.choice([name, name, None]))  # None: it gets another name
        else:
            cell.source = f"{cell.source.splitlines()[0]} {self.count()}\nanew"

    def next(self):
        """Publish another version, with one to five changes in it."""
        for _ in range(self.chance.randint(1, 5)):
            where = self.chance.randrange(len(self.cells))
            match self.chance.choice(["change", "change", "add", "remove", "move", "another cell", "rename"]):
                case "change":
                    self.change(self.cells[where])
                case "add":
                    self.cells.insert(where, self.cell())
                case "remove" if len(self.cells) > 2:
                    del self.cells[where]
                case "move":
                    self.cells.insert(self.chance.randrange(len(self.cells)), self.cells.pop(where))
                case "another cell" if "ex." in self.cells[where].source:  # the exercise moves into a new one
                    source = self.cells.pop(where).source
                    self.cells.insert(self.chance.randint(0, len(self.cells)), self.cell(source))
                case "rename" if self.chance.random() < 0.3:
                    self.path = self.path.rename(self.path.with_name(f"05_name{self.count()}.ipynb"))
        self.publish()

    def store_outputs(self):
        """Store an output with each code cell, as `course refresh` does: a new one where the text is new."""
        for number, cell in enumerate((cell for cell in self.cells if cell.cell_type == "code"), start=1):
            cell.execution_count = number
            cell.outputs = [new_output("stream", name="stdout", text=f"{OURS} of {cell.source}")]

    def publish(self):
        self.store_outputs()
        notebook = new_notebook(cells=copy.deepcopy(self.cells))
        nbformat.write(notebook, self.path)
        self.texts |= {cell.source for cell in self.cells}
        self.versions[version_of(parse(self.path.read_bytes()))] = notebook


class Learner:
    """What people and their editors do to a copy."""

    def __init__(self, chance, desk):
        self.chance, self.desk, self.number = chance, desk, 0

    def text(self):
        self.number += 1
        return f"mine {self.number}"

    def work(self, path):
        """Do up to eight things to the copy at `path`."""
        for _ in range(self.chance.randint(0, 8)):
            notebook = json.loads(path.read_text(encoding="utf-8"))
            cells = notebook["cells"]
            for cell in cells:
                cell["source"] = "".join(cell["source"])
            act = self.chance.choice(ACTS)
            if cells or act is Learner.add:
                act(self, cells, self.chance.randrange(len(cells)) if cells else 0)
                if act is Learner.run:  # which a front end does with a kernel only, and then saves so
                    notebook["metadata"]["language_info"] = {"name": "python", "version": "3.12.1"}
                COUNTS[act.__name__] += 1
            path.write_text(json.dumps(notebook), encoding="utf-8")
        if self.chance.random() < 0.05:
            COUNTS["forget"] += 1
            notebook = json.loads(path.read_text(encoding="utf-8")) | {"metadata": {}}
            path.write_text(json.dumps(notebook), encoding="utf-8")
        if (old := sorted(self.desk.old.glob("*.ipynb"))) and self.chance.random() < 0.05:
            COUNTS["put back"] += 1
            path.write_bytes(self.chance.choice(old).read_bytes())

    def answer(self, cells, where):
        cell = self.chance.choice([cell for cell in cells if "    ...  #" in cell["source"]] or [cells[where]])
        lines = cell["source"].splitlines() or [""]
        lines[min(2, len(lines) - 1)] = f"    return x  # {self.text()}"
        cell["source"] = "\n".join(lines)

    def edit(self, cells, where):
        cells[where]["source"] += f"\n# {self.text()}"

    def write_over(self, cells, where):
        cells[where]["source"] = self.text()

    def add(self, cells, where):
        new = {"cell_type": self.chance.choice(["markdown", "raw"]), "metadata": {}, "source": self.text()}
        if self.chance.random() < 0.5:
            new = {**new, "cell_type": "code", "outputs": [], "execution_count": None}
        if self.chance.random() < 0.7:
            new["id"] = f"own{self.number}"
        cells.insert(where, new)

    def delete(self, cells, where):
        del cells[where]

    def duplicate(self, cells, where):
        again = copy.deepcopy(cells[where])
        if self.chance.random() < 0.5:
            again["id"] = f"again{self.text().split()[1]}"
        cells.insert(self.chance.choice([where, where + 1, len(cells)]), again)

    def lose_id(self, cells, where):
        cells[where].pop("id", None)

    def lose_ids(self, cells, where):
        if self.chance.random() < 0.2:
            for cell in cells:
                cell.pop("id", None)

    def move(self, cells, where):
        cells.insert(self.chance.randrange(len(cells)), cells.pop(where))

    def split(self, cells, where):
        first = cells[where]
        lines = first["source"].splitlines()
        cut = self.chance.randint(0, len(lines))
        second = {**copy.deepcopy(first), "source": "\n".join(lines[cut:])}
        first["source"] = "\n".join(lines[:cut])
        self.chance.choice([first, second])["id"] = f"part{self.text().split()[1]}"
        cells.insert(where + 1, second)

    def join(self, cells, where):
        if where + 1 < len(cells):
            cells[where]["source"] += "\n" + cells.pop(where + 1)["source"]

    def retype(self, cells, where):
        cell = cells[where]
        if cell["cell_type"] == "code":
            cell["cell_type"] = "markdown"
            del cell["outputs"], cell["execution_count"]

    def run(self, cells, where):
        if cells[where]["cell_type"] == "code":
            self.number += 1
            text = f"ran {self.number}"
            cells[where]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}]
            cells[where]["execution_count"] = self.chance.randint(1, 12)

    def fold(self, cells, where):
        metadata = cells[where]["metadata"]
        if cells[where]["cell_type"] == "code":
            metadata["jupyter"] = {"source_hidden": self.chance.random() < 0.5}
        else:
            metadata["jp-MarkdownHeadingCollapsed"] = True


ACTS = [Learner.answer, Learner.answer, Learner.edit, Learner.write_over, Learner.add, Learner.delete]
ACTS += [Learner.duplicate, Learner.lose_id, Learner.lose_ids, Learner.move, Learner.split, Learner.join]
ACTS += [Learner.retype, Learner.run, Learner.fold]


def as_before(path, course):
    """Make the copy one from before December 2026, with our outputs in it and no word about them."""
    COUNTS["copies from before"] += 1
    course.copied_before = True
    copied = parse(path.read_bytes())
    said = copied.metadata.course.copy_of
    del said["outputs"]
    notebook = copy.deepcopy(course.versions[said.version])
    notebook.metadata = nbformat.from_dict({"course": copied.metadata.course, "language_info": {"name": "python"}})
    nbformat.write(notebook, path)


def unmarked(source):
    """A cell's text without the line by which an update says that it is the learner's."""
    for line in (f"# {CHANGED}\n", f"# {REMOVED}\n", f"**{CHANGED}**\n\n", f"**{REMOVED}**\n\n"):
        source = source.removeprefix(line)
    return source


def update(course, desk):
    """Bring the course's version into the copy and hold all that was promised."""
    (path,) = desk.work.glob("*.ipynb")
    before = path.read_bytes()
    mine, originals = parse(before), {path: path.read_bytes() for path in desk.originals.iterdir()}
    olds = [old.read_bytes() for old in desk.old.glob("*")]
    outcome = bring(desk)
    COUNTS["updates"] += 1
    assert outcome.troubles == []
    assert originals == {path: path.read_bytes() for path in desk.originals.iterdir()}, "the originals"
    if path.name != course.path.name and path.exists():
        assert path.read_bytes() == before and "no such chapter any more" in str(outcome.said)
        COUNTS["renamed, and too different"] += 1
        path.unlink()
        return
    (path,) = desk.work.glob("*.ipynb")
    assert path.name == course.path.name
    result = parse(path.read_bytes())
    said = origin(mine)
    base = course.versions[said.version] if said else None
    changed = path.read_bytes() != before
    if base is None:
        touched = any(cell.source not in course.texts for cell in mine.cells)
    else:
        touched = [shown(cell) for cell in mine.cells] != [shown(cell) for cell in base.cells]
    kept = [old.read_bytes() for old in desk.old.glob("*")]
    if changed:
        assert len({cell.id for cell in result.cells}) == len(result.cells)
        nbformat.validate(result)
    if changed and touched:
        assert before in kept and set(olds) <= set(kept) and len(kept) - len(olds) in (0, 1), "the old copy, once"
    typed = Counter(unmarked(cell.source) for cell in mine.cells if cell.source not in course.texts)
    there = Counter(unmarked(cell.source) for cell in result.cells)
    lost = [source for source in (typed - there).elements() if not refilled(source, course.cells, result)]
    assert not lost
    COUNTS["put into the new stub"] += sum((typed - there).values())
    COUNTS["texts of a learner's"] += sum(typed.values())
    COUNTS["set beside"] += sum(cell.source != unmarked(cell.source) for cell in result.cells)
    own_outputs_alone(course, mine, result)
    if changed and base is not None:
        all_of_the_course(base, mine, course.cells, result)
    if changed and not touched and not kept:
        assert [cell.source for cell in result.cells] == [cell.source for cell in course.cells]
    now = path.read_bytes()
    assert bring(desk).said == [] and path.read_bytes() == now, "the second time, nothing is left to do"


def printed(cell):
    return "".join(output.text for output in cell.get("outputs", []))


def own_outputs_alone(course, mine, result):
    """Hold that no output of ours is there, and each of the learner's whose cell the course has not changed.

    In a copy from before, an output of an older version may stay in a cell that the learner has changed himself. In
    a copy that has lost its metadata, of several cells with the same text and output one keeps it.
    """
    ours = [cell for cell in result.cells if printed(cell).startswith(OURS)]
    # The second half of a cell that the learner has split keeps what stood below the whole.
    assert not [cell.source for cell in ours if cell.source in course.texts and not cell.id.startswith("part")]
    assert not ours or course.copied_before
    ran = Counter((unmarked(cell.source), printed(cell)) for cell in mine.cells if printed(cell).startswith("ran"))
    there = Counter((unmarked(cell.source), printed(cell)) for cell in result.cells)
    new = {cell.source for cell in course.cells}
    for source, _ in set(ran) - set(there):
        changed = source in course.texts and source not in new
        assert changed or refilled(source, course.cells, result), source
    COUNTS["own outputs kept"] += sum((ran & there).values())


def refilled(answer, cells, result):
    """Whether an answer's lines that are the learner's stand in the course's stub of the same exercise."""
    for new in cells:
        for cell in result.cells:
            if cell.id == new.id and cell.source != new.source and names(cell) == names(new):
                typed = [line for line in answer.splitlines() if "mine" in line]
                lines = Counter(cell.source.splitlines()) - Counter(new.source.splitlines())
                if typed and list(lines.elements()) == typed:
                    return True
    return False


def shown(cell):
    return cell.cell_type, cell.source


def all_of_the_course(base, mine, cells, result):
    """Hold that each cell of the new version is there, or the learner's text in it, or that he deleted it."""
    there = {cell.id: cell for cell in result.cells}
    marked = {cell.source for cell in mine.cells}
    for cell in result.cells:
        if cell.source not in marked and unmarked(cell.source) != cell.source:
            assert (cell.cell_type, unmarked(cell.source)) not in map(shown, base.cells), "the course's, not yours"
    old = {cell.id: cell.source for cell in base.cells}
    sources = {cell.source for cell in base.cells}
    for cell in cells:
        if cell.id not in there:
            assert cell.source in sources, f"{cell.source!r} is new and missing"
            held = [one for one in mine.cells if one.get("id") == cell.id]
            # A cell that was joined with an exercise's is that exercise from then on.
            assert all(names(one) and not set(names(one)) & set(names(cell)) for one in held), cell.source
            if shown(cell) in map(shown, mine.cells):  # as what is left of a cell that an update had set aside
                assert shown(cell) in map(shown, result.cells), f"{cell.source!r} was not deleted"
            COUNTS["deleted and left so"] += 1
        elif there[cell.id].source != cell.source and not refilled(there[cell.id].source, cells, result):
            assert cell.source in sources, f"{cell.source!r} is new, and hidden by {there[cell.id].source!r}"
        elif cell.source != old.get(cell.id, cell.source):
            COUNTS["cells brought"] += 1


@pytest.fixture(scope="module")
def quick():
    """No waiting for the disk, no signatures: neither bears on what a merge keeps."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lessonkit.system.atomic._sync", lambda file: None)
        patch.setattr("lessonkit.system.atomic.sync_folder", lambda folder: None)
        patch.setattr(copies, "trust", lambda *_: "")
        patch.setattr(copies, "is_trusted", lambda *_: True)
        yield


def test_nothing_typed_is_lost_in_500_histories_of_three_versions(quick, tmp_path_factory, capsys):
    @settings(
        max_examples=HISTORIES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 2**32))
    def live(seed):
        chance = random.Random(seed)
        folder = tmp_path_factory.mktemp("history")
        course = Course(chance, folder / "notebooks")
        desk = Desk(folder / "work", folder / "notebooks")
        learner = Learner(chance, desk)
        bring(desk)
        if chance.random() < 0.5:
            as_before(desk.copy(course.path.stem), course)
        for _ in range(2):
            learner.work(desk.copy(course.path.stem))
            if chance.random() < 0.1:
                before = desk.copy(course.path.stem).read_bytes()
                reset(desk, find(desk.originals))
                assert before in [old.read_bytes() for old in desk.old.iterdir()]
                learner.work(desk.copy(course.path.stem))
            course.next()
            update(course, desk)
        COUNTS["histories"] += 1

    COUNTS.clear()
    live()
    assert COUNTS["histories"] >= HISTORIES
    rare = {
        "copies from before",
        "own outputs kept",
        "put into the new stub",
        "set beside",
        "cells brought",
        "deleted and left so",
        "forget",
        "put back",
    }
    assert not {name: COUNTS[name] for name in rare if COUNTS[name] < 10}, "too few to say anything"
    with capsys.disabled():
        print("\n" + ", ".join(f"{name} {number}" for name, number in COUNTS.most_common()))
