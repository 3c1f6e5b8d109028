"""Ranks: processes that live from one function to the next; the first failure ends them all, and names a rank."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest
import rank_programs
import torch

from course_utils.launch import RankError, Ranks, run_ranks
from course_utils.ranks import pool
from course_utils.ranks.members import Outputs
from lessonkit.system import fork_server, processes

HERE = Path(__file__).parent
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send")


def test_thirty_functions_run_in_the_same_processes(nothing_left, segments):
    with Ranks(2) as ranks:
        runs = [ranks.run(rank_programs.draw) for _ in range(10)]
        for number in range(20):
            results = ranks.run(rank_programs.everything, torch.arange(3.0) + number, "hello")
            assert [one["total"].tolist() for one in results] == [[2.0 * number + k for k in (1, 3, 5)]] * 2
        assert ranks.run(rank_programs.pid) == [one["pid"] for one in runs[0]]
    assert {tuple(one["pid"] for one in run) for run in runs} == {tuple(one["pid"] for one in runs[0])}
    assert len({one["pid"] for one in runs[0]}) == 2
    assert len({run[0]["drawn"] for run in runs}) == 10, "a generator begins anew"
    assert {one["threads"] for run in runs for one in run} == {1}
    assert {one["total"] for run in runs for one in run} == {2.0}


def test_what_a_run_prints_is_shown_after_that_run(nothing_left, capfd):
    with Ranks(2) as ranks:
        for word in ("one", "zwölf", "three"):
            ranks.run(rank_programs.speak, word)
            shown = capfd.readouterr()
            assert shown.out == f"rank 0: {word}\nrank 1: {word}\n"
            assert shown.err == f"rank 0: {word}!\nrank 1: {word}!\n"
    assert capfd.readouterr() == ("", "")


def test_globals_and_classes_come_anew_with_each_run(nothing_left):
    class Scaled:
        def value(self):
            return scale

    scale = 1
    with Ranks(1) as ranks:
        (first,) = ranks.run(lambda rank: Scaled())
        assert ranks.run(lambda rank: Scaled().value()) == [1]
        scale = 2
        assert ranks.run(lambda rank: Scaled().value()) == [2]
    assert type(first) is Scaled


def test_a_rank_that_raises_ends_the_pool_which_says_so_later(nothing_left):
    with Ranks(3) as ranks:
        assert ranks.run(rank_programs.nothing) == [0, 1, 2]
        with pytest.raises(RankError) as caught:
            ranks.run(rank_programs.raise_at, 1)
        assert str(caught.value) == "rank 1 of 3 raised ValueError: rank 1 is wrong"
        fork_server.stop()
        assert processes.leftovers(nothing_left, patience=0) == []
        for _ in range(2):
            with pytest.raises(RuntimeError) as refused:
                ranks.run(rank_programs.nothing)
            assert str(refused.value) == (
                "These ranks have ended: rank 1 of 3 raised ValueError: rank 1 is wrong. Make a new `Ranks`."
            )


@POSIX
def test_a_rank_killed_in_a_later_run_is_named(nothing_left, tmp_path):
    with Ranks(2) as ranks:
        pids = ranks.run(rank_programs.pid)
        threading.Thread(target=kill_when_up, args=(pids[1], tmp_path)).start()
        start = time.monotonic()
        with pytest.raises(RankError, match="rank 1 of 2 died: killed by SIGKILL, which people") as caught:
            ranks.run(rank_programs.wait_for_ever, tmp_path)
        assert time.monotonic() - start < 30
        assert (caught.value.rank, caught.value.kind, caught.value.trace) == (1, "died", "no word")


def kill_when_up(pid, folder):
    until = time.monotonic() + 60
    while len(list(folder.glob("*.up"))) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)


@POSIX
def test_a_rank_killed_between_two_runs_is_named_by_the_next(nothing_left):
    with Ranks(2) as ranks:
        pids = ranks.run(rank_programs.pid)
        os.kill(pids[0], signal.SIGKILL)
        start = time.monotonic()
        with pytest.raises(RankError, match="rank 0 of 2 died: killed by SIGKILL") as caught:
            ranks.run(rank_programs.leave_early)
        assert time.monotonic() - start < 30
        assert (caught.value.rank, caught.value.kind) == (0, "died")


def test_a_rank_that_hangs_in_a_later_run_is_shown_where(nothing_left):
    with Ranks(2, timeout=100) as ranks:
        ranks.run(rank_programs.nothing)
        start = time.monotonic()
        with pytest.raises(RankError) as caught:
            ranks.run(rank_programs.leave_early, timeout=3)
        assert time.monotonic() - start < 30
    line = 1 + (HERE / "rank_programs.py").read_text().splitlines().index("    if rank > 0:") + 1
    assert str(caught.value) == (
        "not finished within 3 s: rank 1 was in `all_reduce`, called by `leave_early` "
        f"(rank_programs.py, line {line}); rank 0 had returned"
    )


def test_an_earlier_runs_limit_says_nothing_about_a_later_run(nothing_left):
    with Ranks(1, timeout=100) as ranks:
        ranks.run(rank_programs.nothing)
        ranks.run(rank_programs.nothing, timeout=1)
        assert ranks.run(rank_programs.slow, 2) == [0]
        with pytest.raises(RankError) as caught:
            ranks.run(rank_programs.slow, 60, timeout=2)
        assert "in `slow` (rank_programs.py" in str(caught.value)


def test_what_the_ranks_started_is_ended_with_them(nothing_left, segments, tmp_path):
    with Ranks(2) as ranks:
        ranks.run(rank_programs.nothing)
        with pytest.raises(RankError, match="rank 1 of 2 raised OSError: with company"):
            ranks.run(rank_programs.with_company, tmp_path)
    assert len(list(tmp_path.glob("*.pid"))) == 2, "the test never came to its point"


def test_what_cannot_travel_leaves_the_pool_as_it_is(nothing_left):
    with Ranks(1) as ranks:
        with pytest.raises(TypeError, match="cannot be sent to another process"):
            ranks.run(rank_programs.first, threading.Lock())
        assert ranks.run(rank_programs.nothing) == [0]


def test_a_pool_does_one_thing_at_a_time(nothing_left, tmp_path):
    with Ranks(1) as ranks:
        ranks.run(rank_programs.nothing)
        thread = threading.Thread(target=ranks.run, args=(rank_programs.slow, 3))
        thread.start()
        time.sleep(0.5)
        with pytest.raises(RuntimeError, match="These ranks still run a function for another thread"):
            ranks.run(rank_programs.nothing)
        thread.join()
        assert ranks.run(rank_programs.nothing) == [0]


def test_a_pool_that_is_closed_while_it_runs_ends_at_once(nothing_left):
    ranks, said = Ranks(1), []

    def run():
        try:
            ranks.run(rank_programs.slow, 100)
        except RuntimeError as error:
            said.append(str(error))

    ranks.run(rank_programs.nothing)
    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(0.5)
    ranks.close()
    thread.join(timeout=30)
    assert said == ["These ranks have been closed, as the end of a `with` does. Make a new `Ranks`."]


def test_a_closed_pool_runs_nothing_more_and_one_never_used_starts_nothing(nothing_left, monkeypatch):
    with Ranks(1) as ranks:
        ranks.run(rank_programs.nothing)
    ranks.close()
    with pytest.raises(RuntimeError, match=r"These ranks have been closed.* Make a new `Ranks`\."):
        ranks.run(rank_programs.nothing)
    monkeypatch.setattr(processes, "start", None)
    with Ranks(2):
        pass


def test_a_forgotten_pool_ends(nothing_left):
    ranks = Ranks(1)
    (pid,) = ranks.run(rank_programs.pid)
    assert psutil.pid_exists(pid)
    del ranks
    gc.collect()
    fork_server.stop()
    assert processes.leftovers(nothing_left, patience=0) == []


PARENT = """
import sys; sys.path.insert(0, {here!r})
import rank_programs
from course_utils.launch import Ranks
ranks = Ranks(2)
print(ranks.run(rank_programs.pid), flush=True)
{then}
"""


def test_a_pool_that_nobody_closed_ends_with_its_process(nothing_left):
    ended = subprocess.run(
        [sys.executable, "-c", PARENT.format(here=str(HERE), then="")], capture_output=True, text=True, timeout=100
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert processes.leftovers(nothing_left, patience=0) == []


@POSIX
@pytest.mark.parametrize("how", [signal.SIGINT, getattr(signal, "SIGKILL", 9)])
@pytest.mark.parametrize("then", ["import time; time.sleep(100)", "ranks.run(rank_programs.slow, 100)"])
def test_with_its_parent_a_pool_ends(nothing_left, how, then):
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT.format(here=str(HERE), then=then)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout.readline().startswith("[")
    time.sleep(0.5)
    parent.send_signal(how)
    parent.communicate(timeout=30)
    assert processes.leftovers(nothing_left, patience=0 if how == signal.SIGINT else 5) == []


def test_a_fork_that_forgets_its_copy_leaves_the_ranks_alive(nothing_left):
    if not hasattr(os, "fork"):
        pytest.skip("Windows has no fork")
    with Ranks(1) as ranks:
        ranks.run(rank_programs.nothing)
        child = os.fork()
        if child == 0:
            ranks._end()
            os._exit(0)
        os.waitpid(child, 0)
        assert ranks.run(rank_programs.nothing) == [0]


@pytest.mark.parametrize(("world_size", "timeout"), [(0, 60), (2, 0)])
def test_numbers_that_cannot_be_are_refused(world_size, timeout):
    with pytest.raises(ValueError, match="expected at least 1, and more than 0"):
        Ranks(world_size, timeout=timeout)
    with pytest.raises(ValueError, match=r"timeout=0; expected more than 0\."):
        Ranks(1).run(rank_programs.nothing, timeout=0)


def test_the_docstrings_say_what_a_caller_must_know():
    for text in (run_ranks.__doc__, Ranks.__doc__ + Ranks.run.__doc__):
        for word in ("seconds", "by rank", "TypeError", "RankError", "pickled", "gone"):
            assert word in text
    for word in ("random generators", "process groups", "threads", "RuntimeError"):
        assert word in Ranks.__doc__ + Ranks.run.__doc__


class Crashed:
    """Two ranks seen from the pool: the first has been ended by a SIGSEGV, the second runs on."""

    world_size = 2

    def __init__(self, folder):
        self.folder, self.outputs = folder, Outputs(folder, 2)

    def codes(self):
        return [-signal.SIGSEGV, None]


@pytest.mark.parametrize(("seconds", "kind"), [(-1, "too slow"), (600, "died")])
def test_a_crash_while_the_stack_is_dumped_is_the_end_of_the_time_and_no_crash_of_the_function(
    seconds, kind, tmp_path
):
    with pytest.raises(RankError) as caught:
        pool._wait(Crashed(tmp_path), tmp_path, until=time.time() + seconds, timeout=5)
    assert caught.value.kind == kind, caught.value
