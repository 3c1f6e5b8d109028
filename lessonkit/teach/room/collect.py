"""Copy what a class has handed in, in folders or archives, into one folder for each learner."""

import hashlib
import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from lessonkit.notebook.catalog import Chapter
from lessonkit.system.atomic import atomic_write, make_folder
from lessonkit.system.errors import Refused
from lessonkit.system.plain_file import open_plain
from lessonkit.teach.room import manifest as manifests
from lessonkit.teach.room.counted import counted
from lessonkit.teach.room.file_types import LARGEST, holds_notebook, is_notebook, kind_of_name, may_be_notebook
from lessonkit.teach.room.gather import Found, Gathered, gather
from lessonkit.teach.room.gradescope import submitters
from lessonkit.teach.room.manifest import NOT_TAKEN, TAKEN, Item, Manifest, on_disk
from lessonkit.teach.room.moodle import folder_of
from lessonkit.teach.room.names import key, normalised, people_in
from lessonkit.teach.room.names_in_text import names_in
from lessonkit.teach.room.people import People, Person
from lessonkit.teach.room.platforms import OWN_FILES
from lessonkit.teach.room.roster import Entry, match
from lessonkit.teach.room.whose import Whose, whose_all


@dataclass
class Collected:
    """What came of it: files written, files that were there already, and a sentence for all that was not taken.

    `told`: sentences on what was decided, such as who was taken for one person; `absent`: who is on the roster and
    has handed in nothing; `rubbish`: files of systems, which were left out; `roster`: how many people are on it.
    """

    written: list[Path] = field(default_factory=list)
    there: int = 0
    refused: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    rubbish: Counter[str] = field(default_factory=Counter)
    learners: int = 0
    roster: int = 0


def collect(source: Path, to: Path, chapters: Sequence[Chapter], *, roster: Sequence[Entry] = ()) -> Collected:
    """Put the notebooks of a folder or an archive into `to/LEARNER/CHAPTER.ipynb`; return what came of it.

    Nothing is overwritten: another file of the same name gets `-2`, the same bytes again are passed over. The
    manifest `to/collected.json` says what was found, and whose it was taken to be. Raises `Refused` where the
    source is neither folder nor archive, or lies in `to`; OSError where the disk is full: the same again takes what
    is missing.
    """
    inside, target = source.resolve(), to.resolve()
    if inside.is_relative_to(target) or target.is_relative_to(inside):
        raise Refused(f"one of {to} and {source} is inside the other; give another --to")
    if not source.is_dir() and not source.is_file():
        raise Refused(f"{source} is neither a folder nor an archive")
    manifest = manifests.load(to) or Manifest()
    with ExitStack() as stack:
        room = _Room(source.resolve().name, to, manifest, roster)
        return room.take(gather(source, stack), chapters)


class _Room:
    """One `course collect`: what is decided of each file, and done."""

    def __init__(self, source: str, to: Path, manifest: Manifest, roster: Sequence[Entry]) -> None:
        self.source, self.to, self.manifest = source, to, manifest
        self.run = manifest.run + 1
        self.done = Collected()
        if manifest.roster and not roster:
            people = counted(len(manifest.roster), "person", "people")
            self.done.told.append(
                f"The roster of an earlier `course collect` is used ({people}); --roster gives another one"
            )
        manifest.roster = list(roster) or manifest.roster
        self.done.roster = len(manifest.roster)
        self.people = People(manifest.people, roster=manifest.roster, run=source)

    def take(self, gathered: Gathered, chapters: Sequence[Chapter]) -> Collected:
        """Take each file, or say why not, and write the manifest."""
        own = [
            one for one in gathered.found if OWN_FILES.match(one.path.name) and not one.folder and not one.refused
        ]
        receipts = [one for one in own if "_attempt_" in one.path.name]
        found = [one for one in gathered.found if one not in own] + receipts
        whole = [one for one in found if one.refused and len(one.path.parts) == 1 and one.path.name == self.source]
        if guessed := [str(one.path).encode("utf-8", "replace").decode() for one in found if one.guessed]:
            are = "is" if len(guessed) == 1 else "are"
            self.done.told.append(
                f"{counted(len(guessed), 'name')} in an archive {are} in an encoding "
                f"that it does not say, and some of the letters may be wrong: {', '.join(guessed[:3])}"
            )
        self.done.refused += [
            f"{one.path}: {one.refused}" for one in whole
        ]  # it is all that was given, and nobody's
        found = [one for one in found if one not in whole]
        whose = whose_all(
            [one.path for one in found],
            chapters,
            folders=[one.folder for one in found],
            submitters=submitters(gathered.metadata),
            is_person=self._is_person,
            told=self.done.told,
            called=self.source,
        )
        owners = self.people.assign(whose)
        full = {id(p) for one, those in zip(found, owners, strict=True) for p in those if not _is_bare(one)}
        for one, said, those in zip(found, whose, owners, strict=True):
            for person in those:
                if not _is_bare(one):
                    self._take(one, said, person)
                elif id(person) not in full:
                    full.add(id(person))
                    words = "the folder is empty" if one.folder else "there is the platform's receipt and no file"
                    self._not_taken(one, said, person, words)
        self._end(gathered, [one for one in own if one not in receipts])
        return self.done

    def _is_person(self, name: str) -> bool:
        """Return whether a folder's name is that of somebody on the roster, or of several."""
        roster = self.people.roster
        by_parts = any(len(match(one, roster).entries) == 1 for one in people_in(name))
        return by_parts or len(names_in(name, roster).entries) > 1

    def _take(self, one: Found, said: Whose, person: Person) -> None:
        if one.refused:
            self._not_taken(one, said, person, one.refused)
            return
        try:
            name, file = one.path.name, one.file
            if file and (is_notebook(name) or (may_be_notebook(name) and holds_notebook(file))):
                self._copy(one, said, person)
            else:
                self._not_taken(one, said, person, f"it is {kind_of_name(name)}")
        except _Unread as error:
            self._not_taken(one, said, person, str(error))

    def _copy(self, one: Found, said: Whose, person: Person) -> None:
        """Copy a notebook to its place in the room."""
        with _opened(one.file) as data:
            if data.seek(0, 2) > LARGEST:
                raise _Unread(f"it is larger than {LARGEST // 2**20} MB")
            folder = self.to / person.folder
            make_folder(folder)
            wanted = _digest(data)
            path, there = self._place(folder, normalised(said.stem), wanted)
            if there:
                self.done.there += 1
            else:
                data.seek(0)
                with atomic_write(path) as file:
                    shutil.copyfileobj(data, file)
                self.done.written.append(path)
        odd_name = not one.path.name.endswith(".ipynb")
        words = f"It is called {one.path.name} and was taken as the notebook that it holds" if odd_name else ""
        if odd_name:
            self.done.told.append(f"{one.path}: {words[0].lower()}{words[1:]}")
        self._note(one, said, person, TAKEN, words, path.relative_to(self.to).as_posix(), wanted.hex())

    def _place(self, folder: Path, stem: str, wanted: bytes) -> tuple[Path, bool]:
        """Return where a file goes, and whether its bytes lie there already."""
        taken = {on_disk(path.name): path for path in folder.iterdir()}
        number = 1
        while path := taken.get(on_disk(name := f"{stem}{f'-{number}' if number > 1 else ''}.ipynb")):
            with open_plain(path) as before:
                if _digest(before) == wanted:
                    return path, True
            number += 1
        return folder / name, False

    def _not_taken(self, one: Found, said: Whose, person: Person, why: str) -> None:
        self.done.refused.append(f"{one.path}: {why}")
        self._note(one, said, person, NOT_TAKEN, why)

    def _note(self, one, said, person, state, words, file="", sha256=""):
        item = Item(
            self.source,
            one.path.as_posix(),
            person.folder,
            state,
            said.chapter,
            file,
            words,
            sha256,
        )
        item.run, item.version, item.date, item.again = self.run, said.version, said.date, said.again
        item.modified = one.modified
        if said.platform == "Moodle" and person.numbers.get("Moodle"):  # the second of a pair has another folder
            item.moodle = folder_of(said.raw) if key(said.name) in map(key, person.spellings) else ""
        self.manifest.add(item)

    def _end(self, gathered: Gathered, lists: Sequence[Found]) -> None:
        """Say what was decided, and write the manifest."""
        done, manifest = self.done, self.manifest
        done.told += self.people.sentences
        if lists:
            names = ", ".join(dict.fromkeys(one.path.name for one in lists))
            done.told.append(f"What the platform itself has written is no hand-in: {names}")
        files = {(item.learner, item.chapter, item.file) for item in manifest.items if item.state == TAKEN}
        times = Counter((learner, chapter) for learner, chapter, _ in sorted(files) if chapter)
        several = [f"{learner} ({chapter}, {count})" for (learner, chapter), count in times.items() if count > 1]
        if several:
            shown = ", ".join(several[:6]) + (f" and {len(several) - 6} more" if len(several) > 6 else "")
            done.told.append(
                f"Handed in more than once, of which one counts (`course grade --resubmissions`): {shown}"
            )
        done.absent = [entry.name for entry in self.people.absent()]
        done.rubbish = gathered.rubbish
        done.learners = len({path.parent for path in done.written})
        manifest.people = self.people.all
        manifest.absent = done.absent if self.people.roster else manifest.absent
        manifest.sentences = list(dict.fromkeys([*manifest.sentences, *done.told]))
        manifest.rubbish += sum(gathered.rubbish.values())
        if manifest.items:
            manifest.save(self.to)


def _opened(file: Path) -> BinaryIO:
    try:
        return open_plain(file)
    except OSError as error:  # it was taken away, or is no plain file any more
        raise _Unread(f"it cannot be read ({error.strerror}); hand it in again") from None


class _Unread(Exception):
    """A file that is not taken; the text says why."""


def _is_bare(one: Found) -> bool:
    """Return whether it holds nothing that was handed in: an empty folder, or a platform's receipt."""
    return one.folder or ("_attempt_" in one.path.name and bool(OWN_FILES.match(one.path.name)))


def _digest(file):
    file.seek(0)
    return hashlib.file_digest(file, "sha256").digest()
