"""What a notebook's cells define goes to ranks, out of a real kernel: its `__main__` is not the program itself."""

import nbformat
import pytest
import toys
from nbclient import NotebookClient

IMPORTS = """
import torch, torch.distributed as dist
from torch import nn
from course_utils.launch import RankError, Ranks, run_ranks
def told(run, *arguments, **limits):
    try: run(*arguments, **limits)
    except RankError as error: print(error, error.trace, sep="\\n")
"""
CLASSES = """
from dataclasses import dataclass
SCALE = 2.0

class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, 1, bias=False)

    def forward(self, inputs):
        return SCALE * super().extra_repr().__len__() + self.layer(inputs)

@dataclass
class Measured:
    net: Net
    total: torch.Tensor
"""
FUNCTIONS = """
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)

def grow(net, rank):
    nn.init.constant_(net.layer.weight, factorial(rank + 2))

def step(rank, net):
    grow(net, rank)
    total = net(torch.ones(3)).detach()
    dist.all_reduce(total)
    return Measured(net, total)
"""
USE = """
forward = Net.forward
results = run_ranks(step, 2, Net(3))
print([type(one) is Measured and type(one.net) is Net for one in results], Net.forward is forward)
print([one.total.tolist() for one in results], [one.net(torch.ones(3)).item() for one in results])
SCALE = 3.0
print(run_ranks(lambda rank: SCALE, 2), [type(one.net).__name__ for one in results])
"""
RAISES = """
def divide(rank):
    # what a traceback shows
    return 1 / (1 - rank)
told(run_ranks, divide, 2)
"""
HANGS = """
def leave_early(rank):
    if rank > 0:
        dist.all_reduce(torch.ones(3))
ranks = Ranks(2, timeout=100)
ranks.run(lambda rank: None)  # they have imported torch before the five seconds begin
told(ranks.run, leave_early, timeout=5)
"""
WARNS = """
import warnings
run_ranks(lambda rank: warnings.warn("look out"), 1)
"""


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """The text that each cell printed, by the cell's source."""
    cells = [toys.code(source.strip()) for source in (IMPORTS, CLASSES, FUNCTIONS, USE, RAISES, HANGS, WARNS)]
    book = nbformat.v4.new_notebook(cells=cells)
    folder = tmp_path_factory.mktemp("kernel")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
        NotebookClient(book, timeout=120, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    return {cell.source: "".join(output.get("text", "") for output in cell.outputs) for cell in cells}


def test_functions_and_classes_of_several_cells_go_to_ranks_and_come_back(outputs):
    assert outputs[USE.strip()] == "[True, True] True\n[[24.0], [24.0]] [6.0, 18.0]\n[3.0, 3.0] ['Net', 'Net']\n"


def test_a_traceback_shows_the_cells_line_under_a_name_that_is_the_same_everywhere(outputs):
    shown = outputs[RAISES.strip()]
    assert shown.startswith("rank 1 of 2 raised ZeroDivisionError: division by zero\n")
    assert '  File "<cell of divide>", line 3, in divide\n    return 1 / (1 - rank)\n' in shown
    assert "ipykernel" not in shown


def test_a_rank_that_hangs_is_shown_in_its_cell(outputs):
    shown = outputs[HANGS.strip()]
    assert shown.startswith(
        "not finished within 5 s: rank 1 was in `all_reduce`, called by `leave_early` (a cell, line 3); "
        "rank 0 had returned\n"
    )
    assert '  File "<cell of leave_early>", line 3 in leave_early\n    dist.all_reduce(torch.ones(3))\n' in shown
    assert "ipykernel" not in shown


def test_a_warning_names_no_file_of_this_machine(outputs):
    assert outputs[WARNS.strip()].startswith("rank 0: <cell of lambda>:2: UserWarning: look out\n")
