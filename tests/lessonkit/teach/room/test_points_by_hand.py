"""Overrides name anybody of the roster or the room; one that was written for another file is said."""

import csv
import io

import pytest
from test_marks import CHAPTERS, CORE, FIRST, HEAD, SECOND, handed_in, line

from lessonkit.teach.room import overrides, tables
from lessonkit.teach.room.by_hand import looks
from lessonkit.teach.room.gradebook import Gradebook, opened
from lessonkit.teach.room.hand_in_notes import people
from lessonkit.teach.room.manifest import Manifest
from lessonkit.teach.room.people import Person
from lessonkit.teach.room.roster import Entry
from lessonkit.teach.room.sandbox.isolation import NAMESPACES

ANNA, KIM, BEN = Entry("Anna Müller", frozenset({"501"})), Entry("Kim Lee"), Entry("Ben Koch")
TWINS = (Entry("Li Wei", frozenset({"509"})), Entry("Li Wei", frozenset({"510"})))
ROOM = Manifest(
    people=[
        Person("Anna_Müller", "Anna Müller", spellings=["mueller_anna"], entry=ANNA),
        Person("Ben_Koch", "Ben Koch", entry=BEN),
        *(Person(f"Li_Wei_{min(one.numbers)}", "Li Wei", entry=one) for one in TWINS),
    ],
    roster=[ANNA, KIM, BEN, *TWINS],
)


def room(*by_hand, results=None, first=None):
    results = results or [handed_in("Anna Müller", {**CORE, "to_unit": "raised"}), handed_in("Ben Koch", CORE)]
    book = Gradebook(None, HEAD, {one.file: one for one in results}, chapters=CHAPTERS, people=people(ROOM))
    book.by_hand, book.first = list(by_hand), first or {}
    return *book.tally(), book


@pytest.mark.parametrize(
    "name",
    [
        "mueller_anna",
        "Müller_Anna",
        "Müller, Anna",
        "Anna_Müller",
        "ANNA MULLER",
        "annamueller",
        "501",
        "'Anna Müller",
    ],
)
def test_a_learner_may_be_written_as_a_roster_is_matched(name):
    found, said, _ = room(line(learner=name))
    assert said.troubles == () and found.learners["Anna Müller"][FIRST].points == 3


@pytest.mark.parametrize("name", ["Kim Lee", "kim_lee", "Lee, Kim", "leekim"])
@pytest.mark.parametrize("chapter", [FIRST, SECOND])
def test_points_go_to_who_handed_in_nothing(name, chapter):
    exercise = "to_unit" if chapter == FIRST else "windows"
    found, said, _ = room(line(learner=name, exercise=exercise, chapter=chapter))
    assert said.troubles == () and found.learners["Kim Lee"][chapter].points == 1
    assert [one.learners for one in looks(found) if "Nothing of this chapter was handed in." in one.why] == [
        ("Kim Lee",)
    ]
    table = {row["learner"]: row for row in csv.DictReader(io.StringIO(tables.for_lms(found, CHAPTERS)))}
    assert table["Kim Lee"]["points"] == "1"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Li Wei", "fits several learners: Li Wei (509), Li Wei (510)"),
        ("wei_li", "fits several learners: Li Wei (509), Li Wei (510)"),
        ("Anna Mueler", "did you mean Anna Müller?"),
        ("Kim Li", "did you mean Kim Lee?"),
        ("anna", "did you mean Anna Müller?"),
        ("Zoë Quist", "'Zoë Quist' is nobody on the roster or in the room."),
        ("", "'' is nobody on the roster or in the room."),
    ],
)
def test_who_is_not_known_for_certain_is_said(name, said):
    found, by_hand, _ = room(line(learner=name))
    assert said in by_hand.troubles[0] and not by_hand.by_row
    assert found.learners["Anna Müller"][FIRST].points == 2


def test_a_number_tells_two_of_one_name():
    found, said, _ = room(line(learner="510"), line(3, learner="Li Wei (509)", points="0.5"))
    assert said.troubles == ()
    assert {one: found.learners[one][FIRST].points for one in ("Li Wei (509)", "Li Wei (510)")} == {
        "Li Wei (509)": 0.5,
        "Li Wei (510)": 1,
    }


def saved(out, result, **changed):
    """A run of `course grade` over one file; the list to look at."""
    book = opened(out, isolation=NAMESPACES, limits={}, chapters=CHAPTERS, anew=changed.pop("anew", False))
    book.graded, book.people, book.by_hand = (
        {result.file: result},
        people(ROOM),
        [line(learner="mueller_anna", **changed)],
    )
    book.save()
    return book.tally()[0].learners["Anna Müller"][FIRST].points, [one.why for one in looks(book.tally()[0])]


@pytest.mark.parametrize("anew", [False, True])
def test_points_that_were_given_for_an_earlier_file_are_applied_and_said(tmp_path, anew):
    before = handed_in("Anna Müller", {**CORE, "to_unit": "raised"}, again="-1")
    after = handed_in("Anna Müller", CORE, again="-2")
    assert saved(tmp_path, before, points="0.5") == (2.5, [])
    points, why = saved(tmp_path, after, points="0.5", number=9, anew=anew)
    assert points == 2.5 and len(why) == 1
    assert "overrides.csv, line 9, was written for another file: it gives 0.5, and the check gives 1" in why[0]
    assert len(saved(tmp_path, after, points="0.5")[1]) == 1, "said again until somebody decides"
    assert saved(tmp_path, after, points="0.25") == (2.25, []), "a line that was changed is written for this file"


def test_points_that_were_given_for_an_earlier_file_and_take_none_are_not_said(tmp_path):
    before = handed_in("Anna Müller", {**CORE, "to_unit": "raised"}, again="-1")
    assert saved(tmp_path, before, points="1") == (3, [])
    assert saved(tmp_path, handed_in("Anna Müller", CORE, again="-2"), points="1") == (3, [])
    assert saved(tmp_path, handed_in("Anna Müller", {**CORE, "to_unit": "wrong"}, again="-3"), points="1") == (
        3,
        [],
    )


@pytest.mark.parametrize(("points", "said"), [("1", False), ("0", False), ("1.5", True), ("10", True)])
def test_more_than_a_point_for_an_exercise_is_said(points, said):
    why = " ".join(one.why for one in looks(room(line(4, learner="Anna Müller", points=points))[0]))
    assert (f"overrides.csv, line 4, gives {points} points for one exercise" in why) == said


def test_an_override_is_no_other_one_where_its_line_moves():
    one = overrides.Override("a", FIRST, "ink", 1.0, "", 3)
    assert one == overrides.Override("a", FIRST, "ink", 1.0, "", 9)
