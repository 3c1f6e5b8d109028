"""Collectives that run only after all ranks have said which one they are about to call, and with what."""

import contextlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist

HEADER = 512  # bytes in which a rank says what it calls
GAVE_UP = "gave up"


class CollectiveError(RuntimeError):
    """The ranks do not call the same collective, or one of them is missing; the message names ranks and calls."""


class Agreement:
    """`agreement(collective, tensor, **options)` calls `collective(tensor, **options)` if every rank does the same.

    For collectives to which all ranks hand in tensors of one shape: `dist.all_reduce`, `dist.broadcast`, those of
    `collectives`. Made by all ranks of `group` together, for which it makes two groups of its own. Before each call
    the ranks exchange its name, dtype, shape and options in messages apart from the data: gloo compares nothing,
    and mixes, hangs or crashes. Raises `CollectiveError` at every rank where they differ (the next call is sound
    again); where a rank does not come within `timeout` seconds, or is lost, which takes at most 1.5 times as long
    to be seen by all (then this object is of no more use). Costs a message to and from every other rank; torch's
    own way is `TORCH_DISTRIBUTED_DEBUG=DETAIL`.
    """

    def __init__(self, *, group: dist.ProcessGroup | None = None, timeout: float = 10.0):
        self.rank, self.world_size = dist.get_rank(group), dist.get_world_size(group)
        self.timeout, self.calls = timeout, 0
        ranks = dist.get_process_group_ranks(dist.group.WORLD if group is None else group)
        # Say rank 2 dies in a collective. Rank 1 waits for its data, and rank 0, a call ahead, for rank 1's header.
        # Data has half the patience: rank 1 gives up first, and can still tell rank 0 what it saw.
        self._data, self._headers = (
            dist.new_group(ranks, timeout=limit, backend="gloo", use_local_synchronization=True)
            for limit in (timedelta(seconds=timeout / 2), timedelta(seconds=timeout))
        )

    def __call__(self, collective: Callable[..., Any], tensor: torch.Tensor, **options: Any) -> Any:
        """Call `collective` on `tensor`, of any shape, once every rank has said that it does the same."""
        self.calls += 1
        shown = "".join(f", {name}={value!r}" for name, value in sorted(options.items()))
        dtype = str(tensor.dtype).removeprefix("torch.")
        what = f"{collective.__name__}({dtype} {list(tensor.shape)}{shown})"
        call = f"call {self.calls}, {what}"
        said, gone = self._exchange(what, during=call)
        gave_up, cause = any(text.startswith(GAVE_UP) for text in said.values()), None
        if not gone and len(set(said.values())) > 1:
            words = "; ".join(f"rank {rank}: {text}" for rank, text in sorted(said.items()))
            advice = "Every rank must make the same calls in the same order, with tensors of one shape and dtype."
            raise CollectiveError(f"the ranks differ in call {self.calls}. {words}. {advice}")
        if not gone:
            try:
                return collective(tensor, group=self._data, **options)
            except RuntimeError as error:
                cause = error
        if not gave_up:  # so that a rank that did not notice does not wait for us; it says in turn what it saw
            gone += self._exchange(f"{GAVE_UP} {what}", during=call, without=gone)[1]
        if not gone:
            raise CollectiveError(f"{call}, broke off: {cause}") from cause
        who = f"rank {gone[0]} is" if len(gone) == 1 else f"ranks {', '.join(map(str, gone))} are"
        raise CollectiveError(
            f"{who} gone: the connection closed in {call}. The process has died or left."
        ) from cause

    def _exchange(self, what, *, during, without=()):
        """Return (what every rank says, by rank; the ranks whose connection is closed)."""
        mine = torch.tensor(list(what.encode()[:HEADER].ljust(HEADER)), dtype=torch.uint8)
        said, gone, sending = {self.rank: _decoded(mine)}, set(), {}
        others = [rank for rank in range(self.world_size) if rank != self.rank and rank not in without]
        for other in others:
            with contextlib.suppress(RuntimeError):  # its answer will not come either
                sending[other] = dist.isend(mine, group_dst=other, group=self._headers)
        for other in others:
            line = torch.empty(HEADER, dtype=torch.uint8)
            try:
                dist.recv(line, group_src=other, group=self._headers)
                said[other] = _decoded(line)
            except RuntimeError as error:
                self._refuse_late(other, error, during)
                gone.add(other)
        for other, work in sending.items():
            try:
                work.wait()
            except RuntimeError as error:
                self._refuse_late(other, error, during)
                gone.add(other)
        return said, sorted(gone)

    def _refuse_late(self, other, error, during):
        if "Timed out" in str(error):  # gloo closes all connections after that: nobody else can be asked
            state = "although its connection is open. It hangs, or makes fewer calls than the others"
            raise CollectiveError(
                f"rank {other} did not come to {during}, within {self.timeout:g} s, {state}."
            ) from error


def _decoded(line):
    return bytes(line.tolist()).decode(errors="replace").rstrip()
