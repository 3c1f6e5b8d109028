"""run_ranks: results by rank; the first failure, named; nothing left, however it ends."""

import functools
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import rank_programs
import torch

from course_utils.launch import RankError, RankTrace, run_ranks
from course_utils.ranks import failures
from lessonkit.system import processes

HERE = Path(__file__).parent
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send")


def test_results_come_by_rank_as_plain_copies(nothing_left, segments, capfd):
    results = run_ranks(rank_programs.everything, 3, torch.arange(3.0), "hello", timeout=60)
    for rank, result in enumerate(results):
        assert result["total"].tolist() == [3.0, 6.0, 9.0]
        assert result["view"].tolist() == [rank, rank + 1]
        assert result["view"].untyped_storage().nbytes() == 8, "the storage behind a view came along"
        assert torch.equal(result["strided"], torch.arange(6.0).reshape(2, 3).t())
        assert result["bfloat16"].dtype == torch.bfloat16
        assert isinstance(result["weight"], torch.nn.Parameter) and result["weight"].requires_grad
        assert result["not a leaf"].tolist() == [2.0 * rank] * 2 and result["not a leaf"].grad_fn is None
        assert not result["shared"].is_shared()
        assert result["threads"] == 1
        assert result["group"] == (rank, 3, "gloo")
    shown = capfd.readouterr()
    assert shown.out == "rank 0: hello from 0\nrank 1: hello from 1\nrank 2: hello from 2\n"
    assert shown.err == "", "a warning of gloo's or torch's would stand in every notebook"


def test_ranks_that_nobody_seeds_draw_numbers_of_their_own(nothing_left):
    found = [run_ranks(rank_programs.drawn, 2, timeout=100) for _ in range(2)]
    assert len({number for launch in found for rank in launch for number in rank}) == 12


def test_the_rank_that_raised_is_named_with_its_traceback(nothing_left):
    with pytest.raises(RankError) as caught:
        run_ranks(rank_programs.raise_at, 3, 1)
    error = caught.value
    assert str(error) == "rank 1 of 3 raised ValueError: rank 1 is wrong"
    assert (error.rank, error.kind) == (1, "raised")
    assert "in raise_at" in error.trace and "worker.py" not in error.trace
    assert isinstance(error.__cause__, RankTrace) and error.trace in str(error.__cause__)


@POSIX
@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        (signal.SIGSEGV, "rank 1 of 2 died: killed by SIGSEGV"),
        ("exit", "rank 1 of 2 died: it left with code 7 and no exception, as os._exit does"),
    ],
)
def test_a_rank_that_dies_is_named_not_the_one_that_loses_its_peer(nothing_left, how, sentence):
    with pytest.raises(RankError, match=sentence) as caught:
        run_ranks(rank_programs.die_at, 2, 1, how)
    assert (caught.value.rank, caught.value.kind) == (1, "died")
    if how == signal.SIGSEGV:
        assert "Segmentation fault" in caught.value.trace and "in die_at" in caught.value.trace


@POSIX
def test_the_signal_that_the_system_sends_for_want_of_memory_is_explained():
    assert failures.cause(-9) == "killed by SIGKILL, which people, programs and systems short of memory send"


def test_when_the_time_is_over_each_rank_is_shown_where_it_hangs(nothing_left):
    start = time.monotonic()
    with pytest.raises(RankError) as caught:
        run_ranks(rank_programs.leave_early, 2, timeout=30)  # the start counts, on a busy machine too
    assert time.monotonic() - start < 60
    line = 1 + (HERE / "rank_programs.py").read_text().splitlines().index("    if rank > 0:") + 1
    assert str(caught.value) == (
        "not finished within 30 s: rank 1 was in `all_reduce`, called by `leave_early` "
        f"(rank_programs.py, line {line}); rank 0 had returned"
    )
    assert (caught.value.rank, caught.value.kind) == (1, "too slow")
    assert "in leave_early" in caught.value.trace


def test_a_limit_shorter_than_the_start_ends_the_start(nothing_left):
    with pytest.raises(RankError, match=r"not finished within 0\.1 s: rank 0 was ") as caught:
        run_ranks(rank_programs.nothing, 2, timeout=0.1)
    assert caught.value.kind == "too slow"


def test_what_the_ranks_started_is_ended_and_their_segments_are_freed(nothing_left, segments, tmp_path):
    with pytest.raises(RankError, match="rank 1 of 2 raised OSError: with company"):
        run_ranks(rank_programs.with_company, 2, tmp_path)
    assert len(list(tmp_path.glob("*.pid"))) == 2, "the test never came to its point"


def test_what_no_import_finds_travels_by_value(nothing_left):
    def nested(rank):
        return rank + outside

    outside = 10
    assert run_ranks(lambda rank: rank**2, 2) == [0, 1]
    assert run_ranks(nested, 2) == [10, 11]
    assert run_ranks(functools.partial(nested), 2) == [10, 11]
    back = run_ranks(rank_programs.first, 2, [{"deep": nested}])
    assert [one["deep"] for one in back] == [nested, nested], "what comes back is what went"


def test_what_cannot_be_pickled_is_refused_before_any_starts(nothing_left, monkeypatch):
    monkeypatch.setattr(processes, "start", None)
    with (HERE / "rank_programs.py").open() as file:
        for thing in (file, (number for number in range(3)), threading.Lock()):
            with pytest.raises(TypeError, match=r"This cannot be sent to another process: cannot pickle '.*'"):
                run_ranks(rank_programs.first, 2, thing)

        def helper():
            return file.name

        def step(rank):
            return helper()

        with pytest.raises(TypeError, match="`file`, which `helper` uses from outside, cannot be sent to another"):
            run_ranks(step, 2)


def test_large_variables_from_outside_are_told(nothing_left, capfd):
    large, small = torch.zeros(3 * 2**20), torch.zeros(10)

    def step(rank):
        return len(large) + len(small) + len(helper())

    def helper():
        return large

    assert run_ranks(step, 1) == [2 * len(large) + 10]
    assert capfd.readouterr().out == (
        "`step` uses `large`, a variable outside of it: 12 MiB go along to every rank. Hand the ranks what they "
        "need of it as an argument, or load it inside the function.\n"
    )
    run_ranks(rank_programs.nothing_of, 1, large)
    assert capfd.readouterr().out == "", "an argument is handed over with open eyes"


def test_a_result_that_cannot_travel_is_the_ranks_error(nothing_left):
    with pytest.raises(RankError, match="rank 0 of 1 raised TypeError: This cannot be sent to another process: "):
        run_ranks(rank_programs.unpicklable, 1)


@pytest.mark.parametrize(("world_size", "timeout"), [(0, 60), (2, 0)])
def test_numbers_that_cannot_be_are_refused(world_size, timeout):
    with pytest.raises(ValueError, match="expected at least 1, and more than 0"):
        run_ranks(rank_programs.nothing, world_size, timeout=timeout)


SCRIPT = """
from course_utils.launch import run_ranks
def square(rank):
    return rank**2
class Shell: pass
{guard}print(run_ranks(square, 2))
"""
GATHERING = """
from dataclasses import dataclass
import torch.distributed as dist
from course_utils.launch import run_ranks

@dataclass
class Point:
    x: int

def gather(rank):
    points = [None, None]
    dist.all_gather_object(points, Point(rank))  # pickles by torch's own means: a class is looked up in __main__
    return points

print("once")
method = Point.__repr__
(points, _) = run_ranks(gather, 2)
print(points, type(points[0]) is Point and Point.__repr__ is method)
"""


def run_script(path, *, code=None):
    command = [sys.executable, path] if code is None else [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, timeout=100)


@pytest.mark.parametrize("guard", ["if __name__ == '__main__': ", ""])
def test_a_scripts_own_function_works_with_and_without_the_usual_guard(nothing_left, tmp_path, guard):
    script = tmp_path / "program.py"
    script.write_text(SCRIPT.format(guard=guard), encoding="utf-8")
    ended = run_script(script)
    assert (ended.stdout, ended.stderr) == ("[0, 1]\n", "")
    ended = run_script(None, code=SCRIPT.format(guard=guard))
    assert (ended.stdout, ended.stderr) == ("[0, 1]\n", "")


def test_a_rank_does_not_run_the_script_again_and_finds_its_classes(nothing_left, tmp_path):
    script = tmp_path / "program.py"
    script.write_text(GATHERING, encoding="utf-8")
    ended = run_script(script)
    assert (ended.stdout, ended.stderr) == ("once\n[Point(x=0), Point(x=1)] True\n", "")


PARENT = """
import sys; sys.path.insert(0, {here!r})
import rank_programs
from course_utils.launch import run_ranks
run_ranks(rank_programs.wait_for_ever, 2, {folder!r})
"""


@POSIX
@pytest.mark.parametrize("how", [signal.SIGINT, getattr(signal, "SIGKILL", 9)])
def test_with_the_parent_the_ranks_end(nothing_left, tmp_path, how):
    code = PARENT.format(here=str(HERE), folder=str(tmp_path))
    parent = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while len(list(tmp_path.glob("*.up"))) < 2:
        assert parent.poll() is None and time.monotonic() < until
        time.sleep(0.05)
    parent.send_signal(how)
    _, error = parent.communicate(timeout=20)
    if how == signal.SIGINT:
        assert "KeyboardInterrupt" in error
        assert processes.leftovers(nothing_left, patience=0) == []
    else:
        assert processes.leftovers(nothing_left, patience=5) == []


def test_a_dump_without_the_main_thread_is_read_as_a_start(tmp_path):
    (tmp_path / "0.stack").write_text(
        '16\nTimeout!\nThread 0x11 (most recent call first):\n  File "a", line 1 in b\n'
    )
    assert failures.doing(tmp_path, [0, 1])[0] == ["rank 0 was not yet up", "rank 1 was not yet up"]
