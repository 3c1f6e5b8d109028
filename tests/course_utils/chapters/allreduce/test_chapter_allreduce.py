"""The modules made of chapter 11's cells are up to date; a line changed in a cell changes what the next prints."""

import json
import re

import nbformat
import pytest
import torch
import torch.distributed as dist
from export_cells import EXPORTS, FIRST, modules, written
from nbclient import NotebookClient

from course_utils import PROJECT
from course_utils.launch import run_ranks
from lessonkit.notebook.tags import FURTHER

BOOK = next((PROJECT / "notebooks").glob("11_*.ipynb"))
ALL = json.loads(BOOK.read_text(encoding="utf-8"))["cells"]
CELLS = ["".join(cell["source"]) for cell in ALL if cell["cell_type"] == "code"]
CORE = [
    "".join(cell["source"])
    for cell in ALL
    if cell["cell_type"] == "code" and FURTHER not in cell["metadata"].get("tags", [])
]


@pytest.mark.parametrize(("path", "text"), list(modules().items()), ids=lambda one: getattr(one, "name", ""))
def test_a_module_holds_what_the_cells_define(path, text):
    assert path.read_text(encoding="utf-8") == text, "run `python tools/export_cells.py`"
    assert text.startswith(f"{FIRST}\n"), "a reader of the file must see that it is not the place to change"


def test_a_cell_that_is_gone_is_named():
    export = EXPORTS[0]
    cells = [nbformat.v4.new_code_cell("def f(): ...", id=name) for name in export.cells[:-1]]
    with pytest.raises(ValueError, match=f"no code cell with the id {export.cells[-1]}, and {export.module}"):
        written(export, nbformat.v4.new_notebook(cells=cells))


def test_no_cell_prints_the_source_of_something_else():
    assert not [source for source in CELLS if "getsource" in source]


def test_one_line_changed_in_the_rings_cell_changes_what_the_next_cell_prints():
    ring = next(i for i, source in enumerate(CORE) if "def reduce_scatter(" in source)
    bill = next(i for i, source in enumerate(CORE) if '{"ring": all_reduce_ring}' in source)
    assert ring < bill
    changed = CORE[ring].replace("combine(mine, arrived, op)", "mine.copy_(arrived)")
    assert changed != CORE[ring]
    section = next(i for i, source in enumerate(CORE) if "def all_reduce_naive(" in source)
    asked = [*CORE[:2], *CORE[section : bill + 1]]
    cells = [*asked, changed, CORE[bill]]  # as a learner does it: both again, in the same kernel
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    place = {"metadata": {"path": str(BOOK.parent)}}
    NotebookClient(book, timeout=200, kernel_name="python3", resources=place).execute()
    before, after = (
        "".join(output.get("text", "") for output in book.cells[i].outputs)
        for i in (len(asked) - 1, len(asked) + 1)
    )
    assert "[1111.0] [1111.0] [1111.0] [1111.0]" in before
    assert "1111.0" not in after and "6,000" in after  # as many bytes, other sums


def by_the_answers(rank, texts):
    """What the two answers leave at each of three ranks, by the trials of the cells."""
    names = {"torch": torch, "dist": dist}
    for text in texts:
        exec(text, names)
    return names["try_broadcast"](rank, names["broadcast"]), names["try_all_reduce"](rank, names["all_reduce"])


def test_what_the_reader_is_to_write_can_be_written_so_and_gives_what_the_text_says():
    prose = next("".join(cell["source"]) for cell in ALL if cell["id"] == "send-broadcast-answer")
    answer = re.search(r"```python\n(.*?)```", prose, re.DOTALL).group(1)
    stubs = [source.rpartition("\n\n\n")[0] for source in CELLS if "def try_" in source]  # without the launch
    assert all("# your code here" in stub for stub in stubs) and len(stubs) == 2
    second = """
def all_reduce(tensor):
    if dist.get_rank() > 0:
        dist.send(tensor, 0)
    else:
        for other in range(1, dist.get_world_size()):
            inbox = torch.empty_like(tensor)
            dist.recv(inbox, other)
            tensor += inbox
    broadcast(tensor, 0)
"""
    found = run_ranks(by_the_answers, 3, [*stubs, answer, second])
    assert found == [([10.0, 11.0], [30.0, 33.0])] * 3
    told = "".join("".join(cell["source"]) for cell in ALL if cell["cell_type"] == "markdown")
    assert "`[10.0, 11.0]`" in told and "`[30.0, 33.0]`" in told
