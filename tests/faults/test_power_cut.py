"""The power fails in a save: what the course reads afterwards is the old thing or the new one, whole.

Each writer (tests/helpers/writers.py) is recorded as it is, and replayed up to each of its steps, on disks that
keep what they promise and nothing more (tests/helpers/power.py). A save that has returned is there for good, and
the next one leaves nothing unfinished.
"""

import os
import sqlite3
from contextlib import closing

import pytest
import writers
from faults import many

from lessonkit.progress import record
from lessonkit.system.atomic import atomic_write

pytest.importorskip("fcntl", reason="the steps of a save are recorded as POSIX has them")
import power

DONE = "done"  # the mark of a writer that has returned


@pytest.fixture
def folder(tmp_path):
    """The folder whose disk loses its power; its name holds a space and an accent."""
    made = tmp_path / "le disque"
    made.mkdir()
    return made


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    """What is asked of the disk is recorded, and need not be done: a busy one takes its time."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


# -- the replay itself


def write_twice(save, folder):
    (folder / "a").write_bytes(b"old" * 4000)
    with power.recorded(folder) as recording:
        save(folder / "a", b"new" * 5000)
        recording.mark("saved")
    return recording


def in_place(path, data):
    path.write_bytes(data)
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def as_the_course_does(path, data):
    with atomic_write(path) as file:
        file.write(data)


def beside(*steps):
    """A writer of a file beside the old one, which takes these steps in their order once it has written."""

    def save(path, data):
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            for step in steps:
                if step == "fsync":
                    os.fsync(file.fileno())
                elif step == "unlink":
                    path.unlink()
                else:
                    part.replace(path)

    return save


@pytest.mark.parametrize(
    ("save", "found"),
    [
        (in_place, {"in order", "a journal", "POSIX"}),
        (beside("replace"), {"a journal", "POSIX"}),
        (beside("replace", "fsync"), {"a journal", "POSIX"}),
        (beside("fsync", "unlink", "replace"), {"in order", "a journal", "POSIX"}),
        (beside("fsync", "replace"), {"a journal", "POSIX"}),
        (as_the_course_does, set()),
    ],
)
def test_the_replay_finds_a_writer_that_loses_something(folder, save, found):
    recording = write_twice(save, folder)
    losing = set()
    for rule in power.RULES:
        for disk in power.disks(recording, rules=(rule,)):
            allowed = [b"new" * 5000] if "saved" in disk.marks else [b"new" * 5000, b"old" * 4000]
            if disk.files.get("a") not in allowed:
                losing.add(rule)
    assert losing == found


def test_a_write_that_the_recorder_does_not_see_is_no_record(folder):
    with (
        pytest.raises(AssertionError, match="a way that this recorder does not see"),
        power.recorded(folder),
    ):
        os.system(f'echo hidden >"{folder}/a"')


def test_a_folder_that_is_lost_takes_along_what_is_in_it(folder):
    with power.recorded(folder) as recording:
        (folder / "new").mkdir()
        with atomic_write(folder / "new" / "a") as file:
            file.write(b"whole")
    lost = [disk for disk in power.disks(recording) if not disk.folders]
    assert lost and not any(disk.files for disk in lost)


# -- the course's saves


@pytest.mark.parametrize("kind", writers.CUT, ids=lambda kind: kind.cut[0])
def test_what_was_saved_is_there_whole_and_the_next_save_works(fault, folder, tmp_path, monkeypatch, kind):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    for name in ("COURSE_DATA", "COURSE_MIRROR", "COURSE_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    name, goal, short, soak = kind.cut
    one = kind(folder, tmp_path / "elsewhere")
    one.scratch.mkdir()
    if not one.anew:
        one.prepare()
    with power.recorded(folder) as recording:
        one.mark = recording.mark
        one.act()
        recording.mark(DONE)
    one.mark = lambda word: None
    with fault(f"power cut: {name}", goal=goal) as row:
        for disk in power.disks(recording, most=many(short, soak)):
            disk.write(folder)
            with row.case(disk.how):
                try:
                    one.look(DONE in disk.marks, disk.marks - {DONE})
                    one.act()
                    one.check(True)
                    assert one.unfinished() == []
                except AssertionError:
                    raise
                except Exception as error:
                    raise AssertionError(f"{type(error).__name__}: {error}") from error


# -- SQLite keeps its own promise, by these settings


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_sqlite_is_asked_for_what_keeps_the_file_whole(tmp_path, monkeypatch, mode):
    """With a log, NORMAL costs the last notes at worst; with a rollback journal only FULL is sure of that."""
    from lessonkit.progress import database

    monkeypatch.setattr(database, "_shares_memory", lambda _: mode == "wal")
    path = tmp_path / record.FILE
    asked = []

    class Watched(sqlite3.Connection):
        def execute(self, statement, *values):
            if statement == "BEGIN IMMEDIATE":
                [(synchronous,)] = super().execute("PRAGMA synchronous").fetchall()
                [(journal,)] = super().execute("PRAGMA journal_mode").fetchall()
                asked.append((journal, synchronous))
            return super().execute(statement, *values)

    connect = sqlite3.connect
    monkeypatch.setattr(
        database.sqlite3, "connect", lambda *given, **more: connect(*given, factory=Watched, **more)
    )
    for _ in range(2):
        record.note(path, record.Entry("training", "measure", "check", "passed"), warn=lambda _: None)
    assert asked == [(mode, 1 if mode == "wal" else 2)] * 2


def test_notes_are_forgotten_when_their_copy_is_on_the_disk(tmp_path, monkeypatch):
    path = tmp_path / record.FILE
    record.note(path, record.Entry("training", "measure", "check", "passed"), warn=lambda _: None)
    seen = []

    def watched(handle):
        with closing(sqlite3.connect(path)) as connection:
            seen.append(connection.execute("SELECT count(*) FROM notes").fetchone()[0])

    monkeypatch.setattr(os, "fsync", watched)
    copy = record.forget(path)
    assert seen and set(seen) == {1}, "the copy was not on the disk when the notes went"
    assert len(record.read(copy)) == 1 and record.read(path) == []
