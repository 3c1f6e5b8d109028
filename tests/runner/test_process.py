"""A child that ends without a result is named with its exit code and its last words."""

import queue

import toys
from toys import code, notebook

from course_utils.notebook.catalog import find
from course_utils.runner.environment import kernel_environment
from course_utils.runner.process import Child
from course_utils.runner.request import RunRequest


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
    assert "does not appear to be JSON" in result.error
