"""The HTTP client of the classroom page: a kernel sends one small request at a time, each on its own connection.

The page proves that it knows the room's token before it is told anything: an address that was the instructor's
yesterday may be somebody else's today.
"""

import hmac
import ipaddress
import json
import secrets
from collections.abc import Sequence

from lessonkit.reporting.membership import Address, Membership

TIMEOUT = 3.0  # seconds that each step of a request may take
MOST_BYTES = 64 << 10  # of a request or an answer
MOST_EVENTS = 100  # in one request


class Away(Exception):
    """The page cannot be told now; the text says why, in the middle of a sentence."""


def is_loopback(address: str) -> bool:
    """Return whether only programs of this machine can reach the address."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def proof(token: str, nonce: str) -> str:
    """Return what only somebody who knows the token can answer to a nonce."""
    return hmac.digest(token.encode(), f"classroom {nonce}".encode(), "sha256").hex()


def found(where: Address) -> Address:
    """Return the address with its token; the page is asked where only the code is known. Raises `Away`."""
    if where.token:
        return where
    said = _request(where, "GET", f"/{where.code}")
    token = said.get("token")
    if not isinstance(token, str):
        raise Away("what answers there is no classroom")
    return Address(where.host, where.port, token, where.code)


def greet(membership: Membership) -> dict:
    """Return what the page says of itself, once it has proved that it is the room's. Raises `Away`."""
    nonce = secrets.token_hex(16)
    said = _request(membership, "GET", f"/hello/{nonce}")
    if not hmac.compare_digest(str(said.get("proof", "")).encode(), proof(membership.token, nonce).encode()):
        raise Away("another room, or another program, answers there: is the address right, and today's?")
    return said


def send(membership: Membership, events: Sequence[dict], *, note: str | None = None) -> None:
    """Tell the page of checks, or with none that the learner is there. Raises `Away`.

    `note`: the learner's note from now on, "help", "done" or "" for none; None leaves it as it is.
    """
    body = {"learner": membership.learner, "nickname": membership.nickname, "events": [*events]}
    body |= {} if note is None else {"note": note}
    _request(membership, "POST", "/report", json.dumps(body).encode())


def _request(membership, method, path, body=None):
    import http.client  # not where nobody has joined: the first check waits for this module

    headers = {"Content-Type": "application/json", "Accept": "application/json", "Connection": "close"}
    if body is not None:
        headers["Authorization"] = f"Bearer {membership.token}"
    connection = http.client.HTTPConnection(membership.host, membership.port, timeout=TIMEOUT)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read(MOST_BYTES)
    except (OSError, http.client.HTTPException) as error:
        raise Away(getattr(error, "strerror", None) or str(error) or type(error).__name__) from None
    finally:
        connection.close()
    if answer.status != 200:
        raise Away(f"it answers {answer.status}: {text[:200].decode('utf-8', 'replace').strip()}")
    try:
        said = json.loads(text)
    except ValueError:
        said = None
    if not isinstance(said, dict):
        raise Away("what answers there is no classroom")
    return said
