"""Find in a learner's notebook all that may be the answer to a task, handed to a check or to none.

An answer is what it was at its check. One that is defined and that no check was given is what it was at the end of
its cell. Our stub, where a learner left it, is no answer.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lessonkit.system.course import course
from lessonkit.teach.room.needed_cells import Notebook, Piece, Statement, names

MOST = 12  # answers to one task that are run; more are those of a program, and are said to be left out
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True)
class Candidate:
    """One possible answer: the value of `given` after `pieces` have run, in the cell with this label.

    `checked`: whether a check was given it. `inside`: the last piece, a block around the check, alone knows what.
    `wider`: pieces among which is also what may have altered its objects.
    """

    cell: str
    pieces: tuple[Piece, ...]
    given: Piece
    checked: bool
    inside: bool = False
    wider: tuple[Piece, ...] = ()


def candidates(
    name: str,
    notebook: Notebook,
    wide: Notebook,
    *,
    asked: bool,
    stubs: frozenset[str],
    course_cells: dict[str, str],
) -> list[Candidate]:
    """Return the possible answers to a task, in the order of the notebook, each once.

    Two are one where both their pieces and their wider pieces have the same text: the same check of the same
    dictionary, filled by another function in between, is another answer. `wide`: the same statements, read so.
    `asked`: it is a question with letters. `stubs`: our stubs of it, as `ast.unparse` writes them. `course_cells`:
    text of a statement of our chapter, written so -> the cell that it is in; what is checked there is no answer.
    """
    found: list[tuple[int, Candidate]] = []
    judged: set[int | None] = set()
    for number, one in enumerate(notebook.theirs):
        if ast.unparse(one.node) in course_cells:
            continue
        for given, inside in _given(one.node, name, asked=asked, aliases=_aliases(notebook.theirs, name)):
            stub = False
            if isinstance(given, ast.Name):
                binding = number if inside else notebook.binding(given.id, number)
                judged.add(binding)
                stub = binding is not None and ast.unparse(notebook.theirs[binding].node) in stubs
            if not stub:
                found.append((number, _candidate(notebook, wide, number, given, course_cells, inside=inside)))
    if not asked:
        for number in _defined(notebook.theirs, name):
            one = notebook.theirs[number]
            text = ast.unparse(one.node)
            if number not in judged and text not in stubs and text not in course_cells:
                found.append((number, _unchecked(notebook, wide, one, name, course_cells)))
    found.sort(key=lambda each: each[0])
    distinct = {_text(each): each for _, each in reversed(found)}  # of equal ones the first
    return list(distinct.values())[::-1]


def _text(one: Candidate) -> tuple[str, ...]:
    """Return what is run, wherever it stands."""
    pieces = (*one.pieces, *one.wider)
    return (*(piece.source.strip() for piece in pieces), one.given.source.strip("\n ()"))


def _candidate(notebook, wide, number, given, course_cells, *, inside):
    one = notebook.theirs[number]
    cell, text = one.piece.label, ast.unparse(given)
    expression = Piece(cell, "\n" * (given.lineno - 1) + _source(one, given, text))
    uses = one.now | one.later if inside else names(text)[1]
    pieces, wider = (
        _pieces([*those.needed(uses, number, cell), *([one] if inside else [])], course_cells)
        for those in (notebook, wide)
    )
    return Candidate(cell, pieces, expression, checked=True, inside=inside, wider=wider)


def _source(one, given, text):
    """Return an expression as the learner wrote it, so that a line of it is found in its cell."""
    lines = one.piece.source.splitlines()[given.lineno - 1 : given.end_lineno]
    written = "\n".join(lines).encode()[given.col_offset :]
    if cut := len(lines[-1].encode()) - given.end_col_offset if lines else 0:
        written = written[:-cut]
    try:
        if ast.dump(ast.parse(f"({written.decode()})", mode="eval").body) == ast.dump(given):
            return f"({written.decode()})"
    except (SyntaxError, ValueError):
        pass
    return text  # of a statement that was cut out of its line


def _unchecked(notebook, wide, one, name, course_cells):
    cell = one.piece.label
    end = max(n for n, other in enumerate(notebook.theirs) if other.piece.label == cell) + 1
    pieces, wider = (_pieces(those.needed({name}, end, cell), course_cells) for those in (notebook, wide))
    return Candidate(cell, pieces, Piece(cell, name), checked=False, wider=wider)


def _pieces(taken: Sequence[Statement], course_cells: dict[str, str]) -> tuple[Piece, ...]:
    """Return what is run; a statement that the learner left as it is in our chapter is the course's."""
    return tuple(Piece(course_cells.get(ast.unparse(one.node), one.piece.label), one.piece.source) for one in taken)


def _defined(theirs: Sequence[Statement], name: str) -> list[int]:
    """Return the last statement of each cell that binds a name, but for an import of our exercise."""
    last: dict[str, int] = {}
    for number, one in enumerate(theirs):
        ours = isinstance(one.node, ast.ImportFrom) and (one.node.module or "").startswith(course().exercises)
        if name in one.binds and not ours:
            last[one.piece.label] = number
    return list(last.values())


def _aliases(theirs: Sequence[Statement], name: str) -> dict[str, str]:
    """Return other names of an exercise (`task = ex.ink`) and of its check, each with which of both it is."""
    found = {}
    for one in theirs:
        match one.node:
            case ast.Assign(targets=[ast.Name(id=other)], value=ast.Attribute(attr=attribute)) if attribute == name:
                found[other] = "exercise"
            case ast.Assign(
                targets=[ast.Name(id=other)], value=ast.Attribute(attr="check", value=ast.Attribute(attr=attribute))
            ) if attribute == name:
                found[other] = "check"
            case ast.ImportFrom(module=str(module), names=those) if module.startswith(course().exercises):
                found |= {alias.asname or alias.name: "exercise" for alias in those if alias.name == name}
    return found


def _given(node: ast.stmt, name: str, *, asked: bool, aliases: dict[str, str]) -> Iterator[tuple[ast.expr, bool]]:
    """Yield what each check of a task in a statement is given, and whether only that statement binds it."""
    bound = {} if isinstance(node, ast.Assign) else _bound_inside(node)
    waiting = [node]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, _SCOPES):
            continue  # it runs when it is called; what it is called with has a name of its own
        given = _asked(one, name) if asked else _checked(one, name, aliases)
        if given is not None:
            own = {each.id for each in ast.walk(given) if isinstance(each, ast.Name)}
            inside = own & bound.keys()
            if isinstance(given, ast.Name) and bound.get(given.id):
                yield from ((each, False) for each in bound[given.id])
            else:
                yield given, bool(inside) and not isinstance(given, ast.Lambda)
        waiting += ast.iter_child_nodes(one)


def _checked(node, name, aliases):
    """Return the argument of `….NAME.check(…)`, under whatever other name; None for anything else."""
    match node:
        case ast.Call(func=ast.Attribute(attr="check", value=ast.Attribute(attr=other))) if other == name:
            pass
        case ast.Call(func=ast.Attribute(attr="check", value=ast.Name(id=other))) if (
            aliases.get(other) == "exercise"
        ):
            pass
        case ast.Call(func=ast.Name(id=other)) if aliases.get(other) == "check":
            pass
        case _:
            return None
    keywords = [one.value for one in node.keywords if one.arg == "answer"]
    return next((one for one in [*node.args, *keywords] if not isinstance(one, ast.Starred)), None)


def _asked(node, name):
    match node:
        case ast.Call(
            func=ast.Name(id="ask") | ast.Attribute(attr="ask"), args=[ast.Constant(value=str(other)), given]
        ) if other == name:
            return given
    return None


def _bound_inside(node) -> dict[str, list[ast.expr]]:
    """Return the names that a statement binds around a check, with their values where the text shows them."""
    found: dict[str, list[ast.expr]] = {}
    for one in ast.walk(node):
        match one:
            case ast.NamedExpr():
                continue
            case ast.For(target=target, iter=made) | ast.comprehension(target=target, iter=made):
                shown = isinstance(target, ast.Name) and isinstance(made, (ast.Tuple, ast.List))
                if shown and not any(isinstance(each, ast.Starred) for each in made.elts):
                    found[target.id] = made.elts
                    continue
                found |= {each.id: [] for each in ast.walk(target) if isinstance(each, ast.Name)}
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.setdefault(name, [])
            case ast.Assign(targets=targets):
                for each in (name for target in targets for name in ast.walk(target)):
                    if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                        found.setdefault(each.id, [])
            case ast.withitem(optional_vars=ast.Name(id=name)):
                found.setdefault(name, [])
    return found
