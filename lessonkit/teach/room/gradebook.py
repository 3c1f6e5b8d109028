"""The gradebook of `course grade`: saved after every submission, and loaded by the next run of the command."""

import csv
import hashlib
import io
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lessonkit.notebook.catalog import Chapter, find_question
from lessonkit.system import atomic
from lessonkit.system.course import course, package_folder
from lessonkit.system.errors import Refused
from lessonkit.system.place import PROJECT, SETTINGS
from lessonkit.system.plain_file import read_plain_text
from lessonkit.system.spreadsheet import as_text
from lessonkit.system.versions import versions
from lessonkit.teach.room import grades_page, submission
from lessonkit.teach.room.rows import Graded, Row
from lessonkit.teach.room.sandbox.isolation import Isolation

NAME = "grades.json"
_CHANGES = {  # what a kept result was graded with, in the head -> what to say where it is another now
    "isolation": "submissions ran in another isolation",
    "limits": "the limits were others",
    "judged_by": "the course or its chapters have changed since",
    "versions": "the versions of packages were others",
}
_COLUMNS = ("learner", "file", "chapter", "exercise", "further", "state", "mistake", "message", "note", "seconds")


@dataclass
class Gradebook:
    """All that is graded so far, in the folder `out`. `head`: what it was graded with.

    `dropped`: why what was graded before is not kept; empty where it is, or nothing was.
    """

    out: Path
    head: dict[str, object]
    graded: dict[str, Graded] = field(default_factory=dict)  # by file
    dropped: str = ""

    def add(self, one: Graded) -> None:
        """Take in a submission's result and write all three files."""
        self.graded[one.file] = one
        self.save()

    def results(self) -> list[Graded]:
        """Return the submissions, by learner and chapter."""
        return sorted(self.graded.values(), key=lambda one: (one.learner, one.chapter, one.file))

    def save(self) -> None:
        """Write grades.json, grades.csv and grades.html, each at once and completely. Raises OSError."""
        results = self.results()
        contents = {"head": self.head, "submissions": [one.to_json() for one in results]}
        files = {
            NAME: json.dumps(contents, indent=1, ensure_ascii=False) + "\n",
            "grades.csv": _table(results),
            "grades.html": grades_page.render(results, self.head),
        }
        atomic.make_folder(self.out)
        for name, text in files.items():
            atomic.write(self.out / name, text.encode("utf-8", "replace"), private=True)  # names, and the secret


def opened(
    out: Path, *, isolation: Isolation, limits: dict[str, object], chapters: Sequence[Chapter], anew: bool
) -> Gradebook:
    """Return the gradebook in `out`, with what was graded by the same course and limits, or an empty one.

    Raises `Refused` for a grades.json there that is none of ours.
    """
    head = {
        "isolation": isolation.name,
        "promises": isolation.promises,
        "limits": limits,
        "judged_by": judged_by(chapters),
        "versions": versions(course().distribution, "python", "torch", "torchvision", "numpy", "safetensors"),
        "secret": secrets.randbits(60),  # mixed into the seed of each submission's inputs
    }
    path = out / NAME
    if anew or not path.exists():
        return Gradebook(out, head)
    try:
        found = json.loads(read_plain_text(path))
        before = [Graded.from_json(entry) for entry in found["submissions"]]
        others = [_CHANGES[name] for name in _CHANGES if found["head"][name] != head[name]]
        head["secret"] = int(found["head"]["secret"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise Refused(
            f"{path} is no result of `course grade` ({type(error).__name__}); give another --out"
        ) from None
    if others:
        return Gradebook(out, head, dropped=" and ".join(others) if before else "")
    return Gradebook(out, head, {one.file: one for one in before})


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


def _table(results):
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(_COLUMNS)
    for one in results:
        for row in one.rows:
            writer.writerow([as_text(value) for value in _values(one, row)])
    return file.getvalue()


def _values(one: Graded, row: Row):
    further = "further" if row.further else ""
    return (
        one.learner,
        one.file,
        one.chapter,
        row.exercise,
        further,
        row.state,
        row.mistake,
        row.message,
        row.note,
        row.seconds,
    )
