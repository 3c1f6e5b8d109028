"""Points that an instructor gives by hand, in overrides.csv beside the grades, a file that is only read here."""

import csv
import difflib
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lessonkit.notebook.catalog import Chapter, select
from lessonkit.notebook.decoding import decoded
from lessonkit.system import atomic
from lessonkit.system.errors import Refused
from lessonkit.system.plain_file import read_plain
from lessonkit.teach.room import submission
from lessonkit.teach.room.names import key, words_of
from lessonkit.teach.room.roster import Entry, match

NAME = "overrides.csv"
COLUMNS = ("learner", "chapter", "exercise", "points", "reason")
MOST = 1000.0  # points of one exercise


@dataclass(frozen=True)
class Override:
    """Points for one exercise of one learner, and why; `line`: where in the file it stands, which may change."""

    learner: str
    chapter: str
    exercise: str
    points: float
    reason: str
    line: int = field(compare=False)


@dataclass(frozen=True)
class Overrides:
    """What the file says: (learner, chapter, exercise) -> override; a sentence for each line of no use."""

    by_row: dict[tuple[str, str, str], Override]
    troubles: tuple[str, ...] = ()


def read(out: Path) -> list[dict[str, str]]:
    """Return the lines of overrides.csv in the folder `out`, none where there is no such file.

    A spreadsheet may have saved it: with commas, semicolons or tabs, as UTF-8, UTF-16 or Windows-1252. Raises
    `Refused` for a file that cannot be read or has other columns.
    """
    path = out / NAME
    try:
        data = read_plain(path)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Refused(f"{path} cannot be read ({error.strerror}); fix it, or move it away") from None
    lines = io.StringIO(decoded(data).text, newline="")
    head = lines.readline()
    lines.seek(0)
    separator = max(",;\t", key=head.count)
    try:
        found = list(csv.reader(lines, delimiter=separator, strict=True))
    except csv.Error as error:
        raise Refused(f"{path} is no table of comma-separated values ({error}); fix it, or move it away") from None
    names = [cell.strip().lower() for cell in (found or [[]])[0]]
    if missing := [name for name in COLUMNS if name not in names]:
        raise Refused(
            f"{path} has no column called {', '.join(missing)}; its first line must be `{','.join(COLUMNS)}`, "
            f"and it is `{head.strip()[:80]}`"
        )
    rows = [(number, row) for number, row in enumerate(found[1:], start=2) if any(cell.strip() for cell in row)]
    return [{**dict(zip(names, row, strict=False)), "line": str(number)} for number, row in rows]


def begin(out: Path) -> None:
    """Write the head of overrides.csv where there is no such file yet. Raises OSError."""
    if not (out / NAME).exists():
        atomic.write(out / NAME, (",".join(COLUMNS) + "\n").encode(), private=True)


def matched(
    lines: Iterable[dict[str, str]], *, people: Mapping[str, Sequence[Entry]], chapters: Sequence[Chapter]
) -> Overrides:
    """Return what the lines say.

    `people`: each learner of the room and everybody on the roster -> the names and numbers that they are known by.
    """
    by_row: dict[tuple[str, str, str], Override] = {}
    troubles: list[str] = []
    for line in lines:
        where = f"{NAME}, line {line['line']}"
        try:
            one = _one(line, people, chapters)
        except _Unmatched as error:
            troubles.append(f"{where}: {error}")
            continue
        row = (one.learner, one.chapter, one.exercise)
        if row in by_row:
            troubles.append(f"{where} is about the same row as line {by_row[row].line}; the later line counts.")
        if not one.reason:
            troubles.append(f"{where} gives no reason; the points count, and the learner reads no reason.")
        by_row[row] = one
    return Overrides(by_row, tuple(troubles))


class _Unmatched(Exception):
    """A line that gives no points; the text says why."""


def _one(line, people, chapters):
    said = {name: (line.get(name) or "").strip() for name in COLUMNS}
    try:
        (chapter,) = select(list(chapters), [said["chapter"]]) if said["chapter"] else []
    except (Refused, ValueError):
        raise _Unmatched(f"the course has no chapter called {said['chapter']!r}.") from None
    learner = _learner(said["learner"].removeprefix("'"), people)  # our own tables have one before a formula
    tasks = [task.name for task in submission.tasks(chapter)]
    if said["exercise"] not in tasks:
        raise _Unmatched(f"{chapter.name} has no exercise called {said['exercise']!r}; it has {', '.join(tasks)}.")
    return Override(
        learner, chapter.name, said["exercise"], _points(said["points"]), said["reason"], int(line["line"])
    )


def _learner(wanted: str, people: Mapping[str, Sequence[Entry]]) -> str:
    """Return who is meant, matched as a hand-in's name is matched with a roster."""
    named = [one for one in people if one == wanted] or [one for one in people if key(one) == key(wanted) != ""]
    likely: list[str] = []
    if not named and key(wanted):
        named = [one for one, those in people.items() if any(key(entry.name) == key(wanted) for entry in those)]
    if not named:
        entries = [entry for those in people.values() for entry in those]
        found = match(wanted, entries, number=wanted, login=wanted)
        named, likely = (
            [one for one, those in people.items() if set(those) & set(each)]
            for each in (found.entries, found.likely)
        )
    if len(named) > 1:
        raise _Unmatched(f"{wanted!r} fits several learners: {', '.join(sorted(named))}.")
    if not named:
        words = {" ".join(sorted(words_of(entry.name))): one for one, those in people.items() for entry in those}
        close = difflib.get_close_matches(" ".join(sorted(words_of(wanted))), words, n=3, cutoff=0.7)
        meant = list(dict.fromkeys([*likely, *(words[one] for one in close)]))[:3]
        did = f"; did you mean {' or '.join(meant)}?" if meant else "."
        raise _Unmatched(f"{wanted!r} is nobody on the roster or in the room{did}")
    return named[0]


def _points(text):
    try:
        points = float(text.replace(",", ".").removeprefix("'"))
    except ValueError:
        points = math.nan
    if not 0 <= points <= MOST:  # which nan is not
        raise _Unmatched(f"points are to be a number from 0 to {MOST:g}, and here stands {text!r}.")
    return points
