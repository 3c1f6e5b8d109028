"""Access to the classroom page: its two tokens, and the host names that a request may use.

A page elsewhere can make the instructor's browser call this server under a name of its own (DNS rebinding); the
`Host` header that it then sends is that name. A numeric address cannot be forged in this way.
"""

import hmac
import ipaddress
import secrets
import socket
from dataclasses import dataclass, field

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another one


def learners_token() -> str:
    """Return sixteen letters in four groups, which can be read from a wall: 79 bits."""
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(4))
    return "-".join(groups)


@dataclass(frozen=True)
class Tokens:
    """The tokens of a classroom: `instructor` sees and exports, `learners` only reports. `names`: of this host."""

    learners: str
    instructor: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    names: frozenset[str] = frozenset()

    def is_instructor(self, token: str) -> bool:
        """Return whether it is the instructor's token, in a time that says nothing of it."""
        return _same(token, self.instructor)

    def is_learner(self, token: str) -> bool:
        """Return whether it is the learners' token, in a time that says nothing of it."""
        return _same(token, self.learners)

    def knows(self, host: str) -> bool:
        """Return whether a request's host, without its port, is this machine's: an address in numbers or a name."""
        host = host.strip("[]").lower()
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return host in self.names
        return getattr(address, "scope_id", None) is None  # behind the % of fe80::1%… any text may stand


def own_names(address: str) -> frozenset[str]:
    """Return the names by which this machine may be asked, the address it was told to listen at among them."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name}.local", address.lower()})


def _same(one, other):
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())
