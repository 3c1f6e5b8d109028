"""JupyterLab is given the start page beside the first chapter once, and the extension that follows the page."""

import hashlib
import json
import re

import pytest
from jupyterlab_server.config import get_federated_extensions
from jupyterlab_server.workspaces_handler import WORKSPACE_EXTENSION, WorkspacesManager

from lessonkit.notebook import what_we_saw
from lessonkit.progress import lab_layout, start_page
from lessonkit.progress.lab_layout import JUPYTER, arrange


def test_the_layout_is_one_that_jupyterlab_reads_and_holds_page_and_chapter(tmp_path):
    arrange(tmp_path / "layout", page="work/START.md", chapter="work/00_start_here.ipynb")
    layout = WorkspacesManager(str(tmp_path / "layout")).load("default")["data"]
    dock = layout["layout-restorer:data"]["main"]["dock"]
    tabs = [name for area in dock["children"] for name in area["widgets"]]
    assert dock["sizes"][0] < 0.3, "a line of code beside the page is seen to its end"
    assert [layout[name]["data"]["path"] for name in tabs] == ["work/START.md", "work/00_start_here.ipynb"]
    assert layout[tabs[0]]["data"]["factory"] == "Markdown Preview"


def test_a_layout_is_known_by_the_end_of_its_name_as_jupyterlab_writes_it(tmp_path):
    assert lab_layout.SUFFIX == WORKSPACE_EXTENSION
    assert arrange(tmp_path, page="START.md", chapter="00_start_here.ipynb").name.endswith(WORKSPACE_EXTENSION)


def test_a_layout_that_somebody_has_changed_stays(tmp_path):
    path = arrange(tmp_path, page="START.md", chapter="00_start_here.ipynb")
    path.write_text("changed", encoding="utf-8")
    assert arrange(tmp_path, page="START.md", chapter="01_tensors.ipynb") == path
    assert path.read_text(encoding="utf-8") == "changed"


@pytest.mark.parametrize("name", ["course-start-page", "course-desk"])
def test_an_extension_is_one_that_jupyterlab_loads_as_it_stands(name):
    extension = get_federated_extensions([str(JUPYTER / "labextensions")])[name]
    program = JUPYTER / "labextensions" / name / extension["jupyterlab"]["_build"]["load"]
    text = program.read_text(encoding="utf-8")
    assert f'window._JUPYTERLAB["{name}"] = {{ init:' in text
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    assert program.name.split(".")[1:] == [digest, "js"], (
        "browsers keep what has the same name: rename it, in package.json too"
    )
    assert list(program.parent.iterdir()) == [program]


def test_the_extensions_know_the_files_that_the_course_writes():
    programs = {path.name.split(".")[0]: path.read_text(encoding="utf-8") for path in JUPYTER.rglob("*.js")}
    assert re.search(r'PAGE = "(.*)"', programs["follow"]).group(1) == start_page.NAME
    assert float(re.search(r"WIDTH = ([\d.]+)", programs["follow"]).group(1)) == lab_layout._PAGE_WIDTH
    assert re.search(r'FOLDER = "(.*)"', programs["desk"]).group(1) == what_we_saw.FOLDER


def test_the_extensions_are_part_of_the_package(project):
    pyproject = (project / "pyproject.toml").read_text(encoding="utf-8")
    patterns = json.loads(re.search(r'"lessonkit.progress" = (\[.*\])', pyproject).group(1))
    files = {path for path in JUPYTER.rglob("*") if path.is_file()}
    assert files == {path for pattern in patterns for path in JUPYTER.parent.glob(pattern)}
