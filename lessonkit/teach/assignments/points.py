"""Compute the points of each exercise: its stars, unless the instructor says otherwise."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from nbformat import NotebookNode

from lessonkit.notebook.cells import tags
from lessonkit.notebook.solutions import checked, imported_exercises
from lessonkit.notebook.tags import EXERCISE
from lessonkit.system.errors import Refused

_STARS = re.compile(r"\((?:about )?\d+ min\b[^)]*?(★+)\)")  # as a statement has them: `(5 min, ★★)`


@dataclass(frozen=True)
class Points:
    """What the instructor said: points for `every` exercise (None: its stars), and those of some by name."""

    every: float | None = None
    named: dict[str, float] = field(default_factory=dict)

    def of(self, exercise: str, stars: int) -> float:
        """Return the points of an exercise that has so many stars."""
        return self.named.get(exercise, stars if self.every is None else self.every)


def parse(texts: Iterable[str]) -> Points:
    """Return what texts such as `2`, `ink=5` or `ink=5,halvings=3` say. Raises `Refused`."""
    every, named = None, {}
    for part in (part.strip() for text in texts for part in text.split(",")):
        name, equals, number = (piece.strip() for piece in part.rpartition("="))
        try:
            points = float(number)
        except ValueError:
            points = math.nan
        if not (math.isfinite(points) and points >= 0) or (equals and not name):
            raise Refused(f"--points {part!r} is neither a number from 0 on nor NAME=NUMBER, such as ink=5")
        if name:
            named[name] = points
        else:
            every = points
    return Points(every, named)


def stars(nb: NotebookNode) -> dict[str, int]:
    """Return how many stars the statement of each exercise of a chapter has, in their order.

    Raises `Refused` for an exercise above which none stand.
    """
    modules, found, latest = imported_exercises(nb), {}, 0
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            for text in _STARS.findall(cell.source):
                latest = len(text)
        elif EXERCISE in tags(cell):
            for _, name in checked(cell.source, modules):
                if not latest:
                    raise Refused(f"no stars, `(5 min, ★★)`, are given for the exercise {name}")
                found[name] = latest
    return found
