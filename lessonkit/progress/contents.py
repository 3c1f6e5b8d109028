"""Read from the chapters what there is to solve: exercises with their titles, parts and minutes."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from lessonkit.notebook.catalog import NOTEBOOKS, Chapter, claim, find, minutes
from lessonkit.notebook.headings import headings, text_of, without_minutes
from lessonkit.notebook.reader import Unreadable, read_json
from lessonkit.notebook.reading_time import of_cell
from lessonkit.notebook.tags import EXERCISE, FURTHER, QUESTION
from lessonkit.system.errors import Refused
from lessonkit.system.plain_file import read_plain

_ASKED = re.compile(r"""\bex\.(\w+)\.check\(|\bask\(["']([^"']+)["']""")


@dataclass(frozen=True)
class Task:
    """An exercise, or a multiple-choice question (`case 7`); `further`: not in the core path.

    `name` is what progress is recorded under. `title` is the heading above its cell, as Markdown, and `part` the
    heading of the section that it stands in; both are empty where the chapter has none. `minutes` are those of the
    cells that a reader works through since the task before it; behind the last one nothing is left. `cell` is the
    id of its cell, empty where that has none.
    """

    name: str
    further: bool
    title: str = ""
    part: str = ""
    minutes: float = 0.0
    cell: str = ""


@dataclass(frozen=True)
class Contents:
    """A chapter's claim, its minutes for the core and for all of it, and its tasks in their order.

    `demonstrations`: the ids and texts, without white space, of the code cells that are none of its tasks.
    """

    chapter: Chapter
    claim: str
    core_minutes: int
    all_minutes: int
    tasks: tuple[Task, ...]
    demonstrations: tuple[tuple[str | None, str], ...] = ()

    @property
    def title(self) -> str:
        """The chapter's number and claim, `05 · 99 % in one epoch`; the slug where it makes no claim."""
        return f"{self.number} · {self.claim or self.chapter.slug.replace('_', ' ')}"

    @property
    def number(self) -> str:
        """The chapter's number as its file writes it, `05`."""
        return self.chapter.name.partition("_")[0]


def contents(folder: Path = NOTEBOOKS) -> list[Contents]:
    """Return what every chapter in `folder` holds, in order; read once, until a notebook changes.

    Raises `Refused` when there is none, or one that cannot be read.
    """
    return [_contents(chapter, chapter.path.stat().st_mtime_ns) for chapter in find(folder)]


@lru_cache(maxsize=100)
def _contents(chapter: Chapter, changed: int) -> Contents:  # `changed` is part of what it is kept by
    try:
        # Not by nbformat, whose import alone takes longer than a check may.
        cells = read_json(read_plain(chapter.path))[0]["cells"]
        title = cells[0]["source"]
        core, whole = minutes(title)
    except (Unreadable, LookupError, ValueError) as error:
        raise Refused(f"{chapter.path}, the course's own, cannot be used: {error}") from error
    demonstrations = [
        (cell.get("id"), "".join(text_of(cell).split()))
        for cell in cells
        if cell["cell_type"] == "code" and not _asks(cell)
    ]
    return Contents(chapter, claim(title), core, whole, tasks(cells, core, whole), tuple(demonstrations))


def tasks(cells: Sequence[Mapping], core_minutes: float, all_minutes: float) -> tuple[Task, ...]:
    """Return what the cells of a chapter ask, in order, with titles, parts and minutes."""
    found: list[Task] = []
    title, core_part, further_part = "", "", ""
    read = {False: 0.0, True: 0.0}  # minutes since the task before, of the core and of *Further*
    for cell in cells:
        further = FURTHER in _tags(cell)
        read[further] += of_cell(cell)
        if cell["cell_type"] == "markdown":
            for level, text in headings(text_of(cell)):
                title = text if level > 1 else ""
                begins_further = text.startswith("Further")  # also below a section of the core
                if level == 2 or (further and begins_further):
                    further_part = text
                if level == 2 and not further:
                    core_part = text
        elif _asks(cell):
            names = ["".join(groups) for groups in _ASKED.findall(text_of(cell))]
            heading, part = without_minutes(title), without_minutes(further_part if further else core_part)
            for name in names:
                found.append(Task(name, further, heading, part, read[further] / len(names), cell.get("id") or ""))
            if names:
                read[further] = 0.0
    return tuple(_told_apart(_scaled(found, read, {False: core_minutes, True: all_minutes - core_minutes})))


def _asks(cell):
    return cell["cell_type"] == "code" and bool({EXERCISE, QUESTION} & {*_tags(cell)})


def _tags(cell):
    return cell["metadata"].get("tags", [])


def _scaled(found, rest, stated):
    """Give what follows the last task to that task, and let the minutes add up to those that the title states."""
    last = {task.further: number for number, task in enumerate(found)}
    for further, number in last.items():
        found[number] = replace(found[number], minutes=found[number].minutes + rest[further])
    sums = {further: sum(task.minutes for task in found if task.further == further) for further in last}
    counted = Counter(task.further for task in found)
    return [
        replace(
            task,
            minutes=stated[task.further]
            * (task.minutes / sums[task.further] if sums[task.further] else 1 / counted[task.further]),
        )
        for task in found
    ]


def _told_apart(found):
    """Yield the tasks; those that share one heading get a number: `Two pairs (1 of 2)`."""
    shared, so_far = Counter(task.title for task in found), Counter()
    for task in found:
        so_far[task.title] += 1
        number = f" ({so_far[task.title]} of {shared[task.title]})" if task.title and shared[task.title] > 1 else ""
        yield replace(task, title=f"{task.title}{number}")
