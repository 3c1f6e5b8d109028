"""The summary and the start page: what counts as done, what comes next, how the page is written."""

import json
import re
import threading

import pytest

from course_utils import PROJECT
from lessonkit.notebook.catalog import find
from lessonkit.progress import record, start_page
from lessonkit.progress.record import Entry, Standing, note
from lessonkit.progress.summary import contents, hours, rounded, summarise


def cell(source, *tags):
    return {"cell_type": "code", "metadata": {"tags": list(tags)}, "source": source.splitlines(keepends=True)}


@pytest.fixture
def notebooks(tmp_path):
    """Two chapters: one of two exercises and one *Further*, one of two questions."""
    cells = {
        "03_nets": [
            cell("def add(x):\n    ...\n\nex.add.check(add)", "exercise"),
            cell("ex.add.check(lambda x: 1)  # shown, not asked"),
            cell("ex.far.check(far)", "further", "exercise"),
            cell("ex.sub.check(sub)", "exercise"),
        ],
        "04_clinic": [cell('ask("case 1", answer)', "question"), cell("ask('case 2', answer)", "question")],
    }
    titles = {"03_nets": "60 minutes for the core, 100 with *Further*.", "04_clinic": "30 minutes."}
    folder = tmp_path / "notebooks"
    folder.mkdir()
    for name, code in cells.items():
        title = {"cell_type": "markdown", "metadata": {}, "source": [f"# 0 · On {name}\n", f"**{titles[name]}**"]}
        text = json.dumps({"cells": [title, *code], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
        (folder / f"{name}.ipynb").write_text(text, encoding="utf-8")
    return folder


def standing(chapter, exercise, *, passed=True):
    state = "passed" if passed else "wrong"
    return Standing(chapter, exercise, passed, state, None, 1, 0, False, 0.1, "2027-01-01T00:00:00+00:00")


def following(standings, notebooks):
    summary = summarise(standings, contents(notebooks))
    return summary.next and (summary.next[0].contents.chapter.slug, summary.next[1].name)


def test_a_chapter_holds_what_its_cells_ask(notebooks):
    nets, clinic = contents(notebooks)
    assert [(task.name, task.further) for task in nets.tasks] == [("add", False), ("far", True), ("sub", False)]
    assert [task.name for task in clinic.tasks] == ["case 1", "case 2"]
    assert (nets.claim, nets.core_minutes, nets.all_minutes) == ("On 03_nets", 60, 100)
    assert (clinic.core_minutes, clinic.all_minutes) == (30, 30)


def test_a_chapter_that_changes_is_read_again(notebooks):
    contents(notebooks)
    path = notebooks / "04_clinic.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("case 2", "case 9"), encoding="utf-8")
    assert [task.name for task in contents(notebooks)[1].tasks] == ["case 1", "case 9"]


def test_every_exercise_and_question_of_the_course_is_in_the_map():
    for one in contents():
        text = one.chapter.path.read_text(encoding="utf-8")
        tagged = [
            cell
            for cell in json.loads(text)["cells"]
            if {"exercise", "question"} & set(cell["metadata"].get("tags", []))
        ]
        assert len(one.tasks) == len(tagged) >= 3, one.chapter.name
        path = PROJECT / "course_utils" / "exercises" / one.chapter.slug / "__init__.py"
        source = path.read_text(encoding="utf-8")
        for task in one.tasks:
            assert re.search(rf"^{task.name} = Exercise\.of\(", source, re.M) or task.name.startswith("case "), (
                task.name
            )
    assert len(contents()) == len(find())


def test_minutes_are_left_by_the_share_of_open_exercises(notebooks):
    summary = summarise([standing("nets", "add"), standing("nets", "gone")], contents(notebooks))
    nets, clinic = summary.chapters
    assert nets.done(further=False) == (1, 2) and nets.done(further=True) == (0, 1)
    assert nets.minutes_left(further=False) == 30 and nets.minutes_left(further=True) == 40
    assert clinic.minutes_left(further=True) == 0
    assert summary.done(further=False) == (1, 4) and summary.minutes_left(further=False) == 60


def test_next_is_the_chapter_at_hand_then_those_behind_then_further(notebooks):
    assert following([], notebooks) == ("nets", "add")
    assert following([standing("nets", "sub", passed=False)], notebooks) == ("nets", "add")
    assert following([standing("clinic", "case 1")], notebooks) == ("clinic", "case 2")
    done = [standing("clinic", "case 1"), standing("clinic", "case 2")]
    assert following(done, notebooks) == ("nets", "add")
    done = [standing("nets", "add"), standing("nets", "sub"), *done]
    assert following(done, notebooks) == ("nets", "far")
    assert following([standing("nets", "far"), *done], notebooks) is None


@pytest.mark.parametrize(
    ("minutes", "said"),
    [(0, "0 min"), (1, "5 min"), (58, "1 h"), (60, "1 h"), (62.6, "1 h 5 min"), (761, "12 h 40 min")],
)
def test_minutes_are_said_in_hours(minutes, said):
    assert hours(minutes) == said
    assert rounded(minutes) % 5 == 0


def page(standings, notebooks):
    return start_page.text(summarise(standings, contents(notebooks)))


def test_the_page_has_ticks_links_and_what_comes_next(notebooks):
    unbroken = page([standing("nets", "add"), standing("clinic", "case 1")], notebooks)
    for whole in ("[03 nets]", "✓ add", "30 / 70", "45 min"):
        assert whole.replace(" ", start_page.SPACE) in unbroken
    text = unbroken.replace(start_page.SPACE, " ")
    assert "**Next: exercise `case 2` in [04 clinic](04_clinic.ipynb)**\n\n> On 04_clinic\n" in text
    assert "| [03 nets](03_nets.ipynb) | ✓ add ○ sub | ○ far | 30 / 70 |" in text
    assert "| [04 clinic](04_clinic.ipynb) | ✓ case 1 ○ 2 |  | 15 / 15 |" in text
    assert "Core: 2 of 4 exercises, 45 min left. Further: 0 of 1 exercises, 40 min left." in text
    assert "<" not in text
    assert "**Begin here: exercise `add` in [03 nets]" in page([], notebooks).replace(start_page.SPACE, " ")
    everything = [standing("nets", name) for name in ("add", "sub", "far")]
    everything += [standing("clinic", name) for name in ("case 1", "case 2")]
    assert "**Everything is solved.**" in page(everything, notebooks)


def test_the_page_is_written_when_it_changes_only(tmp_path, monkeypatch):
    note(tmp_path / record.FILE, Entry("training", "measure", "check", "wrong"), warn=pytest.fail)
    assert start_page.write(tmp_path)
    before = (tmp_path / "START.md").stat().st_mtime_ns
    standings = note(tmp_path / record.FILE, Entry("training", "measure", "check", "wrong"), warn=pytest.fail)
    assert not start_page.write(tmp_path, standings)
    assert (tmp_path / "START.md").stat().st_mtime_ns == before
    note(tmp_path / record.FILE, Entry("training", "measure", "check", "passed"), warn=pytest.fail)
    assert start_page.write(tmp_path)
    assert "✓\N{NO-BREAK SPACE}measure" in (tmp_path / "START.md").read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("START")] == ["START.md"]


def test_a_page_written_from_old_standings_is_put_right(tmp_path, monkeypatch):
    """Another kernel notes a check between this one's reading and writing."""
    path = tmp_path / record.FILE
    old = note(path, Entry("training", "measure", "check", "passed"), warn=pytest.fail)
    other = threading.Thread(
        target=note, args=(path, Entry("training", "diagnose", "check", "passed")), kwargs={"warn": pytest.fail}
    )
    other.start()
    other.join()
    start_page.write(tmp_path, old)
    assert "✓\N{NO-BREAK SPACE}diagnose" in (tmp_path / "START.md").read_text(encoding="utf-8")
