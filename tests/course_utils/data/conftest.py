"""What the tests of data sets share: a machine that has no data and no server."""

import pytest
from cut_off import cut_off


@pytest.fixture
def alone(monkeypatch, tmp_path):
    """The empty cache of a machine without settings and without a server that answers."""
    return cut_off(monkeypatch, tmp_path)
