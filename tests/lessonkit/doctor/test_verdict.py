"""What the last line of `course doctor` says."""

import pytest

from lessonkit.doctor.verdict import verdict
from lessonkit.system.finding import Finding


def findings(**states):
    return [Finding("Python", "ok", "3.12"), *(Finding(name, state, "so", "Do.") for name, state in states.items())]


@pytest.mark.parametrize(
    ("states", "stops_nobody", "expected"),
    [
        ({}, (), "this machine is ready. Nothing was found that needs your attention."),
        (
            {"browser": "warning"},
            (),
            "this machine is ready. 1 warning (browser) stops no chapter; the line below it says what would help.",
        ),
        (
            {"browser": "warning", "path": "warning"},
            (),
            "this machine is ready. 2 warnings (browser, path) stop no chapter; "
            "the line below each says what would help.",
        ),
        (
            {"disk": "problem"},
            (),
            "this machine is not ready. Fix 1 problem (disk) as the line below it says, "
            "then run `course doctor` again.",
        ),
        (
            {"disk": "problem", "memory": "problem", "browser": "warning"},
            (),
            "this machine is not ready. Fix 2 problems (disk, memory) as the line below each of them says, "
            "then run `course doctor` again. 1 warning (browser) can wait.",
        ),
        (
            {"data": "problem"},
            ("data",),
            "this machine is ready for the core of every chapter. For the rest, fix 1 problem (data).",
        ),
        (
            {"data": "problem", "disk": "problem", "browser": "warning"},
            ("data",),
            "this machine is not ready. Fix 1 problem (disk) as the line below it says, then run `course doctor` "
            "again. 1 problem (data) and 1 warning (browser) can wait.",
        ),
    ],
)
def test_the_verdict_is_one_line_that_names_what_to_look_at(states, stops_nobody, expected):
    assert verdict(findings(**states), stops_nobody=stops_nobody) == f"Verdict: {expected}"


def test_two_findings_of_one_name_are_counted_and_named_once():
    twice = [Finding("data", "warning", "a"), Finding("data", "warning", "b")]
    assert "2 warnings (data) stop no chapter" in verdict(twice)
