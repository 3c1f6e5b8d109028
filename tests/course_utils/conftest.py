"""What the tests of course_utils share: no figure of a test is left open."""

import sys

import pytest


@pytest.fixture(autouse=True)
def closed_figures():
    """Close every figure after a test that has drawn one; a test that draws nothing imports no matplotlib."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
