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
EXAMPLE = "http://192.168.1.5:8765/join/abcd-efgh-jkmn-pqrs"


@dataclass(frozen=True)
class Membership:
    """What is kept. `host`, `port`: the page. `token`: its learners' own. `learner`: this one, drawn at random.

    `nickname`: empty for none. `folder`: where it was agreed to; kernels started there and at the desk report.
    """

    host: str
    port: int
    token: str
    learner: str
    nickname: str
    folder: str

    @property
    def page(self) -> str:
        """The page as people read it, without the token."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def member(address: str, nickname: str = "", *, folder: Path, before: Membership | None = None) -> Membership:
    """Return what agreeing to an address of `course classroom` would keep. Raises `Refused` for another address.

    `before`: what is kept so far. In the same room the learner stays the same one.
    """
    refusal = f"{address!r} is no address to join; expected one as your instructor shows it, such as {EXAMPLE}"
    try:
        parts = urlsplit(address.strip())
        host, port = parts.hostname, parts.port
    except (ValueError, AttributeError):
        raise Refused(refusal) from None
    kind, _, token = parts.path.strip("/").partition("/")
    if parts.scheme != "http" or not host or not port or kind != "join" or not _TOKEN.fullmatch(token):
        raise Refused(refusal)
    same = before is not None and (before.host, before.port, before.token) == (host, port, token)
    learner = before.learner if same else secrets.token_hex(16)
    return Membership(host, port, token, learner, cleaned(nickname), str(folder))


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
    texts = (found.host, found.nickname, found.folder, found.token, found.learner)
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
