"""How many chapters run side by side: by cores, memory and device; the longest begin."""

import pytest

from course_utils.notebook import costs
from course_utils.notebook.catalog import NOTEBOOKS, find
from course_utils.runner import jobs

GIB = 1 << 30
NAMES = [chapter.name for chapter in find()]
GENEROUS = 64 * GIB


@pytest.mark.parametrize(
    ("cores", "free", "device", "number"),
    [
        (1, GENEROUS, "cpu", 1),
        (2, GENEROUS, "cpu", 2),
        (16, GENEROUS, "cpu", 4),
        (2, 4 * GIB - 1, "cpu", 1),
        (16, GENEROUS, "cuda", 1),
        (16, GENEROUS, "mps", 1),
    ],
)
def test_cores_memory_and_device_decide(cores, free, device, number):
    found = jobs.choose(NAMES, device, cores=cores, free=free)
    assert found.number == number
    assert f"{cores} core" in found.why or device in found.why


def test_chapters_that_would_not_fit_into_memory_together_run_fewer_at_a_time(monkeypatch):
    monkeypatch.setattr(costs, "memory", lambda names: dict.fromkeys(names, 3 * GIB))
    assert jobs.choose(NAMES, "cpu", cores=8, free=11 * GIB).number == 3
    assert jobs.choose(NAMES, "cpu", cores=8, free=5 * GIB).number == 1
    assert jobs.choose(NAMES[:2], "cpu", cores=8, free=64 * GIB).number == 2


def test_the_longest_begin_and_the_unknown_count_as_long(monkeypatch):
    monkeypatch.setattr(costs, "seconds", lambda names: {name: float(name[:2]) for name in names})
    order = [chapter.number for chapter in jobs.longest_first(find(NOTEBOOKS))]
    assert order == sorted(order, reverse=True)


def test_this_machine_is_asked_where_nothing_is_given():
    found = jobs.choose(NAMES, "cpu")
    assert 1 <= found.number <= min(jobs.MOST, max(1, jobs.usable_cores()))


def test_costs_are_on_record_for_every_chapter_and_a_new_one_counts_as_the_dearest(tmp_path):
    seconds, memory = costs.seconds([*NAMES, "99_new"]), costs.memory([*NAMES, "99_new"])
    assert seconds["99_new"] == max(seconds.values()) and memory["99_new"] == max(memory.values())
    assert all(value > 1 for value in seconds.values()) and all(
        64 << 20 < value < 8 * GIB for value in memory.values()
    )
    assert 0 < costs.work_seconds() < 10
    copy = tmp_path / "costs.json"
    copy.write_bytes(costs.COSTS.read_bytes())
    costs.keep_memory("99_new", 1234.5, copy)
    costs.keep_work_seconds(0.25, copy)
    assert costs.memory(["99_new"], copy) == {"99_new": 1234 << 20} and costs.work_seconds(copy) == 0.25
