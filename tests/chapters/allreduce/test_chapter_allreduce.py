"""Chapter 11's cells and the package hold the same code; a line changed in a cell changes what the next prints."""

import ast
import json
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from course_utils import PROJECT
from course_utils.chapters.allreduce import collectives, own_ddp, shared_memory, windows

BOOK = next((PROJECT / "notebooks").glob("11_*.ipynb"))
CELLS = [
    "".join(cell["source"])
    for cell in json.loads(BOOK.read_text(encoding="utf-8"))["cells"]
    if cell["cell_type"] == "code"
]
TAUGHT = {  # what a cell defines, and the module whose tests and benchmarks cover it
    "all_reduce_naive": collectives,
    "all_reduce_tree": collectives,
    "reduce_scatter": collectives,
    "all_gather": collectives,
    "all_reduce_ring": collectives,
    "reduce_in_segment": shared_memory,
    "reduce_in_windows": windows,
    "in_buckets": own_ddp,
    "Bucket": own_ddp,
    "BucketQueue": own_ddp,
    "Reducer": own_ddp,
    "OwnDDP": own_ddp,
}


def code_of(name, *sources):
    """What the one definition of `name` in `sources` does, without docstrings and annotations, as text."""
    found = [node for source in sources for node in ast.parse(source).body if getattr(node, "name", None) == name]
    assert len(found) == 1, f"{len(found)} definitions of {name}"
    for node in ast.walk(found[0]):
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.unparse(found[0])


@pytest.mark.parametrize(("name", "module"), list(TAUGHT.items()), ids=list(TAUGHT))
def test_a_cell_defines_what_the_package_has_and_what_is_tested(name, module):
    assert code_of(name, *CELLS) == code_of(name, Path(module.__file__).read_text(encoding="utf-8"))


def test_the_comparison_sees_code_and_nothing_else():
    one = 'def f(x: int) -> int:\n    """Return it."""\n    return x + 1  # why\n'
    assert code_of("f", one) == code_of("f", "def f(x):\n    return x + 1")
    assert code_of("f", one) != code_of("f", "def f(x):\n    return x + 2")


def test_no_cell_prints_the_source_of_something_else():
    assert not [source for source in CELLS if "getsource" in source]


def test_one_line_changed_in_the_rings_cell_changes_what_the_next_cell_prints():
    ring = next(i for i, source in enumerate(CELLS) if "def reduce_scatter(" in source)
    bill = next(i for i, source in enumerate(CELLS) if '{"ring": all_reduce_ring}' in source)
    assert ring < bill
    changed = CELLS[ring].replace("combine(mine, arrived, op)", "mine.copy_(arrived)")
    assert changed != CELLS[ring]
    section = next(i for i, source in enumerate(CELLS) if "def all_reduce_naive(" in source)  # needs no data
    asked = [*CELLS[:2], *CELLS[section : bill + 1]]
    cells = [*asked, changed, CELLS[bill]]  # as a learner does it: both again, in the same kernel
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    place = {"metadata": {"path": str(BOOK.parent)}}
    NotebookClient(book, timeout=200, kernel_name="python3", resources=place).execute()
    before, after = (
        "".join(output.get("text", "") for output in book.cells[i].outputs)
        for i in (len(asked) - 1, len(asked) + 1)
    )
    assert "[1111.0] [1111.0] [1111.0] [1111.0]" in before
    assert "1111.0" not in after and "6,000" in after  # as many bytes, other sums
