"""What there is to solve: the exercises and questions of each chapter, and its minutes, read from the notebooks."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from lessonkit.notebook.catalog import NOTEBOOKS, Chapter, find
from lessonkit.notebook.title import claim, minutes

_ASKED = re.compile(r"""\bex\.(\w+)\.check\(|\bask\(["']([^"']+)["']""")


@dataclass(frozen=True)
class Task:
    """An exercise, or a question that is answered by a letter (`case 7`); `further`: not in the core path."""

    name: str
    further: bool


@dataclass(frozen=True)
class Contents:
    """A chapter's claim, its minutes for the core and for all of it, and its tasks in their order."""

    chapter: Chapter
    claim: str
    core_minutes: int
    all_minutes: int
    tasks: tuple[Task, ...]


def contents(folder: Path = NOTEBOOKS) -> list[Contents]:
    """Return what every chapter in `folder` holds, in order; read once, until a notebook changes.

    Raises `Refused` when there is none.
    """
    return [_contents(chapter, chapter.path.stat().st_mtime_ns) for chapter in find(folder)]


@lru_cache(maxsize=100)
def _contents(chapter: Chapter, changed: int) -> Contents:  # `changed` is part of what it is kept by
    # Not by nbformat, whose import alone takes longer than a check may.
    cells = json.loads(chapter.path.read_text(encoding="utf-8"))["cells"]
    title = "".join(cells[0]["source"])
    core, whole = minutes(title)
    tasks = []
    for cell in cells:
        tags = cell["metadata"].get("tags", [])
        if cell["cell_type"] == "code" and {"exercise", "question"} & {*tags}:
            names = ["".join(found) for found in _ASKED.findall("".join(cell["source"]))]
            tasks += [Task(name, "further" in tags) for name in names]
    return Contents(chapter, claim(title), core, whole, tuple(tasks))
