"""Sum up what there is to solve, what the learner has solved, what comes next, and the minutes left."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from lessonkit.notebook.catalog import NOTEBOOKS, Chapter, claim, find, minutes
from lessonkit.notebook.reader import Unreadable, read_json
from lessonkit.notebook.tags import EXERCISE, FURTHER, QUESTION
from lessonkit.progress.record import Standing
from lessonkit.system.errors import Refused
from lessonkit.system.plain_file import read_plain

_ASKED = re.compile(r"""\bex\.(\w+)\.check\(|\bask\(["']([^"']+)["']""")


@dataclass(frozen=True)
class Task:
    """An exercise, or a multiple-choice question (`case 7`); `further`: not in the core path."""

    name: str
    further: bool


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
    tasks, demonstrations = [], []
    for cell in cells:
        tags = cell["metadata"].get("tags", [])
        if cell["cell_type"] != "code":
            continue
        if {EXERCISE, QUESTION} & {*tags}:
            names = ["".join(found) for found in _ASKED.findall(cell["source"])]
            tasks += [Task(name, FURTHER in tags) for name in names]
        else:
            demonstrations.append((cell.get("id"), "".join(cell["source"].split())))
    return Contents(chapter, claim(title), core, whole, tuple(tasks), tuple(demonstrations))


@dataclass(frozen=True)
class ChapterProgress:
    """A chapter and the names of its tasks that have been passed."""

    contents: Contents
    passed: frozenset[str]

    def tasks(self, *, further: bool) -> list[Task]:
        """Return the tasks of the core, or of *Further*, in their order."""
        return [task for task in self.contents.tasks if task.further == further]

    def open(self, *, further: bool) -> list[Task]:
        """Return those of them that have not been passed."""
        return [task for task in self.tasks(further=further) if task.name not in self.passed]

    def done(self, *, further: bool) -> tuple[int, int]:
        """Return how many of them have been passed, and how many there are."""
        there = self.tasks(further=further)
        return len(there) - len(self.open(further=further)), len(there)

    def minutes_left(self, *, further: bool) -> float:
        """Return the minutes of the core, or of *Further*: as large a share as that of the open tasks."""
        whole = self.contents.core_minutes
        if further:
            whole = self.contents.all_minutes - whole
        there = self.tasks(further=further)
        return whole * len(self.open(further=further)) / len(there) if there else 0.0

    def left(self) -> str:
        """Return the minutes left of the core and of the whole chapter, for a column: `25 / 60`."""
        core, further = (self.minutes_left(further=further) for further in (False, True))
        return f"{rounded(core)} / {rounded(core + further)}"


@dataclass(frozen=True)
class Summary:
    """All chapters, and the task to go on with (None when everything has been passed)."""

    chapters: list[ChapterProgress]
    next: tuple[ChapterProgress, Task] | None
    begun: bool

    def done(self, *, further: bool) -> tuple[int, int]:
        """Return how many tasks of the core, or of *Further*, have been passed, and how many there are."""
        done, there = zip(*(one.done(further=further) for one in self.chapters), strict=True)
        return sum(done), sum(there)

    def minutes_left(self, *, further: bool) -> float:
        """Return the minutes that are left of all cores, or of all that is *Further*."""
        return sum(one.minutes_left(further=further) for one in self.chapters)


def summarise(standings: list[Standing], chapters: Iterable[Contents]) -> Summary:
    """Put together how all exercises stand (the one noted latest last) and what the chapters hold.

    Next is the first open task of the core in the chapter noted latest, else in those that follow, else in those
    before; only then *Further*, in the same order. What no chapter asks any more is not counted.
    """
    rows = []
    for one in chapters:
        passed = {standing.exercise for standing in standings if standing.passed and _belongs(standing, one)}
        rows.append(ChapterProgress(one, frozenset(passed)))
    here = next((n for n, one in enumerate(chapters) if standings and _belongs(standings[-1], one)), 0)
    onwards = [*rows[here:], *rows[:here]]
    tasks = ((row, task) for further in (False, True) for row in onwards for task in row.open(further=further))
    return Summary(rows, next(tasks, None), begun=bool(standings))


def _belongs(standing: Standing, contents: Contents) -> bool:
    return standing.chapter == contents.chapter.slug


def rounded(minutes: float) -> int:
    """Return minutes rounded to five, never to none while something is left."""
    return max(5, 5 * round(minutes / 5)) if minutes else 0


def hours(minutes: float) -> str:
    """Return `45 min`, `3 h 20 min`, in steps of five minutes."""
    whole, rest = divmod(rounded(minutes), 60)
    return " ".join([*([f"{whole} h"] if whole else []), *([f"{rest} min"] if rest or not whole else [])])
