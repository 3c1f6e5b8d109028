"""The instructor's guide, docs/teaching.md, is true: timetables, headings of chapters, known mistakes."""

import re

import guide
import nbformat
import pytest
from content import CHAPTERS
from guide import ROOM, mail, part
from test_docs import check_course

from lessonkit.checks.verdict import STATES
from lessonkit.notebook.catalog import stated_minutes
from lessonkit.notebook.cells import keep_core
from lessonkit.review.diagnostics import errors, warnings

GUIDE = guide.GUIDE.read_text(encoding="utf-8")
NAMES = [chapter.name.replace("_", " ", 1) for chapter in CHAPTERS]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_what_the_guide_says_of_a_chapter_is_so(chapter):
    assert errors(guide.findings([chapter])) == []


BREAKS = [
    ("### 00 start_here", "### 99 start_here", "no entry for this chapter"),
    ("**Home:**", "**House:**", "expected Say, Bet"),
    ("“", "“No such heading: ", "begins 0 headings of the core"),
    ("are most guesses right?", "are most guesses right.", "the bet is no question"),
]


@pytest.fixture(scope="module")
def first():
    nb = nbformat.read(CHAPTERS[0].path, 4)
    keep_core(nb)
    return nb


@pytest.mark.parametrize(("old", "new", "complaint"), BREAKS, ids=[complaint for *_, complaint in BREAKS])
def test_what_is_not_so_is_an_error(old, new, complaint, first):
    assert errors(guide.check(GUIDE, NAMES[0], nb=first)) == []
    assert complaint in "; ".join(errors(guide.check(GUIDE.replace(old, new), NAMES[0], nb=first)))


def test_a_mistake_that_no_check_knows_is_an_error(first):
    entry = part(part(GUIDE, "## Chapter by chapter"), f"### {NAMES[0]}")
    (_, mistake) = re.findall(r"`(\w+)`", entry.partition("**Mistake")[2])[:2]
    changed = GUIDE.replace(entry, entry.replace(f"`{mistake}`", "`nobody_makes_it`"))
    assert "nobody_makes_it is no known mistake of" in "; ".join(errors(guide.check(changed, NAMES[0], nb=first)))


def test_minutes_and_words_are_warnings(first):
    first = nbformat.from_dict(first)
    first.cells = [*first.cells, nbformat.v4.new_markdown_cell("word " * 5000), first.cells[-1]]
    found = list(guide.check(GUIDE, NAMES[0], nb=first))
    assert "minutes in the room" in "; ".join(warnings(found)) and errors(found) == []
    assert "words" in "; ".join(warnings(guide.size(GUIDE + "word " * 3000)))


def clock(text):
    hours, _, rest = text.partition(":")
    return 60 * int(hours) + int(rest)


def rows(heading):
    """(start, end, what, minutes) of each row of a timetable."""
    found = re.findall(r"^\| (\d+:\d\d)–(\d+:\d\d) \| (.*?) \| (\d+) \|$", part(GUIDE, heading), re.M)
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
        int, re.search(r"Together (\d+) minutes: (\d+) of .* (\d+) of", part(GUIDE, heading)).groups()
    )
    assert (total, chapters, rest) == (table[-1][1] - clock("9:00"), sum(n for _, n in taught), breaks)


def test_what_is_said_of_half_past_ten_is_so():
    said = re.search(r"At 10:30\.\*\* You are (\d+) minutes into the second .*\((\d\d), or (\d\d) on", GUIDE)
    for heading, number in zip(TABLES, (2, 2, 3), strict=True):
        (row,) = [row for row in rows(heading) if row[0] <= clock("10:30") < row[1]]
        assert (clock("10:30") - row[0], row[2][:2]) == (int(said.group(1)), said.group(number))


def test_a_core_is_said_to_take_what_the_titles_say():
    cores = {stated_minutes(nbformat.read(chapter.path, 4).cells[0].source)[0] for chapter in CHAPTERS}
    shortest, longest = map(int, re.search(r"A core is (\d+) to (\d+) minutes alone", GUIDE).groups())
    assert (min(cores), max(cores)) == (shortest, longest)


def test_chapters_has_the_numbers_of_each_timetable_and_every_command_takes_it():
    said = re.search(r"CHAPTERS stands for the chapters that you teach: (.*?)\.\n\n", GUIDE, re.S).group(1)
    assert re.findall(r"`([\d,]+)`", said) == [",".join(numbers) for numbers in TABLES.values()]
    assert set(re.findall(r"--chapters (\w[\w,]*)", GUIDE)) == {"CHAPTERS"}


def test_joining_cards_and_the_survey_have_their_place_in_every_timetable():
    for heading in TABLES:
        whats = [what for _, _, what, _ in rows(heading)]
        assert "exit survey" in whats[-1] and sum("minute cards" in what for what in whats) == 1, heading
        assert "joining" in whats[0] or heading.startswith("### The second"), heading
    times = [
        clock(one) for one in re.findall(r"^\| (\d+:\d\d) \|", part(GUIDE, "## The first twenty minutes"), re.M)
    ]
    assert times == sorted(times) and (times[1], times[-1]) == (clock("9:00"), clock("9:20"))
    assert clock("9:10") in times, "the first chapter begins when the timetables say"


def test_each_line_of_the_doctor_s_mail_that_may_worry_somebody_is_explained():
    table = part(GUIDE, "## The week before")
    for name in ("verdict", "course", "memory", "disk", "network", "data", "minutes", "look at"):
        assert re.search(rf"^\| .*`{name}`.* \|", table, re.M), name


def test_the_evening_is_ten_lines_and_names_every_state():
    box = re.search(r"^> \*\*In the evening: ten lines\*\*\n(.*?)\n\n", GUIDE, re.M | re.S).group(1)
    assert re.findall(r"^> (\d+)\. ", box, re.M) == [str(number) for number in range(1, 11)]
    for state in (*STATES, "ended", "unreadable", "not judged", "not judged here"):
        assert f"*{state}*" in box, state


def test_the_mail_asks_for_a_python_that_will_do():
    words = mail(GUIDE)
    assert "Python 3.11, 3.12 or 3.13" in words
    for command in re.findall(r"\.venv[/\\](?:bin|Scripts)[/\\]course (.*)", words):
        check_course(command.split())
    assert max(map(len, words.splitlines())) <= 100, "a mail program breaks longer lines"
