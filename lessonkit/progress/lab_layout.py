"""Lay JupyterLab out with the start page to the left of the first chapter, unless the user has a layout already."""

import json
import tempfile
from pathlib import Path

from lessonkit.system import atomic

# JupyterLab finds the extension that follows the page where JUPYTER_PATH names this folder.
JUPYTER = Path(__file__).with_name("jupyter")
SUFFIX = ".jupyterlab-workspace"  # of JupyterLab's layouts
_PAGE_WIDTH = 0.27  # of the window: beside it a line of 88 characters is seen whole at 1280 pixels


def arrange(folder: Path, *, page: str, chapter: str) -> Path:
    """Write JupyterLab's layout, the page's preview to the left of the chapter, unless one is kept in `folder`.

    `page`, `chapter`: paths from JupyterLab's root, with slashes. Return the layout's file, which JupyterLab writes
    anew whenever somebody moves something. Raises OSError.
    """
    for there in folder.glob(f"*{SUFFIX}"):
        return there
    from jupyterlab_server.workspaces_handler import WorkspacesManager  # takes a second, so only for a new folder

    page_tab, chapter_tab = f"markdownviewer-widget:{page}", f"notebook:{chapter}"
    dock = {
        "type": "split-area",
        "orientation": "horizontal",
        "sizes": [_PAGE_WIDTH, 1 - _PAGE_WIDTH],
        "children": [_tabs(page_tab), _tabs(chapter_tab)],
    }
    data = {
        "layout-restorer:data": {
            "main": {"dock": dock, "current": chapter_tab},
            "left": {"collapsed": True, "visible": True, "current": None, "widgets": ["filebrowser"]},
        },
        page_tab: {"data": {"path": page, "factory": "Markdown Preview"}},
        chapter_tab: {"data": {"path": chapter, "factory": "Notebook"}},
    }
    layout = {"data": data, "metadata": {"id": "default"}}
    with tempfile.TemporaryDirectory() as aside:  # JupyterLab's own way to write it may leave half of it
        made = Path(WorkspacesManager(aside).save("default", json.dumps(layout)))
        atomic.make_folder(folder)
        atomic.write(folder / made.name, made.read_bytes())
        return folder / made.name


def _tabs(*names: str) -> dict:
    return {"type": "tab-area", "currentIndex": 0, "widgets": list(names)}
