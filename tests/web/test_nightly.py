"""The page of the last night: without a record it says so, with one it names what broke."""

import json
import sys

import pytest

from course_utils import PROJECT

sys.path.insert(0, str(PROJECT / "web"))
import nightly


@pytest.fixture
def night(tmp_path):
    steps = {"unit": {"passed": 7000, "failed": 0, "skipped": 8, "seconds": 1200}}
    steps["solved"] = {"passed": 13, "failed": 1, "skipped": 0, "seconds": 400}
    one = {
        "date": "2026-11-23 04:00 UTC",
        "system": "Linux x86_64",
        "versions": {"python": "3.13.1", "torch": "2.15"},
    }
    one |= {"steps": steps, "broken": [{"step": "run-solved", "chapter": "09_speed", "status": "failed"}]}
    (tmp_path / "nightly-3.13").mkdir()
    (tmp_path / "nightly-3.13" / "summary.json").write_text(json.dumps(one), encoding="utf-8")
    return tmp_path


def test_a_night_is_told_with_its_versions_and_what_broke(night):
    text = nightly.page(nightly.summaries(night))
    assert "torch 2.15" in text and "- 09_speed (run-solved): failed" in text
    assert "| unit | 7000 | 0 | 8 | 1200 |" in text
    assert 'aria-label="nightly: 1 failed"' in text and nightly.RED in text


def test_no_night_is_no_success(tmp_path):
    text = nightly.page(nightly.summaries(tmp_path / "none"))
    assert "No nightly run is on record" in text and nightly.GREEN not in text
