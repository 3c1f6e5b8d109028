"""A reference uses only names that its notebook has by then: learners are shown it, and `solved` runs it there."""

import ast
import builtins
import symtable

import nbformat
import pytest
from toys import code, notebook

from course_utils import PROJECT
from lessonkit.notebook.cells import code_cells, tags
from lessonkit.notebook.core import keep_core
from lessonkit.notebook.solutions import checked, imported_exercises, references

NOTEBOOKS = sorted((PROJECT / "notebooks").glob("*.ipynb"))


def asked_for(table):
    """The global names that a function's table and those inside it look up."""
    found = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global() and symbol.is_referenced()}
    return found.union(*map(asked_for, table.get_children()))


def made(source):
    """The names that a cell has made when it ended; none where it is no plain Python (`%%writefile`)."""
    try:
        table = symtable.symtable(source, "cell", "exec")
    except SyntaxError:
        return set()
    return {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}


def missing(nb, read=references):
    """(exercise, names) of every reference that needs what no cell up to its own has made."""
    modules, have = imported_exercises(nb), set(dir(builtins))
    for cell in code_cells(nb):
        have |= made(cell.source)
        if "exercise" not in tags(cell):
            continue
        for alias, name in checked(cell.source, modules):
            (function,) = symtable.symtable(read(modules[alias])[name], name, "exec").get_children()
            if unknown := asked_for(function) - have:
                yield name, sorted(unknown)


@pytest.mark.parametrize("core", [False, True], ids=["whole", "core"])
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_reference_runs_in_its_notebook(path, core):
    nb = nbformat.read(path, 4)
    if core:
        keep_core(nb)
    assert not list(missing(nb))


def test_a_name_of_the_exercises_module_is_missed():
    stub = "import math\n\nimport course_utils.exercises.toy as ex"
    nb = notebook(code(stub), code("def area(r):\n    ...\n\n\nex.area.check(area)", "exercise"))
    reference = (
        "def area(r):\n    def square(x):\n        return SCALE * x**2\n\n    return math.pi * square(abs(r))"
    )
    assert list(missing(nb, lambda module: {"area": reference})) == [("area", ["SCALE"])]


def test_a_cell_that_is_no_python_makes_no_names():
    assert made("%%writefile by_hand.py\nx = 1") == set()
    assert made(ast.unparse(ast.parse("x = 1\nfor y in []: pass\nimport os.path\ndef f(): z = 1"))) == {
        "x",
        "y",
        "os",
        "f",
    }
