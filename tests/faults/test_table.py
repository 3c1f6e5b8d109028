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


@pytest.mark.parametrize("commit", ["", "0123456", "d21b6a7", "fedcba9+"])
def test_a_soak_goes_on_with_what_is_not_at_its_goal(rows, fault, request, commit):
    import soak

    with fault("gates", goal=1) as row:
        row.count()
    for name, cases, lost, test in (("a", 2, [], "x::one"), ("b", 1, [], "x::one"), ("c", 2, [], "x::two")):
        faults.keep(faults.Fault(name, 2, cases, cases, lost, test=test, commit="abc", soak=True))
    faults.keep(faults.Fault("d", 2, 2, 1, ["it fell"], test="x::three", commit="def", soak=True))
    kept = {row.fault: row for row in faults.rows()}
    assert kept["gates"].test.endswith(request.node.nodeid) and kept["gates"].at_goal
    assert soak.finished(faults.rows()) == [*([kept["gates"].test] if faults.SOAK else []), "x::two"]
    *_, total, commits = faults.table()
    named = sorted({"abc", "def", commit} - {""})
    assert total.endswith("3 of 5 rows at their goal")
    assert commits == f"Seen at {len(named)} commits: {', '.join(named)}."
    faults.clear()
    assert faults.table() == []


def test_what_was_seen_is_kept_for_everybody(tmp_path):
    import soak

    record, page = tmp_path / "faults.json", tmp_path / "faults.md"
    rows = [
        faults.Fault(name, 2, 2, 2, slowest=0.5, note="an aside", commit="abc", date="2026-11-26") for name in "ba"
    ]
    soak.record(rows[:1], record, page)
    soak.record(rows[1:], record, page)
    assert list(soak.recorded(record)) == ["a", "b"] and faults.Fault(**soak.recorded(record)["a"]).cases == 2
    said = page.read_text(encoding="utf-8")
    assert "| a | 2 | 2 | 2 | 0 | 0.50 | 2026-11-26, abc; an aside |\n| b |" in said
    assert "4 cases in 2 rows, 0 lost. Seen on: " in said and "torch" in said


def test_the_page_shows_what_is_on_record():
    import soak

    assert soak.PAGE.read_text(encoding="utf-8") == soak.page(soak.recorded())
    for row in soak.recorded().values():
        assert row["soak"] and row["commit"] and row["where"] and row["date"]
