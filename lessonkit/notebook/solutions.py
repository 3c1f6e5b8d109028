"""Fill the exercise cells of a notebook with reference solutions, and its questions with the right letters."""

import ast
from importlib.util import find_spec
from pathlib import Path

from nbformat import NotebookNode

from lessonkit.notebook.catalog import find_question
from lessonkit.notebook.cells import tags
from lessonkit.notebook.magics import plain_python
from lessonkit.notebook.tags import EXERCISE, QUESTION
from lessonkit.system.course import course, make_importable

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Unsolvable(Exception):
    """An exercise cell that cannot be filled; the text names the cell and the reason."""


def solve(nb: NotebookNode) -> int:
    """Replace, in place, the stub in every cell tagged `exercise` or `question`; return how many were replaced.

    Raises `Unsolvable` when a cell holds no check, or its stub or reference is not found.
    """
    modules = imported_exercises(nb)
    solved = 0
    for cell in [cell for cell in nb.cells if cell.cell_type == "code"]:
        if EXERCISE in tags(cell):
            cell.source, count = solve_source(cell.source, modules)
            solved += count
        elif QUESTION in tags(cell):
            cell.source = answer_question(cell.source)
            solved += 1
    return solved


def answer_question(source: str) -> str:
    """Return a cell's source with `None` in `NAME = None` replaced by the right letter of `ask("CASE", NAME)`.

    Raises `Unsolvable` where the cell asks no case that has a question.
    """
    for node in ast.walk(_parse(source)):
        match node:
            case ast.Call(func=ast.Name(id="ask"), args=[ast.Constant(value=str(name)), ast.Name(id=given)]):
                letter = getattr(find_question(name), "answer", "")
                if not letter:
                    raise Unsolvable(f"there is no case {name!r} with a question")
                start, found, rest = source.partition(f"{given} = None")
                if not found:
                    raise Unsolvable(f"the question cell {_first(source)} has no `{given} = None`")
                return f'{start}{given} = "{letter}"{rest}'
    raise Unsolvable(f"the question cell {_first(source)} holds no `ask(CASE, ANSWER)`")


def solve_source(source: str, modules: dict[str, str]) -> tuple[str, int]:
    """Return a cell's source with its stubs replaced, and how many there were.

    `modules` maps the alias used in the notebook (`ex`) to the exercises module it stands for. Raises `Unsolvable`
    for a cell without a check, and where a stub or its reference is not found.
    """
    checks = checked(source, modules)
    if not checks:
        raise Unsolvable(f"the exercise cell {_first(source)} holds no `ex.NAME.check(...)`")
    for alias, name in checks:
        source = _replace(source, name, references(modules[alias]), modules[alias])
    return source, len(checks)


def checked(source: str, modules: dict[str, str]) -> list[tuple[str, str]]:
    """Return (alias, exercise) of every `alias.exercise.check(...)` in `source`, where alias is in `modules`."""
    found = []
    for node in ast.walk(_parse(source)):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="check", value=ast.Attribute(attr=name, value=ast.Name(id=alias)))
            ) if alias in modules:
                found.append((alias, name))
    return found


def own_hints(source: str, modules: dict[str, str]) -> list[str]:
    """Return the hints of the first exercise that a cell checks, read from the answers' file; none if it has none.

    Nothing is imported: `Answer(reference, hints=("…", …))` is looked for by its syntax.
    """
    for alias, name in checked(source, modules):
        path = _answers_of(modules[alias])
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if path else ():
            if isinstance(node, ast.Call) and node.args and getattr(node.args[0], "id", "") == name:
                given = [word.value for word in node.keywords if word.arg == "hints"]
                return [text.value for part in given for text in getattr(part, "elts", ()) if _is_text(text)]
    return []


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def references(module: str) -> dict[str, str]:
    """Return the source of every top-level function and class of an exercises module, by name.

    Read from the file, `answers.py` where the module is a folder, so that nothing has to be imported and an
    `Exercise` of the same name does not hide it.
    Raises `Unsolvable` where there is no such module.
    """
    answers = _answers_of(module)
    if answers is None:
        raise Unsolvable(f"there is no module {module}")
    text = answers.read_text(encoding="utf-8")
    lines = text.splitlines()
    nodes = [node for node in ast.parse(text).body if isinstance(node, DEFINITIONS)]
    return {node.name: "\n".join(lines[_start(node) - 1 : node.end_lineno]) for node in nodes}


def _answers_of(module: str) -> Path | None:
    """Return the file with the answers of an exercises module; None where there is no such module."""
    make_importable()
    spec = find_spec(module)
    if spec is None or not spec.origin:
        return None
    return Path(spec.origin).with_name("answers.py") if spec.submodule_search_locations else Path(spec.origin)


def imported_exercises(nb: NotebookNode) -> dict[str, str]:
    """Return the aliases under which the notebook's cells import exercises modules, each with its module."""
    found, package = {}, course().exercises
    for cell in nb.cells:
        if cell.cell_type != "code" or package not in cell.source:
            continue
        for node in ast.walk(_parse(cell.source)):
            if isinstance(node, ast.ImportFrom) and node.module == package:
                found |= {name.asname or name.name: f"{node.module}.{name.name}" for name in node.names}
            elif isinstance(node, ast.Import):
                found |= {
                    name.asname: name.name
                    for name in node.names
                    if name.asname and name.name.startswith(f"{package}.")
                }
    return found


def _replace(source: str, name: str, there: dict[str, str], module: str) -> str:
    if name not in there:
        raise Unsolvable(f"{module} has no function or class {name}; it has: {', '.join(there)}")
    lines = source.splitlines()
    for node in _parse(source).body:
        if isinstance(node, DEFINITIONS) and node.name == name:
            new = there[name]
        elif isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [name]:
            new = f"{there[name]}\n\n\n{name} = {name}()"  # a value exercise: the reference computes it
        else:
            continue
        return "\n".join([*lines[: _start(node) - 1], new, *lines[node.end_lineno :]])
    raise Unsolvable(f"the exercise cell {_first(source)} neither defines nor assigns {name}")


def _start(node: ast.stmt) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])


def _parse(source: str) -> ast.Module:
    """Return the syntax tree of a cell, with the Python that its magics hold."""
    try:
        return ast.parse(plain_python(source))
    except (SyntaxError, ValueError) as error:  # a null byte is a ValueError until Python 3.11.3
        raise Unsolvable(f"the cell {_first(source)} is not Python: {error}") from error


def _first(source: str) -> str:
    return repr(source.strip().split("\n", 1)[0])
