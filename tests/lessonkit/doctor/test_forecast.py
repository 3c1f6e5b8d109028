"""What the doctor says of a machine's speed: minutes for each chapter, from the seconds on record."""

import nbformat
import pytest

from lessonkit.doctor.facts import Facts
from lessonkit.doctor.forecast import minutes, speed
from lessonkit.notebook import costs
from lessonkit.notebook.catalog import find
from lessonkit.system.finding import Found

LONG = 80.0  # seconds on record: on a machine half as fast, close to three minutes
SECONDS = {"00": 12.0, "07": 120.0, "09": 180.0}


@pytest.fixture
def recorded(monkeypatch):
    """A table in which most chapters take six seconds, on a machine that does the piece of work in 0.02 s."""
    monkeypatch.setattr(costs, "seconds", lambda names: {name: SECONDS.get(name[:2], 6.0) for name in names})
    monkeypatch.setattr(costs, "work_seconds", lambda: 0.02)


def facts(seconds):
    return Facts(system="Linux", python=(3, 11, 7), work_seconds=seconds, course=Found(lacks="torch"))


def test_minutes_grow_with_the_seconds_of_the_piece_of_work(recorded):
    here = minutes(0.04)
    assert (here["00"], here["07"], here["09"]) == pytest.approx((0.4, 4.0, 6.0))


def test_each_chapter_has_its_minutes_and_none_is_a_warning_where_they_were_recorded(recorded):
    fine = speed(facts(0.02))
    assert fine.state == "ok" and fine.fix == ""
    assert fine.found.startswith("1.0 times the seconds on record (20 ms for a piece of work); ")
    assert "00 <1, 01 <1, 02 <1," in fine.found and "07 2, 08 <1, 09 3, 10 <1" in fine.found
    assert fine.found.endswith("; together 6")


def test_what_is_long_on_a_slow_machine_is_named(recorded):
    slow = speed(facts(0.04))
    assert slow.state == "warning" and "07 4, 08 <1, 09 6" in slow.found
    assert slow.fix.startswith("Chapter 07, 09: a cell that computes for minutes is not broken")


def test_a_machine_without_torch_is_not_judged():
    assert speed(facts(None)).state == "warning"


def test_a_course_without_a_record_is_told_no_minutes(tmp_path, monkeypatch):
    monkeypatch.setattr(costs.work_seconds, "__defaults__", (tmp_path / "costs.json",))
    assert minutes(0.02) == {}
    assert speed(facts(0.02))[1:] == ("ok", "20 ms for a piece of work; no chapter's time is recorded", "")


def test_every_chapter_is_short_on_the_machine_of_the_record():
    assert list(minutes(costs.work_seconds())) == [chapter.name.partition("_")[0] for chapter in find()]
    assert speed(facts(costs.work_seconds())).state == "ok"


def test_the_top_of_a_long_chapter_says_who_tells_its_minutes():
    paths = {chapter.name: chapter.path for chapter in find()}
    for name, seconds in costs.seconds(list(paths)).items():
        if seconds >= LONG:
            title = nbformat.read(paths[name], 4).cells[0].source
            assert "minutes to run (`course doctor` says how many on your machine)" in title, name
