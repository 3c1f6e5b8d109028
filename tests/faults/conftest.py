"""Every test here adds rows to the table of faults, which is printed at the end (tests/helpers/faults.py)."""

import contextlib
import os
import subprocess

import faults
import pytest

from course_utils import PROJECT

pytest.register_assert_rewrite("writers")  # so that a case that is lost says what was found


@pytest.fixture(scope="session")
def commit():
    """The commit of the files that are tested, `+` behind it where they were changed since; "" without git."""
    said = subprocess.run(
        ["git", "describe", "--always", "--dirty=+", "--match="], cwd=PROJECT, capture_output=True, text=True
    )
    return said.stdout.strip()


@pytest.fixture
def fault(request, commit):
    """`with fault("IDX files, damaged", goal=3000) as row:` counts cases in `row`; at the end none may be lost."""

    @contextlib.contextmanager
    def counted(name, *, goal, note=""):
        row = faults.Fault(name, goal, note=note, test=request.node.nodeid, commit=commit)
        try:
            yield row
        finally:
            faults.keep(row)
        assert row.cases, f"{name}: nothing was tried"
        lost = "\n".join(row.lost[: faults.SHOWN])
        assert not row.lost, f"{name}: {len(row.lost)} of {row.cases} lost\n{lost}"

    return counted


def pytest_sessionstart(session):
    if hasattr(session.config, "workerinput"):
        return  # a worker of pytest-xdist begins when others have rows already
    if "COURSE_SOAK_GOES_ON" not in os.environ:  # tools/testing/soak.py has cleared them, or goes on with them
        faults.clear()


def pytest_terminal_summary(terminalreporter):
    for line in faults.table():
        terminalreporter.write_line(line)
