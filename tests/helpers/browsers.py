"""The system's Chromium, for the tests that need a real browser; Playwright's own is never downloaded."""

import os
import shutil

import pytest

PATIENCE = 300  # seconds until a state is there, on a slow machine that has other work
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]


def find():
    """The path of Chromium, or of what COURSE_BROWSER names; without one the test is skipped."""
    named = os.environ.get("COURSE_BROWSER")
    if named and not shutil.which(named):
        pytest.fail(f"COURSE_BROWSER is {named}, which cannot be started: name a Chromium, or leave it away.")
    found = filter(None, map(shutil.which, [named] if named else BROWSERS))
    return next(found, None) or pytest.skip("no Chromium here: install it, or name one in COURSE_BROWSER")
