import os
import subprocess
import sys
import time

import pytest

from lessonkit.system import atomic
from lessonkit.system.atomic import atomic_write, remove_stale, remove_unfinished

WRITER = """
import sys
from lessonkit.system.atomic import atomic_write

with atomic_write(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("writing", flush=True)
    sys.stdin.readline()
    file.write(b" and whole")
"""


def old_enough(folder):
    """Windows waits a minute before it takes a file for stale."""
    for path in folder.glob("*.saving"):
        os.utime(path, (time.time() - 2 * atomic.OLD,) * 2)


@pytest.fixture
def writer(tmp_path):
    """A process in the middle of writing `other.pt`."""
    command = [sys.executable, "-c", WRITER, str(tmp_path / "other.pt")]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline().strip() == "writing"
        yield child
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def test_the_file_appears_whole_when_the_block_ends(tmp_path):
    path = tmp_path / "a.pt"
    path.write_bytes(b"old")
    with atomic_write(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError])
def test_a_block_that_raises_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "a.pt"
    path.write_bytes(b"old")
    with pytest.raises(error), atomic_write(path) as file:
        file.write(b"new")
        raise error
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_was_not_there_is_not_there_after_a_failure(tmp_path):
    with pytest.raises(ValueError), atomic_write(tmp_path / "a.pt"):
        raise ValueError
    assert list(tmp_path.iterdir()) == []


def test_a_killed_writer_leaves_a_file_that_the_next_write_removes(tmp_path, writer):
    writer.kill()
    writer.wait()
    assert len(list(tmp_path.glob("other.pt.*.saving"))) == 1
    old_enough(tmp_path)
    with atomic_write(tmp_path / "a.pt") as file:
        file.write(b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["a.pt"]


def test_a_write_in_progress_is_left_alone(tmp_path, writer):
    old_enough(tmp_path)
    with atomic_write(tmp_path / "a.pt") as file:
        file.write(b"new")
    assert remove_stale(tmp_path) == []
    writer.stdin.write("go on\n")
    writer.stdin.close()
    assert writer.wait(timeout=60) == 0
    assert (tmp_path / "other.pt").read_bytes() == b"half and whole"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.pt", "other.pt"]


def test_two_writes_in_one_process_do_not_disturb_each_other(tmp_path):
    with atomic_write(tmp_path / "a.pt") as outer:
        outer.write(b"outer")
        with atomic_write(tmp_path / "a.pt") as inner:
            inner.write(b"inner")
        assert (tmp_path / "a.pt").read_bytes() == b"inner"
    assert (tmp_path / "a.pt").read_bytes() == b"outer"


@pytest.mark.parametrize("name", ["mine.saving", "a.pt.0123.saving", "a.pt.0123456789abcdef.saving.txt", "a.part"])
def test_files_of_other_names_are_not_ours_to_remove(tmp_path, name):
    (tmp_path / name).write_bytes(b"kept")
    old_enough(tmp_path)
    assert remove_stale(tmp_path) == []
    assert (tmp_path / name).read_bytes() == b"kept"


def test_a_stale_file_is_taken_for_stale(tmp_path):
    stale = tmp_path / "a.pt.0123456789abcdef.saving"
    stale.write_bytes(b"half")
    old_enough(tmp_path)
    assert remove_stale(tmp_path) == [stale]
    assert not stale.exists()


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError), atomic_write(tmp_path / "no" / "a.pt"):
        pass


def test_bytes_and_name_are_on_the_disk_in_that_order(tmp_path, monkeypatch):
    """The order of the calls: the file's fsync, the rename, the folder's fsync."""
    calls = []
    monkeypatch.setattr(atomic, "_sync", lambda file: calls.append(("file", (tmp_path / "a.pt").exists())))
    monkeypatch.setattr(atomic, "sync_folder", lambda folder: calls.append((folder, (tmp_path / "a.pt").exists())))
    with atomic_write(tmp_path / "a.pt") as file:
        file.write(b"new")
    assert calls == [("file", False), (tmp_path, True)]


def test_a_write_that_need_not_survive_the_machine_does_not_wait_for_the_disk(tmp_path, monkeypatch):
    for name in ("_sync", "sync_folder"):
        monkeypatch.setattr(atomic, name, lambda _: pytest.fail("it waited"))
    with atomic_write(tmp_path / "a.pt", durable=False) as file:
        file.write(b"new")
        assert not (tmp_path / "a.pt").exists()
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.pt", b"new")]


def test_what_a_dead_writer_of_one_file_left_is_removed_whatever_its_age(tmp_path):
    names = ["a.pt", "a.pt.0123456789abcdef.saving", "b.pt.0123456789abcdef.saving", "a.pt.saving", "a.pt.1.saving"]
    for name in names:
        (tmp_path / name).touch()
    remove_unfinished(tmp_path / "a.pt")
    assert {path.name for path in tmp_path.iterdir()} == set(names) - {"a.pt.0123456789abcdef.saving"}
