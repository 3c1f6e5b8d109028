"""Every test here adds rows to the table of faults, which is printed at the end (tests/helpers/faults.py)."""

import contextlib

import faults
import pytest


@pytest.fixture
def fault():
    """`with fault("IDX files, damaged", goal=3000) as row:` counts cases in `row`; at the end none may be lost."""

    @contextlib.contextmanager
    def counted(name, *, goal, note=""):
        row = faults.Fault(name, goal, note=note)
        try:
            yield row
        finally:
            faults.keep(row)
        assert row.cases, f"{name}: nothing was tried"
        lost = "\n".join(row.lost[: faults.SHOWN])
        assert not row.lost, f"{name}: {len(row.lost)} of {row.cases} lost\n{lost}"

    return counted


def pytest_sessionstart(session):
    if not hasattr(session.config, "workerinput"):  # a worker of pytest-xdist begins when others have rows already
        for path in faults.ROWS.glob("*.json"):
            path.unlink()


def pytest_terminal_summary(terminalreporter):
    for line in faults.table():
        terminalreporter.write_line(line)
