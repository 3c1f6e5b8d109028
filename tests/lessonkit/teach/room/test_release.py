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
from lessonkit.notebook.what_we_saw import page_name
from lessonkit.system.errors import Refused
from lessonkit.teach.room import release
from lessonkit.teach.room.release import MANIFEST, clear
from lessonkit.teach.room.tally import read_manifest

CHAPTERS = find()


def released(tmp_path, *names, core=False, bets=False):
    done = release.release(select(CHAPTERS, names), tmp_path / "for us é", core=core, without_bets=bets)
    return done, tmp_path / "for us é"


def test_nothing_is_changed_but_outputs_numbers_of_executions_and_links_out_of_the_handout(tmp_path):
    _, folder = released(tmp_path)
    for chapter in CHAPTERS:
        before, after = json.loads(chapter.path.read_bytes()), json.loads((folder / chapter.path.name).read_bytes())
        for old, new in zip(before["cells"], after["cells"], strict=True):
            if old["cell_type"] == "markdown":
                was, now = "".join(old["source"]), "".join(new["source"])
                assert now == was or (" (in the course's folder)" in now and "](../" in was)
                continue
            assert {**old, "outputs": [], "execution_count": None} == new
        metadata = {**before["metadata"], "language_info": after["metadata"]["language_info"]}
        assert metadata == after["metadata"], "with the language in full, JupyterLab has nothing to add"
        assert after["metadata"]["language_info"]["version"]


def test_what_we_saw_is_on_a_page_beside_each_without_what_gives_answers_away(tmp_path):
    _, folder = released(tmp_path)
    for chapter in CHAPTERS:
        shown = (folder / page_name(chapter.name)).read_text(encoding="utf-8")
        assert "course-verdict" not in shown and "course-hint" not in shown and "course-answer" not in shown
        for cell in nbformat.read(chapter.path, as_version=4).cells:
            told = json.dumps(cell.get("outputs", []))
            if told != "[]" and f'data-cell="{cell.id}"' not in shown:
                asks = {"exercise", "question"} & set(cell.metadata.get("tags", []))
                assert asks or "course-" in told or "doctor" in cell.source


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
    before.outputs[0].execution_count = None
    assert clear(notebook) == 1 and telling.outputs == [] and plain == before


def test_the_table_of_the_authors_machine_is_in_no_handout(tmp_path):
    _, folder = released(tmp_path, "00")
    assert "torch uses" in (PROJECT / "notebooks" / "00_start_here.ipynb").read_text(encoding="utf-8")
    assert "torch uses" not in (folder / "00_start_here.ipynb").read_text(encoding="utf-8")
    assert "torch uses" not in (folder / page_name("00_start_here")).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("source", "cleared"),
    [
        ("from course_utils.chapters.doctor.command import examine\nexamine()", True),
        ("x = 1\nimport lessonkit.doctor as d", True),
        ("    from toybox.doctor import facts", True),
        ("import doctors", False),
        ("# ask the doctor\nprint('doctor')", False),
    ],
)
def test_what_a_doctor_says_is_cleared_wherever_it_is_asked(source, cleared):
    cell = nbformat.v4.new_code_cell(source, outputs=[nbformat.v4.new_output("stream", text="2 of 2 cores")])
    assert clear(nbformat.v4.new_notebook(cells=[cell])) == cleared and bool(cell.outputs) != cleared


def test_a_core_with_cleared_bets_says_what_is_left_and_what_counts(tmp_path):
    done, folder = released(tmp_path, "00", "01", core=True, bets=True)
    assert all(one.bets > 3 and one.cleared > one.bets for one in done)
    assert any("(prediction − target)²" in warning for warning in done[1].warnings)
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    assert manifest["bets_cleared"] is True
    first_bet = next(cell for cell in nbformat.read(CHAPTERS[0].path, 4).cells if "numbers * 2" in cell.source)
    assert first_bet.outputs and first_bet.id not in (folder / page_name("00_start_here")).read_text(
        encoding="utf-8"
    )
    entry = manifest["notebooks"]["01_tensors.ipynb"]
    assert entry["exercises"] == ["bytes_of", "windows", "standardise"]
    assert entry["numbers"] == {"bytes_of": 1, "windows": 2, "standardise": 3}
    assert read_manifest(folder)["01_tensors"] == ("bytes_of", "windows", "standardise")
    first, last = (text_of(folder / "01_tensors.ipynb", number) for number in (0, -1))
    assert (
        "it has 1, 2 and 3" in first and "150 with" not in first and "[00 Start here](00_start_here.ipynb)" in first
    )
    assert "**Next: 02 autograd (not in this handout).**" in last
    assert "**Next: [01 tensors](01_tensors.ipynb).**" in text_of(folder / "00_start_here.ipynb", -1)


def text_of(path, number):
    return nbformat.read(path, as_version=4).cells[number].source
