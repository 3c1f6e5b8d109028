"""A small course to make copies of, and a home of Jupyter's own for each test."""

import json

import pytest
import toys
from toys import STUB, code, notebook, text

from lessonkit.desk.folder import Desk


def cell(name, made):
    made["id"] = name
    return made


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """Two chapters and an empty place for the copies, in a folder with a space and an é."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    place = tmp_path / "mon école"
    originals = toys.write(
        place / "notebooks",
        _00_start=notebook(cell("t0", text("# 00 · Start")), cell("c0", code("1 + 1"))),
        _05_training=notebook(
            cell("t5", text("# 05 · Training")),
            cell("a", code("x = 1")),
            cell("task", code(STUB, "exercise")),
            cell("b", code("print(x)")),
        ),
    )
    return Desk(place / "work", originals)


class Edit:
    """A notebook's file opened, changed, and written back: `with Edit(path) as nb: ...`."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        self.notebook = json.loads(self.path.read_text(encoding="utf-8"))
        return self

    def __getitem__(self, name):
        (found,) = [cell for cell in self.notebook["cells"] if cell.get("id") == name]
        return found

    def __exit__(self, *_):
        self.path.write_text(json.dumps(self.notebook), encoding="utf-8")


@pytest.fixture
def edit():
    return Edit
