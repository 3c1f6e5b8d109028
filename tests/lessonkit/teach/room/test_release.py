"""What is written for a room: the chapters, less the outputs that tell, and a manifest that says what they are."""

import copy
import hashlib
import json
import subprocess

import nbformat
import pytest

from course_utils import PROJECT
from lessonkit.desk.merge_base import text
from lessonkit.notebook.catalog import find, select
from lessonkit.system.errors import Refused
from lessonkit.teach.room import release
from lessonkit.teach.room.release import MANIFEST, clear

CHAPTERS = find()


def released(tmp_path, *names, core=False):
    done = release.release(select(CHAPTERS, names), tmp_path / "for us é", core=core)
    return done, tmp_path / "for us é"


def test_nothing_but_outputs_that_tell_is_changed(tmp_path):
    _, folder = released(tmp_path)
    for chapter in CHAPTERS:
        before, after = json.loads(chapter.path.read_bytes()), json.loads((folder / chapter.path.name).read_bytes())
        changed = 0
        for old, new in zip(before["cells"], after["cells"], strict=True):
            if old != new:
                changed += 1
                assert {**old, "outputs": [], "execution_count": None} == new
                told = json.dumps(old["outputs"])
                assert {"exercise", "question"} & set(old["metadata"].get("tags", [])) or "course-" in told
        assert before["metadata"] == after["metadata"] and changed
        kept = json.dumps(after)
        assert "course-verdict" not in kept and "course-hint" not in kept and "course-answer" not in kept


def test_what_is_not_changed_is_written_as_it_was():
    for chapter in CHAPTERS:
        assert text(nbformat.read(chapter.path, as_version=nbformat.NO_CONVERT)) == chapter.path.read_bytes()


def test_a_chapter_without_such_outputs_is_the_same_to_the_byte(tmp_path):
    _, folder = released(tmp_path, "01")
    first = (folder / "01_tensors.ipynb").read_bytes()
    again = release.release([type(CHAPTERS[0])(folder / "01_tensors.ipynb")], tmp_path / "again", core=False)
    assert again[0].cleared == 0 and (tmp_path / "again" / "01_tensors.ipynb").read_bytes() == first


def test_the_core_is_without_further(tmp_path):
    (one,), folder = released(tmp_path, "05", core=True)
    notebook = nbformat.read(folder / "05_training.ipynb", as_version=4)
    assert one.left_out > 5 and not any("further" in cell.metadata.get("tags", []) for cell in notebook.cells)
    assert json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["extent"] == "core"


def test_the_manifest_says_what_was_written(tmp_path):
    _, folder = released(tmp_path, "00", "12")
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    assert set(manifest["notebooks"]) == {"00_start_here.ipynb", "12_clinic.ipynb"}
    for name, entry in manifest["notebooks"].items():
        assert entry["sha256"] == hashlib.sha256((folder / name).read_bytes()).hexdigest()
        original = (PROJECT / "notebooks" / name).read_bytes()
        assert entry["sha256_of_original"] == hashlib.sha256(original).hexdigest() and len(entry["version"]) == 12
    assert manifest["packages"]["torch"] and manifest["packages"]["python"]
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=PROJECT, capture_output=True, text=True)
    if head.returncode == 0:
        assert manifest["commit"].removesuffix("+changes") == head.stdout.strip()


def test_another_release_takes_the_place_of_the_last_but_not_of_what_somebody_wrote(tmp_path):
    released(tmp_path, "00")
    _, folder = released(tmp_path, "01")
    released(tmp_path, "00", core=True)
    path = folder / "00_start_here.ipynb"
    path.write_text(path.read_text(encoding="utf-8") + " ", encoding="utf-8")
    with pytest.raises(Refused, match="somebody may have worked in it"):
        released(tmp_path, "00")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / MANIFEST).write_text("[]", encoding="utf-8")
    with pytest.raises(Refused, match="is no manifest of a release"):
        release.release(CHAPTERS[:1], tmp_path / "other", core=False)


def test_a_verdict_that_stands_in_another_cell_is_cleared_too():
    page = {"text/html": '<div class="course-note">a hint</div>', "text/plain": "a hint"}
    plain, telling = (nbformat.v4.new_code_cell("1") for _ in range(2))
    plain.outputs = [nbformat.v4.new_output("execute_result", {"text/html": "<b>1</b>"}, execution_count=3)]
    telling.outputs = [nbformat.v4.new_output("display_data", page)]
    notebook = nbformat.v4.new_notebook(cells=[plain, telling])
    before = copy.deepcopy(plain)
    assert clear(notebook) == 1 and telling.outputs == [] and plain == before
