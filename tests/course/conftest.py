"""What the tests of exercises share."""

import pytest
from faults import SOAK
from remembered import Remembered


@pytest.fixture(scope="session")
def _outcomes():
    return Remembered()


@pytest.fixture
def remembered(_outcomes, monkeypatch):
    """The references' and mistakes' own outcomes are made once for each exercise; not in the long run."""
    if not SOAK:
        _outcomes.apply(monkeypatch)
