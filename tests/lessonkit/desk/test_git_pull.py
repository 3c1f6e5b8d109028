"""A learner with git: work through a chapter, pull a changed one, update; git has nothing to say of it."""

import os
import shutil
import subprocess
import sys

import nbformat
import pytest

from course_utils import PROJECT
from lessonkit.notebook.solutions import solve

GIT = shutil.which("git")
pytestmark = pytest.mark.skipif(GIT is None, reason="git is not installed")


@pytest.fixture
def git(tmp_path):
    """Runs git in a folder, with no settings of the user's; returns what it printed."""
    someone = {f"GIT_{role}_{what}": "a@b.c" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    env = os.environ | someone | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):  # set where the tests run in a hook of git's
        env.pop(name, None)

    def run(folder, *words):
        done = subprocess.run([GIT, *words], cwd=folder, env=env, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def course(tmp_path):
    """Runs `course` of the clone in a folder."""

    def run(folder, *words):
        paths = {"PYTHONPATH": str(folder), "JUPYTER_DATA_DIR": str(tmp_path / "jupyter")}
        env = {name: value for name, value in os.environ.items() if name != "COURSE_WORK"} | paths
        command = [sys.executable, "-m", "lessonkit.cli", *words]
        done = subprocess.run(
            command, cwd=folder, env=env, capture_output=True, text=True, encoding="utf-8", timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_a_pulled_chapter_reaches_the_copy_with_the_answers_and_git_status_is_clean(tmp_path, git, course):
    source, clone = tmp_path / "source", tmp_path / "le clone"
    for name in ("course_utils", "lessonkit"):
        shutil.copytree(PROJECT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROJECT / "course.toml", source)
    (source / "notebooks").mkdir()
    for name in ("00_start_here.ipynb", "05_training.ipynb"):
        shutil.copy(PROJECT / "notebooks" / name, source / "notebooks")
    shutil.copy(PROJECT / ".gitignore", source)
    git(source, "init", "--initial-branch", "main")
    git(source, "add", ".")
    git(source, "commit", "--message", "the course")
    git(tmp_path, "clone", "--quiet", str(source), str(clone))

    said = course(clone, "update")
    assert said == "2 chapters are copied to work: write there, the originals stay as they are.\n"
    copy = clone / "work" / "00_start_here.ipynb"
    notebook = nbformat.read(copy, as_version=4)
    answers = [cell.id for cell in notebook.cells if "exercise" in cell.metadata.get("tags", [])]
    solve(notebook)
    notebook.cells.insert(3, nbformat.v4.new_markdown_cell("a note of mine"))
    nbformat.write(notebook, copy)
    results = clone / "work" / "results" / "00_start_here"
    results.mkdir(parents=True)
    (results / "net.pt").write_bytes(b"weights")
    assert git(clone, "status", "--porcelain") == ""

    changed = nbformat.read(source / "notebooks" / "00_start_here.ipynb", as_version=4)
    text = next(cell for cell in changed.cells[1:] if cell.cell_type == "markdown")
    text.source += "\n\nA sentence that the course has added."
    nbformat.write(changed, source / "notebooks" / "00_start_here.ipynb")
    git(source, "commit", "--all", "--message", "a sentence")
    git(clone, "pull", "--ff-only")

    said = course(clone, "update")
    assert said.startswith(
        f"00_start_here: its new version, with {len(answers)} answers and 1 note of yours; your copy"
    )
    assert "work/old/00_start_here 20" in said
    result = {cell.id: cell.source for cell in nbformat.read(copy, as_version=4).cells}
    assert result[text.id].endswith("A sentence that the course has added.")
    assert "a note of mine" in result.values()
    solved = {cell.id: cell.source for cell in notebook.cells}
    assert {name: result[name] for name in answers} == {name: solved[name] for name in answers}
    assert git(clone, "status", "--porcelain") == ""
    assert course(clone, "reset", "00").startswith(
        "00_start_here: replaced by a new copy; your old copy is now work/old/00_start"
    )
    assert git(clone, "status", "--porcelain") == ""
