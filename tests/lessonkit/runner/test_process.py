"""A child that ends without a result is named with its exit code and its last words."""

import queue
import time

import toys
from toys import code, notebook

from lessonkit.notebook.catalog import find
from lessonkit.runner.environment import kernel_environment
from lessonkit.runner.process import GRACE, Child
from lessonkit.runner.request import START, RunRequest


def test_a_child_that_breaks_down_leaves_an_entry_with_its_last_words(tmp_path):
    chapter = find(toys.write(tmp_path / "notebooks", _00_a=notebook(code("1"))))[0]
    events = queue.Queue()
    chapter.path.write_text("not a notebook", encoding="utf-8")
    child = Child(chapter, RunRequest(out=tmp_path), mark="toy-child/", env=kernel_environment(), events=events)
    _, event = events.get(timeout=60)
    assert event == {"event": "gone"}
    result = child.close()
    assert (result.name, result.status) == ("00_a", "failed")
    assert result.error.startswith("the runner's child ended with code 1: ")
    assert "it is not JSON, so it is no notebook" in result.error


def silent_for(seconds, *, up, tmp_path):
    """A child that has said nothing for so long, without a process."""
    child = object.__new__(Child)
    child.request, child.up, child.warned, child.notes = RunRequest(out=tmp_path), up, False, []
    child.cell, child.heard = "cell 3: fit()", time.monotonic() - seconds
    return child


def test_a_cell_has_ten_minutes_and_half_of_them_pass_without_a_word(tmp_path):
    assert silent_for(290, up=True, tmp_path=tmp_path).nears_its_limit() is None
    child = silent_for(310, up=True, tmp_path=tmp_path)
    assert child.nears_its_limit() == (
        "cell 3: fit() -> had been running for 310 s; it is ended after 600 s (--limit SECONDS gives it longer)"
    )
    assert child.nears_its_limit() is None and len(child.notes) == 1, "said once for each cell"
    child.hear({"event": "start", "cell": "cell 4: more()", "of": 9})
    child.heard -= 310
    assert child.nears_its_limit().startswith("cell 4: more() ->")
    assert not silent_for(600 + GRACE - 5, up=True, tmp_path=tmp_path).is_stuck(), "its own worker ends the cell"
    assert silent_for(600 + GRACE + 5, up=True, tmp_path=tmp_path).is_stuck()


def test_a_kernel_that_starts_on_a_busy_machine_is_given_minutes(tmp_path):
    child = silent_for(START, up=False, tmp_path=tmp_path)
    assert not child.is_stuck() and child.limit == START >= 180
    assert child.nears_its_limit() is None
    assert silent_for(START + GRACE + 5, up=False, tmp_path=tmp_path).is_stuck()
