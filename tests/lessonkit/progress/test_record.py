"""Notes are kept, of many processes at once too; where they cannot be, a sentence says so."""

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from pathlib import PurePosixPath, PureWindowsPath
from types import SimpleNamespace

import pytest
from begun_before import begin_with_log, journal_mode
from places import in_a_drive

from lessonkit.progress import database, record
from lessonkit.progress.database import NotKept
from lessonkit.progress.record import Entry, forget, note, read

RIGHT = Entry("training", "measure", "check", "passed", None, 0.5)


@pytest.fixture
def path(tmp_path):
    work = tmp_path / "mon école #1 %20"
    work.mkdir()
    return work / record.FILE


def silent(sentence):
    raise AssertionError(f"nothing was to be said: {sentence}")


def told(path, entry=RIGHT):
    sentences = []
    return note(path, entry, warn=sentences.append), sentences


def test_how_an_exercise_stands_is_told_by_all_its_notes(path):
    note(path, Entry("training", "measure", "check", "not attempted"), warn=silent)
    note(path, Entry("training", "measure", "hint"), warn=silent)
    note(path, Entry("training", "measure", "check", "known mistake", "in_train_mode", 0.25), warn=silent)
    note(path, RIGHT, warn=silent)
    note(path, Entry("training", "measure", "check", "wrong", None, 0.75), warn=silent)
    note(path, Entry("training", "diagnose", "solution"), warn=silent)
    measure, diagnose = read(path)
    assert (measure.passed, measure.state, measure.mistake) == (True, "wrong", None)
    assert (measure.tries, measure.hints, measure.solution, measure.seconds) == (3, 1, False, 0.75)
    assert (diagnose.passed, diagnose.state, diagnose.tries, diagnose.solution) == (False, None, 0, True)
    assert measure.at.endswith("+00:00")


def test_a_name_stands_for_its_chapter_only(path):
    for chapter in ("training", "nets"):
        note(path, Entry(chapter, "measure", "check", "passed" if chapter == "nets" else "wrong"), warn=silent)
    assert [(one.chapter, one.passed) for one in read(path)] == [("training", False), ("nets", True)]


def test_nothing_noted_is_read_as_nothing_and_makes_no_file(path):
    assert read(path) == []
    assert not path.exists()


WRITER = """
import sys, time
from pathlib import Path
from lessonkit.progress import database, record, start_page

database.PATIENCE = 60.0  # on a busy machine one that holds the lock may not get its turn for a second
name, work, until, count = sys.argv[1], Path(sys.argv[2]), time.time() + float(sys.argv[3]), 0
while time.time() < until:
    entry = record.Entry("training", name, "check", "wrong", None, 0.0)
    start_page.write(work, record.note(work / record.FILE, entry, warn=sys.exit))
    count += 1
print(count)
"""


@pytest.mark.parametrize(("kept", "seconds"), [("log", 5), ("journal", 3)])
def test_eight_processes_at_once_lose_no_note(path, monkeypatch, kept, seconds):
    work, counts = path.parent.parent, {}
    if kept == "journal":
        monkeypatch.setattr(database, "_shares_memory", lambda folder: False)
        note(path, RIGHT, warn=silent)  # a file that is begun so stays so
        counts["measure"] = 1
    command = [sys.executable, "-c", WRITER]
    piped = {"stdout": subprocess.PIPE, "text": True, "cwd": work}
    writers = [subprocess.Popen([*command, f"writer{n}", str(work), str(seconds)], **piped) for n in range(8)]
    written = {f"writer{n}": int(writer.communicate(timeout=120)[0]) for n, writer in enumerate(writers)}
    assert [writer.returncode for writer in writers] == [0] * 8
    assert {one.exercise: one.tries for one in read(path)} == counts | written
    assert sum(written.values()) > 2 * len(written)  # each writes once; how the rest is shared is the system's


def whole(path, notes=300):
    """A file with some pages, and none of it still in the log; returns its bytes."""
    note(path, RIGHT, warn=silent)
    with closing(sqlite3.connect(path)) as connection, connection:
        row = ("nets", "MLP", "check", "wrong", None, 0.1, "2027-01-01")
        connection.executemany(record.INSERT, [row] * notes)
    assert not path.with_name(f"{path.name}-wal").exists()
    return path.read_bytes()


def spoilt(kind, data):
    middle = len(data) // 2
    return {
        "text": b"no database " * 100,
        "zeros": bytes(len(data)),
        "header": b"\xff" * 64 + data[64:],
        "page": data[:middle] + os.urandom(4096) + data[middle + 4096 :],
        "last_page": data[:-4096] + os.urandom(4096),
    }[kind]


@pytest.mark.parametrize("kind", ["text", "zeros", "header", "page", "last_page"])
def test_a_damaged_file_is_kept_beside_and_a_new_one_begun(path, kind):
    damaged = spoilt(kind, whole(path))
    path.write_bytes(damaged)
    standings, sentences = told(path)
    assert [one.exercise for one in standings] == ["measure"]
    [aside] = path.parent.glob("progress-damaged-*.sqlite3")
    assert aside.read_bytes() == damaged
    [sentence] = sentences
    assert "damaged" in sentence and aside.name in sentence
    assert told(path)[1] == []  # said once, and the new one is whole
    assert read(path)[0].tries == 2


@pytest.mark.parametrize("length", [99, 100, 1024, 4095, 4096, 4097, 8192, 12288, 20000])
def test_a_file_cut_off_anywhere_is_noticed(path, length):
    data = whole(path)
    assert length < len(data)
    path.write_bytes(data[:length])
    standings, [sentence] = told(path)
    assert [one.exercise for one in standings] == ["measure"]
    assert "damaged" in sentence
    assert len(list(path.parent.glob("progress-damaged-*"))) == 1


def test_an_empty_file_is_a_new_one(path):
    path.parent.mkdir()
    path.touch()
    assert read(path) == []
    assert len(note(path, RIGHT, warn=silent)) == 1


def test_another_program_s_database_is_set_aside(path):
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE notes (name)")
    _, [sentence] = told(path)
    assert "no such column" in sentence


def test_reading_leaves_a_damaged_file_where_it_is(path):
    whole(path)
    path.write_bytes(b"no database " * 100)
    with pytest.raises(NotKept, match="is damaged"):
        read(path)
    assert path.exists()


def test_a_file_of_a_newer_course_is_left_alone(path):
    note(path, RIGHT, warn=silent)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 7")
    before = path.read_bytes()
    for attempt in (lambda: note(path, RIGHT, warn=silent), lambda: read(path)):
        with pytest.raises(NotKept, match=r"newer course \(version 7, here 1\); update"):
            attempt()
    assert path.read_bytes() == before


def test_a_locked_file_is_waited_for_a_second_only(path):
    note(path, RIGHT, warn=silent)
    holder = (
        "import sqlite3, sys; held = sqlite3.connect(sys.argv[1]); held.execute('BEGIN IMMEDIATE')\n"
        "print('held', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "held\n"
        with pytest.raises(NotKept, match="locked by another program"):
            note(path, RIGHT, warn=silent)
        assert read(path)[0].tries == 1  # a reader does not wait
        process.communicate("\n")
    assert note(path, RIGHT, warn=silent)[0].tries == 2


def test_what_begins_a_file_waits_for_another_that_begins_it(path, monkeypatch):
    """Two notebooks may make their first check at once."""
    monkeypatch.setattr(database, "PATIENCE", 60.0)
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        threading.Timer(0.2, other.execute, ["ROLLBACK"]).start()
        assert len(note(path, RIGHT, warn=silent)) == 1


def test_where_no_folder_can_be_made_a_sentence_says_so(tmp_path):
    (tmp_path / ".course").write_text("in its place", encoding="utf-8")
    with pytest.raises(NotKept, match=r"cannot be written \(.*\)\. Check that you have permission"):
        note(tmp_path / record.FILE, RIGHT, warn=silent)


FULL = """
import os, sys
from pathlib import Path
from lessonkit.progress import database, record

path, entry = Path(sys.argv[1]) / record.FILE, record.Entry("training", "measure", "check", "passed")
if sys.argv[2] != "new":
    if sys.argv[2] == "journal":
        database._shares_memory = lambda folder: False
    record.note(path, entry, warn=sys.exit)
with open(Path(sys.argv[1]) / "filler", "wb") as file:
    try:
        while True:
            file.write(bytes(4096)); file.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), file.fileno())
if sys.argv[3] == "read_only":
    os.system(f"mount -o remount,ro '{sys.argv[1]}'")
for _ in range(2):
    try:
        print(record.note(path, entry, warn=sys.exit) and "kept")
    except record.NotKept as error:
        print(error)
print(len(record.read(path)))
"""


def in_a_small_drive(tmp_path, *arguments):
    """What FULL prints, run on a drive of 256 KiB of its own."""
    drive = tmp_path / "drive"
    drive.mkdir()
    (tmp_path / "full.py").write_text(FULL, encoding="utf-8")
    ran = in_a_drive(drive, [sys.executable, tmp_path / "full.py", drive, *arguments])
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


@pytest.mark.parametrize(("state", "noted"), [("log", "1"), ("journal", "1"), ("new", "0")])
def test_on_a_full_drive_a_sentence_says_so(tmp_path, state, noted):
    first, second, count = in_a_small_drive(tmp_path, state, "writable")
    assert "is full; make some room" in first and first == second
    assert count == noted


@pytest.mark.parametrize(("state", "noted"), [("log", "1"), ("journal", "1"), ("new", "0")])
def test_on_a_read_only_drive_a_sentence_says_so_and_what_is_there_can_be_read(tmp_path, state, noted):
    first, second, count = in_a_small_drive(tmp_path, state, "read_only")
    assert "Check that you have permission to write there and that the drive is not read-only." in first
    assert first == second and count == noted


class Failing(sqlite3.Connection):
    """A connection whose writes end with an error of SQLite's."""

    code, name, message = sqlite3.SQLITE_FULL, "SQLITE_FULL", "database or disk is full"

    def executemany(self, sql, rows):
        error = sqlite3.OperationalError(self.message)
        error.sqlite_errorcode, error.sqlite_errorname = self.code, self.name
        raise error


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (sqlite3.SQLITE_FULL, "is full; make some room"),
        (sqlite3.SQLITE_READONLY, "cannot be written"),
        (sqlite3.SQLITE_IOERR | (3 << 8), "answers with an error"),
    ],
)
def test_an_error_of_the_drive_is_put_into_words(path, monkeypatch, code, sentence):
    note(path, RIGHT, warn=silent)
    connect = sqlite3.connect
    monkeypatch.setattr(Failing, "code", code)
    monkeypatch.setattr(database.shutil, "disk_usage", lambda folder: SimpleNamespace(free=1 << 30))
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **named: connect(*a, **named, factory=Failing))
    with pytest.raises(NotKept, match=sentence):
        note(path, RIGHT, warn=silent)
    monkeypatch.undo()
    assert read(path)[0].tries == 1


def test_on_a_drive_that_can_do_it_the_log_is_written_ahead(path):
    note(path, RIGHT, warn=silent)
    assert journal_mode(path) == "wal"


def test_without_shared_memory_a_rollback_journal_is_used(path, monkeypatch):
    monkeypatch.setattr(database, "_shares_memory", lambda folder: False)
    assert [note(path, RIGHT, warn=silent)[0].tries for _ in range(2)] == [1, 2]
    assert journal_mode(path) == "delete"


def test_while_another_uses_the_new_file_it_keeps_its_rollback_journal(path, monkeypatch):
    """SQLite changes the journal only for the one connection that there is, and does not wait for that."""
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:

        def reads_meanwhile(folder):
            other.execute("BEGIN")
            other.execute("SELECT * FROM notes").fetchall()
            return True

        monkeypatch.setattr(database, "_shares_memory", reads_meanwhile)
        with database.connected(path) as connection:
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
            assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert note(path, RIGHT, warn=silent)[0].tries == 1


def test_a_learner_s_file_is_read_and_written_as_it_is(path):
    begin_with_log(path)
    with closing(sqlite3.connect(path)) as connection:
        schema = connection.execute("SELECT name, sql FROM sqlite_master").fetchall()
    [before] = read(path)
    assert (before.chapter, before.exercise, before.passed, before.tries) == ("training", "measure", True, 1)
    assert note(path, RIGHT, warn=silent)[0].tries == read(path)[0].tries == 2
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name, sql FROM sqlite_master").fetchall() == schema
    assert journal_mode(path) == "wal"
    assert read(forget(path))[0].tries == 2 and read(path) == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (PurePosixPath("/home/é x/work"), "file:///home/%C3%A9%20x/work"),
        (PureWindowsPath(r"C:\Users\100%\work"), "file:///C:/Users/100%25/work"),
        (PureWindowsPath(r"\\server\share\work"), "file:////server/share/work"),
    ],
    ids=["posix", "windows", "network"],
)
def test_a_file_on_a_server_has_an_address_that_sqlite_takes(path, expected):
    """SQLite refuses a host before the path: sqlite.org/uri.html, "The URI Authority"."""
    assert database._address(path) == expected
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):  # and not: invalid uri authority
        sqlite3.connect(expected.replace("/work", "/no/such/folder"), uri=True)


def test_what_is_forgotten_is_kept_in_a_dated_copy(path):
    note(path, RIGHT, warn=silent)
    note(path, Entry("nets", "MLP", "check", "wrong"), warn=silent)
    before = read(path)
    copy = forget(path)
    assert copy.name.startswith("progress-until-20") and read(copy) == before
    assert read(path) == []
    assert forget(path) is None
    assert note(path, RIGHT, warn=silent)[0].tries == 1


def test_a_copy_of_a_file_that_a_kernel_was_killed_beside_is_whole(path, tmp_path):
    """A process that dies leaves its log; the next one reads it."""
    kill = (
        "import os, sys, sqlite3; from pathlib import Path; from lessonkit.progress import record\n"
        "path = Path(sys.argv[1]); held = None\n"
        "record.note(path, record.Entry('nets', 'MLP', 'check', 'passed'), warn=sys.exit)\n"
        "held = sqlite3.connect(path); held.execute('SELECT * FROM notes').fetchall()\n"
        "record.note(path, record.Entry('nets', 'MLP', 'check', 'passed'), warn=sys.exit)\n"
        "os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", kill, str(path)], timeout=120).returncode == 9
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0
    shutil.copytree(path.parent, tmp_path / "copied")
    assert read(tmp_path / "copied" / path.name)[0].tries == 2
    assert note(path, Entry("nets", "MLP", "check", "passed"), warn=silent)[0].tries == 3


HALF = """
import os, sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("PRAGMA cache_size = 1")  # so that pages are in the file before the end of the transaction
held.execute("BEGIN IMMEDIATE")
row = ("2027-01-01", "nets", "x" * 2000, "check")
held.executemany("INSERT INTO notes (at, chapter, exercise, kind) VALUES (?, ?, ?, ?)", [row] * 500)
held.execute("UPDATE notes SET state = 'wrong'")
os._exit(9)
"""


@pytest.mark.parametrize("first", [read, lambda path: note(path, RIGHT, warn=silent)], ids=["reader", "writer"])
def test_what_a_killed_kernel_left_half_done_is_undone_by_whoever_comes_next(path, first, monkeypatch):
    monkeypatch.setattr(database, "_shares_memory", lambda folder: False)  # with a log, nothing is to be undone
    note(path, RIGHT, warn=silent)
    size = path.stat().st_size
    assert subprocess.run([sys.executable, "-c", HALF, str(path)], timeout=120).returncode == 9
    assert path.stat().st_size > size and path.with_name(f"{path.name}-journal").stat().st_size > 0
    [one] = first(path)
    assert (one.exercise, one.state) == ("measure", "passed")
    assert not path.with_name(f"{path.name}-journal").exists()


def test_a_damaged_file_takes_its_journal_along(path):
    """Otherwise SQLite would undo in the new file what was half done in the old one."""
    whole(path)
    path.write_bytes(b"no database " * 100)
    journal = path.with_name(f"{path.name}-journal")
    journal.write_bytes(b"")
    told(path)
    [aside] = path.parent.glob("progress-damaged-*.sqlite3")
    assert aside.with_name(f"{aside.name}-journal").exists() and not journal.exists()


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_a_file_is_not_read_without_what_belongs_to_it(path, monkeypatch, ending):
    """Where nothing can be written the file is read alone, but not past a log or a journal that holds notes."""
    begin_with_log(path)
    beside, connect = path.with_name(path.name + ending), sqlite3.connect

    def refuse(address, **named):
        if "mode=" in address:
            error = sqlite3.OperationalError("unable to open database file")
            error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
            raise error
        return connect(address, **named)

    monkeypatch.setattr(sqlite3, "connect", refuse)
    assert len(read(path)) == 1
    beside.write_bytes(b"notes")
    with pytest.raises(NotKept, match="cannot be written"):
        read(path)


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_a_journal_that_goes_while_its_file_is_read_is_no_error(path, ending):
    """Another kernel ends its transaction, and SQLite deletes its journal, at any moment of a reader's."""
    note(path, RIGHT, warn=silent)
    beside, until = path.with_name(path.name + ending), time.monotonic() + 1

    def come_and_go():
        while time.monotonic() < until:
            with suppress(PermissionError):  # Windows: the reader has it open
                beside.touch()
                beside.unlink(missing_ok=True)

    other = threading.Thread(target=come_and_go)
    other.start()
    while other.is_alive():
        assert len(read(path)) == 1
    other.join()
