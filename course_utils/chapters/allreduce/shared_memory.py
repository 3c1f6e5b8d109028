"""All-reduce for ranks of one machine: no message is sent, the ranks write into memory that all of them see."""

import mmap
from functools import lru_cache

import torch
import torch.distributed as dist

from course_utils.chapters.allreduce.barrier import Barrier
from course_utils.chapters.allreduce.collectives import check
from course_utils.chapters.allreduce.segment import make_segment
from course_utils.chapters.allreduce.windows import Windows, reduce_into, tensor_in

BLOCK = 2**17  # bytes: what is read at all ranks is still in the cache when it is written to all
HEADER = 256  # bytes in which a rank says what it hands in


class SharedMemoryAllReduce:
    """Call it like `dist.all_reduce`: `reduce(tensor, op="sum")`, in place; all ranks get the same bits.

    Made by all ranks of `group` together; `with` gives the memory back at its end. A tensor may lie anywhere and be
    of any size: it passes through windows. One made by `empty` lies where all ranks reach it, and is reduced there,
    which moves half as many bytes; `max_bytes` is the room for such tensors at each rank. Elements are added in the
    order of the ranks. Raises ValueError at every rank where they hand in different things, TimeoutError with the
    ranks that did not come within `timeout` seconds (then this object is of no more use); for the rest see
    `collectives.check`.
    """

    def __init__(self, max_bytes, *, group=None, timeout=30.0):
        rank, world_size = self.rank, self.world_size = dist.get_rank(group), dist.get_world_size(group)
        sizes = Barrier.size(world_size), 2 * world_size * HEADER, Windows.size(world_size)
        self._room = -(-max_bytes // mmap.PAGESIZE) * mmap.PAGESIZE
        whole = memoryview(make_segment(sum(sizes) + mmap.PAGESIZE + world_size * self._room, group=group))
        rooms = -(-sum(sizes) // mmap.PAGESIZE) * mmap.PAGESIZE  # where they begin
        self._headers, self._rooms = whole[sizes[0] : sizes[0] + sizes[1]], whole[rooms:]
        self._barrier = Barrier(whole, rank=rank, world_size=world_size, timeout=timeout)
        self._windows = Windows(whole[sizes[0] + sizes[1] :], rank=rank, world_size=world_size)
        self._begin = tensor_in(whole, rooms - 1, 1, torch.uint8).data_ptr() + 1 + rank * self._room
        self._used, self.calls, self._broken = 0, 0, False
        self._blocks = lru_cache(16)(self._find_blocks)

    def __call__(self, tensor, *, op="sum"):
        check(tensor, op)
        if self._broken:
            raise RuntimeError(f"call {self.calls} was broken off and the ranks are out of step: make a new one")
        self._broken, self.calls, self._met = True, self.calls + 1, False  # broken until it has ended
        place = self._place(tensor)
        # Not `view(-1)`: one element may keep a stride of 2, and then has no view as bytes.
        flat = tensor.detach().contiguous().as_strided((tensor.numel(),), (1,))
        where = "elsewhere" if place is None else f"in the segment at {place}"
        self._announce(f"{op} of {str(tensor.dtype).removeprefix('torch.')} {list(tensor.shape)} {where}")
        if place is None:
            self._windows.reduce(flat, op, meet=self._meet)
        else:
            self._reduce_there(flat, op, place)
        if flat.data_ptr() != tensor.data_ptr():
            tensor.detach().copy_(flat.view_as(tensor))
        self._broken = False

    def _reduce_there(self, flat, op, place):
        """Each rank reduces a share of the elements: reads it at all ranks and writes it to all, block by block."""
        self._meet()
        for blocks in self._blocks(flat.dtype, len(flat), place):
            near = blocks[min(self.rank, 1)]  # our own, where it is added up first and may be overwritten
            reduce_into(near, blocks, op)
            for block in blocks:
                if block is not near:
                    block.copy_(near)
        self._meet()

    def empty(self, *shape, dtype=torch.float32):
        """An uninitialised tensor in the segment; every rank asks for the same ones in the same order.

        Its room stays taken until this object is closed. ValueError where `max_bytes` are used up.
        """
        length = torch.Size(shape).numel()
        if length * dtype.itemsize > self._room - self._used:
            left = f"{self._room - self._used} bytes of max_bytes are left"
            raise ValueError(f"{left}, {length * dtype.itemsize} are wanted: make it with a larger max_bytes")
        tensor = tensor_in(self._rooms, self.rank * self._room + self._used, length, dtype).view(shape)
        self._used += -(-length * dtype.itemsize // 64) * 64  # the next one begins on a cache line of its own
        return tensor

    def close(self):
        """Lets go of the memory, which is freed with the last tensor that `empty` has made."""
        self._broken = True
        self._blocks.cache_clear()
        self._windows.close()
        self._headers = self._rooms = self._barrier = self._windows = None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def _announce(self, what):
        self._line(self.rank)[:] = what.encode()[:HEADER].ljust(HEADER)

    def _line(self, rank):
        """Where a rank says what it hands in: two lines take turns, since a fast rank is one call ahead."""
        begin = (2 * rank + self.calls % 2) * HEADER
        return self._headers[begin : begin + HEADER]

    def _meet(self):
        """Waits for the others; at the first meeting of a call refuses what is not the same at all ranks."""
        self._barrier.meet(f"all-reduce {self.calls}")
        said = [] if self._met else [bytes(self._line(rank)) for rank in range(self.world_size)]
        self._met = True
        if len(set(said)) > 1:
            self._broken = False  # every rank sees it and stops here: in the next call they are in step
            words = (f"rank {rank}: {line.decode(errors='replace').strip()}" for rank, line in enumerate(said))
            raise ValueError(f"the ranks hand different things to all-reduce {self.calls}: {'; '.join(words)}")

    def _place(self, tensor):
        """How many bytes into this rank's room a tensor begins; None for one that lies elsewhere."""
        place = tensor.data_ptr() - self._begin
        return place if tensor.is_contiguous() and tensor.numel() and 0 <= place < self._room else None

    def _find_blocks(self, dtype, length, place):
        """This rank's share of a tensor in the segment: for each block, where it lies at each rank."""
        low, high = (rank * length // self.world_size for rank in (self.rank, self.rank + 1))
        begins = [rank * self._room + place + low * dtype.itemsize for rank in range(self.world_size)]
        shares = [tensor_in(self._rooms, begin, high - low, dtype) for begin in begins]
        return list(zip(*(share.split(BLOCK // dtype.itemsize) for share in shares), strict=True))
