"""Count what each rank sends and receives while collectives run, and arrange it as a schedule."""

import inspect
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from unittest.mock import patch

import torch.distributed as dist

Event = tuple[str, int, int, int]


@dataclass(frozen=True)
class Message:
    """One message of a schedule: sent in `step` by rank `source` to `target`.

    `first` is the index of its first element in the storage it was sent from, `length` the number of elements.
    """

    step: int
    source: int
    target: int
    first: int
    length: int


class Traffic:
    """Counts what this rank sends by `dist.send` and `dist.isend` in a `with` block.

    `bytes` and `messages` are sums over what it sent; `events` has all it did, in order, as
    `("send" or "recv", other rank, first element, length)`, to be handed to `schedule`. `first element` is the
    offset of the tensor in its storage and `length` its size, both in elements, not bytes. Ranks are those within
    the group of the call.
    """

    def __init__(self) -> None:
        self.bytes = self.messages = 0
        self.events: list[Event] = []
        self._patches = []

    def __enter__(self):
        for name in ("send", "isend", "recv", "irecv"):
            self._patches.append(patch.object(dist, name, self._watched(name, getattr(dist, name))))
            self._patches[-1].start()
        return self

    def __exit__(self, *exception):
        while self._patches:
            self._patches.pop().stop()

    def _watched(self, name, call):
        kind = name.removeprefix("i")
        side = "dst" if kind == "send" else "src"

        def watched(tensor, *args, **names):  # handed on as they are: the call keeps its own signature
            result = call(tensor, *args, **names)
            given = inspect.signature(call).bind(tensor, *args, **names).arguments
            other = given.get(f"group_{side}")
            if other is None:
                other = dist.get_group_rank(given.get("group") or dist.group.WORLD, given[side])
            self.events.append((kind, other, tensor.storage_offset(), tensor.numel()))
            if kind == "send":
                self.messages += 1
                self.bytes += tensor.numel() * tensor.element_size()
            return result

        return watched


def schedule(events_by_rank: Sequence[Sequence[Event]]) -> list[Message]:
    """Return all messages of one collective with the step in which each travels, sorted by step and sender.

    `events_by_rank` lists each rank's `Traffic.events`. A rank sends at most one message and receives at most one
    in a step, and nothing travels before what its sender had received by then. ValueError where a message that is
    waited for was never sent, or one that was sent is never received.
    """
    waiting = [deque(events) for events in events_by_rank]
    send_free, recv_free = [0] * len(waiting), [0] * len(waiting)  # the first step in which a rank can
    on_the_way = defaultdict(deque)  # (source, target) -> (earliest step, first, length)
    messages, moved = [], True
    while moved:
        moved = False
        for rank, events in enumerate(waiting):
            while events:
                kind, other, first, length = events[0]
                if kind == "send":
                    earliest = max(send_free[rank], recv_free[rank])
                    send_free[rank] = earliest + 1
                    on_the_way[rank, other].append((earliest, first, length))
                elif on_the_way[other, rank]:
                    earliest, first, length = on_the_way[other, rank].popleft()
                    step = max(earliest, recv_free[rank])
                    recv_free[rank] = step + 1
                    messages.append(Message(step, other, rank, first, length))
                else:
                    break  # not sent yet: look at the other ranks
                events.popleft()
                moved = True
    lost = [f"{source} to {target}" for (source, target), there in on_the_way.items() if there]
    if lost or any(waiting):
        unmet = [f"{events[0][1]} to {rank}" for rank, events in enumerate(waiting) if events]
        raise ValueError(f"messages without a receiver: {lost or 'none'}; waited for in vain: {unmet or 'none'}")
    return sorted(messages, key=lambda message: (message.step, message.source, message.target))
