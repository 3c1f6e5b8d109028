"""The report has the agreed keys, survives a crash, and can be gone on with."""

import json
import os
from dataclasses import replace

import pytest
import toys
from nbformat.v4 import new_output
from toys import code, notebook

from course_utils.notebook.catalog import Refused, find
from course_utils.runner.report import Report, data_used, earlier, versions
from course_utils.runner.result import ChapterResult

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
    assert not report.passed()
    report.add(result("01_b"))
    assert report.passed()


def test_the_keys_are_the_agreed_ones(report):
    report.add(result("00_a"))
    found = read(report)
    head = ["answers", "extent", "profile", "device", "jobs", "versions", "machine"]
    assert list(found) == ["chapters", "wall_seconds", *head]
    assert [list(chapter) for chapter in found["chapters"]] == [KEYS, KEYS]
    assert not list(report.out.glob("*.saving"))


def test_resume_keeps_what_passed_and_runs_what_did_not_or_has_changed(report, chapters):
    report.add(result("00_a"))
    report.add(result("01_b", "failed", "cell 1: boom"))
    again = Report(report.out, chapters, **SETTINGS, machine={})
    assert [chapter.name for chapter in again.keep_passed(earlier(report.out, **SETTINGS))] == ["01_b"]
    assert again.contents()["wall_seconds"] >= read(report)["wall_seconds"]
    os.utime(chapters[0].path, None)
    later = (report.out / "report.json").stat().st_mtime + 10
    os.utime(chapters[0].path, (later, later))
    again = Report(report.out, chapters, **SETTINGS, machine={})
    assert [chapter.name for chapter in again.keep_passed(earlier(report.out, **SETTINGS))] == ["00_a", "01_b"]


@pytest.mark.parametrize("name", SETTINGS)
def test_resume_with_other_settings_is_refused(report, name):
    report.save()
    with pytest.raises(Refused, match=f"cannot resume with {name} other"):
        earlier(report.out, **SETTINGS | {name: "other"})


def test_resume_of_nothing_or_of_a_damaged_report_is_refused(report):
    with pytest.raises(Refused, match="nothing to resume"):
        earlier(report.out, **SETTINGS)
    report.save()
    (report.out / "report.json").write_text("{", encoding="utf-8")
    with pytest.raises(Refused, match="not a readable report"):
        earlier(report.out, **SETTINGS)
    for other in ('{"answers": "untouched"}', "[]", '{"chapters": [{}]}'):
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
    assert {"course-utils", "torch", "torchvision", "papermill"} <= set(versions())
