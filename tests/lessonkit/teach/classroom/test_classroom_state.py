"""Who stands where: what reports make of the room, who is stuck, and the table for a spreadsheet."""

import csv
import io

import pytest

from lessonkit.teach.classroom import state as rooms
from lessonkit.teach.classroom.export import COLUMNS, table
from lessonkit.teach.classroom.report_parser import Event, Report
from lessonkit.teach.classroom.state import ClassroomState, Full


class Clock:
    now = 1_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def room(questions, clock):
    return ClassroomState(questions, clock=clock)


def tell(room, learner, *events, nickname=""):
    made = tuple(Event(*event.split("/"), state, mistake) for event, state, mistake in events)
    room.take(Report(f"{learner:032x}", nickname, made))


def wrong(exercise="training/train_step"):
    return exercise, "wrong", None


def passed(exercise="training/train_step"):
    return exercise, "passed", None


def learner(room, number):
    [found] = [one for one in room.everything()["learners"] if one["number"] == number]
    return found


def cells(room):
    return {(number, index): rest for number, index, *rest in room.everything()["cells"]}


def test_a_cell_counts_checks_and_tries_and_a_success_stays(room):
    tell(
        room, 1, ("tensors/survives", "not attempted", None), ("tensors/survives", "known mistake", "within_range")
    )
    tell(room, 1, ("tensors/survives", "passed", None), ("tensors/survives", "raised", None))
    [cell] = next(iter(room.learners.values())).cells.values()
    assert (cell.checks, cell.tries, cell.passed, cell.state, cell.met) == (
        4,
        3,
        True,
        "raised",
        {"within_range": 1},
    )
    assert room.checks == 4


def test_a_stub_that_is_run_again_does_not_undo_a_try(room):
    tell(
        room, 1, ("tensors/survives", "known mistake", "within_range"), ("tensors/survives", "not attempted", None)
    )
    [cell] = next(iter(room.learners.values())).cells.values()
    assert (cell.state, cell.mistake, cell.checks, cell.tries) == ("known mistake", "within_range", 2, 1)


def test_only_mistakes_that_the_exercise_knows_are_named(room):
    tell(room, 1, ("training/train_step", "known mistake", "within_range"))
    tell(room, 1, ("training/train_step", "wrong", "never_zeroed"))
    [cell] = cells(room).values()
    assert cell[4:6] == [None, {}]


def test_what_is_not_asked_here_is_counted_and_not_shown(room):
    tell(room, 1, ("nowhere/train_step", "wrong", None), ("training/nothing", "wrong", None), wrong())
    assert (room.elsewhere, room.checks, len(cells(room))) == (2, 1, 1)


def test_changes_are_told_once(room):
    tell(room, 1, wrong())
    tell(room, 2, wrong("tensors/windows"))
    first = room.changes()
    assert [one["number"] for one in first["learners"]] == [1, 2] and len(first["cells"]) == 2
    assert room.changes() is None
    tell(room, 2, nickname="Ada")
    second = room.changes()
    assert [one["name"] for one in second["learners"]] == ["Ada"] and second["cells"] == []
    assert len(room.everything()["cells"]) == 2


def test_stuck_is_counted_from_the_first_try_without_success(room, clock):
    tell(room, 1, ("training/train_step", "not attempted", None))
    assert learner(room, 1)["since"] is None  # a cell that was run as it is is no try
    clock.now = 1_100.0
    tell(room, 1, wrong())
    clock.now = 1_800.0
    tell(room, 1, wrong())
    assert (learner(room, 1)["since"], learner(room, 1)["at"]) == (1_100.0, 2)


def test_tries_in_vain_are_counted_since_the_last_success_anywhere(room, clock):
    tell(room, 1, wrong(), wrong())
    assert learner(room, 1)["tries"] == 2
    tell(room, 1, passed("tensors/survives"), wrong())
    assert learner(room, 1)["tries"] == 1
    tell(room, 1, ("training/train_step", "not attempted", None))
    assert learner(room, 1)["tries"] == 1


def test_the_page_knows_when_somebody_joined_and_what_note_is_up(room, clock):
    tell(room, 1)
    clock.now = 1_300.0
    room.take(Report(f"{1:032x}", "", (), "help"))
    tell(room, 2, wrong())
    assert [(one["joined"], one["note"], one["noted"]) for one in room.everything()["learners"]] == [
        (1_000.0, "help", 1_300.0),
        (1_300.0, "", 0.0),
    ]
    room.changes()
    assert room.take_notes_off() == 1 and room.take_notes_off() == 0
    assert [one["note"] for one in room.changes()["learners"]] == [""]


def test_going_to_and_fro_between_two_exercises_does_not_hide_that_somebody_is_stuck(room, clock):
    for now, exercise in enumerate(("training/train_step", "tensors/survives") * 3, 1_000):
        clock.now = float(now)
        tell(room, 1, wrong(exercise))
    assert (learner(room, 1)["at"], learner(room, 1)["since"]) == (0, 1_001.0)


def test_a_success_begins_the_time_anew(room, clock):
    tell(room, 1, wrong(), wrong("tensors/survives"))
    clock.now = 1_500.0
    tell(room, 1, passed("tensors/survives"))
    assert learner(room, 1)["since"] is None
    clock.now = 1_600.0
    tell(room, 1, wrong())
    assert learner(room, 1)["since"] == 1_600.0
    tell(room, 1, passed(), wrong())
    assert learner(room, 1)["since"] is None  # solved before: trying further is no trouble


def test_the_room_takes_so_many_and_says_no_to_more(room, monkeypatch):
    monkeypatch.setattr(rooms, "MOST_LEARNERS", 2)
    for number in (1, 2):
        tell(room, number, wrong())
    with pytest.raises(Full, match="takes 2 learners"):
        tell(room, 3, wrong())
    tell(room, 2, passed())
    assert len(room.learners) == 2 and room.checks == 3


def test_the_table_has_a_row_for_each_learner_and_exercise(room):
    tell(room, 1, ("training/train_step", "known mistake", "never_zeroed"), passed(), nickname="Zoë, 1")
    tell(room, 2, wrong("tensors/windows"))
    rows = list(csv.DictReader(io.StringIO(table(room))))
    assert tuple(rows[0]) == COLUMNS
    assert [
        rows[0][name] for name in ("number", "nickname", "chapter", "passed", "tries", "mistakes", "first")
    ] == [
        "1",
        "Zoë, 1",
        "05_training",
        "yes",
        "2",
        "never_zeroed 1",
        "1970-01-01T00:16:40+00:00",
    ]
    assert (rows[1]["exercise"], rows[1]["passed"], rows[1]["latest"]) == ("windows", "no", "wrong")


@pytest.mark.parametrize("name", ["=1+1", "+1", "-2+3", "@SUM(A1)", '=HYPERLINK("http://evil")'])
def test_no_nickname_becomes_a_formula(room, name):
    tell(room, 1, wrong(), nickname=name)
    [row] = csv.DictReader(io.StringIO(table(room)))
    assert row["nickname"] == f"'{name}"
