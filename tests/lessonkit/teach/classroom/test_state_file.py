"""The room in a file: nothing unless asked for, all of it if asked, and gone on with the next time."""

import json

import pytest
from classroom_here import open_room

from lessonkit.reporting import client, membership
from lessonkit.system.errors import Refused
from lessonkit.teach.classroom import server, state_file
from lessonkit.teach.classroom.export import table
from lessonkit.teach.classroom.state import ClassroomState

EVENT = {"chapter": "training", "exercise": "train_step", "state": "known mistake", "mistake": "never_zeroed"}


def test_a_room_that_is_closed_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open_room() as classroom:
        client.send(membership.member(classroom.opened.join_address, "Ada", folder=tmp_path), [EVENT])
    assert list(tmp_path.iterdir()) == []


def test_a_kept_room_goes_on_where_it_was_under_the_same_address(tmp_path):
    path = tmp_path / "salle é.json"
    with open_room(keep=path) as classroom:
        one = membership.member(classroom.opened.join_address, "Zoë", folder=tmp_path)
        client.send(one, [EVENT])
        before, address = table(classroom.room), classroom.opened.join_address
        instructor = classroom.opened.tokens.instructor
    assert instructor not in path.read_text(encoding="utf-8")
    with open_room(keep=path) as classroom:
        assert (table(classroom.room), classroom.opened.join_address) == (before, address)
        assert classroom.room.everything()["learners"][0]["since"] is not None
        client.send(one, [EVENT | {"state": "passed"}])
        client.send(membership.member(address, "", folder=tmp_path), [])
        assert [learner.number for learner in classroom.room.learners.values()] == [1, 2]
        assert classroom.room.checks == 2


def test_what_is_not_asked_any_more_is_left_out(tmp_path, questions):
    path = tmp_path / "room.json"
    with open_room(keep=path) as classroom:
        one = membership.member(classroom.opened.join_address, "Ada", folder=tmp_path)
        client.send(one, [EVENT, EVENT | {"chapter": "tensors", "exercise": "windows"}])
    fewer = ClassroomState(questions[2:])
    state_file.load(path, fewer)
    [learner] = fewer.learners.values()
    assert (list(learner.cells), learner.at, learner.open.keys()) == ([0], None, {0})


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"classroom": 2}', '{"classroom": 1, "learners": {"a": {}}}'])
def test_another_file_is_refused_and_left_as_it_is(tmp_path, questions, text):
    path = tmp_path / "room.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Refused, match="was not written by `course classroom`"):
        state_file.load(path, ClassroomState(questions))
    assert path.read_text(encoding="utf-8") == text


def test_a_file_that_cannot_be_written_is_said(tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()
    with open_room(keep=folder / "room.json") as classroom:
        (folder / "room.json").unlink()
        folder.rmdir()
    assert len(classroom.said) == 1 and "the room is not kept" in classroom.said[0]


def test_a_file_that_cannot_be_written_is_refused_at_the_start(tmp_path, questions):
    with pytest.raises(Refused, match="cannot be written"):
        server.opened(
            ClassroomState(questions), address="127.0.0.1", port=0, keep=tmp_path / "no" / "x.json", stuck=600
        )


def test_the_kept_file_holds_no_more_than_the_page_showed(tmp_path):
    path = tmp_path / "room.json"
    with open_room(keep=path) as classroom:
        one = membership.member(classroom.opened.join_address, "Ada", folder=tmp_path)
        client.send(one, [EVENT | {"code": "secret", "message": "secret"}])
    said = json.loads(path.read_text(encoding="utf-8"))
    assert set(said) == {"classroom", "token", "port", "checks", "learners"} and "secret" not in str(said)
