"""Rate limits: a token bucket for each of a bounded number of clients."""

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic


class Buckets:
    """A bucket for each client, full at first: `rate` a second flow in, up to `burst`.

    At most `clients` are remembered; the one not seen for longest is forgotten first.
    """

    def __init__(
        self, *, rate: float, burst: float, clients: int = 1000, clock: Callable[[], float] = monotonic
    ) -> None:
        self._rate, self._burst, self._clients, self._clock = rate, burst, clients, clock
        self._filled: OrderedDict[str, tuple[float, float]] = OrderedDict()  # client -> content, when

    def take(self, client: str, amount: float = 1) -> bool:
        """Take so much out of a client's bucket; return False, and take nothing, if there is not so much in it."""
        now = self._clock()
        content, before = self._filled.pop(client, (self._burst, now))
        content = min(self._burst, content + self._rate * (now - before))
        allowed = content >= amount
        self._filled[client] = (content - amount if allowed else content, now)
        if len(self._filled) > self._clients:
            self._filled.popitem(last=False)
        return allowed
