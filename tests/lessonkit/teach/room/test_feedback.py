"""The page that a learner gets back: their verdicts, hints and code, and nothing of anybody else's."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from test_marks import CHAPTERS, CORE, FIRST, HEAD, SECOND, added_up, handed_in

from course_utils.exercises import start_here
from lessonkit.system.place import PROJECT
from lessonkit.teach.room import feedback
from lessonkit.teach.room.file_types import kind_of_name
from lessonkit.teach.room.gradebook import Gradebook
from lessonkit.teach.room.hand_in_notes import rows
from lessonkit.teach.room.manifest import Manifest
from lessonkit.teach.room.rows import Graded, Row, unreadable_rows


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


def unread(message, chapter=FIRST, exercises=tuple(CORE)):
    rows = tuple(Row(exercise=name, state="unreadable", message=message) for name in exercises)
    return Graded(learner="zoe", file="in.zip: zoe/x", sha256="", chapter=chapter, rows=rows)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("scan.pdf", "Your file is a PDF, and this course needs the notebook (.ipynb). Hand that in."),
        ("x.py", "Your file is a Python script, and this course needs the notebook (.ipynb). Hand that in."),
        ("x.html", "Your file is a web page (HTML), and this course needs the notebook (.ipynb). Hand that in."),
        (
            "x.xyz",
            "Your file is a file that ends in .xyz, and this course needs the notebook (.ipynb). Hand that in.",
        ),
        ("x.rar", "Hand in the notebook (.ipynb), or a .zip with it."),
        ("x.gz", "Hand in the notebook (.ipynb), or a .zip with it."),
        ("x.gdoc", "Your file is a link, not the file itself. Hand in the notebook (.ipynb)."),
        ("x.crdownload", "Your file is a download that was not finished. Hand in the notebook (.ipynb)."),
    ],
)
@pytest.mark.parametrize(("chapter", "exercises"), [(FIRST, tuple(CORE)), ("", ("",))])
def test_what_the_file_was_is_said_once_and_to_the_learner(name, said, chapter, exercises):
    message = unreadable_rows(None, f"it is {kind_of_name(name)}")[0].message
    page = text(pages(unread(message, chapter, exercises))["zoe.html"])
    assert page.count("Hand ") == page.count(said) == 1
    assert "ask for" not in page and "Look at it by hand" not in page and "Your answer" not in page


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("the folder is empty", "Your folder is empty. Hand in the notebook (.ipynb)."),
        ("empty (0 bytes); hand the notebook in again", "Empty (0 bytes); hand the notebook in again."),
        ("a PDF; hand in the .ipynb itself", "A PDF; hand in the .ipynb itself."),
    ],
)
def test_other_files_have_one_sentence_of_what_to_hand_in(why, said):
    page = text(pages(unread(unreadable_rows(None, why)[0].message))["zoe.html"])
    assert page.count(said) == 1 and page.lower().count("hand ") == 1


def test_who_handed_in_nothing_reads_that_and_no_row():
    (row,) = rows(Manifest(absent=["zoe"]), CHAPTERS)
    page = text(pages(row, handed_in("ana", CORE), handed_out={FIRST: tuple(CORE)})["zoe.html"])
    assert "We have nothing from you yet. You have 0 of 3 points." in page
    assert "roster" not in page and "no chapter" not in page and "hint()" not in page


def test_a_chapter_that_is_missing_is_on_the_page():
    out = {FIRST: tuple(CORE), SECOND: ("windows", "survives")}
    page = text(pages(handed_in("ana", CORE), handed_out=out)["ana.html"])
    assert f"{SECOND}: 0 of 2 We have nothing from you yet." in page and "You have 3 of 5 points" in page


@pytest.mark.parametrize("message", ["It needs `x`. Look at it by hand.", "Look at it by hand.", "No GPU here."])
def test_an_instructors_words_are_on_no_page(message):
    states = Row(exercise="to_unit", state="not judged here", message=message)
    page = text(pages(replace(handed_in("ana", CORE), rows=(states,)))["ana.html"])
    assert "It could not be judged on the grading machine; your instructor looks at it." in page
    assert "Look at it by hand" not in page


@pytest.mark.parametrize(
    ("message", "there"), [("cell 5, line 3: NameError", True), ("In cells 3 and 4.", True), ("No cell.", False)]
)
def test_a_number_of_a_cell_comes_with_where_to_find_it(message, there):
    row = Row(exercise="to_unit", state="raised", message=message)
    page = text(pages(replace(handed_in("ana", CORE), rows=(row,)))["ana.html"])
    assert ("Cells are numbered from the top of your notebook." in page) == there


def test_pages_of_people_who_are_gone_are_removed_and_nothing_else(tmp_path):
    book = Gradebook(tmp_path, HEAD, chapters=CHAPTERS)
    book.graded = {one.file: one for one in (handed_in("ana", CORE), handed_in("bob", CORE))}
    book.save()
    (tmp_path / "feedback" / "mine.html").write_text("<p>my own notes</p>", encoding="utf-8")
    (tmp_path / "feedback" / "notes.txt").write_text("x", encoding="utf-8")
    del book.graded[handed_in("bob", CORE).file]
    book.save(complete=False)
    assert (tmp_path / "feedback" / "bob.html").exists(), "not all is judged yet"
    book.save()
    assert sorted(path.name for path in (tmp_path / "feedback").iterdir()) == ["ana.html", "mine.html", "notes.txt"]
