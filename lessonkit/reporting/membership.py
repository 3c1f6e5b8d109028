"""The learner's consent, kept in the work folder: which page is told of their checks, under which nickname."""

import json
import re
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from lessonkit.reporting.nickname import cleaned
from lessonkit.system import atomic
from lessonkit.system.errors import Refused
from lessonkit.system.plain_file import read_plain_text

FILE = Path(".course") / "classroom.json"  # in the folder of the copies
_TOKEN = re.compile(r"[a-z0-9-]{8,64}")
_LEARNER = re.compile(r"[0-9a-f]{32}")
CODE_LETTERS = "bfhjkmqrwxyz"  # none looks or sounds like another one, and no word can be made of them
CODE_LENGTH = 6
EXAMPLE = "192.168.1.5:8700/kqw-xfm"


@dataclass(frozen=True)
class Membership:
    """What is kept. `host`, `port`: the page. `token`: its learners' own. `learner`: this one, drawn at random.

    `nickname`: empty for none. `folder`: where it was agreed to; kernels started there and at the desk report.
    `code`: the short address that the learner typed, empty for a long one.
    """

    host: str
    port: int
    token: str
    learner: str
    nickname: str
    folder: str
    code: str = ""

    @property
    def page(self) -> str:
        """The page as people read it, without the token."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    @property
    def notes_page(self) -> str:
        """The learner's own page with two buttons, *help* and *done*; the address is nobody else's."""
        return f"{self.page}/me/{self.learner}"


@dataclass(frozen=True)
class Address:
    """Where a room is. Either the `token` or the short `code` is known, the other one is empty."""

    host: str
    port: int
    token: str = ""
    code: str = ""


def parsed(address: str) -> Address:
    """Return what a typed address says, such as `192.168.1.5:8700/kqw-xfm`, with or without `http://`.

    Large letters, spaces and dashes in the code do not matter. Raises `Refused` for what is no address.
    """
    refusal = f"{address!r} is no address to join; expected one as your instructor shows it, such as {EXAMPLE}"
    try:
        text = address.strip()
        parts = urlsplit(text if "://" in text else f"http://{text}")
        host, port = parts.hostname, parts.port
    except (ValueError, AttributeError):
        raise Refused(refusal) from None
    if parts.scheme != "http" or not host or not port or parts.query:
        alone = about_code(text) or (". The address in front of the code is missing" if code_of(text) else "")
        raise Refused(refusal + alone)
    kind, _, token = parts.path.strip("/").partition("/")
    if kind == "join" and _TOKEN.fullmatch(token):
        return Address(host, port, token=token)
    if not token and (code := code_of(kind)):
        return Address(host, port, code=code)
    raise Refused(f"{refusal}{'' if token else about_code(kind)}")


def code_of(text: str) -> str:
    """Return the code that somebody typed, in its plain form; "" for what is none."""
    letters = re.sub(r"[\s-]|%20", "", text).lower()
    return letters if len(letters) == CODE_LENGTH and set(letters) <= set(CODE_LETTERS) else ""


def about_code(text: str) -> str:
    """Return what is wrong with a code that was typed, to be put behind a refusal.

    It is "" for a right code, and for what looks like none.

    >>> about_code("kqw-xf")
    '. A code has 6 letters, and this one has 5'
    """
    letters = re.sub(r"[\s-]|%20", "", text).lower()
    if code_of(text) or not letters.isalnum() or abs(len(letters) - CODE_LENGTH) > 2:
        return ""
    if strange := [letter for letter in dict.fromkeys(letters) if letter not in CODE_LETTERS]:
        return f". A code never has {_listed(strange)}; its letters are {' '.join(CODE_LETTERS)}"
    return f". A code has {CODE_LENGTH} letters, and this one has {len(letters)}"


def _listed(letters):
    return " or ".join(filter(None, [", ".join(letters[:-1]), letters[-1]]))


def member(
    address: str | Address, nickname: str = "", *, folder: Path, before: Membership | None = None
) -> Membership:
    """Return what agreeing to an address of `course classroom` would keep. Raises `Refused` for another address.

    The address must have the token: `client.found` asks the page for it where only the code is known. `before`:
    what is kept so far. In the same room the learner stays the same one.
    """
    where = address if isinstance(address, Address) else parsed(address)
    if not where.token:
        raise Refused(f"{address!r} has a code and no token; the page has to be asked for that first")
    known = (where.host, where.port, where.token)
    same = before is not None and (before.host, before.port, before.token) == known
    learner = before.learner if same else secrets.token_hex(16)
    return Membership(*known, learner, cleaned(nickname), str(folder), where.code)


def read(work: Path) -> Membership | None:
    """Return what a work folder keeps, None where it is nothing. Raises `Refused` for what cannot be read."""
    path = work / FILE
    try:
        found = Membership(**json.loads(read_plain_text(path)))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Refused(f"{path} cannot be read ({error.strerror})") from None
    except (ValueError, TypeError, RecursionError):
        raise Refused(f"{path} is damaged; `course leave` removes it, then join again") from None
    texts = (found.host, found.nickname, found.folder, found.token, found.learner, found.code)
    fits = all(isinstance(text, str) for text in texts) and type(found.port) is int
    fits = fits and 0 < found.port < 1 << 16
    if not fits or not _TOKEN.fullmatch(found.token) or not _LEARNER.fullmatch(found.learner):
        raise Refused(f"{path} is damaged; `course leave` removes it, then join again")
    return found


def keep(work: Path, membership: Membership) -> None:
    """Keep it in a work folder. Raises `Refused` where that cannot be written."""
    path = work / FILE
    try:
        atomic.make_folder(path.parent)
        atomic.write(path, json.dumps(asdict(membership), indent=1).encode(), private=True)
    except OSError as error:
        raise Refused(
            f"{path} cannot be written ({error.strerror}); let COURSE_WORK name a folder where you may write"
        ) from None


def forget(work: Path) -> bool:
    """Remove what is kept; return whether there was something. Raises `Refused` where it cannot be removed."""
    path = work / FILE
    try:
        path.unlink()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise Refused(f"{path} cannot be removed ({error.strerror}); delete it yourself") from None
    return True
