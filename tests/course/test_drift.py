"""Drift of torch is reported with chapter and cell: by `course run`, or by nbval, which compares the outputs."""

import json
import os
import re
import runpy
import subprocess
import sys

import drift
import nbformat
import pytest
import toys

from course_utils import PROJECT

SUITE = runpy.run_path(str(PROJECT / "tools" / "testing" / "all.py"))


# What drifts in chapter 01, in the order in which a run must meet it: an error ends the run.
DEPRECATED, GONE = "torch.use_deterministic_algorithms(", "torch.as_strided("
OTHER = "{torch.full((3,), 7) = }"


def excerpt(*words):
    """The first three code cells of chapter 01, and then the first one that holds each of `words`."""
    book = nbformat.read(PROJECT / "notebooks" / "01_tensors.ipynb", as_version=4)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    book.cells = code[:3] + [cell_with(book, each)[1] for each in words]
    return book


def cell_with(book, words):
    """Number of the first code cell that holds `words`, and the cell."""
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    return next((number, cell) for number, cell in enumerate(code, start=1) if words in cell.source)


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """(the report of `course run`, what it printed, what nbval printed), run side by side."""
    root = tmp_path_factory.mktemp("drift")
    run = toys.write(root / "run", _01_tensors=excerpt(DEPRECATED, GONE))
    compare = toys.write(root / "compare", _01_tensors=excerpt(OTHER))
    path = os.pathsep.join([drift.folder(root / "two", "renamed", "deprecated"), str(PROJECT)])
    running = [toys.course("run", "--notebooks", run, "--out", root / "out", PYTHONPATH=path)]
    environment = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}  # as all.py
    path = os.pathsep.join([drift.folder(root / "one", "default"), str(PROJECT)])
    command = [sys.executable, "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider", *SUITE["NBVAL"]]
    running.append(
        subprocess.Popen(
            [*command, str(compare / "01_tensors.ipynb")],
            cwd=PROJECT,
            env=environment | SUITE["KERNEL"] | {"PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
    )
    try:
        printed = [process.communicate(timeout=300)[0] for process in running]
    finally:
        for process in running:
            if process.poll() is None:
                process.terminate()  # so that it ends its own children
                process.wait()
    (chapter,) = json.loads((root / "out" / "report.json").read_text(encoding="utf-8"))["chapters"]
    return chapter, *printed


def test_a_function_that_is_gone_is_reported_with_chapter_and_cell(reports):
    chapter, printed, _ = reports
    number, cell = cell_with(excerpt(DEPRECATED, GONE), GONE)
    (line,) = [line for line in chapter["error"].splitlines() if "as_strided" in line]
    assert (chapter["name"], chapter["status"]) == ("01_tensors", "failed")
    assert line.startswith(f"cell {number}: {cell.source.splitlines()[0]} -> AttributeError: "), line
    assert "module 'torch' has no attribute 'as_strided'" in line
    assert "01_tensors failed:" in printed and line in printed


def test_a_deprecated_call_is_reported_also_where_the_output_is_not_compared(reports):
    chapter, printed, _ = reports
    number, cell = cell_with(excerpt(DEPRECATED, GONE), DEPRECATED)
    assert "nbval-ignore-output" in cell.metadata["tags"]
    line = chapter["error"].splitlines()[0]
    assert line.startswith(f"cell {number}: {cell.source.splitlines()[0]} -> a warning: FutureWarning: "), line
    assert "use_deterministic_algorithms` is deprecated" in line and line in printed


def test_another_default_is_reported_by_the_comparison_with_chapter_and_cell(reports):
    compared = reports[-1]
    number, _ = cell_with(excerpt(OTHER), OTHER)
    named = rf"01_tensors\.ipynb::Cell {number - 1}\b"  # nbval counts from 0; a reason may follow, or none
    assert re.search(named, compared), compared[-3000:]
    assert f"1 failed, {number - 1} passed" in compared
    assert "tensor([7., 7., 7.])" in compared
