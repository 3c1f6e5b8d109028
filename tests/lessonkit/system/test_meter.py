"""What a submission is charged: what it computes and sleeps, not what it waits for a core that others have."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lessonkit.checks.time_limit import run_with_limit
from lessonkit.system import meter
from lessonkit.system.meter import LONGER, Allowance, Meter

SPIN = "import time\nprint(flush=True)\nuntil = time.monotonic() + 60\nwhile time.monotonic() < until: pass"
COUNTS = Path("/proc/self/schedstat").exists() and hasattr(os, "sched_setaffinity")


@pytest.fixture
def spinning():
    """Starts processes that compute; all on one core where they are given one."""
    started = []

    def start(count, *, core=None):
        for _ in range(count):
            process = subprocess.Popen([sys.executable, "-c", SPIN], stdout=subprocess.PIPE)
            if core is not None:
                os.sched_setaffinity(process.pid, {core})
            started.append(process)
        for process in started:
            process.stdout.readline()
        return [process.pid for process in started]

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


def test_sleep_is_charged():
    # Not this process: a thread of pytest-xdist's may wait for a core while it sleeps, which is not charged.
    code = "import time\nprint(flush=True)\ntime.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as asleep:
        asleep.stdout.readline()
        time.sleep(0.2)  # until it sleeps
        meter_of_it = Meter(lambda: [asleep.pid])
        time.sleep(0.5)
        charged = meter_of_it.charged()
        asleep.kill()
    assert charged >= 0.45


@pytest.mark.skipif(not COUNTS, reason="this system does not say how long a thread waits for a core")
def test_waiting_for_a_core_is_not_charged_and_computing_is(spinning):
    core = min(os.sched_getaffinity(0))
    them = spinning(4, core=core)
    one, all_ = Meter(lambda: them[:1]), Meter(lambda: them)
    start = time.monotonic()
    time.sleep(4)
    waited = time.monotonic() - start
    charged = [one.charged(), all_.charged()]
    # A quarter of the core is one's share, on a busy machine less; together they have what the core gives them.
    assert charged[0] < 0.75 * waited and charged[0] < charged[1] <= 1.3 * waited


def test_where_nothing_is_known_the_clock_is_charged(monkeypatch):
    monkeypatch.setattr(meter, "_threads", lambda pids: iter(()))
    one = Meter(lambda: [os.getpid()])
    time.sleep(0.2)
    assert one.charged() >= 0.2


def test_an_allowance_ends_by_what_is_charged_and_by_the_clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(meter.time, "monotonic", lambda: now[0])
    read = {1: (0.0, 0.0)}
    monkeypatch.setattr(meter, "_threads", lambda pids: iter([((1, "1"), read[1])]))
    one = Allowance(lambda: [1], 10.0)
    now[0], read[1] = 130.0, (9.0, 21.0)
    assert one.charged() == 9.0 and not one.is_over()
    read[1] = (9.0, 19.0)
    assert one.charged() == 11.0 and one.is_over()
    read[1] = (9.0, 40.0)
    now[0] = 100.0 + LONGER * 10.0 + 1
    assert one.is_over()
    assert Allowance(lambda: [1], 10.0, latest=now[0] - 1).is_over()


def test_a_time_limit_may_go_by_another_clock():
    ticks = iter(range(10**9))
    start = time.perf_counter()
    assert run_with_limit(lambda: time.sleep(0.3), seconds=0.05, clock=lambda: next(ticks) / 1000) == "finished"
    assert run_with_limit(lambda: [time.sleep(0.01) for _ in range(500)], seconds=0.1) == "stopped"
    assert time.perf_counter() - start < 60
