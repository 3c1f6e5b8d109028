"""A learner's machine for the browser tests: a home of its own, `course lab` on it, Chromium, one page."""

import os
import shutil
import tempfile
from pathlib import Path

import browsers
import pytest
from journey import Journey
from lab_server import LabServer

from course_utils import PROJECT

KEPT = PROJECT / "build" / "browser"


@pytest.fixture(scope="session")
def chromium():
    """The path of the system's Chromium, or of what COURSE_BROWSER names."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        pytest.skip("one page goes from test to test, so they need one process: leave `-n` away")
    return browsers.find()


@pytest.fixture(scope="session")
def lab(chromium):
    """`course lab`, started as a new user would; ended with all its kernels, of which none may be left."""
    # In the repository, as `work` is, so that JupyterLab sees the originals too; not pytest's own temporary folder,
    # which is kept; with a space and an é, as a learner's folder may be called.
    (PROJECT / "build").mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="école à moi ", dir=PROJECT / "build"))
    try:
        server = LabServer(folder)
        try:
            yield server
        finally:
            left = server.end()
        assert left == []
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def journey(lab, chromium):
    """One browser and one page for all tests; screenshots in build/browser, the trace too if a test failed."""
    shutil.rmtree(KEPT, ignore_errors=True)
    KEPT.mkdir(parents=True)
    journey = Journey(lab, chromium, KEPT)
    try:
        yield journey
    finally:
        journey.end()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Show the page as it was when a test failed, and tell the journey, which then keeps its trace."""
    report = yield
    journey = item.funcargs.get("journey")
    if report.failed and journey:
        journey.failed(item.name)
    return report
