"""Every public function and class at the top of course_utils has an example, and each example is true."""

import ast
import doctest
import importlib

import pytest

from course_utils import PROJECT
from course_utils.data import download

MODULES = sorted(path.stem for path in (PROJECT / "course_utils").glob("[!_]*.py"))
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def public(module):
    """{name: docstring} of the functions and classes of a module; an error is shown by what raises it."""
    tree = ast.parse((PROJECT / "course_utils" / f"{module}.py").read_text(encoding="utf-8"))
    return {
        node.name: ast.get_docstring(node) or ""
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
        if not node.name.endswith("Error")
    }


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_are_true(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # examples write here
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    monkeypatch.delenv("COURSE_DATA", raising=False)
    monkeypatch.setattr(download, "_failed", {})
    found = importlib.import_module(f"course_utils.{module}")
    import torch

    space = {**vars(found), "torch": torch}  # as in a notebook, which has imported torch
    failed, tried = doctest.testmod(found, globs=space, optionflags=OPTIONS)
    assert tried and not failed


@pytest.mark.parametrize(("module", "name"), [(module, name) for module in MODULES for name in public(module)])
def test_a_public_function_or_class_has_an_example(module, name):
    assert ">>> " in public(module)[name]


def test_examples_are_not_skipped():
    for module in MODULES:
        assert "doctest: +SKIP" not in (PROJECT / "course_utils" / f"{module}.py").read_text(encoding="utf-8")
