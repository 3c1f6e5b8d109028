"""What the check in a notebook does not let through, and what cannot end its kernel: CHEATS of cheats.py."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from cheats import CHEATS

from lessonkit.checks.exercise import Exercise

FOLDER = Path(__file__).parent


@pytest.fixture(scope="module")
def told():
    """What the check said to each cheat, all in one process; where that process ends, the next takes over."""
    said, names = {}, list(CHEATS)
    while names:
        command = [sys.executable, FOLDER / "cheats.py", names[0]]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert lines, done.stderr
        said |= {line["name"]: line for line in lines if "state" in line}
        last = lines[-1]["name"]
        if last not in said:
            said[last] = {"state": f"process ended with {done.returncode}", "message": done.stderr, "after": []}
        names = names[names.index(last) + 1 :]
    return said


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_is_refused_and_the_next_answers_are_judged_as_ever(told, name):
    said = told[name]
    assert said["state"] in ("wrong", "raised", "too slow", "known mistake"), said
    assert said["after"] == ["passed", "wrong"], said


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("exits", "`_exit` would affect the whole kernel"),
        ("a_thread_that_stays", "started a thread that is still running"),
        ("a_result_that_equals_everything", "Found an object of class Agreeable, expected a float32 tensor"),
        ("an_answer_that_cannot_be_printed", "This answer cannot be judged: the check raised RuntimeError"),
    ],
)
def test_the_learner_is_told_why(told, name, words):
    assert words in told[name]["message"]


def abs_of(x):
    """Absolute values."""
    return x.abs()


def test_an_answer_may_use_threads_that_it_waits_for():
    import threading

    def answer(x):
        results = []
        thread = threading.Thread(target=lambda: results.append(x.abs()))
        thread.start()
        thread.join()
        return results[0]

    assert (
        Exercise(abs_of, inputs=lambda seed: [(torch.tensor([-1.0, seed]),), (torch.zeros(2),)])
        .check(answer)
        .passed
    )


FIRST_CHECK = """
import sys, torch
from course_utils.exercises import start_here as ex
before = set(sys.modules)
assert ex.to_unit.check(lambda images: images / 255).passed
heavy = {name for name in sys.modules if name.startswith(("torch._dynamo", "torch._inductor", "sympy"))} - before
assert not heavy, sorted(heavy)[:5]
"""


def test_the_first_check_of_a_kernel_imports_nothing_that_takes_seconds():
    done = subprocess.run([sys.executable, "-c", FIRST_CHECK], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
