"""The report has the agreed keys, survives a crash, and can be gone on with."""

import json
import os
from dataclasses import replace

import pytest
import toys
from nbformat.v4 import new_output
from toys import code, notebook

from lessonkit.notebook.catalog import find
from lessonkit.runner import resume
from lessonkit.runner.report import Report, data_used, earlier
from lessonkit.runner.result import ChapterResult
from lessonkit.system.course import Course
from lessonkit.system.errors import Refused

SETTINGS = {"answers": "untouched", "extent": "whole", "profile": "quick", "device": "cpu"}
KEYS = [
    "name",
    "status",
    "seconds",
    "slowest_cell_seconds",
    "slowest_cell",
    "cells",
    "exercises",
    "data",
    "error",
    "notes",
    "notebook",
    "parameters",
    "ended",
    "kept",
]


def result(name, status="passed", error=None):
    return ChapterResult(
        error=error,
        name=name,
        status=status,
        seconds=2.5,
        slowest_cell_seconds=1.5,
        slowest_cell="cell 1: x < 1",
        cells=3,
        exercises={"attempted": 0, "passed": 0, "total": 2},
    )


@pytest.fixture
def chapters(tmp_path):
    folder = toys.write(tmp_path / "notebooks", _00_a=notebook(code("1")), _01_b=notebook(code("2")))
    for path in folder.iterdir():
        os.utime(path, (1, 1))  # older than any report
    return find(folder)


@pytest.fixture
def report(tmp_path, chapters):
    return Report(tmp_path / "out é", chapters, **SETTINGS, machine={"cores": 2})


def read(report):
    return json.loads((report.out / "report.json").read_text(encoding="utf-8"))


def test_what_has_not_ended_counts_as_interrupted_from_the_start(report):
    report.save()
    assert [chapter["status"] for chapter in read(report)["chapters"]] == ["interrupted"] * 2
    report.add(result("00_a"))
    assert [chapter["status"] for chapter in read(report)["chapters"]] == ["passed", "interrupted"]
    assert not report.passed({"00_a", "01_b"}) and report.passed({"00_a"})
    report.add(result("01_b"))
    assert report.passed({"00_a", "01_b"})


def test_the_keys_are_the_agreed_ones(report):
    report.add(result("00_a"))
    found = read(report)
    head = ["answers", "extent", "profile", "device", "jobs", "versions", "machine"]
    assert list(found) == ["chapters", "wall_seconds", *head]
    assert [list(chapter) for chapter in found["chapters"]] == [KEYS, KEYS]
    assert not list(report.out.glob("*.saving"))


@pytest.fixture
def passed(report, chapters):
    """The report, in which 00_a has passed as it is and 01_b has failed."""
    digest = resume.notebook_digest(chapters[0].path)
    ran = replace(result("00_a"), notebook=digest, ended="2026-11-23T16:42:16+00:00")
    toys.write(report.out, _00_a=notebook(code("1")))
    report.add(ran)
    report.add(result("01_b", "failed", "cell 1: boom"))
    return report


def gone_on_with(report, chapters, parameters=None, *, asked=("00_a", "01_b")):
    """(a report that goes on with that one, why what is run is run)"""
    again = Report(report.out, chapters, **SETTINGS, machine={})
    return again, again.keep_passed(earlier(report.out, **SETTINGS), parameters or {}, asked=asked)


def test_resume_keeps_what_passed_and_says_so_wherever_it_is_shown(passed, chapters):
    again, anew = gone_on_with(passed, chapters)
    assert anew == {"01_b": "it had failed"}
    assert again.contents()["wall_seconds"] >= read(passed)["wall_seconds"]
    again.save()
    first, second = read(again)["chapters"]
    assert first == read(passed)["chapters"][0] | {"kept": True} and not second["kept"]
    page = (again.out / "report.html").read_text(encoding="utf-8")
    assert '<td class="passed">passed, kept from 2026-11-23 16:42 UTC</td>' in page
    os.utime(chapters[0].path, None)
    assert list(gone_on_with(again, chapters)[1]) == ["01_b"], "its bytes count, not when they were written"


def test_what_is_not_asked_for_stays_in_the_report(passed, chapters):
    again, anew = gone_on_with(passed, chapters, asked=("00_a",))
    assert anew == {"01_b": "it had failed"}, "and it is the caller who leaves it"
    again.save()
    kept_one, left = read(again)["chapters"]
    assert kept_one["kept"] and left == read(passed)["chapters"][1] and left["error"] == "cell 1: boom"
    assert again.passed({"00_a"}) and not again.passed({"01_b"})


def test_resume_runs_what_has_changed_and_says_what(passed, chapters, monkeypatch):
    def why(parameters=None):
        return gone_on_with(passed, chapters, {"00_a": parameters or {}})[1].get("00_a")

    assert why({"SEED": 7}) == "its parameters were others: SEED not set then, 7 now"
    versions = resume.versions()
    monkeypatch.setattr(resume, "versions", lambda: versions | {"torch": "9.9", "jupyterlab": "0"})
    assert why() == f"the versions were others: torch {versions['torch']} then, 9.9 now"
    monkeypatch.setattr(resume, "versions", lambda: versions | {"jupyterlab": "0"})
    assert why() is None, "no chapter runs in it"
    monkeypatch.setattr(resume, "versions", lambda: versions | {"course code": "0"})
    assert why() == "the course's code has changed since"
    monkeypatch.setattr(resume, "versions", lambda: versions)
    monkeypatch.setattr("lessonkit.runner.report.data_used", lambda chapter: {"mnist": "full"})
    assert why() == "its data were others: mnist not set then, full now"
    monkeypatch.undo()
    (passed.out / "00_a.ipynb").unlink()
    assert why() == "its executed notebook is gone"
    toys.write(chapters[0].path.parent, _00_a=notebook(code("3")))
    assert why() == "its notebook has changed since"
    passed.entries.pop("00_a")
    passed.save()
    assert why() == "it had not run"


def test_what_decides_a_chapter_is_in_the_digest_of_the_code_and_what_does_not_is_not():
    names = {name for name, _ in resume._files()}
    assert {"course_utils/training.py", "course_utils/exercises/nets/answers.py"} <= names
    assert {"lessonkit/runner/worker.py", "scripts/train_ddp.py", "torch_clinic/cases.toml", "course.toml"} <= names
    never = ("lessonkit/teach/", "lessonkit/commands/", "lessonkit/review/")
    assert not [name for name in names if name.startswith(never) or "__pycache__" in name]


def test_a_folder_of_the_course_that_is_called_like_one_of_the_engine_s_counts(tmp_path, monkeypatch):
    for name in ("toy/teach/a.py", "toy/chapters/content/a.py", "toy/content/a.py", "lessonkit/teach/a.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    monkeypatch.setattr(resume, "course", lambda: Course(package="toy"))
    monkeypatch.setattr(resume, "package_folder", lambda name: tmp_path / name)
    monkeypatch.setattr(resume, "PROJECT", tmp_path)
    names = {name for name, _ in resume._files()}
    assert names == {"course.toml", "toy/teach/a.py", "toy/chapters/content/a.py"}


@pytest.mark.parametrize("name", SETTINGS)
def test_resume_with_other_settings_is_refused(report, name):
    report.save()
    with pytest.raises(Refused, match=f"cannot resume with {name} other"):
        earlier(report.out, **SETTINGS | {name: "other"})


def test_nothing_to_resume_is_none_and_a_damaged_report_is_refused(report):
    assert earlier(report.out, **SETTINGS) is None
    report.save()
    (report.out / "report.json").write_text("{", encoding="utf-8")
    with pytest.raises(Refused, match="not a readable report"):
        earlier(report.out, **SETTINGS)
    head = ", ".join(f'"{name}": "{value}"' for name, value in SETTINGS.items())
    for other in ('{"answers": "untouched"}', "[]", '{"chapters": [{}]}', f'{{"chapters": [], {head}}}'):
        (report.out / "report.json").write_text(other, encoding="utf-8")
        with pytest.raises(Refused, match="not a readable report"):
            earlier(report.out, **SETTINGS)


def test_the_page_shows_errors_and_links_and_needs_no_other_file(report):
    boom = new_output("error", ename="KeyError", evalue="'x'", traceback=["\x1b[31mTraceback <1>\x1b[0m"])
    cell = code("2")
    cell.outputs = [boom]
    report.save()
    toys.write(report.out, _01_b=notebook(cell))
    report.add(result("01_b", "failed", "cell 1: a < b -> KeyError: 'x'"))
    html = (report.out / "report.html").read_text(encoding="utf-8")
    assert "0 of 2 chapters passed" in html
    assert "cell 1: a &lt; b -&gt; KeyError" in html
    assert "Traceback &lt;1&gt;" in html
    assert '<a href="01_b.ipynb">01_b</a>' in html
    assert "http" not in html and "src=" not in html


ATTACK = "<script>alert('1 < 2 & 3')</script>"


def test_the_page_escapes_whatever_a_chapter_says(report):
    report.save()
    boom = new_output("error", ename="E", evalue="", traceback=[f"Traceback {ATTACK}"])
    cell = code("2")
    cell.outputs = [boom]
    toys.write(report.out, _01_b=notebook(cell))
    said = replace(result("01_b", f'passed"{ATTACK}', ATTACK), slowest_cell=ATTACK, data={"mnist": ATTACK})
    report.entries["01_b"] = said
    report.head |= {"machine": {ATTACK: ATTACK}, "versions": {ATTACK: ATTACK}, "profile": ATTACK}
    report.save()
    html = (report.out / "report.html").read_text(encoding="utf-8")
    assert "<script" not in html and "alert('1" not in html
    escaped = "&lt;script&gt;alert(&#39;1 &lt; 2 &amp; 3&#39;)&lt;/script&gt;"
    assert f"<pre>{escaped}</pre>" in html, "the error"
    assert f"<pre>Traceback {escaped}</pre>" in html
    assert f'<td class="passed&#34;{escaped}">passed&#34;{escaped}</td>' in html, "the status"
    assert f"<h2>01_b: passed&#34;{escaped}</h2>" in html
    assert html.count(escaped) == 12, "status thrice, machine and versions twice, and five more"


def test_the_data_used_is_that_of_the_notebooks_metadata(tmp_path, monkeypatch):
    from course_utils import datasets

    monkeypatch.setattr(datasets, "available", lambda name: ("sample", "a sentence"))
    loads = notebook(code('train = load("fashion_mnist")'))
    loads.metadata["course"] = {"data": ["mnist", "unknown"]}
    first, second = find(toys.write(tmp_path, _00_a=loads, _01_b=notebook(code("x = 1"))))
    assert data_used(first) == {"mnist": "sample"}
    assert data_used(second) == {}

    def damaged(name):
        raise datasets.DataError("cut short")

    monkeypatch.setattr(datasets, "available", damaged)
    assert data_used(first) == {"mnist": "damaged"}


def test_versions_name_what_decides_the_results():
    assert {"course-utils", "python", "torch", "torchvision", "papermill", "course code"} <= set(resume.versions())
