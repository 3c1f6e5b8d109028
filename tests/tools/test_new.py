"""The templates: lint passes, the anatomy's tests do not; nothing that is there is written over."""

import shutil
import subprocess
import sys

import nbformat
import new
import pytest

from course_utils import PROJECT
from lessonkit.notebook.catalog import NOTEBOOKS
from lessonkit.system.errors import Refused


@pytest.fixture
def copied(tmp_path):
    """Folders with two chapters, their exercises, and an empty bank."""
    for folder in ("notebooks", "exercises", "bank"):
        (tmp_path / folder).mkdir()
    for name in ("00_start_here", "05_training"):
        shutil.copy(NOTEBOOKS / f"{name}.ipynb", tmp_path / "notebooks")
        shutil.copytree(new.EXERCISES / name[3:], tmp_path / "exercises" / name[3:])
    return {"notebooks": tmp_path / "notebooks", "exercises": tmp_path / "exercises"}, tmp_path / "bank"


def lint(*paths):
    ruff = [sys.executable, "-m", "ruff", "check", "--config", PROJECT / "pyproject.toml", *paths]
    return subprocess.run(ruff, capture_output=True, text=True)


def test_a_new_chapter_passes_lint_and_is_not_whole(copied):
    folders, bank = copied
    notebook, *modules, _ = new.chapter(14, "audio", **folders, bank=bank)
    assert notebook.name == "14_audio.ipynb"
    assert {path.name for path in modules} == {"__init__.py", "questions.py", "answers.py"}
    assert {path.parent.name for path in modules} == {"audio"}
    done = lint(notebook, *modules)
    assert done.returncode == 0, done.stdout
    formatted = [sys.executable, "-m", "ruff", "format", "--check", "--config", PROJECT / "pyproject.toml"]
    assert subprocess.run([*formatted, notebook, *modules], capture_output=True).returncode == 0
    nb = nbformat.read(notebook, 4)
    assert nb.metadata["course"]["builds_on"] == ["05"]
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    assert len(code) < 25 and sum("exercise" in cell.metadata.get("tags", []) for cell in code) == 1
    before = notebook.read_bytes()
    with pytest.raises(Refused, match="14_audio is there already"):
        new.chapter(14, "video", **folders, bank=bank)
    with pytest.raises(Refused, match="14_audio is there already"):
        new.chapter(15, "audio", **folders, bank=bank)
    assert notebook.read_bytes() == before


def test_a_new_exercise_stands_before_the_last_cell_and_its_reference_raises(copied, monkeypatch):
    folders, bank = copied
    notebook, *modules, answers = new.exercise("05", "clip", **folders, bank=bank)
    nb = nbformat.read(notebook, 4)
    assert nb.cells[-2].metadata["tags"] == ["exercise"] and nb.cells[-2].source.endswith("ex.clip.check(clip)")
    assert nb.cells[-3].source.startswith("### Exercise: TODO") and nb.cells[-1].source.startswith(
        "## What to take"
    )
    done = lint(*modules, notebook)  # the bank's folder is left out of it: its cells give one name to many
    assert done.returncode == 0, done.stdout
    assert answers.read_text(encoding="utf-8").count("# %% wrong_") == 8
    (module,) = [path for path in modules if path.name == "answers.py"]
    scope = {"__name__": "course_utils.exercises.training.answers"}
    exec(compile(module.read_text(encoding="utf-8"), str(module), "exec"), scope)
    with pytest.raises(NotImplementedError, match="the reference of clip"):
        scope["clip"].reference(1)
    with pytest.raises(Refused, match="has a clip already"):
        new.exercise("training", "clip", **folders, bank=bank)


@pytest.mark.parametrize("name", ["Clip", "class", "a-b", "", "../x"])
def test_a_name_must_be_one(copied, name):
    folders, bank = copied
    with pytest.raises(Refused, match="is no name of ours"):
        new.exercise("05", name, **folders, bank=bank)
    with pytest.raises(Refused, match="is no name of ours"):
        new.chapter(20, name, **folders, bank=bank)
