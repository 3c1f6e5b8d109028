"""A small room from `course release` to the page that each learner gets, by the commands alone."""

import csv
import zipfile

import nbformat
import pytest
from command_line import course
from submissions import FIRST

from lessonkit.desk.matching import names
from lessonkit.notebook.solutions import solve


@pytest.fixture
def room(tmp_path, monkeypatch, capsys, apart):
    """A function that says one command; the class's zip is in `handed_in.zip`."""

    def say(*words):
        return course(monkeypatch, capsys, *words)

    status, told, _ = say("release", "--to", tmp_path / "out", "--chapters", "00", "--core", "--clear-bets")
    assert status == 0 and "below a bet" in told
    handout = nbformat.read(tmp_path / "out" / f"{FIRST}.ipynb", as_version=4)
    with zipfile.ZipFile(tmp_path / "handed_in.zip", "w") as file:
        for number, learner in enumerate(("Ana Núñez_1001", "王小明_1002", "O'Brien_1003")):
            notebook = nbformat.from_dict(handout)
            if number:
                solve(notebook)
            if number == 2:
                [cell] = [
                    one for one in notebook.cells if "hit_rates" in names(one) and "exercise" in one.metadata.tags
                ]
                cell.source = "hit_rates = 1 / 0\nex.hit_rates.check(hit_rates)"
            file.writestr(f"{learner}_assignsubmission_file/{FIRST}.ipynb", nbformat.writes(notebook))
    return say


def test_a_core_is_three_of_three_from_the_handout_to_the_page_that_is_sent_back(room, tmp_path):
    assert room("collect", tmp_path / "handed_in.zip", "--to", tmp_path / "room")[0] == 0
    given = ("grade", tmp_path / "room", "--out", tmp_path / "grades")
    status, told, _ = room(*given)
    assert status == 0 and "3 of 3 passed" in told and "things to look at by hand" in told

    def marks():
        with (tmp_path / "grades" / "grades-for-lms.csv").open(encoding="utf-8", newline="") as file:
            return {row["learner"].split("_")[0]: (row["points"], row["total"]) for row in csv.DictReader(file)}

    people = marks()
    assert len(people) == 3 and people["王小明"] == ("3", "3") and sorted(people.values())[0] == ("0", "3")
    pages = {
        path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "grades" / "feedback").glob("*.html")
    }
    assert len(pages) == 3
    for name, page in pages.items():
        others = [other.removesuffix(".html") for other in pages if other != name]
        assert "of 3 points" in page and not any(other in page for other in others)
        assert str(tmp_path) not in page and "http://" not in page
    [brien] = [page for name, page in pages.items() if "Brien" in name]
    assert "1 / 0" in brien and "ZeroDivisionError" in brien and "2 of 3 points" in brien
    grades = (tmp_path / "grades" / "grades.html").read_text(encoding="utf-8")
    assert (
        "Look at these by hand" in grades and "1 / 0" in grades and "3 learners, 3 files: 5 of 9 points" in grades
    )
    learner = next(name for name in pages if "Brien" in name).removesuffix(".html")
    overrides = tmp_path / "grades" / "overrides.csv"
    overrides.write_text(
        overrides.read_text(encoding="utf-8") + f"{learner},00,hit_rates,1,a slip\n", encoding="utf-8"
    )
    status, told, _ = room(*given, "--released", tmp_path / "out")
    assert status == 0 and "1 row has points by hand" in told and "[1 of" not in told
    assert sorted(marks().values()) == [("0", "3"), ("3", "3"), ("3", "3")]
    overrides.write_text("learner,chapter,exercise,points,reason\nzoe,00,ink,1,x\n", encoding="utf-8")
    status, _, error = room(*given)
    assert status == 1 and "overrides.csv, line 2: 'zoe' is nobody on the roster or in the room." in error
