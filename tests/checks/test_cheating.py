"""No trick of cheats.py passes or ends the kernel; docs/checks.md names those that do, and no others."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from cheats import CHEATS, OPEN

from course_utils.checks.exercise import Exercise

FOLDER = Path(__file__).parent


@pytest.fixture(scope="module")
def told():
    """What the check said to each cheat, all in one process; where that process ends, the next takes over."""
    said, names = {}, [*CHEATS, *OPEN]
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
    assert said["state"] in ("wrong", "raised", "too slow", "known mistake", "cell stopped"), said
    assert said["after"] == ["passed", "wrong"], said


@pytest.mark.parametrize("name", OPEN)
def test_the_page_about_checks_names_what_succeeds(told, project, name):
    """One that is refused by now belongs among the others, and off the page."""
    assert told[name]["state"] == "passed" or told[name]["state"].startswith("process ended"), told[name]
    assert f"`{name}`" in (project / "docs" / "checks.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("our_own_answer_called", "this is the course's own answer, and it is locked while yours is checked"),
        ("exits", "`_exit` would act on the whole kernel"),
        ("a_thread_that_stays", "started a thread that is still running"),
        ("no_inputs", "`inputs` of an exercise cannot be set"),
        ("a_result_that_equals_everything", "Found an object of class Agreeable, expected a float32 tensor"),
        ("an_answer_that_cannot_be_printed", "This answer cannot be judged: RuntimeError"),
    ],
)
def test_the_learner_is_told_why(told, name, words):
    assert words in told[name]["message"]


def test_the_reference_works_again_after_a_check():
    def double(x):
        return 2 * x

    question = Exercise(double, inputs=lambda seed: [(seed,), (0,), (-3,)])
    assert question.check(lambda x: x + x).passed
    assert question.reference(4) == 8 and question.source().lstrip().startswith("def double(x):")


def test_what_the_cell_has_replaced_is_left_to_it(monkeypatch):
    question = Exercise(abs_of, inputs=lambda seed: [(torch.tensor([-1.0, seed]),), (torch.zeros(0),)])
    monkeypatch.setattr(torch, "relu", mine := lambda tensor: tensor)
    assert question.check(lambda x: torch.relu(x) + torch.relu(-x)).passed, "PyTorch is itself during a check"
    assert torch.relu is mine


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
