"""What the runner's child leaves on disk when it is ended in the middle of a save."""

import io
import json
import queue
import time

import nbformat
import pytest
import toys
from toys import code, notebook

from lessonkit.notebook.catalog import find
from lessonkit.runner.environment import kernel_environment
from lessonkit.runner.process import Child
from lessonkit.runner.request import RunRequest
from lessonkit.runner.worker import Run
from lessonkit.system import atomic


@pytest.fixture
def run(tmp_path):
    chapter = find(toys.write(tmp_path / "notebooks", _00_a=notebook(code("1"))))[0]
    return Run(RunRequest(out=tmp_path).job(chapter), events=io.StringIO())


def test_a_save_that_is_broken_off_leaves_the_last_whole_notebook(run, tmp_path, monkeypatch):
    run.save()
    whole = (tmp_path / "00_a.ipynb").read_text(encoding="utf-8")

    class Half(io.FileIO):
        def write(self, data):
            super().write(data[: len(data) // 2])
            raise KeyboardInterrupt

    def open_half(path, mode):
        temporary = path.with_name(f"{path.name}.{'0' * 16}.saving")
        return Half(temporary, "x"), temporary

    monkeypatch.setattr(atomic, "_open_temporary", open_half)
    run.nb.cells[0].source = "2"
    with pytest.raises(KeyboardInterrupt):
        run.save()
    assert (tmp_path / "00_a.ipynb").read_text(encoding="utf-8") == whole
    nbformat.reads(whole, as_version=4)
    assert not list(tmp_path.glob("*.saving"))


def test_a_cell_over_the_goal_is_marked_and_no_failure(run):
    run.label, run.since = "cell 3: fit()", time.monotonic() - 31
    run.measure()
    run.since = time.monotonic() - 29
    run.measure()
    (note,) = run.result("passed", None).notes
    assert note == "cell 3: fit() -> 31 s, over the goal of 30 s for a cell"


def test_half_a_save_of_a_child_that_was_ended_is_taken_away(tmp_path):
    chapter = find(toys.write(tmp_path / "notebooks", _00_a=notebook(code("import time; time.sleep(600)"))))[0]
    out = tmp_path / "out"
    out.mkdir()
    events = queue.Queue()
    child = Child(chapter, RunRequest(out=out), mark="toy-save/", env=kernel_environment(), events=events)
    while events.get(timeout=300)[1]["event"] != "start":
        pass
    (out / "00_a.ipynb.0123456789abcdef.saving").write_text('{"cells": [', encoding="utf-8")
    result = child.close("interrupted", "interrupted in cell 1")
    assert result.status == "interrupted"
    assert [path.name for path in out.iterdir()] == ["00_a.ipynb"]
    assert nbformat.read(out / "00_a.ipynb", as_version=4).cells


ODD_CELLS = [
    {"cell_type": "code", "source": "x = 'é'"},
    {"cell_type": "code", "source": ["x +=", " 'a'"], "id": None, "metadata": None, "outputs": None},
    {"cell_type": "markdown", "source": "text", "metadata": {}, "outputs": []},
    {
        "cell_type": "code",
        "source": "assert x == 'éa'",
        "id": 7,
        "metadata": {"tags": None},
        "execution_count": "3",
    },
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_notebook_with_odd_cells_and_any_byte_order_mark_is_executed(tmp_path, encoding):
    (tmp_path / "notebooks").mkdir()
    book = {"cells": ODD_CELLS, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    path = tmp_path / "notebooks" / "00_a.ipynb"
    path.write_bytes(json.dumps(book, ensure_ascii=False).encode(encoding))
    result = Run(RunRequest(out=tmp_path).job(find(path.parent)[0]), events=io.StringIO()).go()
    assert (result.status, result.error) == ("passed", None)
    executed = nbformat.read(tmp_path / "00_a.ipynb", as_version=4)
    assert [cell.execution_count for cell in executed.cells if cell.cell_type == "code"] == [1, 2, 3]
