"""The instructor's guide, docs/teaching.md, is true: timetables, minutes, headings of chapters, known mistakes."""

import re
from functools import cache
from importlib import import_module

import minutes
import nbformat
import pytest
from nbformat.v4 import new_notebook
from test_docs import check_course

from course_utils import PROJECT
from lessonkit.notebook.catalog import find
from lessonkit.notebook.cells import tags
from lessonkit.notebook.core import keep_core
from lessonkit.notebook.pace import OF_AN_EXERCISE

GUIDE = (PROJECT / "docs" / "teaching.md").read_text(encoding="utf-8")
ROOM = 50  # minutes of work between two breaks
HALF = 25
NAMES = {chapter.name.replace("_", " ", 1): chapter for chapter in find()}
KINDS = ("Say", "Bet", "Mistake", "Half-time", "Late", "Home")
each_chapter = pytest.mark.parametrize("name", list(NAMES))


def part(heading, text=GUIDE):
    """What stands below a heading, up to the next one of its rank or above."""
    rank = heading.partition(" ")[0]
    found = re.search(rf"^{re.escape(heading)}$\n(.*?)(?=^#{{1,{len(rank)}}} |\Z)", text, re.M | re.S)
    assert found, f"the guide has no heading {heading}"
    return found.group(1)


def entry(name):
    """{kind: text} of what the guide says of a chapter."""
    text = part(f"### {name}", part("## Chapter by chapter"))
    pieces = re.split(rf"\*\*({'|'.join(KINDS)}):?\*\*", text)
    return dict(zip(pieces[1::2], (piece.strip(" \n:-") for piece in pieces[2::2]), strict=True))


def headings(text):
    return re.findall(r"“([^”]+)”", text)


@cache
def notebook(name):
    """The core of a chapter."""
    keep_core(nb := nbformat.read(NAMES[name].path, 4))
    return nb


@cache
def core(name):
    """(heading, minutes) of a chapter's core, in order."""
    return minutes.sections(notebook(name))


def numbers(name, text):
    """Which sections of the core the headings in `text` are; each is the beginning of exactly one."""
    for heading in headings(text):
        found = [number for number, (full, _) in enumerate(core(name)) if full.startswith(heading)]
        assert len(found) == 1, f"{name}: “{heading}” begins {len(found)} headings of its core"
        yield found[0]


@each_chapter
def test_every_chapter_has_its_entry_and_every_heading_in_it_is_one_of_its_core(name):
    said = entry(name)
    assert tuple(said) == KINDS
    assert len(re.findall(r"[.?!](?:\s|$)", said["Say"])) == 2, "say two sentences first"
    assert len(list(numbers(name, " ".join(said.values())))) >= 5


@each_chapter
def test_a_bet_is_a_question_of_its_chapter_that_is_worked_in_the_room(name):
    (bet, *_), home = numbers(name, entry(name)["Bet"]), set(numbers(name, entry(name)["Home"]))
    assert bet not in home and bet not in set(numbers(name, entry(name)["Late"]))
    assert "?" in entry(name)["Bet"]


@each_chapter
def test_the_mistake_is_one_that_the_check_of_a_question_in_the_core_knows(name):
    exercise, mistake = re.findall(r"`(\w+)`", entry(name)["Mistake"])[:2]
    question = getattr(import_module(f"course_utils.exercises.{NAMES[name].slug}"), exercise)
    assert mistake in {known.__name__ for known in question.mistakes}
    assert asked_under(name, f"ex.{exercise}.check(") not in set(numbers(name, entry(name)["Home"]))


def asked_under(name, call):
    """Which section of the core the exercise with this call stands in."""
    (cell,) = [cell for cell in notebook(name).cells if "exercise" in tags(cell) and call in cell.source]
    before = notebook(name).cells[: notebook(name).cells.index(cell)]
    return len(minutes.sections(new_notebook(cells=before))) - 1


def in_the_room(name):
    """Minutes of each section of the core, as the guide reckons them: 0 for what is done at home."""
    home, (bet, *_) = set(numbers(name, entry(name)["Home"])), numbers(name, entry(name)["Bet"])
    home |= {0, len(core(name)) - 1}  # the title, of which the two sentences are said, and what to take along
    for number, (heading, each) in enumerate(core(name)):
        own = re.search(r"\((\d+) min\b[^)]*★", heading)
        longer = int(own.group(1)) * (0.5 - OF_AN_EXERCISE) if own else 0
        yield 0 if number in home else each + longer + (3 if number == bet else 0)


@each_chapter
def test_without_what_goes_home_a_core_fits_between_two_breaks(name):
    total = sum(in_the_room(name))
    assert 40 < total < ROOM, f"{name}: {total:.1f} minutes in the room"


@each_chapter
def test_half_time_is_where_half_of_the_minutes_have_gone(name):
    each, (mark,) = list(in_the_room(name)), numbers(name, entry(name)["Half-time"])
    gone = sum(each[:mark])
    assert each[mark] and gone - 2 <= HALF <= gone + each[mark] + 2, f"{name}: {gone:.1f} minutes before it"


@each_chapter
def test_what_goes_when_late_comes_before_the_last_minutes_and_is_not_at_home_already(name):
    late, home = set(numbers(name, entry(name)["Late"])), set(numbers(name, entry(name)["Home"]))
    assert late and not late & home
    assert sum(core(name)[number][1] for number in late) >= 2, "that saves less than two minutes"


def clock(text):
    hours, _, rest = text.partition(":")
    return 60 * int(hours) + int(rest)


def rows(heading):
    """(start, end, what, minutes) of each row of a timetable."""
    found = re.findall(r"^\| (\d+:\d\d)–(\d+:\d\d) \| (.*?) \| (\d+) \|$", part(heading), re.M)
    return [(clock(start), clock(end), what, int(length)) for start, end, what, length in found]


TABLES = {
    "### Half a day": ["00", "01", "02", "05"],
    "### One day, and the first of two": ["00", "01", "02", "03", "04", "05"],
    "### The second of two days": ["06", "07", "08", "09", "10"],
}


@pytest.mark.parametrize(("heading", "numbers_taught"), TABLES.items())
def test_a_timetable_begins_at_nine_has_no_gap_and_its_sums_are_right(heading, numbers_taught):
    table = rows(heading)
    assert table[0][0] == clock("9:00")
    assert [row[0] for row in table[1:]] == [row[1] for row in table[:-1]]
    assert all(end - start == length for start, end, _, length in table)
    taught = [(what, length) for _, _, what, length in table if what in NAMES]
    assert [what[:2] for what, _ in taught] == numbers_taught and {length for _, length in taught} == {ROOM}
    assert all(re.match(r"opening|break|open:|closing", what) for _, _, what, _ in table if what not in NAMES)
    breaks = sum(length for _, _, what, length in table if what.startswith("break"))
    work = [0]
    for _, _, what, length in table:
        work.append(0) if what.startswith("break") else work.append(work.pop() + length)
    assert max(work) <= ROOM + 10, "more than an hour without a break"
    total, chapters, rest = map(
        int, re.search(r"Together (\d+) minutes: (\d+) of .* (\d+) of", part(heading)).groups()
    )
    assert (total, chapters, rest) == (table[-1][1] - clock("9:00"), sum(n for _, n in taught), breaks)


def test_what_is_said_of_half_past_ten_is_so():
    said = re.search(r"At 10:30\.\*\* You are (\d+) minutes into the second .*\((\d\d), or (\d\d) on", GUIDE)
    for heading, number in zip(TABLES, (2, 2, 3), strict=True):
        (row,) = [row for row in rows(heading) if row[0] <= clock("10:30") < row[1]]
        assert (clock("10:30") - row[0], row[2][:2]) == (int(said.group(1)), said.group(number))


def test_a_core_is_said_to_take_what_the_titles_say():
    cores = {minutes.said(notebook(name))[0] for name in NAMES}
    assert cores == {int(re.search(r"A core is (\d+) minutes alone", GUIDE).group(1))}


def test_sections_hold_all_the_minutes_of_a_chapter():
    for name in NAMES:
        assert sum(each for _, each in core(name)) == pytest.approx(minutes.minutes(notebook(name)), abs=0.01)


def test_the_mail_asks_for_the_chapters_of_half_a_day_and_for_a_python_that_will_do():
    mail = re.search(r"^```text\nSubject.*?^```$", GUIDE, re.M | re.S).group()
    asked = set(re.findall(r"--chapters (\S+)", mail))
    assert asked == {",".join(TABLES["### Half a day"])}
    assert "Python 3.11, 3.12 or 3.13" in mail
    for command in re.findall(r"\.venv[/\\](?:bin|Scripts)[/\\]course (.*)", mail):
        check_course(command.split())
    words = mail.splitlines()
    assert max(map(len, words)) <= 100 and len(words) <= 25


def test_the_guide_can_be_read_in_a_quarter_of_an_hour():
    assert len(re.findall(r"[A-Za-z][\w'’.:/-]*", GUIDE)) < 2700
