"""The four ways in which code behind a time limit ends."""

import threading
import time

import pytest

from lessonkit.checks.time_limit import OutOfTime, run_with_limit


def test_work_that_ends_is_finished_with_or_without_a_limit():
    done = []
    assert run_with_limit(lambda: done.append(1), seconds=5) == "finished"
    assert run_with_limit(lambda: done.append(2)) == "finished"
    assert done == [1, 2]


@pytest.mark.parametrize("kind", [Exception, BaseException])
def test_an_endless_loop_is_stopped_whatever_it_catches(kind):
    def work():
        for _ in range(3 if kind is BaseException else 1):
            try:
                while True:
                    time.sleep(0.001)
            except kind:
                continue

    start = time.perf_counter()
    assert run_with_limit(work, seconds=0.1) == "stopped"
    assert time.perf_counter() - start < 5


def test_a_call_that_python_cannot_interrupt_is_a_runaway():
    assert run_with_limit(lambda: time.sleep(4), seconds=0.1) == "runaway"


def test_a_thread_that_outlives_the_work_is_left_and_ended():
    begun, ended = threading.Event(), threading.Event()

    def on_and_on():
        begun.set()
        try:
            while True:
                time.sleep(0.001)
        except OutOfTime:
            ended.set()

    def work():
        threading.Thread(target=on_and_on, daemon=True).start()
        begun.wait()

    assert run_with_limit(work, seconds=5) == "left"
    assert ended.wait(5)
