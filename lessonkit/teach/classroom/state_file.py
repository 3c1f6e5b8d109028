"""Save the state of a classroom in a file, if the instructor asked for it with --keep, and load it again."""

import json
from dataclasses import asdict
from pathlib import Path

from lessonkit.checks.verdict import STATES
from lessonkit.reporting.join import NOTES
from lessonkit.system.atomic import atomic_write
from lessonkit.system.errors import Refused
from lessonkit.system.plain_file import read_plain_text
from lessonkit.teach.classroom.state import Cell, ClassroomState, Learner

VERSION = 1
LATEST = 2.0**36  # seconds since 1970: the year 4147, which a spreadsheet can still show


def save(path: Path, room: ClassroomState, *, token: str, port: int) -> None:
    """Write the room, at once and completely, with the learners' token and the port. Raises OSError.

    With these two the address that the learners have joined is the same the next time.
    """
    learners = {name: asdict(one) | {"cells": _cells(room, one)} for name, one in room.learners.items()}
    for one in learners.values():
        one["open"] = [[*_named(room, index), *begun] for index, begun in one["open"].items()]
        one["at"] = None if one["at"] is None else _named(room, one["at"])
    said = {"classroom": VERSION, "token": token, "port": port, "checks": room.checks, "learners": learners}
    with atomic_write(path, private=True) as file:  # with the token, whoever reads it could report
        file.write(json.dumps(said, ensure_ascii=False, indent=1).encode("utf-8", "replace"))


def load(path: Path, room: ClassroomState) -> tuple[str, int] | None:
    """Fill an empty room from a file and return its token and port; None where there is no file.

    What this course, or this choice of chapters, does not ask is left out. Raises `Refused` for another file.
    """
    try:
        said = json.loads(read_plain_text(path))
        if said["classroom"] != VERSION:
            raise ValueError
        learners = {name: _learner(room, one) for name, one in said["learners"].items()}
        token, port, room.checks = str(said["token"]), int(said["port"]), int(said["checks"])
        if not 0 <= port < 1 << 16 or len({one.number for one in learners.values()}) < len(learners):
            raise ValueError
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Refused(f"{path} cannot be read ({error.strerror}); give another --keep") from None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise Refused(f"{path} was not written by `course classroom`; give another --keep") from None
    room.learners.update(learners)
    return token, port


def _named(room, index):
    return [room.questions[index].chapter, room.questions[index].exercise]


def _cells(room, learner):
    return [[*_named(room, index), asdict(cell)] for index, cell in learner.cells.items()]


def _learner(room, said):
    where = {(one.chapter, one.exercise): index for index, one in enumerate(room.questions)}
    cells = {where[a, b]: Cell(**cell) for a, b, cell in said["cells"] if (a, b) in where}
    if not all(map(_fits, cells.values())):
        raise ValueError
    # A file of an earlier version does not say how often: as often as the exercise was tried in all.
    begun = {
        where[a, b]: (float(since), int(tries[0]) if tries else cells[where[a, b]].tries)
        for a, b, since, *tries in said["open"]
        if (a, b) in where
    }
    at = None if said["at"] is None else where.get(tuple(said["at"]))
    last, joined, noted = (float(said.get(name, said["last"])) for name in ("last", "joined", "noted"))
    note = said.get("note", "")
    if note not in ("", *NOTES) or not all(0 <= one < LATEST for one in (joined, noted)):
        raise ValueError
    return Learner(int(said["number"]), str(said["nickname"]), at, last, begun, cells, joined, note, noted)


def _fits(cell):
    """Return whether what a file says of a cell can be shown: counts are counts, times are times of this age."""
    counts = [cell.checks, cell.tries, *cell.met.values()]
    times = all(type(one) in (int, float) and 0 <= one < LATEST for one in (cell.first, cell.last))
    words = cell.state in STATES and (cell.mistake is None or isinstance(cell.mistake, str))
    return words and times and isinstance(cell.passed, bool) and all(type(one) is int for one in counts)
