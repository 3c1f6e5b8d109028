"""Below a NameError, a learner reads which cell makes the name; an own slip gets no advice."""

import os
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils import PROJECT
from lessonkit.desk.folder import Desk, work_folder
from lessonkit.desk.missing_names import advice_on, names_made_by

IMPORTS = "# No such module? Run `make setup`.\nimport torch\n\nfrom course_utils.exercises import start_here as ex"


@pytest.fixture
def notebook(tmp_path):
    """The path of a notebook in a folder with a space and an é."""
    path = tmp_path / "mon école" / "00_start.ipynb"
    path.parent.mkdir()
    cells = [
        new_markdown_cell("# ex = 1"),
        new_code_cell(IMPORTS),
        new_code_cell("%matplotlib inline\nfor epoch in range(3):\n    loss = epoch"),
        new_code_cell("def train(model:\n    broken"),
        new_code_cell("print(ex)"),
    ]
    nbformat.write(new_notebook(cells=cells), path)
    return path


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("ex", "from course_utils.exercises import start_here as ex"),
        ("torch", "import torch"),
        ("epoch", "for epoch in range(3):"),
        ("loss", "loss = epoch"),
    ],
)
def test_the_cell_that_makes_the_name_is_named_by_its_line(notebook, name, line):
    said = advice_on(name, notebook, ran="print(ex)")
    assert said.startswith(f"`{name}` is made by the cell with the line `{line}`, and that cell has not run")
    assert "Run All Above Selected Cell" in said


@pytest.mark.parametrize("name", ["model", "broken", "tensr", "print"])
def test_a_name_that_no_cell_makes_gets_no_advice(notebook, name):
    assert advice_on(name, notebook) == ""


def test_the_cell_that_raised_is_not_the_one_to_run_first(notebook):
    assert advice_on("ex", notebook, ran=f"{IMPORTS}\n") == ""


def test_without_a_notebook_there_is_no_advice(tmp_path):
    assert advice_on("ex", tmp_path / "gone.ipynb") == "" == advice_on("ex", tmp_path)


def test_a_deleted_exercise_is_named_with_the_command_that_brings_it_back(tmp_path, monkeypatch):
    chapter = nbformat.read(PROJECT / "notebooks" / "00_start_here.ipynb", 4)
    chapter.metadata.course["copy_of"] = {"chapter": "00_start_here", "version": "0" * 12}
    chapter.cells = [cell for cell in chapter.cells if "hit_rates" not in cell.source]
    nbformat.write(chapter, tmp_path / "00_start_here.ipynb")
    monkeypatch.setenv("COURSE_WORK", str(tmp_path))
    said = advice_on("hit_rates", tmp_path / "00_start_here.ipynb")
    assert said.startswith("`hit_rates` is an exercise") and "`course restore 00 hit_rates`" in said
    assert Desk(work_folder()).work == tmp_path


@pytest.mark.parametrize(
    ("source", "made"),
    [
        ("import torch.nn as nn, os.path", {"nn", "os"}),
        ("x, (y, *z) = 1, (2, 3)\nw += 1", {"x", "y", "z", "w"}),
        ("def f(a):\n    b = a\nclass C:\n    d = 1", {"f", "C"}),
        ("with open('x') as file:\n    pass\nif (n := 3): pass", {"file", "n"}),
        ("!pip list\n%time x = 1\ny = 2", {"y"}),
        ("for", set()),
        ("x = '\0'", set()),
        ("", set()),
    ],
)
def test_names_that_a_cell_makes(source, made):
    assert names_made_by(source) == made


KERNEL = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
exec(open(sys.argv[1], encoding="utf-8").read(), shell.user_ns)
assert "_course" not in shell.user_ns
shell.run_cell("print(ex)")
shell.run_cell("print(slip)")
shell.run_cell("print(1)")
"""


def test_a_kernel_of_course_lab_prints_the_advice_once_and_keeps_its_names(notebook):
    startup = PROJECT / "lessonkit" / "desk" / "kernel_startup.py"
    ran = subprocess.run(
        [sys.executable, "-c", KERNEL, startup],
        env=os.environ | {"JPY_SESSION_NAME": str(notebook), "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("has not run in this kernel") == 1 and ran.stdout.rstrip().endswith("1")


def test_another_python_in_a_terminal_starts_without_a_word(tmp_path):
    startup = PROJECT / "lessonkit" / "desk" / "kernel_startup.py"
    ran = subprocess.run(
        [sys.executable, "-I", "-S", startup], capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
