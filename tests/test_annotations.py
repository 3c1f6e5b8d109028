"""Public functions of the package name the types of their parameters.

What they return, and their docstrings, are ruff's to ask for (pyproject.toml); its rule for parameters asks private
functions too.
"""

import ast

import pytest
from depends import PACKAGES
from export_cells import EXPORTS

from course_utils import PROJECT

FROM_CELLS = {export.module for export in EXPORTS}  # a notebook's cells have no annotations


def public_functions(body):
    """Functions of a module's body, and methods of its public classes, `__init__` included."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node.body)
        elif isinstance(node, ast.FunctionDef) and (node.name == "__init__" or not node.name.startswith("_")):
            yield node


def without_type(source):
    """`function.parameter` for each parameter of a public function that has no annotation."""
    for function in public_functions(ast.parse(source).body):
        given = function.args
        parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
        for parameter in filter(None, parameters):
            if parameter.annotation is None and parameter.arg not in ("self", "cls"):
                yield f"{function.name}.{parameter.arg}"


def ready():
    for path in sorted(path for package in PACKAGES for path in (PROJECT / package).rglob("*.py")):
        name = path.relative_to(PROJECT).as_posix()
        if not name.startswith("course_utils/exercises/") and name not in FROM_CELLS:
            yield pytest.param(path, id=name)


@pytest.mark.parametrize("path", list(ready()))
def test_a_public_function_names_the_types_of_its_parameters(path):
    assert list(without_type(path.read_text(encoding="utf-8"))) == []


def test_a_missing_type_is_seen():
    source = "class A:\n    def __init__(self, size):\n        def inner(x): ...\n"
    source += "def fit(model: int, *, lr, **more): ..."
    assert list(without_type(source)) == ["__init__.size", "fit.lr", "fit.more"]
    assert list(without_type("def _private(x): ...\nclass _Hidden:\n    def run(self, x): ...")) == []
