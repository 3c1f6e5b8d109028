"""Find the statements that an answer needs, each name as it was where the answer was checked.

A statement is taken when it binds, or alters, a name that is used and is not bound yet: an import, a function, a
constant. So an answer runs in seconds, without the training that stands above it.
"""

import ast
import bisect
import builtins
import contextlib
import symtable
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lessonkit.notebook.magics import plain_python

_THERE = {*vars(builtins), "__name__", "__file__", "get_ipython", "display"}
_AT_ONCE = {"listcomp", "setcomp", "dictcomp", "genexpr"}  # scopes that run where they stand, as a class does
_OF_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_MAYBE = (ast.If, ast.Try, ast.TryStar, ast.While, ast.Match)  # what they bind, they may leave as it was
_TROUBLE = (SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True)
class Piece:
    """Python to run: one statement of a cell. `label`: how a traceback calls the cell."""

    label: str
    source: str


@dataclass(frozen=True)
class Statement:
    """One statement at the top of a cell.

    `binds`: names at the top. `now`: names that it reads as it runs, `later`: those that functions in it read when
    they are called. `alters`: names whose object it changes by assigning to a part of it (`f.x = 1`, `d[k] = v`);
    `calls`: names whose methods it calls for what they do (`d.update(…)`); `hands`: names that it hands to
    functions, which may alter what they stand for. `node`: its syntax tree.
    """

    piece: Piece
    binds: frozenset[str]
    now: frozenset[str]
    later: frozenset[str]
    alters: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    hands: frozenset[str] = frozenset()
    node: ast.stmt = field(default_factory=ast.Pass, compare=False)

    @property
    def sets(self) -> frozenset[str]:
        """Names at the top of the notebook that a function which it defines binds when called (`global`)."""
        inside = ast.walk(self.node) if isinstance(self.node, _OF_FUNCTIONS) else ()
        return frozenset(name for one in inside if isinstance(one, ast.Global) for name in one.names)

    @property
    def is_import(self) -> bool:
        """Whether it binds modules, or what is in them."""
        return isinstance(self.node, (ast.Import, ast.ImportFrom))

    @property
    def takes_all(self) -> bool:
        """Whether it imports all that a module offers (a star), and so may bind any name."""
        return isinstance(self.node, ast.ImportFrom) and any(alias.name == "*" for alias in self.node.names)


def statements(cells: Iterable[tuple[str, str]]) -> list[Statement]:
    """Return the statements of (label, source) cells in order; a cell that is not Python has none."""
    found = []
    for label, source in cells:
        with contextlib.suppress(*_TROUBLE):
            found += of_cell(label, source)
    return found


def of_cell(label: str, source: str) -> list[Statement]:
    """Return the statements of one cell. Raises SyntaxError, ValueError, RecursionError or MemoryError.

    What the parser takes and the compiler does not (`def f(a, a)`) is a SyntaxError as well.
    """
    source = plain_python(source)
    lines = source.splitlines()
    return [_statement(label, node, lines) for node in ast.parse(source).body]


def _statement(label: str, node: ast.stmt, lines: Sequence[str]) -> Statement:
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    # With the empty lines above it, so that a traceback names the line of the cell.
    text = "\n" * (first - 1) + "\n".join(lines[first - 1 : node.end_lineno])
    try:
        binds, uses = names(text)
        if len(ast.parse(text).body) != 1:
            raise SyntaxError("two statements on one line")
    except SyntaxError:  # cut in the middle, or with its neighbour
        text = "\n" * (first - 1) + ast.unparse(node)
        binds, uses = names(text)
    alters, calls, hands = _alterations(node)
    later = frozenset(_later(symtable.symtable(text, "<cell>", "exec"))) - binds
    now = (uses - binds - later) | _read(node, binds)
    return Statement(Piece(label, text), binds, now, later, alters, calls, hands, node)


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


def _later(table):
    """Yield the names that functions below a scope use from the top of the notebook, which they do when called."""
    for child in table.get_children():
        runs = child.get_type() == "class" or child.get_name() in _AT_ONCE
        for part in [] if runs else _tables(child):
            yield from (one.get_name() for one in part.get_symbols() if _is_free(part, one))
        if runs:
            yield from _later(child)


def _read(node, binds):
    """Return the names that a statement reads as it runs, of those that it `binds` the ones it reads before."""
    read, bound = set(), set()

    def visit(one):
        match one:
            case ast.Name(id=name, ctx=ast.Load()):
                if name not in bound:
                    read.add(name)
            case ast.Name(id=name):
                bound.add(name)
            case ast.Assign(targets=targets, value=value):
                each(value, *targets)
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                if name not in bound:
                    read.add(name)
                each(value)
            case ast.NamedExpr(target=target, value=value):
                each(value, target)
            case ast.For(target=target, iter=made) | ast.AsyncFor(target=target, iter=made):
                each(made, target, *one.body, *one.orelse)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                each(*one.decorator_list, *one.args.defaults, *filter(None, one.args.kw_defaults))
                bound.add(one.name)
            case ast.ClassDef():
                each(*one.decorator_list, *one.bases, *one.keywords)
                bound.add(one.name)
            case ast.Lambda():
                each(*one.args.defaults, *filter(None, one.args.kw_defaults))
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                inside = {name.id for name in ast.walk(one) if isinstance(name, ast.Name)}
                read.update(inside & binds - bound)
            case _:
                each(*ast.iter_child_nodes(one))

    def each(*nodes):
        for one in nodes:
            visit(one)

    visit(node)
    return read


def _alterations(node):
    """Return what a statement `alters`, `calls` and `hands` on."""
    alters, calls, hands, waiting = set(), set(), set(), [node]
    while waiting:
        one = waiting.pop()
        match one:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                alters.add(_root(one))
            case ast.Expr(value=ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[changed, *_])):
                alters.add(_root(changed))
            case ast.Expr(value=ast.Call(func=ast.Attribute() as method)):
                calls.add(_root(method))
        if isinstance(one, ast.Call) and not (isinstance(one.func, ast.Name) and one.func.id in _THERE):
            hands.update(map(_root, [*one.args, *(keyword.value for keyword in one.keywords)]))
        if not isinstance(one, (*_OF_FUNCTIONS, ast.ClassDef)):
            waiting += ast.iter_child_nodes(one)
    return frozenset(alters - {""}), frozenset(calls - {""}), frozenset(hands - {""})


def _root(node):
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


class Notebook:
    """A learner's statements in order (`theirs`), and those of our chapter (`ours`), by what they bind or alter.

    `wide`: what hands an object to a function is taken to alter it, as `fill(d)` may, and `show(d)` does not; and
    of a cell that is needed all is run, as `loss.backward()` alters what `loss` was made from. `course`: which of
    `theirs` are the course's own, of whose cells no more is run than is needed.
    """

    def __init__(
        self,
        theirs: Sequence[Statement],
        ours: Sequence[Statement] = (),
        *,
        wide: bool = False,
        course: Collection[int] = (),
    ) -> None:
        self.theirs, self.ours = theirs, ours
        self._of: tuple[Mapping[str, list[int]], ...] = (_by_name(ours), _by_name(theirs, wide=wide))
        self.wide, self.course = wide, course
        self._all = [number for number, one in enumerate(theirs) if one.takes_all]

    def binding(self, name: str, position: int) -> int | None:
        """Return which of `theirs` binds a name last before a position."""
        numbers = self._of[1].get(name, [])
        for number in reversed(numbers[: bisect.bisect_left(numbers, position)]):
            if name in self.theirs[number].binds:
                return number
        return None

    def needed(self, uses: Collection[str], position: int, cell: str = "") -> list[Statement]:
        """Return what is run before something that uses names at a position in `theirs`, in order.

        A name is what it was there: bound by the learner's last statement before it, else by our chapter, else by
        the first statement after it, as when cells were run in another order. `cell`: the label of the cell in
        question, whose own statements are run after those of others.
        """
        taken = {(1, number) for number in self._all if number < position}
        waiting = [(name, 1, position) for name in sorted(uses)]
        waiting += [(name, 1, number) for _, number in taken for name in self.theirs[number].now]
        seen = set(waiting)
        while waiting:
            name, whose, place = waiting.pop()
            found = self._bound(name, whose, place)
            if found is None:
                continue
            taken.add(found)
            whose, number = found
            one = (self.ours, self.theirs)[whose][number]
            again = name not in one.binds or isinstance(one.node, _MAYBE)  # altered, or perhaps bound
            called = max(place, number + 1) if whose else len(self.ours)  # when its functions are
            more = [(other, whose, number) for other in one.now | ({name} if again else set())]
            more += [(other, whose, called) for other in one.later]
            if self.wide and whose and not one.is_import and number not in self.course:
                more += self._beside(number, position, taken)
            waiting += [each for each in more if each not in seen]
            seen.update(more)
        last = [key for key in taken if key[0] and self.theirs[key[1]].piece.label == cell]
        order = [*sorted(taken - set(last)), *sorted(last)]
        return [(self.ours, self.theirs)[whose][number] for whose, number in order]

    def _beside(self, number, position, taken):
        """Take the other statements of a cell, but for those below the position; return what they need."""
        label, more = self.theirs[number].piece.label, []
        for other, one in enumerate(self.theirs[:position]):
            if one.piece.label == label and (1, other) not in taken and not one.is_import:
                taken.add((1, other))
                more += [(name, 1, other) for name in one.now] + [(name, 1, other + 1) for name in one.later]
        return more

    def _bound(self, name, whose, place):
        """Return (whose, number) of the statement by which a name is what it is at a place."""
        numbers = self._of[1].get(name, [])
        after = bisect.bisect_left(numbers, place)
        ours = self._of[0].get(name, [])
        if not whose:
            before = bisect.bisect_left(ours, place)
            if before:
                return 0, ours[before - 1]
            return (1, numbers[-1]) if numbers and name not in _THERE else None
        if after:
            return 1, numbers[after - 1]
        if name in _THERE:
            return None
        if ours:
            return 0, ours[-1]
        return (1, numbers[0]) if numbers else None


def _by_name(those, *, wide=False):
    """Return name -> numbers of the statements that bind it, or alter what it stands for, in order."""
    found: dict[str, list[int]] = {}
    imported: set[str] = set()
    setters: dict[str, frozenset[str]] = {}
    for number, one in enumerate(those):
        imported = imported | one.binds if one.is_import else imported - one.binds
        set_here = frozenset().union(*(setters[name] for name in one.now & setters.keys()))
        altered = one.alters | set_here | (one.calls - imported) | (one.hands - imported if wide else frozenset())
        for name in one.binds | altered:
            found.setdefault(name, []).append(number)
        setters.update((name, one.sets) for name in one.binds if one.sets)
    return found
