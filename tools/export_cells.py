"""Write the modules of chapter 11 that hold what its cells define, so that the notebook is the one place to change.

    python tools/export_cells.py

Tests, benchmarks and later cells import these modules. EXPORTS says which cells go into which of them; a test
compares the files with what this program would write. Their functions have no docstrings and no annotations, as
those of the cells have none.
"""

import argparse
import sys
from typing import NamedTuple

import nbformat

from course_utils import PROJECT
from lessonkit.system import atomic

NOTEBOOK = "notebooks/11_allreduce.ipynb"
FOLDER = "course_utils/chapters/allreduce"
FIRST = f"# Written by tools/export_cells.py from {NOTEBOOK}; change the notebook's cells."


class Export(NamedTuple):
    """A module: its cells by id, in the order in which it has them, and what stands above them."""

    module: str
    cells: tuple[str, ...]
    docstring: str
    imports: str


EXPORTS = (
    Export(
        f"{FOLDER}/collectives.py",
        ("46e15646", "5e0c7a12", "a710d080", "a710d081"),
        """All-reduce three ways over send and recv: every rank's tensor becomes the sum, mean or max over all.

Called like `dist.all_reduce`, in place; the errors are those of `reduction.check`. Each element is reduced at
one rank and copied from there, so that all ranks end with the same bits. Naive: rank 0 collects everything,
reduces in the order of the ranks and sends the result to each. Tree: up a binomial tree to rank 0 and down
again, about 2 log2 N rounds of whole tensors. Ring: `reduce_scatter` completes chunk r + 1 at rank r in N - 1
steps, `all_gather` hands the chunks on in N - 1 more; each rank sends 2 (N - 1) / N of the tensor, and what is
added travels in pieces of `PIECE` bytes. Source: P. Patarasuk and X. Yuan, Bandwidth optimal all-reduce
algorithms for clusters of workstations, 2009.
""",
        """import torch
import torch.distributed as dist

from course_utils.chapters.allreduce.reduction import (  # chapter 11 imports all five from here
    PIECE,
    check,
    combine,
    finish,
    reduce_into,  # noqa: F401
)
""",
    ),
    Export(
        f"{FOLDER}/in_segment.py",
        ("4ad2f764",),
        """How a rank reduces its shard of a tensor in shared memory: it reads it at all ranks and writes it to all.

`blocks`: for each block of the shard a tuple of flat tensors, one at each rank. `wait()` waits for all ranks.
""",
        "from course_utils.chapters.allreduce.reduction import reduce_into\n",
    ),
    Export(
        f"{FOLDER}/own_ddp.py",
        ("e089b627", "e089b62b", "e089b62c", "e089b62e"),
        """Data parallel training of one's own: gradients travel in buckets while the backward pass goes on.

`in_buckets` lists the trainable parameters, the last of the model first, because the backward pass completes
their gradients first; a bucket has one dtype and device. It is full at `bucket_cap_mb` MiB, the first one at
`first_cap_mb` MiB where that is less. `Bucket` is one flat tensor, and a view of it for each parameter.
`BucketQueue` sends buckets in the order of the list, because the order of filling may differ between ranks.
`Reducer` is what autograd calls.

`OwnDDP` wraps a model, whose gradients are the mean over all ranks when `backward()` returns. Parameters and
buffers are those of the group's rank 0 from the start; buffers are not sent again, as torch's own does at each
forward pass, which forgets a backward pass that broke off. `no_sync()` keeps gradients on their rank. `trace`:
None, or a list that gets (event, bucket or None, `time.perf_counter()` in seconds): "launched" and "arrived"
for each bucket, "backward done" and "averaged" for each pass. Without `overlap` all buckets leave at the end.
RuntimeError at the end of a backward pass that left a parameter without a gradient.
""",
        """import time
from contextlib import contextmanager

import torch
import torch.distributed as dist
from torch import nn
""",
    ),
)


def written(export, notebook):
    """The text of a module. Raises ValueError for a cell that the notebook has not, or that is not code."""
    sources = {cell.id: cell.source for cell in notebook.cells if cell.cell_type == "code"}
    if missing := [name for name in export.cells if name not in sources]:
        raise ValueError(
            f"{NOTEBOOK} has no code cell with the id {', '.join(missing)}, and {export.module} is made of it: "
            "change EXPORTS in tools/export_cells.py"
        )
    above = f'{FIRST}\n"""{export.docstring}"""\n\n{export.imports}'
    return "\n\n\n".join([above.rstrip(), *(sources[name].strip() for name in export.cells)]) + "\n"


def modules():
    """{path: text} of every module, as the notebook's cells are now."""
    notebook = nbformat.read(PROJECT / NOTEBOOK, 4)
    return {PROJECT / export.module: written(export, notebook) for export in EXPORTS}


def main():
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    ).parse_args()
    for path, text in modules().items():
        atomic.write(path, text.encode())
        print(path.relative_to(PROJECT))


if __name__ == "__main__":
    sys.exit(main())
