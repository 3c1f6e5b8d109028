"""Check that a reference uses only names that its notebook has defined by then, as it is run there."""

import builtins
import symtable
from collections.abc import Callable, Iterator

from nbformat import NotebookNode

from lessonkit.notebook.cells import code_cells, core_of, tags
from lessonkit.notebook.solutions import checked, imported_exercises, references
from lessonkit.notebook.tags import EXERCISE
from lessonkit.review.diagnostics import Finding, error


def check(nb: NotebookNode) -> Iterator[Finding]:
    """Yield each reference that needs a name which no cell up to its own has made, in the whole and in the core."""
    for extent, cells in (("the chapter", nb), ("the core", core_of(nb))):
        for name, unknown in missing(cells):
            yield error(
                f"in {extent} the reference of {name} needs {', '.join(unknown)}, which no cell before it makes"
            )


def missing(
    nb: NotebookNode, read: Callable[[str], dict[str, str]] = references
) -> Iterator[tuple[str, list[str]]]:
    """Yield (exercise, names) of every reference that needs what no cell up to its own has made."""
    modules, have = imported_exercises(nb), set(dir(builtins))
    for cell in code_cells(nb):
        have |= made(cell.source)
        if EXERCISE not in tags(cell):
            continue
        for alias, name in checked(cell.source, modules):
            (function,) = symtable.symtable(read(modules[alias])[name], name, "exec").get_children()
            if unknown := _asked_for(function) - have:
                yield name, sorted(unknown)


def made(source: str) -> set[str]:
    """Return the names that a cell has made when it ended; none where it is no plain Python (`%%writefile`)."""
    try:
        table = symtable.symtable(source, "cell", "exec")
    except SyntaxError:
        return set()
    return {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}


def _asked_for(table):
    """Return the global names that a function's table and those inside it look up."""
    found = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global() and symbol.is_referenced()}
    return found.union(*map(_asked_for, table.get_children()))
