"""The frame that chapter 09 measures by, on a clock with planted noise: gains are reported, noise is refused."""

import os
import statistics
import subprocess
import sys
import time

import nbformat
import pytest

from course_utils import PROJECT
from course_utils.exercises.speed import Machine, fair_ratio
from course_utils.system import processes

NOTEBOOK = PROJECT / "notebooks" / "09_speed.ipynb"


def reference(machine, one, other, *, runs=9):
    return fair_ratio.reference(machine.work(one), machine.work(other), machine.clock, runs)


def notebooks_compare(machine, one, other, *, runs=9):
    """The chapter's own `compare`, taken from its cell: what a learner runs is what is tested."""
    cells = [cell.source for cell in nbformat.read(NOTEBOOK, 4).cells if "def compare(" in cell.source]
    assert len(cells) == 1
    space = {"statistics": statistics, "time": time, "device": None, "synchronize": lambda device: None}
    exec(compile(cells[0], "compare", "exec"), space)
    space["compare"]("row", machine.work(one), machine.work(other), runs=runs, clock=machine.clock)
    return space["ledger"]["row"][:4]


frames = pytest.mark.parametrize("frame", [reference, notebooks_compare])


@frames
def test_nothing_but_noise_is_refused(frame):
    """Equal works, 50 machines, each call up to 60 % too long: chance puts 1 in 256 all on one side."""
    verdicts = [frame(Machine(seed, noise=0.6), 0.1, 0.1)[3] for seed in range(50)]
    assert verdicts.count("not shown") >= 48


@frames
def test_noise_that_hides_a_small_gain_is_refused(frame):
    verdicts = [frame(Machine(seed, noise=1.0), 0.105, 0.1)[3] for seed in range(20)]
    assert "gain" not in verdicts or verdicts.count("gain") <= 1


@frames
def test_a_gain_larger_than_the_noise_is_reported(frame):
    for seed in range(20):
        low, middle, high, verdict = frame(Machine(seed, noise=0.3, warm_up=5.0, drift=0.02), 0.2, 0.1)
        assert verdict == "gain"
        assert 1 < low <= middle <= high < 3


@frames
def test_a_loss_is_called_a_loss(frame):
    assert frame(Machine(0, noise=0.2), 0.1, 0.2)[3] == "loss"


@frames
def test_one_interrupted_run_does_not_move_the_middle(frame):
    machine, calls = Machine(0), []

    def interrupted():
        calls.append(0)
        machine.now += 50.0 if len(calls) == 5 else 0.1

    works = {0.2: machine.work(0.2), 0.1: interrupted}
    machine.work = works.get
    low, middle, high, verdict = frame(machine, 0.2, 0.1)
    assert middle == pytest.approx(2.0)
    assert low < 1 < high
    assert verdict == "not shown"  # an honest frame says that it does not know


@frames
def test_the_first_calls_are_not_counted(frame):
    assert frame(Machine(0, warm_up=100.0), 0.2, 0.1)[:3] == pytest.approx((2.0, 2.0, 2.0))


@frames
def test_a_machine_that_slows_down_moves_the_ratio_by_one_call_only(frame):
    """Each call is 3 % slower than the one before: in turns, that leaves 3 % in a ratio instead of a factor."""
    low, _, high, verdict = frame(Machine(0, drift=0.03), 0.1, 0.1)
    assert low > 0.96
    assert high < 1.04
    if frame is notebooks_compare:  # every other pair in reverse order: the drift lies on both sides of 1
        assert verdict == "not shown"


def test_one_after_the_other_would_have_taken_the_drift_for_a_loss():
    from course_utils.exercises.speed import one_after_the_other

    machine = Machine(0, drift=0.03)
    assert one_after_the_other(machine.work(0.1), machine.work(0.1), machine.clock, 9)[2] < 0.8


def test_the_ddp_measurement_ends_everything_when_its_time_is_over(tmp_path):
    script = NOTEBOOK.parents[1] / "scripts" / "ddp_speed.py"
    mark = f"test/{tmp_path}/"  # its ranks inherit it, orphans too; processes of earlier tests do not
    ended = subprocess.run(
        [sys.executable, script, tmp_path, "--limit", "0.1"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, processes.MARK: mark},
    )
    assert ended.returncode == 3
    assert "Not finished within 0.1 s" in ended.stderr
    assert processes.leftovers(mark) == []
    assert list(tmp_path.iterdir()) == []
