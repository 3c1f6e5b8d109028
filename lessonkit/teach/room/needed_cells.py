"""Find the statements that an answer cell needs to run by itself, in the chapter and in the learner's other cells.

A statement is taken when it binds a name that is used and is not bound yet: an import, a function, a constant. So
an answer runs in seconds, without the training that stands above it.
"""

import ast
import builtins
import contextlib
import symtable
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

# Of a cell that is not Python by itself: IPython reads it once for each magic, in seconds of this order.
_MOST_MAGIC = 300_000  # its characters times those among them that may begin a magic
_THERE = {*vars(builtins), "__name__", "__file__", "get_ipython", "display"}


@dataclass(frozen=True)
class Piece:
    """Python to run: one statement of a cell above, or a whole answer cell. `label`: how a traceback calls it."""

    label: str
    source: str


@dataclass(frozen=True)
class Statement:
    """One statement at the top of a cell: what it binds and what it uses."""

    piece: Piece
    binds: frozenset[str]
    uses: frozenset[str]


def plain_python(source: str) -> str:
    """Return a cell's source with IPython's magics as calls of `get_ipython()`. Raises SyntaxError, ValueError."""
    try:
        ast.parse(source)
    except SyntaxError:
        if len(source) * sum(map(source.count, "!%?")) > _MOST_MAGIC:
            raise
        from IPython.core.inputtransformer2 import TransformerManager

        try:
            source = TransformerManager().transform_cell(source)
        except RuntimeError as error:  # IPython's, for one of more than 500 magics; a RecursionError is one too
            raise SyntaxError(f"IPython cannot read it ({str(error)[:80]})") from None
        ast.parse(source)
    return source


def statements(cells: Iterable[tuple[str, str]]) -> list[Statement]:
    """Return the statements of (label, source) cells in order; a cell that is not Python has none."""
    found = []
    for label, source in cells:
        try:
            source = plain_python(source)
            nodes = ast.parse(source).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        lines = source.splitlines()
        for node in nodes:
            # What the parser takes and the compiler does not (`def f(a, a)`) cannot be run by anybody.
            with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
                found += _statement(label, node, lines)
    return found


def _statement(label: str, node: ast.stmt, lines: Sequence[str]) -> list[Statement]:
    """Return the statement of a node, none where it binds nothing. Raises what `names` raises."""
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    # With the empty lines above it, so that a traceback names the line of the cell.
    text = "\n" * (first - 1) + "\n".join(lines[first - 1 : node.end_lineno])
    try:
        binds, uses = names(text)
    except SyntaxError:  # two statements on one line, cut in the middle: both
        text = "\n" * (first - 1) + ast.unparse(node)
        binds, uses = names(text)
    if isinstance(node, ast.AugAssign):  # which reads what it binds, and symtable does not say so
        uses |= binds
    return [Statement(Piece(label, text), binds, uses)] if binds else []


def names(source: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names that a text binds at its top, and those that it uses from elsewhere.

    `x = x + 1` binds and uses `x`.
    """
    table = symtable.symtable(source, "<cell>", "exec")
    binds = {one.get_name() for one in table.get_symbols() if one.is_assigned() or one.is_imported()}
    inside = {one.get_name() for part in _tables(table) for one in part.get_symbols() if _is_free(part, one)}
    # Of what it binds itself, only what it reads at once: a function that calls itself is there by then.
    made = {one.get_name() for one in table.get_symbols() if one.is_namespace() or one.is_imported()}
    at_once = {one.get_name() for one in table.get_symbols() if one.is_referenced()} - made
    return frozenset(binds), frozenset((inside - binds) | (at_once & binds))


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)


def _is_free(table, symbol):
    if not symbol.is_referenced():
        return False
    return symbol.is_global() if table.get_type() != "module" else True


def needed(answer: Sequence[Piece], *, ours: Sequence[Statement], theirs: Sequence[Statement]) -> list[Piece]:
    """Return what is run before the `answer` pieces: of our chapter what binds a name, else of the learner's cells.

    Of several statements that bind a name the last counts. Each of `ours`, in order, then each of `theirs`.
    """
    taken: set[tuple[bool, int]] = set()
    bound, waiting = set(_THERE), []
    for piece in answer:
        binds, uses = names(piece.source)
        waiting += sorted(uses - bound - binds)
        bound |= binds
    while waiting:
        name = waiting.pop()
        if name in bound:
            continue
        bound.add(name)
        whose = _last(name, ours) is None
        those = theirs if whose else ours
        number = _last(name, those)
        while number is not None and (whose, number) not in taken:
            taken.add((whose, number))
            waiting += sorted(those[number].uses - those[number].binds)
            again = name in those[number].uses  # `x = x + 1` needs the statement before it, too
            number = _last(name, those[:number]) if again else None
    return [(theirs if whose else ours)[number].piece for whose, number in sorted(taken)]


def _last(name, those):
    return next((number for number in reversed(range(len(those))) if name in those[number].binds), None)
