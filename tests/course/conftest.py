"""What the tests of exercises share."""

import pytest
from faults import SOAK
from remembered import Remembered


@pytest.fixture(scope="session")
def _outcomes():
    return Remembered()


@pytest.fixture
def remembered(_outcomes, monkeypatch):
    """What references and mistakes give is made once for an exercise and a seed; with COURSE_SOAK=1 anew."""
    if not SOAK:
        _outcomes.apply(monkeypatch)
