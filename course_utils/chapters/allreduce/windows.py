"""All-reduce of tensors that lie anywhere, through small windows in memory that the ranks share."""

from functools import lru_cache

import torch

WINDOW = 2**20  # bytes: a part of a tensor that passes at a time, small enough to stay in the cores' caches


class Windows:
    """Reduces tensors window by window; `Windows.size(world_size)` bytes of `memory` are used.

    There are two sets of windows, which take turns, so that nobody writes what another still reads. A set has one
    window for each rank, in which it hands out what others reduce, and one for the result.
    """

    def __init__(self, memory, *, rank, world_size):
        self.rank, self.world_size, self._memory = rank, world_size, memory
        self._shares = lru_cache(16)(self._find_shares)

    @staticmethod
    def size(world_size):
        """Bytes that all windows take."""
        return 2 * (world_size + 1) * WINDOW

    def reduce(self, flat, op, *, meet):
        """Replaces `flat` by the sum, mean or max over the ranks, each of which calls this; `meet()` waits for all.

        Each meeting serves three windows: one was handed out, the one before reduced, the one before that read.
        A rank reduces its share of a window and nobody else does, so all of them get the same bits.
        """
        size, most = flat.element_size(), WINDOW // flat.element_size()
        mine = memoryview(flat.view(torch.uint8).numpy())  # bytes, which are copied faster than tensors
        parts = [(start, min(most, len(flat) - start)) for start in range(0, max(1, len(flat)), most)]
        for stage in range(len(parts) + 2):
            if stage < len(parts):
                start, length = parts[stage]
                low, high = self._share(length)
                window = self._bytes(stage % 2, self.rank)
                window[: low * size] = mine[start * size : (start + low) * size]
                window[high * size : length * size] = mine[(start + high) * size : (start + length) * size]
            if 0 < stage <= len(parts):
                start, length = parts[stage - 1]
                low, high = self._share(length)
                *shares, result = self._shares(flat.dtype, length, (stage - 1) % 2)
                shares[self.rank] = flat[start + low : start + high]
                reduce_into(result, shares, op)
            if stage >= 2:
                start, length = parts[stage - 2]
                result = self._bytes(stage % 2, self.world_size)
                mine[start * size : (start + length) * size] = result[: length * size]
            if stage <= len(parts):
                meet()

    def close(self):
        """Forgets the tensors that lie in the memory."""
        self._shares.cache_clear()

    def _share(self, length):
        """The elements (first, behind the last) of so many that this rank reduces."""
        return self.rank * length // self.world_size, (self.rank + 1) * length // self.world_size

    def _bytes(self, turn, number):
        begin = (turn * (self.world_size + 1) + number) * WINDOW
        return self._memory[begin : begin + WINDOW]

    def _find_shares(self, dtype, length, turn):
        """This rank's share in each rank's window, and in that of the result."""
        low, high = self._share(length)
        windows = [self._bytes(turn, number) for number in range(self.world_size + 1)]
        return [tensor_in(window, low * dtype.itemsize, high - low, dtype) for window in windows]


def tensor_in(memory, offset, length, dtype):
    """A flat tensor that lies in `memory`, `offset` bytes behind its beginning; it keeps the memory alive."""
    if length == 0:
        return torch.empty(0, dtype=dtype)
    return torch.frombuffer(memory, dtype=dtype, count=length, offset=offset)


def reduce_into(into, tensors, op):
    """Sum, mean or max of `tensors`, in their order; `into` may be any of the first two."""
    combine = torch.maximum if op == "max" else torch.add
    if len(tensors) == 1:
        into.copy_(tensors[0])
    else:
        combine(tensors[0], tensors[1], out=into)
    for tensor in tensors[2:]:
        combine(into, tensor, out=into)
    if op == "mean":
        into.div_(len(tensors))
