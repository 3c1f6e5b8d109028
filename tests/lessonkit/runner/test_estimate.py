"""What a run says it will take: the recorded seconds, side by side, at this machine's speed."""

import pytest

from lessonkit.notebook import costs
from lessonkit.runner.estimate import estimate, in_words

SECONDS = {"00_a": 10.0, "01_b": 40.0, "02_c": 30.0, "03_d": 20.0}


@pytest.fixture
def recorded(monkeypatch):
    monkeypatch.setattr(costs, "seconds", lambda names: {name: SECONDS[name] for name in names})
    monkeypatch.setattr(costs, "work_seconds", lambda: 0.02)


@pytest.mark.parametrize(("jobs", "expected"), [(1, 100.0), (2, 50.0), (4, 40.0), (9, 40.0)])
def test_the_longest_goes_first_and_the_next_where_a_place_is_free(recorded, jobs, expected):
    assert estimate(list(SECONDS), jobs, 0.02) == pytest.approx(expected)
    assert estimate(list(SECONDS), jobs, 0.05) == pytest.approx(2.5 * expected)


def test_nothing_is_estimated_without_a_record_or_a_measurement(recorded, monkeypatch):
    assert estimate(list(SECONDS), 2, None) is None
    monkeypatch.setattr(costs, "work_seconds", lambda: None)
    assert estimate(list(SECONDS), 2, 0.02) is None


@pytest.mark.parametrize(("seconds", "words"), [(1, "10 seconds"), (38, "40 seconds"), (100, "2 minutes")])
def test_an_estimate_is_no_more_precise_than_it_can_be(seconds, words):
    assert in_words(seconds) == words
