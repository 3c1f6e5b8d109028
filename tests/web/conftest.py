"""The site, built once as `make site` does, without a network where this system can take it away."""

import shutil
import subprocess
import sys

import browsers
import pytest
from playwright.sync_api import sync_playwright

from course_utils import PROJECT

ALONE = ["unshare", "--map-root-user", "--net"]  # a network namespace of its own, with nothing in it


def without_network():
    """The words to put before a command so that it has no network; none where the system does not allow it."""
    if not shutil.which(ALONE[0]):
        return []
    tried = subprocess.run([*ALONE, "true"], capture_output=True)
    return ALONE if tried.returncode == 0 else []


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """(folder of the pages, what the build printed, whether it was without a network)."""
    to = tmp_path_factory.mktemp("site")
    before = without_network()
    command = [*before, sys.executable, PROJECT / "web" / "build.py", "--to", to]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return to / "html", done.stdout + done.stderr, bool(before)


@pytest.fixture(scope="session")
def pages(built):
    """The folder of the pages."""
    return built[0]


@pytest.fixture(scope="session")
def browser():
    """Chromium; COURSE_BROWSER names another than the one on the path."""
    path = browsers.find()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=path, args=browsers.FLAGS, timeout=1000 * browsers.PATIENCE
        )
        yield started
        started.close()


@pytest.fixture(scope="session")
def shots():
    """An empty folder for screenshots, build/site-pictures."""
    folder = PROJECT / "build" / "site-pictures"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
