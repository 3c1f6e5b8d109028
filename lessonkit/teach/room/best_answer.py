"""Choose among the answers to one exercise that were found in a notebook: the best counts, and the row says so."""

from collections.abc import Sequence
from dataclasses import replace

from lessonkit.teach.room.rows import Row
from lessonkit.teach.room.submission import Answer

_FROM_BEST = ("passed", "not judged", "not judged here", "known mistake", "wrong", "too slow", "ended", "raised")
_WORDS = {
    "passed": "passed too",
    "known mistake": "makes a known mistake",
    "wrong": "is wrong",
    "too slow": "was too slow",
    "ended": "ended its process",
    "raised": "raised an error",
    "not judged": "was not judged",
    "not judged here": "was not judged here",
}


def is_better(row: Row, other: Row) -> bool:
    """Return whether one row of an answer counts rather than another."""
    return _FROM_BEST.index(row.state) < _FROM_BEST.index(other.state)


def best(judged: Sequence[tuple[Answer, Row]], *, left_out: int = 0, passed_there: bool = False) -> Row:
    """Return the row of the best answer to one exercise, with a note where there was a choice.

    What may be right, and was not judged, goes before what is wrong. `left_out`: how many more were found and not
    run; `passed_there`: the notebook's stored output says that its check passed.
    """
    tried = [(answer, row) for answer, row in judged if row.state != "not attempted"]
    if not tried:
        return judged[0][1]
    answer, row = min(tried, key=lambda one: _FROM_BEST.index(one[1].state))
    notes = []
    if len(tried) > 1:
        places = {id(one): _place(one, [each for each, _ in tried]) for one, _ in tried}
        cells = sorted({int(one.cell.removeprefix("cell ")) for one, _ in tried})
        notes.append(
            f"{len(tried)} answers were found: in {_listed(cells)}; the one in {places[id(answer)]} counts."
        )
        others = [(one, other) for one, other in tried if one is not answer]
        notes += [f"The one in {places[id(one)]} {_WORDS[other.state]}." for one, other in others]
    if left_out:
        notes.append(f"{left_out} more were found and not run.")
    if not answer.checked:
        notes.append(f"The notebook passes it to no check; it is what {answer.cell} defines.")
    if passed_there and row.state not in ("passed", "not judged"):
        notes.append("The output stored in the notebook says that its check passed there.")
    return replace(row, note=" ".join(notes))


def _place(one, those):
    """Return the cell of an answer, with the line where others are in the same cell."""
    if one.given is None or one.inside or sum(other.cell == one.cell for other in those) == 1:
        return one.cell
    line = len(one.given.source) - len(one.given.source.lstrip("\n")) + 1
    return f"{one.cell}, line {line}" if one.checked else f"{one.cell}, at its end"


def _listed(numbers):
    if len(numbers) == 1:
        return f"cell {numbers[0]}"
    return f"cells {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
