"""`course update` and `course reset` on the command line: sentences, exit statuses, and where the copies lie."""

import functools

import command_line
import pytest
import toys
from toys import code, notebook

from course_utils import PROJECT
from lessonkit.commands import update
from lessonkit.desk import folder
from lessonkit.desk.folder import Desk, at_desk, work_folder


@pytest.fixture
def course(monkeypatch, capsys, tmp_path):
    """Runs the command on two small chapters: (exit status, standard output, standard error)."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    monkeypatch.setenv("COURSE_WORK", str(tmp_path / "my work"))
    chapters = {"_00_start": notebook(code("1")), "_05_training": notebook(code("2"))}
    originals = toys.write(tmp_path / "notebooks", **chapters)
    monkeypatch.setattr(update, "Desk", lambda work: Desk(work, originals))

    return functools.partial(command_line.course, monkeypatch, capsys)


def test_update_fills_and_then_says_that_nothing_is_to_be_done(course, tmp_path):
    work = tmp_path / "my work"
    status, out, err = course("update")
    assert (status, err) == (0, "") and out.startswith(f"2 chapters are copied to {work}")
    assert course("update") == (0, f"{work} is up to date.\n", "")
    assert sorted(path.name for path in work.glob("*.ipynb")) == ["00_start.ipynb", "05_training.ipynb"]


def test_a_copy_left_as_it_was_is_exit_status_1_and_reset_mends_it(course, tmp_path):
    course("update")
    (tmp_path / "my work" / "05_training.ipynb").write_text("{", encoding="utf-8")
    status, out, err = course("update")
    assert (status, out) == (1, "") and "it is cut off" in err and "`course reset 05`" in err
    status, out, err = course("reset", "05")
    assert (status, err) == (0, "") and "replaced by a new copy; your old copy is now" in out
    assert course("update")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["reset", "99"], "no chapter called 99"),
        (["reset"], "Missing argument"),
        (["update", "05"], "unexpected extra"),
    ],
)
def test_what_cannot_be_done_is_refused(course, tmp_path, arguments, complaint):
    status, _, err = course(*arguments)
    assert status == 2 and complaint in err
    assert not (tmp_path / "my work").exists()


def test_copies_lie_in_work_unless_course_work_says_where(monkeypatch, tmp_path):
    monkeypatch.delenv("COURSE_WORK", raising=False)
    assert work_folder() == PROJECT / "work"
    monkeypatch.setenv("COURSE_WORK", str(tmp_path))
    assert work_folder() == tmp_path
    monkeypatch.setenv("COURSE_WORK", "mine")
    assert work_folder() == PROJECT / "mine", "one place, from whichever folder it is asked"


@pytest.mark.parametrize(
    ("place", "there"),
    [
        ("work/handout", True),
        ("work/week 2/é", True),
        ("work/old", False),
        ("work/old/x", False),
        ("work/.course/base", False),
        ("work/handout/.ipynb_checkpoints", False),
        ("workshop", False),
        (".", False),
    ],
)
def test_a_handout_below_the_copies_is_at_the_desk(monkeypatch, tmp_path, place, there):
    monkeypatch.setenv("COURSE_WORK", str(tmp_path / "work"))
    monkeypatch.setattr(folder, "STARTED_IN", tmp_path / place)
    assert at_desk() == there


def test_a_process_is_at_the_desk_if_it_was_started_in_the_work_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("COURSE_WORK", str(tmp_path))
    assert not at_desk()
    monkeypatch.setattr(folder, "STARTED_IN", tmp_path / "x" / "..")
    assert at_desk()
    monkeypatch.setattr(folder, "STARTED_IN", tmp_path / "old")
    assert not at_desk()
    monkeypatch.setattr(folder, "STARTED_IN", None)
    assert not at_desk()
