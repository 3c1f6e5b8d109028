"""The table counts what it is told, and a lost case fails its test."""

import faults
import pytest


@pytest.fixture
def rows(monkeypatch, tmp_path):
    monkeypatch.setattr(faults, "ROWS", tmp_path / "rows")


def test_a_lost_case_is_counted_said_and_fails(rows, fault):
    with (
        pytest.raises(AssertionError, match=r"doors: 1 of 2 lost\n +the blue one: it fell"),
        fault("doors", goal=2) as row,
    ):
        row.count(seconds=0.5)
        with row.case("the blue one"):
            raise AssertionError("it fell")
    head, line, total = faults.table()
    assert "lost" in head
    assert line.split()[:2] == ["doors", "2"] and "0.50 s" in line
    assert total == "2 cases, 1 lost; 0 of 1 rows at their goal"


def test_a_row_without_cases_fails(rows, fault):
    with pytest.raises(AssertionError, match="windows: nothing was tried"), fault("windows", goal=1):
        pass


def test_an_error_that_is_no_assertion_is_no_lost_case(rows, fault):
    with pytest.raises(ZeroDivisionError), fault("walls", goal=1) as row, row.case("one"):
        raise ZeroDivisionError
    assert row.cases == 0
