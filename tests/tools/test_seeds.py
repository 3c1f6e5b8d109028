"""The soak over seeds: every chapter and seed has its place in the table, and a failure is named."""

import seeds

from lessonkit.runner.result import ChapterResult


def result(name, status, error=None):
    return ChapterResult(name=name, status=status, seconds=12.4, error=error)


def test_a_failure_is_named_with_chapter_seed_and_cell():
    good = {"00_a": result("00_a", "passed"), "01_b": result("01_b", "passed")}
    bad = {"00_a": result("00_a", "passed"), "01_b": result("01_b", "failed", "cell 7: assert")}
    assert seeds.table({0: good})[1] == 0
    lines, failed = seeds.table({0: good, 3: bad})
    assert failed == 1
    assert lines[1].split() == ["00_a", "12", "s", "12", "s"] and lines[2].split() == ["01_b", "12", "s", "failed"]
    assert lines[3:] == ["01_b, SEED 3: cell 7: assert"]


def test_a_run_that_did_not_begin_is_a_failure():
    assert seeds.table({0: {}})[1] == 1
    assert seeds.table({0: {"00_a": result("00_a", "passed")}, 1: {}})[1] == 2
