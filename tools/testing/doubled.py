"""Notebooks whose code stands in them twice, untouched and then solved, for nbval to compare in one kernel."""

import ast
import copy
from pathlib import Path

import affected
import nbformat

from lessonkit.notebook import asserts
from lessonkit.notebook.cells import tags, wants_answer
from lessonkit.notebook.solutions import checked, imported_exercises, solve
from lessonkit.notebook.tags import UNCOMPARED

# A kernel is told to end and has the time for it, so that what it leaves behind is the chapter's (farewell.py).
CONFTEST = '"""Written by tools/testing/doubled.py."""\n\nimport farewell\n\nfarewell.kernels_end_in_order()\n'


def double(book, beside=None, *, whole=False):
    """A notebook that runs all cells of `book`, then, with the exercises solved, those that an answer can alter.

    With `whole` all of them run again, also those that an answer cannot alter. What is stored is expected both
    times: a cell says the same after a first run and beside other answers. Only the solved cells themselves say
    something else, and assert that they have passed. A comment at its end says which cell is met a second time.
    A cell is followed, both times, by its asserts; `beside` holds them by the cell's id, as `asserts.read` returns.
    """
    beside = beside or {}
    again = copy.deepcopy(book)
    solve(again)
    modules = imported_exercises(book)
    code, later = ([cell for cell in one.cells if cell.cell_type == "code"] for one in (book, again))
    answers = {place for place, cell in enumerate(later) if wants_answer(cell)}
    sources = [f"{cell.source}\n{beside.get(cell.id, '')}" for cell in later]
    kept = range(len(later)) if whole else sorted(affected.affected(sources, answers))
    held = [beside.get(cell.id) for cell in code]
    for place in kept:
        cell = later[place]
        cell["id"] = f"{cell['id']}-2"[-64:]
        if place in answers:
            cell.source = demanding(cell.source, max(1, len(checked(cell.source, modules))))
            cell.metadata["tags"] = [*tags(cell), UNCOMPARED]
        if not cell.source.startswith("%%"):
            cell.source += f"\n# cell {place + 1}, run a second time in the same kernel"
    cells = [one for place in range(len(code)) for one in _with_asserts(code[place], held[place])]
    cells += [one for place in kept for one in _with_asserts(later[place], held[place])]
    return nbformat.from_dict({**book, "cells": cells})


def _with_asserts(cell, code):
    """The cell, and after it a cell of its asserts where it has some."""
    if code is None:
        return [cell]
    said = f"# asserts after: {cell.source.strip().splitlines()[0]}\n{code}"
    return [cell, nbformat.v4.new_code_cell(said, id=f"a-{cell.id}"[-64:], metadata={"tags": [UNCOMPARED]})]


def demanding(source, count):
    """A solved cell that raises unless each of its `count` verdicts is that it has passed."""
    lines, found = source.splitlines(), 0
    for node in reversed(ast.parse(source).body):
        if isinstance(node, ast.Expr) and _asks(node.value):
            verdict = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            demand = f'assert (verdict_met_again := ({verdict})).state == "passed", verdict_met_again'
            lines[node.lineno - 1 : node.end_lineno] = demand.split("\n")
            found += 1
    if found != count:
        raise ValueError(f"{count} verdicts to demand, {found} lines of the cell that give one:\n{source}")
    return "\n".join(lines)


def _asks(call):
    """Whether an expression is `ex.NAME.check(…)` or `ask(…)`."""
    return isinstance(call, ast.Call) and (
        (isinstance(call.func, ast.Attribute) and call.func.attr == "check")
        or (isinstance(call.func, ast.Name) and call.func.id == "ask")
    )


def write(chapters, folder, *, whole=False):
    """The doubled notebooks of `chapters` in `folder`, under the same names; returns their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    written = []
    for chapter in map(Path, chapters):
        written.append(folder / chapter.name)
        nbformat.write(double(nbformat.read(chapter, 4), asserts.read(chapter), whole=whole), written[-1])
    return written
