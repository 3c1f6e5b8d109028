"""Access to the classroom page: its two tokens, and the host names that a request may use.

A page elsewhere can make the instructor's browser call this server under a name of its own (DNS rebinding); the
`Host` header that it then sends is that name. A numeric address cannot be forged in this way.
"""

import hashlib
import hmac
import ipaddress
import secrets
import socket
from dataclasses import dataclass, field

from lessonkit.reporting.membership import CODE_LENGTH, CODE_LETTERS, code_of

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another one


def learners_token() -> str:
    """Return sixteen letters in four groups, which can be read from a wall: 79 bits."""
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(4))
    return "-".join(groups)


@dataclass(frozen=True)
class Tokens:
    """A classroom's tokens: `instructor` sees all, `learners` only reports. `names`: of this host.

    The `code` is what learners type. It only opens the way to their token, and it may not be tried often:
    with the token itself so short, whoever hears the page prove that it knows it could find it by trying.
    """

    learners: str
    instructor: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    names: frozenset[str] = frozenset()

    @property
    def code(self) -> str:
        """Six letters in two groups, which can be read aloud; the same ones for the same learners' token."""
        number = int.from_bytes(hashlib.sha256(f"code of {self.learners}".encode()).digest())
        letters = []
        for _ in range(CODE_LENGTH):
            number, letter = divmod(number, len(CODE_LETTERS))
            letters.append(CODE_LETTERS[letter])
        return f"{''.join(letters[:3])}-{''.join(letters[3:])}"

    def is_code(self, typed: str) -> bool:
        """Return whether somebody typed the code, in a time that says nothing of it."""
        return _same(code_of(typed), code_of(self.code))

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
