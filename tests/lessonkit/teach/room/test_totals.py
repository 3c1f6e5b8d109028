"""What there is to get is the same number on the page of grades, on a learner's page and in the table."""

import csv
import html
import io
import re

import pytest
from test_marks import CHAPTERS, CORE, FIRST, FURTHER, HEAD, SECOND, added_up, handed_in

from lessonkit.teach.room import feedback, grades_page, tables
from lessonkit.teach.room.by_hand import looks
from lessonkit.teach.room.counted import counted

RELEASED = {FIRST: tuple(CORE), SECOND: ("windows", "survives", "center", "gather")}
HALF = {**CORE, "to_unit": "not judged here", "hit_rates": "wrong"}
ROOM = [
    handed_in("ana", HALF),
    handed_in("bob", CORE),
    handed_in("bob", {"windows": "passed", "survives": "wrong"}, chapter=SECOND),
    handed_in("cy", {"": "unreadable"}, chapter=""),
    handed_in("dee", dict.fromkeys(CORE, "unreadable")),
]


def numbers(*results, handed_out=None):
    """By learner: (points, total) of the table, of the learner's page; and the headline."""
    room, _ = added_up(*results, handed_out=handed_out)
    table = {row["learner"]: row for row in csv.DictReader(io.StringIO(tables.for_lms(room, CHAPTERS)))}
    pages = feedback.pages(room, CHAPTERS)
    read = {one: re.search(r"<strong>(\S+) of (\d+) points?</strong>", pages[f"{one}.html"]) for one in table}
    head = {**HEAD, "limits": {}}
    title = html.unescape(re.search("<h1>(.*?)</h1>", grades_page.render(room, head))[1])
    return {one: ((row["points"], row["total"]), read[one].groups()) for one, row in table.items()}, title, table


def test_with_a_release_everybody_has_all_exercises_to_get():
    found, title, table = numbers(*ROOM, handed_out=RELEASED)
    assert {total for (_, total), _ in found.values()} == {"7"}
    assert all(of_table == of_page for of_table, of_page in found.values())
    assert title == "4 learners, 5 files: 5 of 28 points, and 1 not judged yet"
    assert table["ana"]["not judged yet"] == "1" and table["bob"]["not judged yet"] == "0"


def test_without_a_release_the_three_are_the_same_number():
    found, title, _ = numbers(*ROOM)
    assert {one: of_table for one, (of_table, _) in found.items()} == {
        "ana": ("1", "4"), "bob": ("4", "5"), "cy": ("0", "5"), "dee": ("0", "5")
    }  # fmt: skip
    assert all(of_table == of_page for of_table, of_page in found.values())
    assert title == "4 learners, 5 files: 5 of 19 points, and 1 not judged yet"


@pytest.mark.parametrize("state", ["not judged", "not judged here"])
def test_what_is_not_judged_stays_in_the_total_of_a_release_and_is_named(state):
    room, _ = added_up(handed_in("ana", {**CORE, "to_unit": state}), handed_out={FIRST: tuple(CORE)})
    one = room.learners["ana"][FIRST]
    assert (one.points, one.possible, one.unjudged) == (2, 3, 1)
    page = " ".join(feedback.pages(room, CHAPTERS)["ana.html"].split())
    assert "You have <strong>2 of 3 points</strong>, and 1 not judged yet." in page
    assert f"{FIRST}: 2 of 3, and 1 not judged yet" in page


def test_a_chapter_that_was_not_handed_out_is_extra():
    room, _ = added_up(*ROOM, handed_out={FIRST: tuple(CORE)})
    assert (room.points_of("bob"), room.possible_of("bob")) == (3, 3)
    assert room.extras == {SECOND: ("windows", "survives")}


def test_one_of_a_thing_is_one():
    _, title, _ = numbers(handed_in("ana", {"to_unit": "passed"}))
    assert title == "1 learner, 1 file: 1 of 1 point"
    assert [counted(n, "row") for n in (0, 1, 2)] == ["0 rows", "1 row", "2 rows"]


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ([{**CORE, "ink": "wrong"}], "The other one has 3 of 4."),
        ([{**CORE, "to_unit": "wrong"}, {**CORE, **FURTHER}], "The others have 2 of 3 and 3 of 3."),
        ([{**CORE, "to_unit": "not judged here"}], "The other one has 2 of 2, and 1 not judged yet."),
        ([dict.fromkeys(CORE, "unreadable")], "The other one has 0 of 3."),
    ],
)
def test_the_flag_on_the_hand_in_that_counts_says_what_the_other_one_has(others, said):
    further = FURTHER if len(others) == 2 else ()
    earlier = [handed_in("theo", one, again=f"-{n}", further=further) for n, one in enumerate(others, start=1)]
    room, _ = added_up(*earlier, handed_in("theo", CORE, again="-9"))
    (why,) = [one.why for one in looks(room) if "it counts" in one.why]
    assert why.endswith(said)
