"""The frame that chapter 09 measures by, on a clock with planted noise: gains are reported, noise is refused."""

import math
import os
import re
import statistics
import subprocess
import sys
import time

import nbformat
import pytest
import torch

from course_utils import PROJECT
from course_utils.exercises.speed import Machine, fair_ratio
from lessonkit.system import processes

NOTEBOOK = PROJECT / "notebooks" / "09_speed.ipynb"


def reference(machine, one, other, *, runs=9):
    return fair_ratio.reference(machine.work(one), machine.work(other), machine.clock, runs, 0)


def cells_of(*names):
    """The chapter's own functions, taken from their cells: what a learner runs is what is tested."""
    sources = [cell.source for cell in nbformat.read(NOTEBOOK, 4).cells if cell.cell_type == "code"]
    space = {"math": math, "os": os, "statistics": statistics, "time": time, "torch": torch, "progress": iter}
    space |= {"device": torch.device("meta"), "synchronize": lambda device: None}  # no thread is set for it
    for name in names:
        (found,) = [source for source in sources if f"def {name}(" in source]
        exec(compile(found, name, "exec"), space)
    return space


def notebooks_compare(machine, one, other, *, runs=9):
    space = cells_of("compare", "spread")
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
    from course_utils.exercises.speed.answers import one_after_the_other

    machine = Machine(0, drift=0.03)
    assert one_after_the_other(machine.work(0.1), machine.work(0.1), machine.clock, 9, 0)[2] < 0.8


def test_the_interval_is_one_of_the_median_by_the_coins_chances():
    """How many ratios lie outside at each end, by the binomial: more would be wrong in over 1 % of cases."""
    spread = cells_of("spread")["spread"]
    for pairs, skip in ((8, 0), (9, 0), (10, 0), (18, 3), (36, 9), (99, 36)):
        low, middle, high = spread([float(number) for number in range(pairs)])
        assert (low, high) == (skip, pairs - 1 - skip)
        assert middle == (pairs - 1) / 2
        wrong = 2 * sum(math.comb(pairs, k) for k in range(skip + 1)) / 2**pairs
        assert wrong <= 0.01 < wrong + 2 * math.comb(pairs, skip + 1) / 2**pairs
    assert spread([2.0] * 7) == (0.0, 2.0, math.inf)  # too few to say anything


def test_more_pairs_show_a_gain_that_few_leave_open():
    shown = {runs: 0 for runs in (9, 36, 99)}
    for runs in shown:
        for seed in range(30):
            verdict = notebooks_compare(Machine(seed, noise=1.0), 0.12, 0.1, runs=runs)[3]
            assert verdict != "loss"
            shown[runs] += verdict == "gain"
    assert shown[9] < 10 < shown[36] < shown[99]
    assert shown[99] > 25


def test_every_tip_of_the_list_has_a_row():
    sources = [cell.source for cell in nbformat.read(NOTEBOOK, 4).cells if cell.cell_type == "code"]
    rows = re.findall(r'"(\d+) [^"]+"', "\n".join(sources))
    assert {int(row) for row in rows} >= set(range(1, 18))


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
