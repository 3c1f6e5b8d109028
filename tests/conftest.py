"""What every test may count on."""

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
os.environ.setdefault("MPLBACKEND", "Agg")  # before matplotlib is imported: no test opens a window


@pytest.fixture(scope="session")
def project():
    """The project's root folder."""
    return PROJECT
