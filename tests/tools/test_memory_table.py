"""The table of memory in docs/room.md is what costs.json holds; what is counted as memory is counted once."""

import runpy
import subprocess
import sys
import time

import psutil
import pytest
import toys
from toys import code, notebook, parameters

from course_utils import PROJECT
from lessonkit.notebook import costs

TABLE = runpy.run_path(str(PROJECT / "tools" / "memory_table.py"))
WATCH = runpy.run_path(str(PROJECT / "tools" / "side_by_side.py"))
MIB = 1 << 20
SIZE = 64  # MiB

# A process with some memory, and a child that it forks, which has the same memory and as much of its own.
PAIR = f"""
import os, sys
shared = b"x" * ({SIZE} << 20)
if pid := os.fork():
    sys.stdin.readline()
    os.kill(pid, 9)
    os.waitpid(pid, 0)
else:
    own = b"y" * ({SIZE} << 20)
    print("ready", flush=True)
    sys.stdin.read()
"""


def test_the_stored_table_is_what_was_measured():
    assert TABLE["part"]().read() == TABLE["written"](), "run `python tools/memory_table.py`"


def test_a_chapter_without_a_record_is_named_and_machines_too():
    record = {"05_training": {"mib": {"untouched": 1234}, "on": "a laptop"}}
    *lines, empty, seen = TABLE["table"](["05_training", "14_new_one"], record)
    assert lines[2:] == ["| 05 training | 1,234 | not measured |", "| 14 new_one | not measured | not measured |"]
    assert (empty, seen) == ("", "Seen on: a laptop.")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere resident sizes are added up")
def test_memory_that_a_fork_hands_on_counts_once():
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", PAIR], **pipes) as parent:
        try:
            assert parent.stdout.readline() == "ready\n"
            family = [psutil.Process(parent.pid), *psutil.Process(parent.pid).children()]
            assert len(family) == 2
            counted, added = WATCH["together"](family) / MIB, WATCH["resident"](family) / MIB
        finally:
            parent.communicate("go\n", timeout=60)
    assert 2 * SIZE <= counted < 2.7 * SIZE, counted
    assert added >= 3 * SIZE, added


def test_a_process_that_has_ended_counts_nothing():
    child = subprocess.Popen([sys.executable, "-c", ""])
    gone = psutil.Process(child.pid)
    child.wait()
    assert WATCH["together"]([gone]) == WATCH["resident"]([gone]) == 0
    assert not WATCH["is_kernel"](gone) and WATCH["children"](gone) == []


def test_a_chapter_that_has_not_passed_leaves_no_figure(monkeypatch):
    kept = []
    monkeypatch.setattr(costs, "keep_memory", lambda *arguments, **named: kept.append((arguments, named)))
    found = {"untouched": {"all": {"mib": 5.0, "status": "passed"}, "one": {"mib": 7.0, "status": "passed"}}}
    WATCH["keep_memory"]("05_training", found)
    ((arguments, named),) = kept
    assert arguments == ("05_training", {"untouched": 7.0}) and "torch" in named["on"]
    found["untouched"]["one"]["status"] = "failed"
    with pytest.raises(SystemExit, match=r"05_training has not passed \(one\)"):
        WATCH["keep_memory"]("05_training", found)


def test_chapters_that_others_run_are_listened_to_from_their_start_to_their_end(tmp_path):
    large = code(f"import time\nheld = b'x' * ({SIZE} << 20)\ntime.sleep(3)")
    folder = toys.write(tmp_path / "notebooks", _00_large=notebook(parameters(), large))
    heard = WATCH["Listening"](["00_large"])
    assert not heard.look() and heard.whole() == {}
    words = ("run", "--notebooks", folder, "--device", "cpu", "--answers")
    late = None
    for answers in ("solved", "untouched"):
        process = toys.course(*words, answers, "--out", tmp_path / answers)
        while process.poll() is None:
            if heard.look() and late is None:
                late = WATCH["Listening"](["00_large"])  # the kernel was there before
                assert heard.whole() == {}, "of one that still runs nothing is said"
            late and late.look()
            time.sleep(0.05)
        assert process.wait() == 0, process.stdout.read()
    (mib,) = heard.whole().values()
    assert set(mib) == {"solved", "untouched"} and min(mib.values()) > SIZE
    assert set(late.whole()["00_large"]) == {"untouched"}
    not_whole = WATCH["Listening"](["another"])
    assert not not_whole.look()
