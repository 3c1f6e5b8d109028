"""The package works without the course, without torch and without any library; its examples say what is so."""

import ast
import doctest
import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from course_utils import PROJECT

PACKAGE = PROJECT / "torch_clinic"
MODULES = sorted(PACKAGE.glob("*.py"))
SAID = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x1024 and 512x10)\n"
# Run with -S, so that no installed library can be imported, and with a hook that names what may not be asked for.
WITHOUT = """
import runpy, sys
class Forbidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("course_utils", "lessonkit", "torch"):
            raise AssertionError(f"{name} was imported")
sys.meta_path.insert(0, Forbidden())
sys.path.insert(0, sys.argv.pop(1))
sys.dont_write_bytecode = True
runpy.run_module("torch_clinic", run_name="__main__", alter_sys=True)
"""


def alone(folder, *arguments, pipe=""):
    """(exit status, output, error) of `python -m torch_clinic`, found in `folder`, with nothing else to import."""
    command = [sys.executable, "-I", "-S", "-c", WITHOUT, str(folder), *map(str, arguments)]
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        command, input=pipe, capture_output=True, text=True, encoding="utf-8", env=environment, timeout=120
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the package as its own wheel installs it, built from a copy: the clone stays clean."""
    folder = tmp_path_factory.mktemp("wheel")
    left_out = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
    shutil.copytree(PACKAGE, folder / "source", ignore=left_out)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", folder, folder / "source"]
    done = subprocess.run(build, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("torch_clinic-*.whl")
    install = [*pip, "install", "--no-deps", "--no-index", "--target", folder / "installed", wheel]
    done = subprocess.run(install, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "installed"


@pytest.mark.parametrize("where", ["clone", "wheel"])
def test_it_runs_with_the_standard_library_alone(request, tmp_path, where):
    folder = PROJECT if where == "clone" else request.getfixturevalue("installed")
    (tmp_path / "traceback.txt").write_text(SAID, encoding="utf-8")
    status, output, error = alone(folder, tmp_path / "traceback.txt")
    assert (status, error) == (0, "") and output.startswith("1. ") and "(`mm_shapes`, chapter 04 nets)" in output
    status, output, _ = alone(folder, tmp_path / "traceback.txt", "-", pipe="KeyError: 'lr'\n")
    assert status == 1 and "traceback.txt:\n1. " in output and "-:\nI do not know this one." in output
    status, output, error = alone(folder, tmp_path / "none.txt")
    assert (status, output) == (2, "") and error.startswith("Refused: ") and "No such file" in error


def test_the_hook_would_see_a_forbidden_import(tmp_path):
    (tmp_path / "torch_clinic").mkdir()
    (tmp_path / "torch_clinic" / "__main__.py").write_text("import torch.nn", encoding="utf-8")
    status, _, error = alone(tmp_path)
    assert status == 1 and "torch was imported" in error


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_module_imports_the_standard_library_and_this_package_alone(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import; write the full name"
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            tops = {name.partition(".")[0] for name in names}
            assert tops <= {*sys.stdlib_module_names, "torch_clinic"}, f"line {node.lineno}"
            assert path.name != "__init__.py", "an __init__ that re-exports"


@pytest.mark.parametrize(("name", "least"), [("cases", 6), ("diagnosis", 5), ("packages", 3), ("platforms", 1)])
def test_the_examples_say_what_is_so(name, least):
    result = doctest.testmod(importlib.import_module(f"torch_clinic.{name}"))
    assert result.failed == 0 and result.attempted >= least


def test_the_readme_counts_the_cases():
    known = importlib.import_module("torch_clinic.cases").known_cases()
    assert f"{len(known)} known errors" in Path(PACKAGE / "README.md").read_text(encoding="utf-8")
