"""Which cells of a notebook an answer can alter, by the names that they read and write."""

import ast
import symtable
from collections.abc import Sequence
from typing import NamedTuple

EMPTIES = "rmtree(results"  # as chapters begin that write files
OF_PYTHON = {"time", "timeit", "capture", "prun"}  # cell magics whose cell is code of the notebook's


class Names(NamedTuple):
    """The names of a cell. `alters`: those of which it sets an attribute or an item."""

    reads: frozenset[str]
    writes: frozenset[str]
    alters: frozenset[str]


def affected(sources: Sequence[str], answers: set[int]) -> set[int]:
    """Return the places of the cells to run again when the cells at the places `answers` say something else.

    These are the answers, every cell that reads a name that one of them writes, or a name that such a cell writes,
    and whatever makes the names that all these read: a model that is to be trained again must be made anew first. A
    cell that cannot be parsed is among them, and all cells are if one of these removes a folder of files. What
    else a cell does by other ways than names, by a file or by torch's random numbers, is not seen: an answer is
    judged apart from both.

    >>> affected(["rate = 0.1", "answer = ...", "found = answer(rate)", "print(rate)"], {1})
    {0, 1, 2}
    """
    names = [_names(source) for source in sources]
    unclear = {place for place, found in enumerate(names) if found is None}
    known = {place: found for place, found in enumerate(names) if found is not None}
    again = _closure(known, set(answers), lambda one, told: one.reads & told, lambda one: one.writes)
    again = _closure(known, again, lambda one, asked: (one.writes | one.alters) & asked, lambda one: one.reads)
    again |= unclear
    # Who empties the folder of results needs all that was written there, and no name tells which cells wrote it.
    return set(range(len(sources))) if any(EMPTIES in sources[place] for place in again) else again


def _closure(known, begin, fits, gives):
    """Add to `begin` every cell that fits what the cells found so far give, until there is none."""
    found = set(begin)
    while True:
        given = frozenset().union(*(gives(known[place]) for place in found if place in known))
        more = {place for place, names in known.items() if place not in found and fits(names, given)}
        if not more:
            return found
        found |= more


def _names(source: str) -> Names | None:
    """Return the names of a cell's code, None where it cannot be parsed; lines of IPython's own are left out.

    What a function reads of the notebook's names counts, its own variables do not. A cell that IPython writes to a
    file or hands to another program has no names.
    """
    first = source.partition("\n")[0]
    if first.startswith("%%") and first[2:].partition(" ")[0] not in OF_PYTHON:
        return Names(frozenset(), frozenset(), frozenset())
    code = "\n".join(line for line in source.splitlines() if not line.lstrip().startswith(("%", "!")))
    try:
        tree, table = ast.parse(code), symtable.symtable(code, "cell", "exec")
    except SyntaxError:
        return None
    reads, writes = set(), set()
    tables = [table]
    while tables:
        one = tables.pop()
        tables += one.get_children()
        for symbol in one.get_symbols():
            if one is table or symbol.is_global():
                reads |= {symbol.get_name()} if symbol.is_referenced() else set()
                writes |= {symbol.get_name()} if symbol.is_assigned() or symbol.is_imported() else set()
    alters = {_base(node) for node in ast.walk(tree) if _is_altered(node)}
    # `x += 1` reads x, although Python's table calls it assigned alone
    reads |= {
        node.target.id for node in ast.walk(tree) if isinstance(node, ast.AugAssign) and _is_name(node.target)
    }
    return Names(frozenset(reads), frozenset(writes), frozenset(alters))


def _is_altered(node):
    return isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load)


def _is_name(node):
    return isinstance(node, ast.Name)


def _base(node):
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if _is_name(node) else ""
