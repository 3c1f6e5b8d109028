"""Ctrl-C in the middle of `course grade`: nothing stays behind, what is done is kept, the next one goes on."""

import json
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
from submissions import FIRST, behind, notebook, with_answer, write

from course_utils import PROJECT
from lessonkit.system import processes

PATIENCE = 300  # seconds: ends a hang


def graded(out):
    """file -> states of its rows, as far as there is a result."""
    path = out / "grades.json"
    found = json.loads(path.read_text(encoding="utf-8"))["submissions"] if path.exists() else []
    return {one["file"]: [row["state"] for row in one["rows"]] for one in found}


def until(condition, process):
    """Wait until it holds; fail where the process ends before, or it takes too long."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert process.poll() is None and time.monotonic() < deadline, process.communicate(timeout=PATIENCE)
        time.sleep(0.05)


def answering(pid, them):
    """Whether a submission's process runs below `pid`; all that do are put into `them`."""
    try:
        them[:] = psutil.Process(pid).children(recursive=True)
        return any("room.sandbox.child" in " ".join(one.cmdline()) for one in them)
    except psutil.Error:  # one that ended meanwhile
        return False


@pytest.mark.skipif(os.name == "nt", reason="Windows has no isolation and no signals for a group of processes")
def test_an_interrupt_leaves_nothing_behind_and_the_next_one_goes_on(tmp_path, apart):
    solved = notebook(FIRST, solved=True)
    write(tmp_path, "ana", FIRST, solved)
    write(tmp_path, "bob", FIRST, with_answer(solved, "ink", behind("while True: pass")))
    temporary, out = tmp_path / "tmp é", tmp_path / "out"
    temporary.mkdir()
    command = [sys.executable, "-m", "lessonkit.cli", "grade", tmp_path / "in", "--out", out]
    command += ["--jobs", "1", "--seconds", "24"]

    def start():
        env = os.environ | {"TMPDIR": str(temporary)}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        return subprocess.Popen(command, cwd=PROJECT, env=env, start_new_session=True, **pipes)

    first = start()
    until(lambda: graded(out), first)
    them = []
    until(lambda: answering(first.pid, them), first)
    os.killpg(first.pid, signal.SIGINT)  # as a terminal does: to all of its group at once
    told = first.communicate(timeout=PATIENCE)[0]
    assert first.returncode == 130, told
    assert "Interrupted; 1 result is in" in told and "Traceback" not in told
    psutil.wait_procs(them, timeout=30)
    assert not [one for one in them if processes.lives(one)] and not list(temporary.iterdir())
    assert not [one for one in psutil.disk_partitions(all=True) if one.mountpoint.startswith(str(tmp_path))]
    assert graded(out) == {f"ana/{FIRST}.ipynb": ["passed"] * 5}

    second = start()
    told = second.communicate(timeout=PATIENCE)[0]
    assert second.returncode == 0 and "1 of 2 submissions was graded before and is kept" in told, told
    assert "[1 of 1] bob" in told and not list(temporary.iterdir())
    rows = graded(out)
    assert sorted(rows[f"bob/{FIRST}.ipynb"]) == ["passed"] * 4 + ["too slow"]
    assert rows[f"ana/{FIRST}.ipynb"] == ["passed"] * 5
