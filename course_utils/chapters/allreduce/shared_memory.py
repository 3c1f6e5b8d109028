"""All-reduce for the ranks of one machine, which write into memory that all of them see instead of sending."""

import mmap
from collections.abc import Callable
from functools import lru_cache

import torch
import torch.distributed as dist

from course_utils.chapters.allreduce.barrier import Barrier
from course_utils.chapters.allreduce.in_segment import reduce_in_segment
from course_utils.chapters.allreduce.reduction import OPS, Op, check
from course_utils.chapters.allreduce.segment import make_segment, tensor_in
from course_utils.chapters.allreduce.windows import Windows, reduce_in_windows

BLOCK = 2**17  # bytes: what is read at all ranks is still in the cache when it is written to all
HEADER = 256  # bytes in which a rank says what it hands in


class SharedMemoryAllReduce:
    """Call it like `dist.all_reduce`: `reduce(tensor, op=dist.ReduceOp.SUM)`; all ranks get the same bits.

    Made by all ranks of `group` together; `with` gives the memory back at its end. A tensor may lie anywhere and be
    of any size: it passes through windows. One made by `empty` lies where all ranks reach it, and is reduced there,
    which moves half as many bytes; `max_bytes` is the room for such tensors at each rank. Elements are added in the
    order of the ranks. `in_segment` and `in_windows` are what is done in the two cases: `reduce_in_segment`,
    `reduce_in_windows`, or ways of your own. Raises ValueError at every rank where they hand in different things,
    TimeoutError with the ranks that did not come within `timeout` seconds (then this object is of no more use); for
    the rest see `reduction.check`.
    """

    def __init__(
        self,
        max_bytes: int,
        *,
        group: dist.ProcessGroup | None = None,
        timeout: float = 30.0,
        in_segment: Callable = reduce_in_segment,
        in_windows: Callable = reduce_in_windows,
    ):
        rank, world_size = self.rank, self.world_size = dist.get_rank(group), dist.get_world_size(group)
        self._in_segment, self._in_windows = in_segment, in_windows
        # | barrier | headers | windows | up to a whole page | room of rank 0 | room of rank 1 | ... |
        # Each is used where it begins; a room is whole pages, so that every rank's tensors are laid out alike.
        headers = Barrier.size(world_size)
        windows = headers + 2 * world_size * HEADER
        rooms = _whole_pages(windows + Windows.size(world_size))
        self._room = _whole_pages(max_bytes)
        # A page more: where `max_bytes` is 0 there still is a byte at `rooms`, whose address is asked for below.
        memory = memoryview(make_segment(rooms + world_size * self._room + mmap.PAGESIZE, group=group))
        self._headers, self._rooms = memory[headers:windows], memory[rooms:]
        self._barrier = Barrier(memory, rank=rank, world_size=world_size, timeout=timeout)
        self._windows = Windows(memory[windows:], rank=rank, world_size=world_size)
        self._begin = tensor_in(self._rooms, 0, 1, torch.uint8).data_ptr() + rank * self._room
        self._used, self.calls, self._broken = 0, 0, False
        self._blocks = lru_cache(16)(self._find_blocks)

    def __call__(self, tensor: torch.Tensor, *, op: Op = dist.ReduceOp.SUM) -> None:
        """Reduce `tensor`, of any shape, in place."""
        check(tensor, op)
        if self._broken:
            raise RuntimeError(f"call {self.calls} was broken off and the ranks are out of step: make a new one")
        self._broken, self.calls, self._compared = True, self.calls + 1, False  # broken until it has ended
        place = self._place(tensor)
        # Not `view(-1)`: one element may keep a stride of 2, and then has no view as bytes.
        flat = tensor.detach().contiguous().as_strided((tensor.numel(),), (1,))
        where = "elsewhere" if place is None else f"in the segment at {place}"
        self._announce(f"{OPS[op]} of {str(tensor.dtype).removeprefix('torch.')} {list(tensor.shape)} {where}")
        if place is None:
            self._in_windows(self._windows, flat, op, wait=self._wait)
        else:
            blocks = self._blocks(flat.dtype, len(flat), place)
            self._in_segment(blocks, self.rank, op, wait=self._wait)
        if flat.data_ptr() != tensor.data_ptr():
            tensor.detach().copy_(flat.view_as(tensor))
        self._broken = False

    def empty(self, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Return an uninitialised tensor in the segment; every rank asks for the same ones in the same order.

        Its room stays taken until this object is closed. ValueError where `max_bytes` are used up.
        """
        length = torch.Size(shape).numel()
        if length * dtype.itemsize > self._room - self._used:
            left = f"{self._room - self._used} bytes of max_bytes are left"
            raise ValueError(f"{left}, {length * dtype.itemsize} are wanted: make it with a larger max_bytes")
        tensor = tensor_in(self._rooms, self.rank * self._room + self._used, length, dtype).view(shape)
        self._used += -(-length * dtype.itemsize // 64) * 64  # the next one begins on a cache line of its own
        return tensor

    def close(self) -> None:
        """Let go of the memory, which is freed with the last tensor that `empty` has made."""
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

    def _wait(self):
        """Wait for the others; the first time in a call refuse what is not the same at all ranks."""
        self._barrier.wait(f"all-reduce {self.calls}")
        said = [] if self._compared else [bytes(self._line(rank)) for rank in range(self.world_size)]
        self._compared = True
        if len(set(said)) > 1:
            self._broken = False  # every rank sees it and stops here: in the next call they are in step
            words = (f"rank {rank}: {line.decode(errors='replace').strip()}" for rank, line in enumerate(said))
            raise ValueError(f"the ranks hand different things to all-reduce {self.calls}: {'; '.join(words)}")

    def _place(self, tensor):
        """How many bytes into this rank's room a tensor begins; None for one that lies elsewhere."""
        place = tensor.data_ptr() - self._begin
        return place if tensor.is_contiguous() and tensor.numel() and 0 <= place < self._room else None

    def _find_blocks(self, dtype, length, place):
        """Return this rank's shard of a tensor in the segment: for each block, where it lies at each rank."""
        low, high = (rank * length // self.world_size for rank in (self.rank, self.rank + 1))
        begins = [rank * self._room + place + low * dtype.itemsize for rank in range(self.world_size)]
        shards = [tensor_in(self._rooms, begin, high - low, dtype) for begin in begins]
        return list(zip(*(shard.split(BLOCK // dtype.itemsize) for shard in shards), strict=True))


def _whole_pages(size):
    """`size` bytes, rounded up to whole pages of memory."""
    return -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
