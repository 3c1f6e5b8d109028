"""The all-reduce benchmark: its figures from planted times, its goals, its picture."""

import pytest
from test_benchmarks import ROWS, module

from course_utils.chapters.allreduce import cost_model

allreduce = module("allreduce")
LINK = cost_model.Link(alpha=1e-4, beta=1e-9)


def planted(world_size):
    """Medians as `slowest` gives them: ours over send and recv as the model has it, the others set by hand."""
    times = {
        (way, size): cost_model.predict(LINK, way, size=size, world_size=world_size)
        for way in allreduce.SENT
        for size in allreduce.SIZES
    }
    for way, seconds in (
        ("gloo", 0.08),
        ("shared_memory", 0.01),
        ("shared_memory_elsewhere", 0.04),
        ("copy", 0.006),
    ):
        times |= {(way, size): seconds for size in allreduce.SIZES}
    return times


def figures(**changes):
    sent, steps = [round(1.5 * allreduce.SHOWN)] * 4, ([1.0, 2.0, 3.0], [1.1, 2.0, 3.3])
    return allreduce.figures({2: planted(2), 4: planted(4)}, sent, steps) | changes


def test_figures_by_hand():
    found = figures()
    assert (found["shm_vs_gloo_2"], found["elsewhere_vs_gloo_4"], found["shm_vs_copy_2"]) == (8, 2, 0.6)
    ring = cost_model.predict(LINK, "ring", size=allreduce.SHOWN, world_size=4)
    assert found["ring_vs_gloo_4"] == pytest.approx(0.08 / ring, abs=1e-3)
    assert (found["ring_traffic_vs_theory"], found["ddp_step_ratio"]) == (1, 1.1)
    assert found["model_median_error"] < 0.01


def test_every_goal_can_be_missed_and_is_named():
    fine = figures(ring_vs_gloo_4=1)
    assert allreduce.missed(fine) == []
    wrong = {"shm_vs_gloo_2": 6.9, "shm_vs_gloo_4": 4, "shm_vs_copy_2": 0.4, "ring_vs_gloo_4": 0.9}
    wrong |= {"ring_traffic_vs_theory": 1.02, "ddp_step_ratio": 1.2, "model_median_error": 0.3}
    assert set(wrong) == set(allreduce.GOALS)
    for name, value in wrong.items():
        assert allreduce.missed(fine | {name: value}) == [
            f"{name} is {value}, the goal is {allreduce.goal_in_words(name)}"
        ]
    assert allreduce.missed(fine | {"ring_traffic_vs_theory": 0.98}) != []


def test_goals_are_those_of_the_row():
    row = {figure["key"]: figure.get("goal") for figure in ROWS["allreduce"]["figures"]}
    for name, (goal, kind) in allreduce.GOALS.items():
        assert name in row and row[name] == (goal if kind != "within" else None)


def test_the_slowest_rank_counts_and_a_rank_without_times_does_not():
    by_rank = [{"way": [1.0, 5.0, 3.0], "copy": [2.0]}, {"way": [2.0, 1.0, 4.0], "copy": []}]
    assert allreduce.slowest(by_rank) == {"way": 4.0, "copy": 2.0}


def test_the_picture_is_small(tmp_path):
    path = tmp_path / "times.png"
    allreduce.draw(path, {2: planted(2), 4: planted(4)})
    assert path.read_bytes().startswith(b"\x89PNG") and path.stat().st_size <= 60 * 1024


def test_too_small_a_size_is_refused(capfd):
    with pytest.raises(SystemExit):
        allreduce.main(["--largest", "1024"])
    assert "--largest at least that" in capfd.readouterr().err


def test_too_little_memory_is_said(monkeypatch, capfd):
    monkeypatch.setattr(allreduce.psutil, "virtual_memory", lambda: type("Memory", (), {"available": 2**30}))
    assert allreduce.main([]) == 2
    assert "Four ranks need 8.0 GiB of free memory: try --largest" in capfd.readouterr().err
