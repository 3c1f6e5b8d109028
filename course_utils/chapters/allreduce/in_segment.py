# Written by tools/export_cells.py from notebooks/11_allreduce.ipynb; change the notebook's cells.
"""How a rank reduces its shard of a tensor in shared memory: it reads it at all ranks and writes it to all.

`blocks`: for each block of the shard a tuple of flat tensors, one at each rank. `wait()` waits for all ranks.
"""

from course_utils.chapters.allreduce.reduction import reduce_into


def reduce_in_segment(blocks, rank, op, *, wait):
    wait()
    for at_ranks in blocks:
        near = at_ranks[min(rank, 1)]  # one of the two that are added first, ours if we can: it may be overwritten
        reduce_into(near, at_ranks, op)
        for block in at_ranks:
            if block is not near:
                block.copy_(near)
    wait()
