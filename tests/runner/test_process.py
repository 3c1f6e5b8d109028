"""A child that ends without a result is named with its exit code and its last words."""

import os
import queue

import toys
from toys import code, notebook

from course_utils.notebook.catalog import find
from course_utils.runner.process import Child, Plan
from course_utils.runner.series import environment


def test_a_child_that_breaks_down_leaves_an_entry_with_its_last_words(tmp_path):
    chapter = find(toys.write(tmp_path / "notebooks", _00_a=notebook(code("1"))))[0]
    events = queue.Queue()
    chapter.path.write_text("not a notebook", encoding="utf-8")
    child = Child(chapter, Plan(out=tmp_path), mark="toy-child/", env=environment(), events=events)
    _, event = events.get(timeout=60)
    assert event == {"event": "gone"}
    entry = child.close()
    assert (entry["name"], entry["status"]) == ("00_a", "failed")
    assert entry["error"].startswith("the runner's child ended with code 1: ")
    assert "does not appear to be JSON" in entry["error"]


def test_kernels_get_absolute_data_and_no_progress_bars(tmp_path, monkeypatch):
    from course_utils import PROJECT

    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    monkeypatch.setenv("MPLBACKEND", "Agg")
    for given, expected in (
        ("mine", tmp_path / "mine"),
        ("course_utils", PROJECT / "course_utils"),
        ("nowhere", tmp_path / "nowhere"),
        (str(tmp_path), tmp_path),
    ):
        monkeypatch.setenv("COURSE_DATA", given)
        assert environment()["COURSE_DATA"] == str(expected.resolve())
    monkeypatch.delenv("COURSE_DATA")
    found = environment()
    assert "COURSE_DATA" not in found and "MPLBACKEND" not in found
    assert (found["TQDM_DISABLE"], found["JUPYTER_PREFER_ENV_PATH"]) == ("1", "1")


def test_chapters_side_by_side_share_the_cores_unless_the_user_said_how(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    assert "OMP_NUM_THREADS" not in environment()
    assert environment(2)["OMP_NUM_THREADS"] == "4"
    assert environment(16)["OMP_NUM_THREADS"] == "1"
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert environment(2)["OMP_NUM_THREADS"] == "3"
