"""What the runner's child leaves on disk when it is ended in the middle of a save."""

import io
import queue
from pathlib import Path

import nbformat
import pytest
import toys
from toys import code, notebook

from course_utils.notebook.catalog import find
from course_utils.runner.process import Child, Plan
from course_utils.runner.series import environment
from course_utils.runner.worker import Run


@pytest.fixture
def run(tmp_path):
    path = toys.write(tmp_path / "notebooks", _00_a=notebook(code("1")))
    job = {"notebook": str(next(path.glob("*.ipynb"))), "output": str(tmp_path / "out.ipynb")}
    return Run(job, events=io.StringIO())


def test_a_save_that_is_broken_off_leaves_the_last_whole_notebook(run, tmp_path, monkeypatch):
    run.save()
    whole = (tmp_path / "out.ipynb").read_text(encoding="utf-8")

    def half(self, text, **options):
        self.write_bytes(text.encode()[: len(text) // 2])
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", half)
    run.nb.cells[0].source = "2"
    with pytest.raises(KeyboardInterrupt):
        run.save()
    assert (tmp_path / "out.ipynb").read_text(encoding="utf-8") == whole
    nbformat.reads(whole, as_version=4)


def test_half_a_save_of_a_child_that_was_ended_is_taken_away(tmp_path):
    chapter = find(toys.write(tmp_path / "notebooks", _00_a=notebook(code("import time; time.sleep(600)"))))[0]
    out = tmp_path / "out"
    out.mkdir()
    events = queue.Queue()
    child = Child(chapter, Plan(out=out), mark="toy-save/", env=environment(), events=events)
    while events.get(timeout=60)[1]["event"] != "start":
        pass
    (out / "00_a.ipynb.part").write_text('{"cells": [', encoding="utf-8")
    entry = child.close("interrupted", "interrupted in cell 1")
    assert entry["status"] == "interrupted"
    assert [path.name for path in out.iterdir()] == ["00_a.ipynb"]
    assert nbformat.read(out / "00_a.ipynb", as_version=4).cells
