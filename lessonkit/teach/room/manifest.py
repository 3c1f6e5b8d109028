"""The manifest of what was collected: each person, and each file that was found, taken or not."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from lessonkit.system import atomic
from lessonkit.system.errors import Refused
from lessonkit.system.plain_file import read_plain_text
from lessonkit.teach.room.names import composed
from lessonkit.teach.room.people import Person
from lessonkit.teach.room.roster import Entry

NAME = "collected.json"
TAKEN, NOT_TAKEN = "taken", "not taken"


@dataclass
class Item:
    """One file that was handed in, for one learner. `path`: where it lay in `source`; `file`: where it is now.

    `said`: why it was not taken, or what is to be known of it. `run`: which `course collect` it was, from 1;
    `moodle`: the folder to which Moodle takes feedback on it, empty for the second of a pair.
    """

    source: str
    path: str
    learner: str
    state: str
    chapter: str = ""
    file: str = ""
    said: str = ""
    sha256: str = ""
    run: int = 1
    version: int = 0
    date: str = ""
    again: int = 0
    modified: str = ""
    moodle: str = ""

    @property
    def order(self) -> tuple:
        """What sorts the hand-ins of a chapter, the latest last."""
        return self.run, self.version, self.date, self.again, self.modified


@dataclass
class Manifest:
    """All that is known of a collected room. `roster`: the list of the last `--roster`."""

    people: list[Person] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    rubbish: int = 0
    roster: list[Entry] = field(default_factory=list)

    @property
    def run(self) -> int:
        """The number of the last `course collect`."""
        return max((item.run for item in self.items), default=0)

    def add(self, item: Item) -> None:
        """Take down a file, once: the same again, in a later run, is the same hand-in."""
        same = ("source", "path", "learner", "sha256", "state")
        if not any(all(getattr(one, name) == getattr(item, name) for name in same) for one in self.items):
            self.items.append(item)

    def save(self, to: Path) -> None:
        """Write it into the folder of the room. Raises OSError."""
        value = {
            "format": 1,
            "people": [asdict(one) | {"entry": _entry(one.entry)} for one in self.people],
            "files": [asdict(one) for one in self.items],
            "sentences": self.sentences,
            "absent": self.absent,
            "roster": [_entry(one) for one in self.roster],
            "files of systems": self.rubbish,
        }
        text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
        atomic.make_folder(to)
        atomic.write(to / NAME, text.encode("utf-8", "replace"))


def _entry(entry: Entry | None) -> dict | None:
    if entry is None:
        return None
    return {"name": entry.name, "numbers": sorted(entry.numbers), "logins": sorted(entry.logins)}


def _read_entry(value: dict) -> Entry:
    return Entry(value["name"], frozenset(value["numbers"]), frozenset(value["logins"]))


def load(folder: Path) -> Manifest | None:
    """Return the manifest of a collected room, None for a folder without. Raises `Refused` for another file."""
    path = folder / NAME
    if not path.exists():
        return None
    try:
        value = json.loads(read_plain_text(path))
        people = []
        for one in value["people"]:
            entry = one.pop("entry")
            people.append(Person(**one, entry=_read_entry(entry) if entry else None))
        items = [Item(**one) for one in value["files"]]
        texts = [str(one) for one in value["sentences"]], [str(one) for one in value["absent"]]
        roster = [_read_entry(one) for one in value.get("roster", ())]  # an earlier version kept none
        return Manifest(people, items, *texts, rubbish=int(value["files of systems"]), roster=roster)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Refused(f"{path} is no manifest of `course collect` ({type(error).__name__}); move it away") from None


def on_disk(name: str) -> str:
    """Return a name as systems compare it that do not tell A from a."""
    return composed(name).casefold()
