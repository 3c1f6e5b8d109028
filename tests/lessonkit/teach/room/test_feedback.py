"""The page that a learner gets back: their verdicts, hints and code, and nothing of anybody else's."""

import re
from html.parser import HTMLParser

import pytest
from test_marks import CHAPTERS, CORE, FIRST, HEAD, added_up, handed_in

from course_utils.exercises import start_here
from lessonkit.system.place import PROJECT
from lessonkit.teach.room import feedback
from lessonkit.teach.room.gradebook import Gradebook


def pages(*results, **given):
    return feedback.pages(added_up(*results, **given)[0], CHAPTERS)


class _Text(HTMLParser):
    def __init__(self):
        super().__init__()
        self.said, self.loads = [], []

    def handle_data(self, data):
        self.said.append(data)

    def handle_starttag(self, tag, attrs):
        self.loads += [value for name, value in attrs if name in ("src", "href", "srcset", "action")]


def text(page):
    parser = _Text()
    parser.feed(page)
    assert parser.loads == [], "it opens without a network"
    return " ".join("".join(parser.said).split())


def test_a_learner_reads_verdicts_hints_and_their_own_code():
    code = {"hit_rates": "# cell 9\nmine = 1 < 2", "to_unit": "half = images / 2"}
    page = pages(handed_in("ana", {**CORE, "to_unit": "wrong"}, code=code))["ana.html"]
    said = text(page)
    assert "You have 2 of 3 points" in said and "about to_unit" in said and "mine = 1 < 2" in said
    for number, hint in enumerate(start_here.to_unit.hints, start=1):
        assert f"Hint {number} of {len(start_here.to_unit.hints)} for to_unit" in said
        assert " ".join(hint.replace("`", "").split()) in said
    assert "for hit_rates" not in said, "no hints for what has passed"


@pytest.mark.parametrize("others", [("bob", "carol"), ("Jo", "Müller_12"), ("a.b", "名")], ids=str)
def test_nobody_elses_name_is_on_it(others):
    shared = [f"Two people handed this in: ana and {other}." for other in others]
    results = [handed_in(name, CORE, notes=tuple(shared), own="f" * 24) for name in ("ana", *others)]
    page = text(pages(*results)["ana.html"])
    assert "ana" in page and not any(re.search(rf"(?<!\w){re.escape(other)}(?!\w)", page) for other in others)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        (f"File {PROJECT}/lessonkit/checks/judge.py, line 3", "judge.py, line 3"),
        ('File "/home/prof/room/ana/00.ipynb": no', 'File "…/00.ipynb": no'),
        (r"C:\Users\Prof\room\x.py, line 1", "…/x.py, line 1"),
        ("in /tmp/course-room-abc/course/x.py", "in …/x.py"),
        ("images / 255 is not images/255, nor (a)/b/c", "images / 255 is not images/255, nor (a)/b/c"),
    ],
)
def test_no_path_of_the_grading_machine_is_on_it(message, shown):
    private = feedback.private(message)
    assert (
        private.endswith(shown) and str(PROJECT) not in private and "Prof" not in private and "prof" not in private
    )


def test_names_that_one_system_takes_for_one_file_are_two_files():
    made = pages(*(handed_in(name, CORE) for name in ("Ana", "ana", "con", "a/b", "<script>")))
    assert len({name.casefold() for name in made}) == 5
    assert all(re.fullmatch(r"[\w.-]+\.html", name) for name in made) and "con.html" not in made


def test_what_a_learner_typed_stays_text():
    evil = "<script>alert(1)</script>"
    page = pages(handed_in("ana", CORE, code={"to_unit": evil}), by_hand=[])["ana.html"]
    assert "<script" not in page and "alert(1)" in text(page)


def test_of_several_files_the_one_that_counts_is_on_it():
    half = {**CORE, "hit_rates": "wrong"}
    page = text(pages(handed_in("ana", half), handed_in("ana", CORE, again="-2"))["ana.html"])
    assert "You have 3 of 3 points" in page and "more than once" in page and "not right yet" not in page


def test_every_learner_gets_a_page_even_for_a_file_of_no_chapter(tmp_path):
    book = Gradebook(tmp_path, HEAD, chapters=CHAPTERS)
    for one in (handed_in("ana", CORE), handed_in("zoe", {"": "unreadable"}, chapter="")):
        book.graded[one.file] = one
    book.save()
    assert sorted(path.name for path in (tmp_path / "feedback").iterdir()) == ["ana.html", "zoe.html"]
    assert "could not be read" in text((tmp_path / "feedback" / "zoe.html").read_text(encoding="utf-8"))
    assert FIRST in text((tmp_path / "feedback" / "ana.html").read_text(encoding="utf-8"))
