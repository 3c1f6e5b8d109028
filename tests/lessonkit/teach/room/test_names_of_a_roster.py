"""People have in the grades the names that the roster has, whatever the folders are called."""

import csv
import json

import nbformat
from command_line import course
from submissions import FIRST, notebook


def table(out):
    with (out / "grades-for-lms.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_names_and_numbers_of_the_roster_are_in_the_grades_and_a_second_run_keeps_all(
    tmp_path, monkeypatch, capsys, apart
):
    source, room, out = tmp_path / "in", tmp_path / "room", tmp_path / "out"
    for name in ("Grace O'Brien_1001", "李 伟_1002", "李 伟_1003", "Ştefan Ünal_1004"):
        folder = source / f"{name}_assignsubmission_file_"
        folder.mkdir(parents=True)
        (folder / f"{FIRST}.ipynb").write_text(
            nbformat.writes(notebook(FIRST, solved="Grace" in name)), encoding="utf-8"
        )
    roster = tmp_path / "names.csv"
    roster.write_text(
        "Name,ID number\nGrace O'Brien,1001\n李 伟,1002\n李 伟,1003\nStefan Unal,1004\n", encoding="utf-8"
    )
    course(monkeypatch, capsys, "collect", source, "--to", room, "--roster", roster)
    status, told, _ = course(monkeypatch, capsys, "grade", room, "--out", out)
    assert status == 0 and "Grace O'Brien, 00_start_here" in told
    found = {row["learner"]: row["id"] for row in table(out)}
    assert found == {"Grace O'Brien": "1001", "李 伟 (1002)": "1002", "李 伟 (1003)": "1003", "Stefan Unal": "1004"}
    assert len(list((out / "feedback").glob("*.html"))) == 4
    before = json.loads((out / "grades.json").read_text(encoding="utf-8"))["submissions"]
    _, told, _ = course(monkeypatch, capsys, "grade", room, "--out", out)
    assert "4 of 4 submissions were graded before and are kept" in told
    assert json.loads((out / "grades.json").read_text(encoding="utf-8"))["submissions"] == before
