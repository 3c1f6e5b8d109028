"""Turn a chapter into nbgrader's instructor version: a solution below each stub, then a cell that has points.

The stub stays as it is, and the solution stands below it between nbgrader's two marks. What `generate_assignment`
makes of such a cell is the cell of the chapter, to the letter.
"""

import ast

import nbformat
from nbformat import NotebookNode

from lessonkit.notebook.cells import tags
from lessonkit.notebook.solutions import DEFINITIONS, checked, imported_exercises, references
from lessonkit.notebook.tags import EXERCISE
from lessonkit.system.errors import Refused
from lessonkit.teach.assignments.points import Points, stars

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
# No `.check(` in it: by that `course grade` and `course update` know the cell of an answer.
_MARK = """\
# {points} for `{name}`, by nbgrader: in a kernel of your own this cell says nothing.
from lessonkit.teach.assignments.require import require

require({alias}.{name}, {name})"""


def mark(nb: NotebookNode, points: Points) -> dict[str, float]:
    """Turn a chapter, in place, into nbgrader's instructor version; return the points of each exercise.

    Raises `Refused` for a chapter in which there is nothing to grade.
    """
    modules, lights = imported_exercises(nb), stars(nb)
    if not lights:
        raise Refused("there is no exercise in it, so nothing to grade")
    given, cells = {}, []
    for cell in nb.cells:
        cells.append(cell)
        checks = checked(cell.source, modules) if EXERCISE in tags(cell) else []
        for place, (alias, name) in enumerate(checks):
            if not place:
                cell.metadata["nbgrader"] = _metadata(f"{name}-answer", solution=True)
            cell.source = with_solution(cell.source, name, references(modules[alias])[name])
            given[name] = points.of(name, lights[name])
            text = _MARK.format(points=amount(given[name]), alias=alias, name=name)
            cells.append(_points_cell(cell, place, text, name, given[name]))
    nb.cells = cells
    return given


def with_solution(source: str, name: str, solution: str) -> str:
    """Return an exercise cell with the solution below the stub, in place of the empty line that follows there."""
    lines = source.split("\n")
    for node in ast.parse(source).body:
        if isinstance(node, DEFINITIONS) and node.name == name:
            break
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [name]:
            solution = f"{solution}\n\n\n{name} = {name}()"
            break
    else:
        raise Refused(f"the exercise cell of {name} neither defines nor assigns it")
    after = lines[node.end_lineno :]
    if not after or after[0].strip():
        raise Refused(f"in the exercise cell of {name} no empty line follows the stub")
    return "\n".join([*lines[: node.end_lineno], BEGIN, solution, END, *after[1:]])


def amount(points: float) -> str:
    """Return `1 point`, `2.5 points`."""
    return f"{points:g} point{'' if points == 1 else 's'}"


def _points_cell(answer, place, text, name, points):
    """Return the cell that counts, tagged as its exercise is: one of *Further* stays one of it."""
    cell = nbformat.v4.new_code_cell(text, id=f"{answer.id[:48]}-points{place or ''}")
    cell.metadata["tags"] = [tag for tag in tags(answer) if tag != EXERCISE]
    cell.metadata["nbgrader"] = _metadata(name, grade=True) | {"points": points, "cell_type": "code"}
    return cell


def _metadata(grade_id, *, grade=False, solution=False):
    ours = {"grade_id": grade_id, "grade": grade, "solution": solution, "locked": grade, "task": False}
    return NotebookNode(ours | {"schema_version": 3})
