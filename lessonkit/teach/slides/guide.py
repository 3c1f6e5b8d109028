"""What the instructor's guide says of a chapter: where its bet is, and what is half-time, late and for home."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lessonkit.notebook.catalog import Chapter
from lessonkit.system.course import course
from lessonkit.system.place import PROJECT

_KINDS = ("Say", "Bet", "Mistake", "Half-time", "Late", "Home")


@dataclass(frozen=True)
class Marks:
    """The headings of a chapter that its entry names, each by how it begins."""

    bet: tuple[str, ...] = ()
    half_time: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    home: tuple[str, ...] = ()


def marks(chapter: Chapter) -> Marks | None:
    """Return what the guide that course.toml names says of a chapter; None without a guide, or without an entry."""
    path = PROJECT / course().guide
    if not course().guide or not path.is_file():
        return None
    return marks_in(path.read_text(encoding="utf-8"), chapter.name)


def marks_in(guide: str, name: str) -> Marks | None:
    """Return what a guide's text says of the chapter `05_training`, whose entry is headed `### 05 training`."""
    title = re.escape(name.replace("_", " ", 1))
    entry = re.search(rf"^### {title}$\n(.*?)(?=^#{{1,3}} |\Z)", guide, re.MULTILINE | re.DOTALL)
    if entry is None:
        return None
    pieces = re.split(rf"\*\*({'|'.join(_KINDS)}):?\*\*", entry[1])
    said = {
        kind: tuple(re.findall(r"“([^”]+)”", words)) for kind, words in zip(pieces[1::2], pieces[2::2], strict=True)
    }
    # The entry of a bet names its heading first; what else it quotes is said to the room.
    return Marks(said.get("Bet", ())[:1], *(said.get(kind, ()) for kind in _KINDS[3:]))


def begins(heading: str, marked: Sequence[str]) -> bool:
    """Return whether a heading begins with one of those that are marked; code and stress make no difference."""
    return any(_plain(heading).startswith(_plain(one)) for one in marked)


def _plain(heading):
    return re.sub(r"[`*]", "", heading)
