"""Merge a new version of a chapter with the learner's copy of the version before. Pure: it reads no files.

    the course changed the cell   the learner did       in the result
    no                            nothing               the cell, with the outputs of the learner's own run
    no                            changed it            the learner's text
    no                            deleted it            nothing: a learner may leave out what he likes
    yes                           nothing               the new cell
    yes                           changed it            the new cell, and the learner's text under it, marked;
                                                        an answer in the new stub, if only its words are new
    yes                           deleted it            the new cell: what he left out was another text
    removed it                    nothing               nothing
    removed it                    changed it            the learner's text, marked
    -                             added a cell          that cell, behind the one it stood behind

A cell that the learner has folded or unfolded is as the learner left it; that alone changes no cell.

Cells stand in the learner's order, and what the course added behind its predecessor; where the course itself has
moved cells, they stand in the course's order.
"""

import ast
import copy
import re
import secrets
from collections import Counter
from dataclasses import dataclass, field

from nbformat import NotebookNode

from lessonkit.desk.matching import content, names, pairs
from lessonkit.notebook.folds import carry_folds
from lessonkit.notebook.tags import RAISES

GAP = re.compile(r"^[ \t]*\.\.\.[ \t]*# your code here[ \t]*$", re.MULTILINE)
CHANGED = "Yours: the course changed the cell above; this is what you had written in it."
REMOVED = "Yours: the course no longer has the cell in which you wrote this."


@dataclass
class Merged:
    """The result, and how much of the learner's is in it.

    `carried` counts "answers", "cells" and "notes" that are the learner's, and "beside", those of them that stand
    below a cell that the course changed as well, or whose cell the course no longer has.
    """

    notebook: NotebookNode
    carried: Counter = field(default_factory=Counter)


@dataclass
class _Place:
    """One cell of the course (by its position in the new version, -1 for the top) and what stands behind it."""

    position: int
    cells: list[NotebookNode] = field(default_factory=list)


def merge(base: NotebookNode, mine: NotebookNode, new: NotebookNode) -> Merged:
    """Return `new` with all that the learner did to `base`, which his copy `mine` was made from.

    None of the three is altered. No text of `mine` that is not the course's own is missing in the result.
    """
    result = Merged(_without_cells(mine, new))
    after = pairs(base.cells, new.cells)  # position in base -> in new
    held = pairs(base.cells, mine.cells)  # position in base -> in mine
    before = {there: position for position, there in held.items()}  # position in mine -> in base
    places = [_Place(-1)]
    for position, cell in enumerate(mine.cells):
        source = base.cells[before[position]] if position in before else None
        target = after.get(before[position]) if position in before else None
        if target is not None:
            places.append(_Place(target, _settled(source, cell, new.cells[target], result.carried)))
        elif source is None:
            places[-1].cells.append(_carried(cell, result.carried))
        elif content(cell) != content(source):
            places[-1].cells.append(_set_aside(cell, REMOVED, new, result.carried))
    if [after[position] for position in sorted(after)] != sorted(after.values()):
        places.sort(key=lambda place: place.position)
    unwanted = {
        target
        for position, target in after.items()
        if position not in held and content(base.cells[position]) == content(new.cells[target])
    }
    _insert(places, {target: cell for target, cell in enumerate(new.cells) if target not in unwanted})
    _give_ids(places)
    result.notebook.cells = [cell for place in places for cell in place.cells]
    return result


def _settled(base: NotebookNode, mine: NotebookNode, new: NotebookNode, carried: Counter) -> list[NotebookNode]:
    """Return what stands where a cell of the course stood that the learner has, changed or not."""
    cells = _texts(base, mine, new, carried)
    carry_folds(base, mine, cells[0])
    return cells


def _texts(base: NotebookNode, mine: NotebookNode, new: NotebookNode, carried: Counter) -> list[NotebookNode]:
    if content(mine) == content(base) != content(new):
        return [copy.deepcopy(new)]
    if content(mine) == content(new) or content(base) == content(new):
        kept = _carried(mine, carried) if content(mine) != content(base) else copy.deepcopy(mine)
        kept.metadata = copy.deepcopy(mine.metadata if base.metadata == new.metadata else new.metadata)
        kept["id"] = new["id"]
        return [kept]
    if filled := refill(base.source, mine.source, new.source):
        _carried(mine, carried)
        return [NotebookNode({**copy.deepcopy(new), "source": filled, "outputs": [], "execution_count": None})]
    return [copy.deepcopy(new), _set_aside(mine, CHANGED, None, carried)]


def _carried(cell: NotebookNode, carried: Counter) -> NotebookNode:
    kind = "answers" if names(cell) else "cells" if cell.cell_type == "code" else "notes"
    carried[kind] += 1
    return copy.deepcopy(cell)


def _set_aside(cell: NotebookNode, reason: str, new: NotebookNode | None, carried: Counter) -> NotebookNode:
    """Return a learner's text as a cell of its own that says what it is.

    With `new`: if an exercise that it checks is not there any more, its error does not end Run All.
    """
    kept = _carried(cell, carried)
    carried["beside"] += 1
    if kept.cell_type == "markdown":
        kept.source = f"**{reason}**\n\n{kept.source}"
    else:
        first, newline, rest = kept.source.partition("\n")
        if first.startswith("%%"):  # a cell's magic is nothing anywhere but in its first line
            kept.source = f"{first}\n# {reason}{newline}{rest}"
        else:
            kept.source = f"# {reason}\n{kept.source}"
    kept.metadata["course"] = {"yours": cell.get("id") or ""}
    kept.pop("id", None)
    gone = new is not None and not set(names(cell)) <= {name for other in new.cells for name in names(other)}
    if gone and RAISES not in kept.metadata.get("tags", []):
        kept.metadata["tags"] = [*kept.metadata.get("tags", []), RAISES]
    return kept


def _insert(places: list[_Place], wanted: dict[int, NotebookNode]) -> None:
    """Put each of the course's cells (`wanted`, by position) that has no place behind the nearest one before it."""
    there = {place.position for place in places}
    for position, cell in wanted.items():
        if position not in there:
            nearest = max(known for known in there if known < position)
            index = next(index for index, place in enumerate(places) if place.position == nearest)
            places.insert(index + 1, _Place(position, [copy.deepcopy(cell)]))
            there.add(position)


def _without_cells(mine: NotebookNode, new: NotebookNode) -> NotebookNode:
    """Return the new notebook's own fields; the kernel, and what other programs keep, as the learner has them."""
    notebook = NotebookNode({key: copy.deepcopy(value) for key, value in new.items() if key != "cells"})
    own = {key: value for key, value in mine.metadata.items() if key in ("kernelspec", "language_info")}
    if not isinstance(own.get("language_info"), dict) or "version" not in own["language_info"]:
        own.pop("language_info", None)  # no kernel has written it
    notebook.metadata = copy.deepcopy(NotebookNode({**mine.metadata, **new.metadata, **own}))
    notebook.nbformat_minor = max(5, new.get("nbformat_minor", 5))  # ids are allowed from 4.5 on
    return notebook


def _give_ids(places: list[_Place]) -> None:
    """Give each cell an id of its own: the course's keep theirs, others get a new one where theirs is taken."""
    used = {place.cells[0].get("id") for place in places if place.position >= 0}
    for place in places:
        for cell in place.cells[place.position >= 0 :]:
            if not cell.get("id") or cell["id"] in used:
                cell["id"] = secrets.token_hex(4)
            used.add(cell["id"])


def refill(base: str, mine: str, new: str) -> str | None:
    """Return the stub `new` with what `mine` holds in the place of the gap of the stub `base`.

    None where that cannot be done, or is not safe: the learner changed more than the gap, there is not one gap in
    each, or the course changed more than words (docstrings, comments), so that the old answer may not fit.
    """
    gaps = [list(GAP.finditer(source)) for source in (base, new)]
    if any(len(found) != 1 for found in gaps) or _code(base) is None or _code(base) != _code(new):
        return None
    (old,), (place,) = gaps
    before, after = base[: old.start()], base[old.end() :]
    if len(mine) < len(before) + len(after) or not (mine.startswith(before) and mine.endswith(after)):
        return None
    typed = mine[len(before) : len(mine) - len(after)]
    if after.strip() and after.strip() in typed:  # the stub is in the cell twice
        return None
    return new[: place.start()] + typed + new[place.end() :]


def _code(source: str) -> str | None:
    """Return what a source does, without its words; None for what is no Python, a cell's magic for one."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # a null byte is a ValueError until Python 3.11.3
        return None
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            node.body = node.body[1:]
    return ast.dump(tree)
