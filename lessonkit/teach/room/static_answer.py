"""Static analysis of an answer: the judge reads the source (is it a stub, does it contain a loop?), never runs it.

Code is compiled and not executed. Of the names in it, only modules and functions of libraries, and functions and
classes of the same cells, are known.
"""

import ast
import builtins
import contextlib
import importlib
import sys
from collections.abc import Sequence
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType

from lessonkit.checks.outcomes import untouched
from lessonkit.teach.room.needed_cells import Piece, names
from lessonkit.teach.room.sandbox.front_end import show_lines

_IMPORTED = {
    "torch",
    "torchvision",
    "numpy",
    "safetensors",
}  # of others what the judge has imported itself is known
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_KNOWN = (ModuleType, FunctionType, BuiltinFunctionType, type, int, float, str)  # what a name shows all of
_PARTS = "<parts of an answer>"


class Unseen:
    """Stands for an answer whose code the cells do not show; it can be called by nobody."""

    def __call__(self, *arguments: object) -> None:
        """Raise: there is nothing to call."""
        raise NotImplementedError("this stands for code that is somewhere else")


def answer_in(pieces: Sequence[Piece], given: Piece) -> object:
    """Return what `given` is by the text of the pieces: a function or class nobody may call, a value, or Unseen.

    Of several statements that bind a name the last counts.
    """
    space: dict[str, object] = {"__name__": "__main__"}
    elsewhere: set[str] = set()  # bound by a function when it is called, to what the text may not show
    show_lines((piece.label, piece.source) for piece in [*pieces, given])
    for piece in pieces:
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            tree = ast.parse(piece.source)
            for node in tree.body:
                _bind(node, piece.label, space)
            elsewhere.update(name for one in ast.walk(tree) if isinstance(one, ast.Global) for name in one.names)
    space.update((name, Unseen()) for name in elsewhere)
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        node = ast.parse(given.source, mode="eval").body
        return _value(node, given.label, space)
    return Unseen()


def value_of(node: ast.expr, pieces: Sequence[Piece]) -> object:
    """Return the value of an expression by the text of the pieces; Unseen where they do not show it."""
    space: dict[str, object] = {"__name__": "__main__"}
    for piece in pieces:
        for one in ast.parse(piece.source).body:
            _bind(one, piece.label, space)
    return _value(node, "<given>", space)


def _bind(node, label, space):
    match node:
        case ast.Import(names=aliases):
            for alias in aliases:
                module = _module(alias.name)
                if module is not None:
                    whole = alias.asname or "." not in alias.name
                    space[alias.asname or alias.name.split(".")[0]] = (
                        module if whole else sys.modules[alias.name.split(".")[0]]
                    )
        case ast.ImportFrom(module=str(source), names=aliases, level=0):
            for alias in aliases:
                found = getattr(_module(source), alias.name, None) or _module(f"{source}.{alias.name}")
                if found is not None:
                    space[alias.asname or alias.name] = found
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            made = _function(node, label, space)
            decorated = node.decorator_list and not untouched(made)
            space[node.name] = _of_parts([made], space, node.decorator_list) if decorated else made
        case ast.ClassDef():
            space[node.name] = _class(node, label, space)
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            space[name] = _value(value, label, space)
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=name)], value=value):
            if isinstance(space.get(owner), type) and space[owner].__module__ == "__main__":  # a class made above
                setattr(space[owner], name, _value(value, label, space))
        case ast.If() | ast.Try() | ast.TryStar() | ast.With() | ast.For() | ast.While():
            _bind_inside(node, label, space)
        case _:  # whatever else binds a name at the top: several names at once
            _hide(node, space)


def _hide(node, space):
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            space[one.id] = Unseen()


def _bind_inside(node, label, space):
    """Bind what the blocks of a statement do; of several that bind a name any may have run: all are parts."""
    found = {name: [one] for name, one in space.items() if not isinstance(node, (ast.With, ast.For))}
    for one in ast.iter_child_nodes(node):
        if not isinstance(one, (ast.stmt, ast.ExceptHandler)):  # a loop's variable, a file that is opened
            _hide(one, space)
    handlers = [one for each in getattr(node, "handlers", ()) for one in each.body]
    for one in [*(one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt)), *handlers]:
        before = dict(space)
        _bind(one, label, space)
        for name, value in space.items():
            if value is not before.get(name):
                found.setdefault(name, []).append(value)
    for name, values in found.items():
        if len(values) > 1:
            space[name] = _of_parts(values, space, ())


def made_of_parts(written: object) -> bool:
    """Return whether this stands for an answer of which only the parts are known, not which of them runs."""
    return getattr(written, "__name__", "") == _PARTS


def _of_parts(values, space, expressions):
    """Return a function that names these functions and classes, and what the expressions name; else Unseen.

    It says what there is to look at, and not how it is put together: a decorator, a branch, a function that makes
    one. Nobody calls it.
    """
    parts = [one for one in values if isinstance(one, (type, FunctionType))]
    if any(isinstance(one, Unseen) for one in values):
        return Unseen()
    if not parts and not expressions:
        return values[-1]
    keys = [f"part {len(space) + number}" for number in range(len(parts))]
    space.update(zip(keys, parts, strict=True))
    named = [ast.Name(key, ast.Load()) for key in keys]
    arguments = ast.arguments([], [], None, [], [], None, [])
    node = ast.Expression(ast.Lambda(arguments, ast.Tuple([*expressions, *named], ast.Load())))
    used = names(ast.unparse(ast.Tuple(list(expressions), ast.Load())))[1] if expressions else ()
    known = [space.get(name, vars(builtins).get(name)) for name in used]
    if not all(isinstance(one, _KNOWN) for one in known) or not (known or parts):
        return Unseen()
    code = compile(ast.fix_missing_locations(node), "<parts>", "eval")
    return FunctionType(next(one for one in code.co_consts if isinstance(one, CodeType)), space, _PARTS)


def _module(name):
    parts = name.split(".")
    if name not in sys.modules and parts[0] in _IMPORTED and not any(part.startswith("_") for part in parts):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    return sys.modules.get(name)


def _value(node, label, space):
    match node:
        case ast.Lambda():
            code = compile(ast.Expression(node), label, "eval")
            return FunctionType(next(one for one in code.co_consts if isinstance(one, CodeType)), space)
        case ast.Name(id=name):
            return space.get(name, Unseen())
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError):
        pass
    try:
        return _of_parts([], space, [node])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Unseen()


def _function(node, label, space):
    code = compile(ast.Module([node], []), label, "exec")
    return _made(
        next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == node.name), space
    )


def _class(node, label, space):
    bare = ast.copy_location(ast.ClassDef(**{**vars(node), "decorator_list": []}), node)
    code = compile(ast.Module([bare], []), label, "exec")
    body = next(one for one in code.co_consts if isinstance(one, CodeType))
    own = {one.name for one in node.body if isinstance(one, _FUNCTIONS)}
    methods = {
        one.co_name: _made(one, space) for one in body.co_consts if isinstance(one, CodeType) and one.co_name in own
    }
    bases = [space.get(one.id) for one in node.bases if isinstance(one, ast.Name)]
    bases = tuple(dict.fromkeys(one for one in bases if isinstance(one, type) and one.__module__ == "__main__"))
    made = type(node.name, bases, {"__module__": "__main__", "__doc__": ast.get_docstring(node), **methods})
    called = [one for one in node.bases if not isinstance(one, (ast.Name, ast.Attribute))]
    return _of_parts([made], space, called) if called else made


def _made(code, space):
    return FunctionType(code, space, code.co_name, None, tuple(CellType() for _ in code.co_freevars))
