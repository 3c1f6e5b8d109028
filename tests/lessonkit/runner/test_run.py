"""A run is refused as a whole before anything starts, and goes on from a report of a former day."""

import json
import os
from dataclasses import replace

import pytest
import toys
from filelock import FileLock
from toys import code, notebook, parameters

from lessonkit.notebook import costs
from lessonkit.notebook.catalog import find
from lessonkit.runner import jobs
from lessonkit.runner.request import RunRequest
from lessonkit.runner.run import PASSED, carry_out, passed_in
from lessonkit.system.errors import Refused

FORMER = """{
  "chapters": [
    {"name": "00_a", "status": "passed", "seconds": 2.5, "slowest_cell_seconds": 1.5, "slowest_cell": "cell 1: 1",
     "cells": 1, "exercises": {"attempted": 0, "passed": 0, "total": 2}, "data": {"mnist": "full"}, "error": null},
    {"name": "01_b", "status": "failed", "seconds": 1.0, "slowest_cell_seconds": 0.5, "slowest_cell": "cell 1: 2",
     "cells": 1, "exercises": {"attempted": 0, "passed": 0, "total": 0}, "data": {}, "error": "cell 1: 2 -> boom"}
  ],
  "wall_seconds": 3.75, "answers": "untouched", "profile": "quick", "device": "cpu",
  "versions": {"torch": "2.13.0"}, "machine": {"cores": 2}
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    chapters = {"_00_a": notebook(parameters(), code("1")), "_01_b": notebook(parameters(), code("2"))}
    folder = toys.write(tmp_path_factory.mktemp("run") / "notebooks", **chapters)
    for path in folder.iterdir():
        os.utime(path, (1, 1))  # older than any report
    return folder


def test_the_chapters_own_folder_is_no_place_for_results(folder):
    with pytest.raises(Refused, match="they would be overwritten"):
        carry_out(RunRequest(out=folder.resolve(), notebooks=folder))


def test_two_runs_into_one_folder_are_refused(folder, tmp_path):
    with FileLock(tmp_path / "run.lock"), pytest.raises(Refused, match="give this one another --out"):
        carry_out(RunRequest(out=tmp_path, notebooks=folder, names=("00",)))


def test_a_report_of_the_former_format_is_gone_on_with(folder, tmp_path, capsys):
    (tmp_path / "report.json").write_text(FORMER, encoding="utf-8")
    assert passed_in(tmp_path) == {"00_a"}
    request = RunRequest(out=tmp_path, notebooks=folder, names=("00",), device="cpu", resume=True)
    assert carry_out(request) == PASSED
    assert "00_a: to be run, as the report is of an older course, which did not note" in capsys.readouterr().out
    found = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    seen = [(one["name"], one["cells"], one["status"], one["kept"]) for one in found["chapters"]]
    assert seen == [("00_a", 2, "passed", False), ("01_b", 1, "failed", False)], "01 was not asked for"
    assert found["wall_seconds"] >= 3.75
    before = (tmp_path / "00_a.ipynb").stat().st_mtime_ns
    assert carry_out(request) == PASSED
    assert "1 kept, 0 to be run.\n00_a: kept, passed in" in capsys.readouterr().out
    assert (tmp_path / "00_a.ipynb").stat().st_mtime_ns == before, "what had passed was run again"


def test_resume_of_one_chapter_forgets_no_other(folder, tmp_path, capsys):
    request = RunRequest(out=tmp_path, notebooks=folder, device="cpu")
    names = [chapter.name for chapter in find(folder)]
    carry_out(request)
    before = {one["name"]: one for one in json.loads((tmp_path / "report.json").read_text("utf-8"))["chapters"]}
    capsys.readouterr()
    assert carry_out(replace(request, names=("00",), resume=True)) == PASSED
    after = {one["name"]: one for one in json.loads((tmp_path / "report.json").read_text("utf-8"))["chapters"]}
    assert list(after) == names and len(names) > 1
    for name in names[1:]:
        assert after[name] | {"kept": before[name]["kept"]} == before[name]
    assert f"{sum(one['kept'] for one in after.values())} kept, 0 to be run." in capsys.readouterr().out


def test_resume_without_a_kept_run_says_so_and_runs_all(folder, tmp_path, capsys):
    request = RunRequest(out=tmp_path, notebooks=folder, names=("00",), device="cpu", resume=True)
    assert carry_out(request) == PASSED
    said = capsys.readouterr().out
    assert (
        said.startswith(f"Nothing to go on with: there is no {tmp_path / 'report.json'}") and "00_a: passed" in said
    )


def test_too_little_memory_is_said_before_a_kernel_dies_of_it(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(jobs, "too_little", lambda names, device: f"{device} with {names}: close other programs")
    assert carry_out(RunRequest(out=tmp_path, notebooks=folder, names=("00",), device="cpu")) == PASSED
    assert "cpu with ['00_a']: close other programs" in capsys.readouterr().out


def test_auto_takes_as_many_jobs_as_fit_and_the_longest_chapter_begins(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(jobs, "choose", lambda names, device: jobs.Jobs(2, f"{device}, {len(names)} chapters"))
    monkeypatch.setattr(costs, "seconds", lambda names: {name: float(name[:2]) for name in names})
    assert carry_out(RunRequest(out=tmp_path, notebooks=folder, device="cpu", jobs=None)) == PASSED
    said = capsys.readouterr().out
    assert (
        said.index("side by side: 2 (cpu, 2 chapters).") < said.index("01_b: started") < said.index("00_a: started")
    )
    found = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert found["jobs"] == {"number": 2, "why": "cpu, 2 chapters"} and found["machine"]["work_seconds"] > 0
    assert [chapter["name"] for chapter in found["chapters"]] == ["00_a", "01_b"]
