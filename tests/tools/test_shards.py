"""Shards: every chapter in exactly one, none much longer than its share, every chapter on record."""

import json
import subprocess
import sys

import pytest
import shards

from course_utils import PROJECT
from lessonkit.notebook import costs

NAMES = sorted(path.stem for path in (PROJECT / "notebooks").glob("[0-9]*.ipynb"))


@pytest.mark.parametrize("count", [1, 2, 3, 5, 40])
def test_every_chapter_is_in_one_shard_and_no_shard_is_much_over_its_share(count):
    seconds = shards.recorded(NAMES)
    found = shards.divide(seconds, count)
    assert sorted(name for shard in found for name in shard) == NAMES
    loads = [sum(seconds[name] for name in shard) for shard in found]
    # Longest first is never more than 4/3 of the best division (Graham, 1969), which cannot be under these two.
    assert max(loads) <= 4 / 3 * max(sum(seconds.values()) / count, max(seconds.values())) + 1e-9


def test_the_longest_lie_apart_and_a_chapter_without_a_record_counts_as_one_of_them(tmp_path, monkeypatch):
    assert shards.divide({"a": 9.0, "b": 8.0, "c": 2.0, "d": 1.0}, 2) == [["a", "d"], ["b", "c"]]
    monkeypatch.setattr(shards, "DURATIONS", tmp_path / "durations.json")
    shards.DURATIONS.write_text('{"a": 5, "b": 70}', encoding="utf-8")
    assert shards.recorded(["a", "new"]) == {"a": 5, "new": 70}


def test_every_chapter_is_on_record():
    there = json.loads(shards.DURATIONS.read_text(encoding="utf-8"))
    assert sorted(there) == NAMES, "run `course run`, then `shards.py --record build/run/report.json`"
    assert all(seconds > 0 for seconds in there.values())


def test_a_report_with_a_failure_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(shards, "DURATIONS", tmp_path / "durations.json")
    report = tmp_path / "report.json"
    chapters = [{"name": "00_a", "status": "passed", "seconds": 3.4}]
    report.write_text(json.dumps({"chapters": chapters, "machine": {"work_seconds": 0.03}}), encoding="utf-8")
    kept = []
    monkeypatch.setattr(costs, "keep_work_seconds", kept.append)
    shards.record([report])
    assert json.loads(shards.DURATIONS.read_text(encoding="utf-8")) == {"00_a": 3} and kept == [0.03]
    chapters.append({"name": "01_b", "status": "failed", "seconds": 0.1})
    report.write_text(json.dumps({"chapters": chapters, "machine": {"work_seconds": 0.03}}), encoding="utf-8")
    with pytest.raises(SystemExit, match="01_b has not passed"):
        shards.record([report])
    report.write_text(json.dumps({"chapters": chapters, "machine": {}}), encoding="utf-8")
    with pytest.raises(SystemExit, match="does not say how fast its machine was"):
        shards.record([report])
    assert kept == [0.03]


def test_a_workflow_can_read_what_is_printed():
    printed = subprocess.run([sys.executable, shards.__file__, "3"], capture_output=True, text=True, check=True)
    assert sorted(",".join(json.loads(printed.stdout)).split(",")) == [name[:2] for name in NAMES]
    refused = subprocess.run([sys.executable, shards.__file__, "0"], capture_output=True, text=True)
    assert refused.returncode == 2 and "0 shards: expected at least 1" in refused.stderr
