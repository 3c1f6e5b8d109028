"""A chapter's result is the same after a way through JSON, and begins as one that has not run."""

import json

import pytest

from lessonkit.runner.result import ChapterResult

RESULT = ChapterResult(
    name="05_é",
    status="failed",
    seconds=2.5,
    slowest_cell_seconds=1.5,
    slowest_cell="cell 1: x < 1",
    cells=3,
    exercises={"attempted": 2, "passed": 1, "total": 4},
    data={"mnist": "full", "hymenoptera": "sample"},
    error="cell 2: boom",
    notes=["cell 1: slow"],
    notebook="ab" * 32,
    parameters={"SEED": 7},
    ended="2026-11-23T16:42:16+00:00",
    kept=True,
)
KEYS = [
    "name",
    "status",
    "seconds",
    "slowest_cell_seconds",
    "slowest_cell",
    "cells",
    "exercises",
    "data",
    "error",
    "notes",
    "notebook",
    "parameters",
    "ended",
    "kept",
]


@pytest.mark.parametrize("result", [RESULT, ChapterResult(name="00_a")])
def test_a_result_comes_back_from_json_as_it_was(result):
    entry = json.loads(json.dumps(result.to_json()))
    assert list(entry) == KEYS
    assert ChapterResult.from_json(entry) == result


def test_keys_that_a_later_course_writes_are_left_out():
    assert ChapterResult.from_json(RESULT.to_json() | {"mood": "fine"}) == RESULT
    with pytest.raises(TypeError):
        ChapterResult.from_json({"status": "passed"})


def test_a_chapter_counts_as_interrupted_until_something_is_known():
    waiting = ChapterResult(name="00_a")
    assert (waiting.status, waiting.error, waiting.passed) == ("interrupted", "not run", False)
    assert waiting.exercises == {"attempted": 0, "passed": 0, "total": 0}
    waiting.exercises["total"] = 9
    assert ChapterResult(name="01_b").exercises["total"] == 0, "no two results share a dict"


def test_the_data_is_told_in_one_line():
    assert ChapterResult(name="00_a", data={"mnist": "full"}).data_used == "mnist: full"
    assert RESULT.data_used == "mnist: full, hymenoptera: sample"
    assert ChapterResult(name="00_a").data_used == ""


def test_what_was_taken_over_says_from_when():
    assert RESULT.kept_from == "2026-11-23 16:42 UTC"
    assert ChapterResult(name="00_a", ended=RESULT.ended).kept_from == ""
