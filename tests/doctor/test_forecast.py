"""What the doctor says of a machine's speed: minutes for each chapter, from the seconds on record."""

import pytest

from course_utils import machine
from course_utils.doctor.facts import Facts
from course_utils.doctor.forecast import minutes, speed
from course_utils.notebook import costs
from course_utils.notebook.catalog import find

SECONDS = {"00": 12.0, "07": 120.0, "09": 240.0}


@pytest.fixture
def recorded(monkeypatch):
    """A table in which most chapters take six seconds, on a machine that does the piece of work in 0.02 s."""
    monkeypatch.setattr(costs, "seconds", lambda names: {name: SECONDS.get(name[:2], 6.0) for name in names})
    monkeypatch.setattr(costs, "work_seconds", lambda: 0.02)


def facts(seconds):
    return Facts(system="Linux", python=(3, 11, 7), work_seconds=seconds)


def test_minutes_grow_with_the_seconds_of_the_piece_of_work(recorded):
    here = {name[:2]: value for name, value in minutes(0.04).items()}
    assert (here["00"], here["07"], here["09"]) == (0.4, 4.0, 8.0)


def test_long_chapters_are_named_and_a_slow_machine_is_a_warning(recorded):
    fine = speed(facts(0.02))
    assert fine.state == "ok" and "1.0 times" in fine.found and fine.found.endswith("of which chapter 09 about 4")
    slow = speed(facts(0.08))
    assert slow.state == "warning" and "07 about 8, 09 about 16" in slow.found and "not broken" in slow.fix
    assert speed(facts(None)).state == "warning"


def test_every_chapter_has_its_minutes_on_this_machine():
    here = minutes(machine.work_seconds(repeats=2))
    assert set(here) == {chapter.name for chapter in find()}
    assert all(0 < value < 1000 for value in here.values())


def test_measuring_leaves_threads_and_random_numbers_as_they_were():
    import torch

    before, threads = torch.random.get_rng_state(), torch.get_num_threads()
    assert 0 < machine.work_seconds(repeats=1) < 60
    assert torch.equal(torch.random.get_rng_state(), before) and torch.get_num_threads() == threads
