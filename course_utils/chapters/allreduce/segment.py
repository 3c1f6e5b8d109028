"""Memory that the ranks of one machine share; it has no name that could be left behind."""

import mmap
import os
import sys
import tempfile
import uuid
from functools import partial
from pathlib import Path

import torch
import torch.distributed as dist


def make_segment(size: int, *, group: dist.ProcessGroup | None = None) -> mmap.mmap:
    """Return `size` bytes, zeros at first, seen by all ranks of `group`; called by all of them.

    On Linux the memory never has a name, on macOS none by the time this returns, on Windows it goes with its
    last handle: however the ranks end, `kill -9` included, nothing is left of it. RuntimeError at every rank where
    one of them cannot reach the memory, for example because it runs on another machine.
    """
    rank, token = dist.get_rank(group), uuid.uuid4().bytes  # the token, in the last bytes, tells ours from others'
    said, memory, close, complaint = [None, None], None, None, None
    try:
        try:
            if rank == 0:
                address, memory, close = _create(size + len(token))
                memory[size:], said = token, [address, token]
        except OSError as error:
            complaint = f"rank 0 could not make {size} bytes of shared memory: {error}"
        dist.broadcast_object_list(said, group_src=0, group=group)
        try:
            if rank > 0 and said[0] is not None:
                memory = _attach(said[0], size + len(token))
                if memory[size:] != said[1]:
                    raise OSError(f"{said[0]} is something else there")
        except (OSError, ValueError) as error:
            complaint = f"rank {rank} cannot reach the memory of rank 0; do they run on one machine? {error}"
        complaints = [None] * dist.get_world_size(group)
        dist.all_gather_object(complaints, complaint, group=group)  # now all have it, or have said why not
    finally:
        if close is not None:
            close()
    if found := [text for text in complaints if text]:
        raise RuntimeError(found[0])
    return memory


def tensor_in(memory: memoryview, offset: int, length: int, dtype: torch.dtype) -> torch.Tensor:
    """Return a tensor (length,) that lies in `memory`, `offset` bytes behind its beginning, and keeps it alive."""
    if length == 0:
        return torch.empty(0, dtype=dtype)
    return torch.frombuffer(memory, dtype=dtype, count=length, offset=offset)


def _create(size):
    """Return (address for the other ranks, memory, what to call once they have it)."""
    if sys.platform == "win32":
        name = f"all-reduce-{uuid.uuid4().hex}"
        return name, mmap.mmap(-1, size, tagname=name), None
    if hasattr(os, "memfd_create"):  # memory without a name, not limited by the size of /dev/shm
        file = os.memfd_create("all-reduce")
        address, close = f"/proc/{os.getpid()}/fd/{file}", partial(os.close, file)
    else:
        file, address = tempfile.mkstemp(prefix="all-reduce-")
        close = partial(_remove, file, address)
    try:
        os.ftruncate(file, size)
        return address, mmap.mmap(file, size), close
    except OSError:
        close()
        raise


def _attach(address, size):
    if sys.platform == "win32":
        return mmap.mmap(-1, size, tagname=address)
    file = os.open(address, os.O_RDWR)
    try:
        return mmap.mmap(file, size)
    finally:
        os.close(file)


def _remove(file, path):
    os.close(file)
    Path(path).unlink()
