"""START's links to exercises: each ends at the cell of its exercise, where the learner's copy has that cell."""

import json
import re
import shutil

import pytest

from course_utils import PROJECT
from lessonkit.progress import start_page
from lessonkit.progress.contents import contents


@pytest.mark.parametrize("chapter", ["00_start_here", "01_tensors", "12_clinic", "13_text"])
def test_every_link_to_an_exercise_ends_at_the_cell_that_checks_it(tmp_path, chapter):
    """In a copy as it is made; its exercises are found by what their cells do."""
    one = next(one for one in contents() if one.chapter.name == chapter)
    shutil.copy(one.chapter.path, tmp_path)
    assert start_page.write(tmp_path)
    text = (tmp_path / "START.md").read_text(encoding="utf-8")
    ids = re.findall(rf"^- ○ \[.*\]\({chapter}\.ipynb#cell-id=([\w-]+)\)$", text, re.M)
    cells = {cell["id"]: "".join(cell["source"]) for cell in json.loads(one.chapter.path.read_bytes())["cells"]}
    checks = [re.findall(r"ex\.(\w+)\.check\(|ask\(\"([^\"]+)\"", cells[identity]) for identity in ids]
    assert len(ids) == len(one.tasks)
    assert all(
        task.name in {"".join(pair) for pair in found} for task, found in zip(one.tasks, checks, strict=True)
    )


def without_ids(notebook):
    for cell in notebook["cells"]:
        del cell["id"]


def with_another_id(notebook):
    notebook["cells"] = [cell | {"id": f"new-{number}"} for number, cell in enumerate(notebook["cells"])]


def without_exercises(notebook):
    notebook["cells"] = [cell for cell in notebook["cells"] if "exercise" not in cell["metadata"].get("tags", [])]


@pytest.mark.parametrize("spoil", [without_ids, with_another_id, without_exercises, None])
def test_an_exercise_whose_cell_a_copy_has_no_longer_is_a_link_to_the_chapter(tmp_path, spoil):
    copy = tmp_path / "05_training.ipynb"
    if spoil:
        notebook = json.loads((PROJECT / "notebooks" / copy.name).read_bytes())
        spoil(notebook)
        copy.write_text(json.dumps(notebook), encoding="utf-8")
    start_page.write(tmp_path)
    text = (tmp_path / "START.md").read_text(encoding="utf-8")
    assert "- ○ [Exercise 2: a fair measurement](05_training.ipynb)\n" in text
    assert "05_training.ipynb#" not in text


def test_one_deleted_exercise_leaves_the_links_of_the_others_and_has_its_own_again_when_it_is_back(tmp_path):
    whole = (PROJECT / "notebooks" / "05_training.ipynb").read_bytes()
    notebook, copy = json.loads(whole), tmp_path / "05_training.ipynb"
    [gone] = [cell for cell in notebook["cells"] if "ex.measure.check(measure)" in "".join(cell["source"])]
    notebook["cells"].remove(gone)
    copy.write_text(json.dumps(notebook), encoding="utf-8")
    start_page.write(tmp_path)
    text = (tmp_path / "START.md").read_text(encoding="utf-8")
    assert "[Exercise 2: a fair measurement](05_training.ipynb)" in text
    assert text.count("05_training.ipynb#cell-id=") == len(contents()[5].tasks) - 1
    copy.write_bytes(whole)
    start_page.write(tmp_path)
    assert f"[Exercise 2: a fair measurement](05_training.ipynb#cell-id={gone['id']})" in (
        (tmp_path / "START.md").read_text(encoding="utf-8")
    )
