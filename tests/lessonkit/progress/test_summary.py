"""The summary and the start page: what counts as done, what comes next, how the page is written."""

import itertools
import json
import re
import threading
from dataclasses import replace

import pytest

from course_utils import PROJECT
from lessonkit.notebook.catalog import find
from lessonkit.notebook.headings import in_a_link
from lessonkit.progress import record, start_page
from lessonkit.progress.contents import Contents, Task, contents, tasks
from lessonkit.progress.record import Entry, Standing, note
from lessonkit.progress.summary import summarise
from lessonkit.progress.wording import bar, finished, hours, rounded, whole


def cell(source, *tags):
    return {"cell_type": "code", "metadata": {"tags": list(tags)}, "source": source.splitlines(keepends=True)}


def said(text, *tags):
    return {"cell_type": "markdown", "metadata": {"tags": list(tags)}, "source": text}


@pytest.fixture
def notebooks(tmp_path):
    """Two chapters: one of two exercises and one *Further*, one of two questions."""
    cells = {
        "03_nets": [
            said("## Adding\n\nHow?\n\n### Exercise 1: to add (5 min, ★)"),
            cell("def add(x):\n    ...\n\nex.add.check(add)", "exercise") | {"id": "1a2b-add"},
            cell("ex.add.check(lambda x: 1)  # shown, not asked"),
            said("### Further: far\n\n### Exercise 2: far away (10 min, ★★★)", "further"),
            cell("ex.far.check(far)", "further", "exercise"),
            said("### Exercise 3: to `sub` (about 3 min, ★)\n\n```\n# no heading\n```"),
            cell("ex.sub.check(sub)", "exercise") | {"id": "sub_9"},
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


def test_minutes_fall_by_what_was_read_for_the_exercise():
    """Three exercises after 10, 200 and 80 words; the ten words behind the last one count to it."""
    cells = []
    for words in (10, 200, 80):
        name = f"after_{words}"
        cells += [said("word " * words), cell(f"ex.{name}.check({name})", "exercise")]
    found = tasks([*cells, said("word " * 10)], 60, 60)
    seconds = [10 / 44 + 0.53, 200 / 44 + 0.53, 90 / 44 + 0.53]
    assert [task.minutes for task in found] == pytest.approx([60 * each / sum(seconds) for each in seconds])
    assert sum(task.minutes for task in found) == pytest.approx(60)


def test_each_exercise_that_is_passed_takes_off_its_own_minutes(notebooks):
    before = summarise([], contents(notebooks))
    summary = summarise([standing("nets", "add"), standing("nets", "gone")], contents(notebooks))
    nets, clinic = summary.chapters
    assert nets.done(further=False) == (1, 2) and nets.done(further=True) == (0, 1)
    [add, far, sub] = nets.contents.tasks
    assert before.chapters[0].minutes_left(further=False) == pytest.approx(60)
    assert nets.minutes_left(further=False) == pytest.approx(sub.minutes) == pytest.approx(60 - add.minutes)
    assert nets.minutes_left(further=True) == pytest.approx(far.minutes) == pytest.approx(40)
    assert clinic.minutes_left(further=True) == 0
    assert summary.done(further=False) == (1, 4)


@pytest.mark.parametrize("one", contents(), ids=lambda one: one.chapter.name)
def test_every_pass_in_the_course_is_seen_in_the_minutes_which_end_at_none(one):
    passed, seen = [], {False: [one.core_minutes], True: [one.all_minutes - one.core_minutes]}
    for task in one.tasks:
        passed.append(standing(one.chapter.slug, task.name))
        [now] = summarise(passed, [one]).chapters
        seen[task.further].append(whole(now.minutes_left(further=task.further)))
    for further, minutes in seen.items():
        assert all(after < before for before, after in itertools.pairwise(minutes)), (further, minutes)
        assert minutes[-1] == 0 or not now.tasks(further=further)


def test_two_exercises_of_one_cell_share_its_minutes_and_are_told_apart():
    found = tasks([said("### Two (5 min, ★)"), cell("ex.a.check(a)\nex.b.check(b)", "exercise")], 30, 30)
    assert [(task.title, task.minutes) for task in found] == [("Two (1 of 2)", 15), ("Two (2 of 2)", 15)]


def test_next_is_the_lowest_open_exercise_of_the_core_then_further(notebooks):
    assert following([], notebooks) == ("nets", "add")
    assert following([standing("nets", "sub", passed=False)], notebooks) == ("nets", "add")
    assert following([standing("clinic", "case 1", passed=False)], notebooks) == ("nets", "add")  # a peek
    assert following([standing("clinic", "case 1")], notebooks) == ("nets", "add")  # also one that was passed
    done = [standing("nets", "add"), standing("nets", "sub")]
    assert following(done, notebooks) == ("clinic", "case 1")
    assert following([*done, standing("nets", "far")], notebooks) == ("clinic", "case 1")
    done += [standing("clinic", "case 1"), standing("clinic", "case 2")]
    assert following(done, notebooks) == ("nets", "far")
    assert following([standing("nets", "far"), *done], notebooks) is None


def test_a_check_without_an_answer_is_no_beginning(notebooks):
    peek = Standing("clinic", "case 1", False, "not attempted", None, 0, 0, False, 0.1, "2027-01-01T00:00:00+00:00")
    assert not summarise([peek], contents(notebooks)).begun
    assert summarise([peek, standing("nets", "add", passed=False)], contents(notebooks)).begun


NETS = [standing("nets", "add"), standing("nets", "sub")]
CLINIC = [standing("clinic", "case 1"), standing("clinic", "case 2")]
FAR = [standing("nets", "far")]


@pytest.mark.parametrize(
    ("standings", "expected"),
    [
        ([], ""),
        (NETS[:1], ""),
        (
            NETS,
            "You have finished the core of 03 · On 03_nets. That makes 1 of 2 cores. Its *Further* has 1 exercise",
        ),
        (NETS + FAR, "You have finished all exercises of 03 · On 03_nets. That makes 1 of 2 cores."),
        (CLINIC, "You have finished all exercises of 04 · On 04_clinic. That makes 1 of 2 cores."),
        (CLINIC + NETS[:1], ""),  # on to another chapter, which is not finished
        (NETS + CLINIC, "You have finished the core of every chapter. Only *Further* is left"),
        (NETS + FAR + CLINIC, "You have solved every exercise of this course. Which"),
    ],
)
def test_a_sentence_greets_who_has_finished_a_core_or_all(notebooks, standings, expected):
    said = " ".join(finished(summarise(standings, contents(notebooks)))).strip()
    assert said.startswith(expected) and bool(said) == bool(expected)


def test_a_chapter_whose_core_asks_nothing_is_no_finished_core():
    chapter = contents()[0].chapter
    only_further = Contents(chapter, "A claim", 30, 60, (Task("a", further=True),))
    assert summarise([standing(chapter.slug, "b")], [only_further]).cores() == (0, 0)
    assert finished(summarise([standing(chapter.slug, "b")], [only_further])) == ("", "")


@pytest.mark.parametrize(
    ("done", "there", "expected"),
    [(0, 3, "□□□□"), (1, 30, "■□□□"), (29, 30, "■■■□"), (2, 4, "■■□□"), (30, 30, "■■■■"), (1, 1, "■■■■")],
)
def test_a_bar_is_empty_where_nothing_is_done_and_full_where_all_is(done, there, expected):
    assert bar(done, there, width=4) == expected


@pytest.mark.parametrize(
    ("minutes", "said"),
    [(0, "0 min"), (1, "5 min"), (58, "1 h"), (60, "1 h"), (62.6, "1 h 5 min"), (761, "12 h 40 min")],
)
def test_minutes_are_said_in_hours(minutes, said):
    assert hours(minutes) == said
    assert rounded(minutes) % 5 == 0


def page(standings, notebooks):
    return start_page.text(summarise(standings, contents(notebooks)))


def test_the_page_has_titles_bars_links_and_what_comes_next(notebooks):
    unbroken = page([standing("nets", "add"), standing("clinic", "case 1")], notebooks)
    for whole_line in ("core: 1 of 2, ", "1 of 2"):
        assert whole_line.replace(" ", start_page.SPACE) in unbroken
    text = unbroken.replace(start_page.SPACE, " ")
    assert "**Next: [Exercise 3: to `sub`](03_nets.ipynb#cell-id=sub_9)**  \nIt is in 03 · On 03_nets." in text
    core = r"\*\*\[03 · On 03_nets\]\(03_nets.ipynb\)\*\*  \n■■■■□{4} core: 1 of 2, \d+ min left  \n"
    assert re.search(core + r"□{8} \*Further\*: 0 of 1, 40 min left\n", text)
    assert re.search(r"\[04 · On 04_clinic\]\(04_clinic.ipynb\)\*\*  \n■■■■□{4} core: 1 of 2, \d+ min left\n", text)
    adding = (
        "**Adding** ■□ 1 of 2\n\n- ✓ [Exercise 1: to add](03_nets.ipynb#cell-id=1a2b-add)\n"
        "- ○ [Exercise 3: to `sub`](03_nets.ipynb#cell-id=sub_9)\n"
    )
    assert f"## The parts of chapter 03\n\n{adding}" in text
    assert "**Further: far** □ 0 of 1\n\n- ○ [Exercise 2: far away](03_nets.ipynb)\n" in text  # its cell has no id
    cases = "- ✓ [`case 1`](04_clinic.ipynb)\n- ○ [`case 2`](04_clinic.ipynb)\n"  # it has no headings
    assert f"### 04 · On 04_clinic\n\n**Core** ■□ 1 of 2\n\n{cases}" in text
    assert re.search(r"■{7,8}□{7,8} core: 2 of 4, [\w ]+ left\n\n□{15} \*Further\*: 0 of 1, 40 min left\n", text)
    assert "<" not in text
    assert "**Begin here: [03 · On 03_nets](03_nets.ipynb)**  \nThe first exercise is *Exercise 1: to add*." in (
        page([], notebooks)
    )
    text = page(NETS + FAR + CLINIC, notebooks).replace(start_page.SPACE, " ")
    assert "**You have solved every exercise of this course.** Which" in text
    assert "■■■■■■■■ core: 2 of 2, finished" in text and "Next:" not in text


def test_no_exercise_of_the_course_goes_by_its_slug_or_its_name_in_code():
    text = start_page.text(summarise([], contents()))
    for one in contents():
        assert one.claim and f"[{one.title}](" in text
        for task in one.tasks:
            link = f"- ○ [{in_a_link(task.title)}]({one.chapter.name}.ipynb#cell-id={task.cell})\n"
            assert re.match(r"(Exercise|Case)\b", task.title) and task.cell and link in text, task.name
            assert "min, ★" not in task.title and task.part, task.name
        assert f"{one.chapter.slug.replace('_', ' ')}](" not in text


def test_exercises_stand_in_the_order_of_the_chapter_also_where_further_is_in_its_middle():
    cells = [
        said("## First\n\n### Exercise 1: a"),
        cell("ex.a.check(a)", "exercise"),
        said("## Further: aside", "further"),
        said("### Exercise 2: b", "further"),
        cell("ex.b.check(b)", "exercise", "further"),
        said("## Last\n\n### Exercise 3: c"),
        cell("ex.c.check(c)", "exercise"),
    ]
    one = replace(contents()[0], tasks=tasks(cells, 30, 40))
    text = start_page.text(summarise([], [one]))
    assert re.findall(r"^- ○ \[(.*?)\]", text, re.M) == ["Exercise 1: a", "Exercise 2: b", "Exercise 3: c"]
    assert [part.title for part in summarise([], [one]).chapters[0].parts()] == ["First", "Further: aside", "Last"]


def test_the_page_is_written_when_it_changes_only(tmp_path, monkeypatch):
    note(tmp_path / record.FILE, Entry("training", "measure", "check", "wrong"), warn=pytest.fail)
    assert start_page.write(tmp_path)
    before = (tmp_path / "START.md").stat().st_mtime_ns
    standings = note(tmp_path / record.FILE, Entry("training", "measure", "check", "wrong"), warn=pytest.fail)
    assert not start_page.write(tmp_path, standings)
    assert (tmp_path / "START.md").stat().st_mtime_ns == before
    note(tmp_path / record.FILE, Entry("training", "measure", "check", "passed"), warn=pytest.fail)
    assert start_page.write(tmp_path)
    assert "✓ [Exercise 2: a fair measurement](05_training.ipynb)\n" in (tmp_path / "START.md").read_text(
        encoding="utf-8"
    )
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("START")] == ["START.md"]


def test_a_folder_of_an_earlier_version_goes_on_with_what_was_noted_there(tmp_path):
    """Its page was a table of slugs; its record has slugs and names, some of which the course no longer has."""
    old = "# Where you are\n\n**Next: exercise `measure` in [05 training](05_training.ipynb)**\n"
    (tmp_path / "START.md").write_text(old, encoding="utf-8")
    passed = [("training", "measure"), ("training", "renamed_since"), ("gone", "whole_chapter")]
    note(tmp_path / record.FILE, *(Entry(*one, "check", "passed") for one in passed), warn=pytest.fail)
    assert start_page.write(tmp_path)
    text = (tmp_path / "START.md").read_text(encoding="utf-8")
    assert "✓ [Exercise 2: a fair measurement](05_training.ipynb)\n" in text and text.count("- ✓ ") == 1
    assert "05 training" not in text and "renamed_since" not in text and "gone" not in text


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
    assert "✓ [Exercise 5: name the bug](05_training.ipynb)\n" in (tmp_path / "START.md").read_text(
        encoding="utf-8"
    )
