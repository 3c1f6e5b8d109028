"""What every test may count on."""

import gc
import json
import os
import signal

import pytest

from course_utils import PROJECT
from lessonkit.system.fast_imports import without_collection

os.environ.setdefault("MPLBACKEND", "Agg")  # before matplotlib is imported: no test opens a window
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # begun in the background of a script; children inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    """Refuse names that hold an object's address: two workers of pytest-xdist would collect different tests."""
    named = [item.nodeid for item in items if " at 0x" in item.nodeid]
    if named:
        raise pytest.UsageError(f"a test is named after an address in memory, so leave `ids` out: {named[0]}")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep what collecting makes out of the collector's sight: it would be looked through again and again."""
    with without_collection():
        try:
            return (yield)
        finally:
            gc.collect()  # lest garbage stays as well


@pytest.fixture(scope="session")
def project():
    """The project's root folder."""
    return PROJECT


@pytest.fixture
def foreign(tmp_path, monkeypatch):
    """A `python3` kernel that the user has registered, and that must not be taken."""
    folder = tmp_path / "kernels" / "python3"
    folder.mkdir(parents=True)
    spec = {"argv": ["/nowhere/python", "-f", "{connection_file}"], "display_name": "foreign", "language": "python"}
    (folder / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    return tmp_path
