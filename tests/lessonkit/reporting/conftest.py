"""A classroom in this process, for each test that asks for it."""

import pytest
from classroom_here import QUESTIONS, open_room


@pytest.fixture(scope="session")
def questions():
    return QUESTIONS


@pytest.fixture
def classroom():
    with open_room() as opened:
        yield opened
