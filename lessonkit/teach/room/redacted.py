"""The course as a submission gets to see it: the questions' inputs and probes, without references and mistakes."""

import ast
import shutil
from pathlib import Path

from lessonkit.system.place import PROJECT
from lessonkit.teach.room.cells import names

_KEPT = {"inputs", "probe", "in_place"}  # of an Exercise: what it takes to run an answer, not to judge it
# Rooms that a cell above an exercise may import, beside the modules at the top: no other is shown.
_SHOWN = ("chapters", "checkpoints", "checks", "data", "ranks", "system")
# Modules of this room that are used in there.
_INSIDE = ("__init__", "question", "inside", "answering", "usage", "wire")
_PACKAGE = Path(__file__).parents[1]


class Revealing(Exception):
    """A question whose inputs or probe cannot be had without its reference or a mistake; the text names both."""


def make_tree(folder: Path) -> Path:
    """Write into `folder` a project whose package has no references, no mistakes, no hints; return the folder.

    Raises `Revealing`.
    """
    package = folder / "course_utils"
    shutil.copytree(_PACKAGE, package, ignore=_ignored)
    (package / "exercises").mkdir()
    (package / "exercises" / "__init__.py").write_text('"""Questions without their answers."""\n', encoding="utf-8")
    for path in sorted((_PACKAGE / "exercises").glob("[!_]*.py")):
        text = redact(path.read_text(encoding="utf-8"), path.stem)
        (package / "exercises" / path.name).write_text(text, encoding="utf-8")
    (package / "room").mkdir()
    for name in ("samples", "recorded"):  # what a cell above an exercise may load
        shutil.copytree(PROJECT / "data" / name, folder / "data" / name)
    for name in _INSIDE:
        shutil.copy(_PACKAGE / "room" / f"{name}.py", package / "room" / f"{name}.py")
    for path in [folder, *folder.rglob("*")]:  # where root grades, another user reads it
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


def _ignored(folder: str, names: list[str]) -> set[str]:
    at_top = Path(folder) == _PACKAGE
    left_out = {name for name in names if at_top and Path(folder, name).is_dir() and name not in _SHOWN}
    return left_out | ({"__pycache__"} & set(names))


def redact(source: str, module: str) -> str:
    """Return the text of an exercises module with its questions alone: what their inputs and probes need.

    Raises `Revealing` where that leads to a reference or a mistake.
    """
    tree = ast.parse(source)
    questions = {node.targets[0].id: node.value for node in tree.body if _is_question(node)}
    secret = set(questions)
    for call in questions.values():
        secret |= {name for word in call.keywords if word.arg == "mistakes" for name in _used(word.value, ())}
    selves = tuple(
        alias.asname
        for node in tree.body
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == f"course_utils.exercises.{module}"
    )
    bound = {}
    for node in tree.body:
        if not _is_question(node) and not isinstance(node, (ast.Import, ast.ImportFrom)):
            for name in _bindings(node):
                bound.setdefault(name, []).append(node)
    shown = {name: _shown(call) for name, call in questions.items()}
    waiting = [(name, used) for name, call in shown.items() for used in _used(call, selves)]
    wanted: list[ast.stmt] = []
    while waiting:
        why, name = waiting.pop()
        for node in bound.get(name, ()):
            if node in wanted:
                continue
            if name in secret:
                raise Revealing(f"{module}: the inputs or the probe of {why} use {name}, an answer")
            wanted.append(node)
            waiting += [(why, used) for used in _used(node, selves)]
    body = []
    for node in tree.body:
        if _is_question(node):
            body.append(ast.Assign(targets=node.targets, value=shown[node.targets[0].id], lineno=node.lineno))
        elif isinstance(node, (ast.Import, ast.ImportFrom)) or node in wanted:
            body.append(node)
    text = ast.unparse(ast.Module(body=body, type_ignores=[]))
    return text.replace(
        "lessonkit.checks.exercise import Exercise", "lessonkit.teach.room.question import Exercise"
    )


def _is_question(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name()], value=ast.Call(func=ast.Name(id="Exercise"))):
            return True
    return False


def _shown(call: ast.Call) -> ast.Call:
    name = ast.Constant(call.args[0].id)
    return ast.Call(func=call.func, args=[name], keywords=[word for word in call.keywords if word.arg in _KEPT])


def _used(node: ast.AST, selves: tuple[str, ...]) -> set[str]:
    """Return the names used anywhere in `node`, `x` of `self.x` for a module that imports itself among them."""
    found = set(names(ast.unparse(node))[1])  # by scope: a local variable may be called as an exercise is
    for one in ast.walk(node):
        match one:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in selves:
                found.add(attribute)
    return found


def _bindings(node: ast.stmt) -> set[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
