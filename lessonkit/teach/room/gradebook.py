"""The gradebook of `course grade`: saved after every submission, and loaded by the next run of the command."""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path

from lessonkit.notebook.catalog import Chapter, find_question
from lessonkit.system import atomic
from lessonkit.system.course import course, package_folder
from lessonkit.system.errors import Refused
from lessonkit.system.place import PROJECT, SETTINGS
from lessonkit.system.plain_file import read_plain_text
from lessonkit.system.versions import versions
from lessonkit.teach.room import feedback, grades_page, moodle, submission, tables
from lessonkit.teach.room.hand_in_notes import is_absence, nothing_of
from lessonkit.teach.room.overrides import Override, Overrides, begin, matched
from lessonkit.teach.room.overrides import read as read_overrides
from lessonkit.teach.room.roster import Entry
from lessonkit.teach.room.rows import Graded
from lessonkit.teach.room.sandbox.isolation import Isolation
from lessonkit.teach.room.sandbox.visible import DATA
from lessonkit.teach.room.settled import file_of, settled
from lessonkit.teach.room.tally import Tally, read_manifest, tally

NAME = "grades.json"
_CHANGES = {  # what a kept result was graded with, in the head -> what to say where it is another now
    "isolation": "submissions ran in another isolation",
    "limits": "the limits were others",
    "judged_by": "the course or its chapters have changed since",
    "versions": "the versions of packages were others",
}


@dataclass
class Gradebook:
    """All that is graded so far, in the folder `out`. `head`: what it was graded with.

    `dropped`: why what was graded before is not kept; empty where it is, or nothing was. `handed_out`: chapter ->
    exercises, by a release's manifest, None without one. `by_hand`: the lines of overrides.csv. `settle`: makes of
    what was judged what is reported, as `settled` does. `ids`: learner -> by what a platform knows them.
    `people`: everybody whom overrides.csv may name; `first`: override -> the sum of the file that it was applied to
    first; `moodle`: assignment's archive -> Moodle's folder -> learner.
    """

    out: Path
    head: dict[str, object]
    graded: dict[str, Graded] = field(default_factory=dict)  # by file
    dropped: str = ""
    settle: Callable[[Iterable[Graded]], list[Graded]] = settled
    chapters: tuple[Chapter, ...] = ()
    handed_out: dict[str, tuple[str, ...]] | None = None
    by_hand: list[dict[str, str]] = field(default_factory=list)
    ids: dict[str, list[str]] = field(default_factory=dict)
    people: dict[str, list[Entry]] = field(default_factory=dict)
    first: dict[Override, str] = field(default_factory=dict)
    moodle: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, one: Graded) -> None:
        """Take in a submission's result, and write what the next run needs and what a person looks at meanwhile."""
        self.keep(lambda file: file != one.file)
        self.graded[one.file] = one
        self._write(self._shared(*self.tally()))

    def tally(self) -> tuple[Tally, Overrides]:
        """Return the room added up, with the points given by hand, also to who handed in nothing."""
        results = self.results()
        people = {one.learner: self.people.get(one.learner) or [Entry(one.learner)] for one in results}
        overrides = matched(self.by_hand, people=self.people | people, chapters=self.chapters)
        there = {(one.learner, one.chapter) for one in results}
        given = dict.fromkeys((learner, chapter) for learner, chapter, _ in overrides.by_row)
        nothing = [nothing_of(*one, self.chapters) for one in given if one not in there]
        points = {one.learner for one in nothing}
        results = [one for one in results if not (is_absence(one) and one.learner in points)] + nothing
        self.first = {one: self.first[one] for one in overrides.by_row.values() if one in self.first}
        room = tally(results, overrides=overrides, handed_out=self.handed_out, written_for=self.first)
        return room, overrides

    def _note_first(self, room: Tally, overrides: Overrides) -> None:
        """Take down to which file each override was applied first."""
        sums = {(one.graded.learner, one.graded.chapter): one.graded.sha256 for one in room.counting}
        for (learner, chapter, _), one in overrides.by_row.items():
            self.first.setdefault(one, sums.get((learner, chapter), ""))

    def keep(self, wanted: Callable[[str], bool]) -> None:
        """Forget the results of files that are not `wanted`."""
        self.graded = {key: one for key, one in self.graded.items() if wanted(file_of(one))}

    def results(self) -> list[Graded]:
        """Return the submissions, by learner and chapter."""
        return sorted(self.settle(self.graded.values()), key=lambda one: (one.learner, one.chapter, one.file))

    def save(self, *, complete: bool = True) -> None:
        """Write every file, each at once and completely: the gradebook's, one for a platform, a page a learner.

        `complete`: whether all that was handed in is judged. Raises OSError.
        """
        room, overrides = self.tally()
        if complete:
            self._note_first(room, overrides)
        files = self._shared(room, overrides)
        files[tables.FOR_LMS] = tables.for_lms(room, self.chapters, self.ids)
        pages = feedback.pages(room, self.chapters)
        self._write(files | {f"{feedback.FOLDER}/{name}": page for name, page in pages.items()})
        packed = moodle.archives(self.moodle, pages, feedback.file_names(room.learners))
        for name, data in packed.items():
            atomic.write(self.out / feedback.FOLDER / name, data, private=True)
        if complete:
            feedback.remove_others(self.out / feedback.FOLDER, pages)
        begin(self.out)

    def _shared(self, room: Tally, overrides: Overrides) -> dict[str, str]:
        first = [asdict(one) | {"sha256": sha256} for one, sha256 in self.first.items()]
        submissions = [one.graded.to_json() for one in room.standings]
        contents = {"head": self.head, "overrides": first, "submissions": submissions}
        page = grades_page.render(
            room, self.head, troubles=overrides.troubles, released=self.handed_out is not None
        )
        return {
            NAME: json.dumps(contents, indent=1, ensure_ascii=False) + "\n",
            "grades.csv": tables.by_exercise(room),
            "grades.html": page,
        }

    def _write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            atomic.make_folder((self.out / name).parent)
            atomic.write(self.out / name, text.encode("utf-8", "replace"), private=True)  # names, and the secret


def opened(
    out: Path,
    *,
    isolation: Isolation,
    limits: dict[str, object],
    chapters: Sequence[Chapter],
    anew: bool,
    released: Path | None = None,
) -> Gradebook:
    """Return the gradebook in `out`, with what was graded by the same course and limits, or an empty one.

    `released`: the manifest of what was handed out. Raises `Refused` for a grades.json, a manifest or an
    overrides.csv that is none of ours.
    """
    given = {
        "chapters": tuple(chapters),
        "handed_out": read_manifest(released) if released else None,
        "by_hand": read_overrides(out),
    }
    head = {
        "isolation": isolation.name,
        "promises": isolation.promises,
        "limits": limits,
        "judged_by": judged_by(chapters),
        "versions": versions(course().distribution, "python", "torch", "torchvision", "numpy", "safetensors"),
        "installed": installed(),
        "secret": secrets.randbits(60),  # mixed into the seed of each submission's inputs
    }
    path = out / NAME
    if not path.exists():
        return Gradebook(out, head, **given)
    try:
        found = json.loads(read_plain_text(path))
        given["first"] = {_override(one): str(one["sha256"]) for one in found.get("overrides", ())}
        if anew:
            return Gradebook(out, head, **given)
        before = [Graded.from_json(entry) for entry in found["submissions"]]
        others = [_CHANGES[name] for name in _CHANGES if found["head"][name] != head[name]]
        head["secret"] = int(found["head"]["secret"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise Refused(
            f"{path} is no result of `course grade` ({type(error).__name__}); give another --out"
        ) from None
    if found["head"].get("installed") != head["installed"]:
        before = _without_not_judged_here(before)
    if others:
        return Gradebook(out, head, dropped=" and ".join(others) if before else "", **given)
    return Gradebook(out, head, {one.file: one for one in before}, **given)


def installed() -> str:
    """Return a digest of what an answer may lack here: the packages that are installed, and the course's data."""
    digest = hashlib.sha256()
    for one in sorted({f"{each.name}=={each.version}" for each in metadata.distributions()}):
        digest.update(one.encode() + b"\0")
    for name in DATA:
        for path in sorted((PROJECT / name).rglob("*")):
            if path.is_file():
                digest.update(f"{path.relative_to(PROJECT).as_posix()} {path.stat().st_size}".encode() + b"\0")
    return digest.hexdigest()[:16]


def _without_not_judged_here(before: Sequence[Graded]) -> list[Graded]:
    """Return the results of files in which nothing was missing here; the others are judged anew."""
    lacking = {file_of(one) for one in before for row in one.rows if row.state == "not judged here"}
    return [one for one in before if file_of(one) not in lacking]


def _override(one: dict) -> Override:
    return Override(**{name: value for name, value in one.items() if name != "sha256"})


def judged_by(chapters: Sequence[Chapter]) -> str:
    """Return a digest of the code, the chapters and the questions with letters that decide what a row says."""
    digest = hashlib.sha256()
    files = {path.name: path for path in (PROJECT / SETTINGS, *(chapter.path for chapter in chapters))}
    for package in filter(None, map(package_folder, ("lessonkit", course().package))):
        files |= {path.relative_to(package.parent).as_posix(): path for path in package.rglob("*.[pt]*")}
    for name, path in sorted(files.items()):
        if path.is_file() and path.suffix != ".pyc":  # bytecode changes from machine to machine
            digest.update(name.encode() + b"\0" + path.read_bytes())
    for name in [task.name for chapter in chapters for task in submission.tasks(chapter) if task.asked]:
        if one := find_question(name):
            said = {letter: option.why for letter, option in one.options.items()}
            digest.update(json.dumps([name, one.id, one.answer, said]).encode())
    return digest.hexdigest()[:16]
