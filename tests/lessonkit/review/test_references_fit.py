"""A reference that needs a name which its notebook has not made by then is found."""

import ast

from toys import code, notebook

from lessonkit.review.references import made, missing


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
