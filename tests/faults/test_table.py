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


def test_a_soak_goes_on_with_what_is_not_at_its_goal(rows, fault, request):
    import soak

    with fault("gates", goal=1) as row:
        row.count()
    for name, cases, lost, test in (("a", 2, [], "x::one"), ("b", 1, [], "x::one"), ("c", 2, [], "x::two")):
        faults.keep(faults.Fault(name, 2, cases, cases, lost, test=test, commit="abc", soak=True))
    faults.keep(faults.Fault("d", 2, 2, 1, ["it fell"], test="x::three", commit="def", soak=True))
    kept = {row.fault: row for row in faults.rows()}
    assert kept["gates"].test.endswith(request.node.nodeid.partition("@")[0]) and kept["gates"].at_goal
    assert soak.finished(faults.rows()) == [*([kept["gates"].test] if faults.SOAK else []), "x::two"]
    *_, total, commits = faults.table()
    assert total.endswith("3 of 5 rows at their goal") and "Seen at 3 commits" in commits and "abc, def" in commits
    faults.clear()
    assert faults.table() == []
