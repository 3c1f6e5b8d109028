"""How many chapters run side by side: by cores, memory and device; the longest begin."""

import pytest

from lessonkit.notebook import costs
from lessonkit.notebook.catalog import NOTEBOOKS, find
from lessonkit.runner import jobs

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
        (2, 2 * GIB, "cpu", 1),
        (2, 0, "cpu", 1),
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


def test_what_is_lacking_for_one_more_is_said(monkeypatch):
    monkeypatch.setattr(costs, "memory", lambda names: dict.fromkeys(names, 3 * GIB))
    tight = jobs.choose(NAMES, "cpu", cores=8, free=11 * GIB).why
    assert tight == "8 cores and 11.0 GiB of memory free: from 13.0 GiB on, 4 run side by side"
    small = jobs.choose(NAMES, "cpu", cores=2, free=2 * GIB).why
    assert small == "2 cores and 2.0 GiB of memory free: from 4 GiB on, two run side by side"


def test_a_system_that_does_not_say_how_much_is_free_runs_one_at_a_time(monkeypatch):
    def hidden():
        raise FileNotFoundError(2, "No such file or directory", "/proc/meminfo")

    monkeypatch.setattr(jobs.psutil, "virtual_memory", hidden)
    found = jobs.choose(NAMES, "cpu", cores=8)
    assert found.number == 1
    assert found.why == "8 cores, and the system does not say how much memory is free; `--jobs 2` runs two"
    assert jobs.too_little(NAMES, "cpu") == ""


def test_a_chapter_that_needs_more_than_is_free_is_named(monkeypatch, tmp_path):
    copy = tmp_path / "costs.json"
    copy.write_text('{"memory": {}}', encoding="utf-8")
    for name, mib in (("05_training", 1024), ("09_speed", 2048), ("11_allreduce", 3072)):
        costs.keep_memory(name, {"untouched": mib}, on="a test", costs=copy)
    monkeypatch.setattr(costs.memory, "__defaults__", (copy,))
    monkeypatch.setattr(costs.memory_on_record, "__defaults__", (copy,))
    said = jobs.too_little(NAMES, "cpu", free=int(1.5 * GIB))
    assert said.startswith("1.5 GiB of memory are free, and chapters 09, 11 needed up to 3.0 GiB where that was")
    assert said.endswith("measured: close other programs, or the system may end a kernel.")
    assert "and chapter 11 needed" in jobs.too_little(NAMES, "cpu", free=int(2.5 * GIB))
    assert jobs.too_little(NAMES, "cpu", free=4 * GIB) == jobs.too_little(NAMES, "cuda", free=GIB) == ""
    assert jobs.too_little(["99_new"], "cpu", free=GIB) == "", "of a chapter without a record nothing is said"


def test_the_longest_begin_and_the_unknown_count_as_long(monkeypatch):
    monkeypatch.setattr(costs, "seconds", lambda names: {name: float(name[:2]) for name in names})
    order = [chapter.number for chapter in jobs.longest_first(find(NOTEBOOKS))]
    assert order == sorted(order, reverse=True)


def test_this_machine_is_asked_where_nothing_is_given():
    found = jobs.choose(NAMES, "cpu")
    assert 1 <= found.number <= min(jobs.MOST, max(1, jobs.usable_cores()))


def test_costs_are_on_record_for_every_chapter_and_a_new_one_counts_as_the_dearest(tmp_path):
    seconds, memory = costs.seconds([*NAMES, "99_new"]), costs.memory([*NAMES, "99_new"])
    assert seconds["99_new"] == max(seconds.values()) and memory["99_new"] == max(memory.values()) >= 1536 << 20
    assert all(value > 1 for value in seconds.values()) and all(
        64 << 20 < value < 8 * GIB for value in memory.values()
    )
    assert 0 < costs.work_seconds() < 10
    copy = tmp_path / "costs.json"
    copy.write_bytes(costs.COSTS.read_bytes())
    costs.keep_memory("99_new", {"untouched": 1234.4}, on="a machine", costs=copy)
    costs.keep_memory("99_new", {"solved": 1300}, on="a machine", costs=copy)
    costs.keep_work_seconds(0.25, copy)
    assert costs.memory_on_record(copy)["99_new"] == {"mib": {"untouched": 1234, "solved": 1300}, "on": "a machine"}
    assert costs.memory(["99_new"], copy) == {"99_new": 1300 << 20} and costs.work_seconds(copy) == 0.25
    costs.keep_memory("99_new", {"solved": 1250}, on="another one", costs=copy)
    assert costs.memory(["99_new"], copy) == {"99_new": 1250 << 20}, "figures of two machines are no row"
