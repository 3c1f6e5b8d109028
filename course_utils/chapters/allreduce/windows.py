"""All-reduce of tensors that lie anywhere, through small windows in memory that the ranks share."""

from collections.abc import Callable
from functools import lru_cache

import torch

from course_utils.chapters.allreduce.reduction import Op, reduce_into
from course_utils.chapters.allreduce.segment import tensor_in

WINDOW = 2**20  # bytes: a part of a tensor that passes at a time, small enough to stay in the cores' caches


def reduce_in_windows(windows: "Windows", flat: torch.Tensor, op: Op, *, wait: Callable[[], None]) -> None:
    """Replace `flat` by the sum, mean or max over the ranks, each of which calls this; `wait()` waits for all.

    `flat`: (N,), contiguous, on the CPU. Parts of it follow each other like trucks over three ramps:

        stage      0   1   2   3   4
        handed out 0   1   2
        reduced        0   1   2
        read               0   1   2

    So one wait a stage serves three parts. A rank reduces its shard of a part and nobody else does, so all of them
    get the same bits.
    """
    parts = windows.parts(flat)
    for stage in range(len(parts) + 2):
        if stage < len(parts):
            windows.hand_out(flat, parts[stage], turn=stage % 2)
        if 0 < stage <= len(parts):
            *shards, result = windows.shards(flat, parts[stage - 1], turn=(stage - 1) % 2)
            reduce_into(result, shards, op)
        if stage >= 2:
            windows.read(flat, parts[stage - 2], turn=stage % 2)
        if stage <= len(parts):
            wait()


class Windows:
    """Two sets of windows, which take turns, so that nobody writes what another still reads.

    Of `memory`, `Windows.size(world_size)` bytes are used, `WINDOW` for each square; for two ranks:

        turn 0: [from rank 0] [from rank 1] [result]    turn 1: [from rank 0] [from rank 1] [result]

    In its window a rank hands out what the others reduce. A part is (first element, number of elements).
    """

    def __init__(self, memory: memoryview, *, rank: int, world_size: int):
        self.rank, self.world_size, self._memory = rank, world_size, memory
        self._shards = lru_cache(16)(self._find_shards)

    @staticmethod
    def size(world_size: int) -> int:
        """Return the bytes that all windows take."""
        return 2 * (world_size + 1) * WINDOW

    def parts(self, flat: torch.Tensor) -> list[tuple[int, int]]:
        """Return the parts of a flat tensor that fit into a window; at least one, so that all ranks meet."""
        most = WINDOW // flat.element_size()
        return [(start, min(most, len(flat) - start)) for start in range(0, max(1, len(flat)), most)]

    def hand_out(self, flat: torch.Tensor, part: tuple[int, int], *, turn: int) -> None:
        """Copy a part into this rank's window, but for the shard that this rank reduces itself."""
        (start, length), size = part, flat.element_size()
        low, high = self._shard(length)
        window, mine = self._bytes(turn, self.rank), _bytes_of(flat)
        window[: low * size] = mine[start * size : (start + low) * size]
        window[high * size : length * size] = mine[(start + high) * size : (start + length) * size]

    def shards(self, flat: torch.Tensor, part: tuple[int, int], *, turn: int) -> list[torch.Tensor]:
        """Return this rank's shard of a part as each rank has it, and last where the result belongs."""
        start, length = part
        low, high = self._shard(length)
        shards = list(self._shards(flat.dtype, length, turn))
        shards[self.rank] = flat[start + low : start + high]
        return shards

    def read(self, flat: torch.Tensor, part: tuple[int, int], *, turn: int) -> None:
        """Copy the result of a part back into the tensor."""
        (start, length), size = part, flat.element_size()
        result = self._bytes(turn, self.world_size)
        _bytes_of(flat)[start * size : (start + length) * size] = result[: length * size]

    def close(self) -> None:
        """Forget the tensors that lie in the memory."""
        self._shards.cache_clear()

    def _shard(self, length):
        """Return the elements (first, behind the last) of so many that this rank reduces."""
        return self.rank * length // self.world_size, (self.rank + 1) * length // self.world_size

    def _bytes(self, turn, number):
        begin = (turn * (self.world_size + 1) + number) * WINDOW
        return self._memory[begin : begin + WINDOW]

    def _find_shards(self, dtype, length, turn):
        """Return this rank's shard in each rank's window, and in that of the result."""
        low, high = self._shard(length)
        windows = [self._bytes(turn, number) for number in range(self.world_size + 1)]
        return [tensor_in(window, low * dtype.itemsize, high - low, dtype) for window in windows]


def _bytes_of(flat):
    """Return the tensor's memory as bytes, which are copied faster than tensors."""
    return memoryview(flat.view(torch.uint8).numpy())
