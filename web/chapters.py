"""A chapter as the site's page: the kept outputs as they are, with addresses, notes for navigation, a download."""

import copy
import re

import nbformat
from documents import with_links
from pictures import alternative

from lessonkit.notebook.catalog import Chapter

HEADING = re.compile(r"^#{1,4} +(.*)$", re.MULTILINE)
CELL_LINK = re.compile(r"\]\((?:\d\d_\w+\.ipynb)?#cell-id=([\w-]+)\)")


def page(chapter: Chapter) -> nbformat.NotebookNode:
    """Return the notebook that Sphinx reads; the one on disk stays as it is."""
    nb = copy.deepcopy(nbformat.read(chapter.path, 4))
    heading = ""
    for number, cell in enumerate(nb.cells):
        found = HEADING.findall(cell.source) if cell.cell_type == "markdown" else []
        if cell.cell_type == "markdown":
            cell.source = CELL_LINK.sub(r"](#cell-\1)", with_links(cell.source, f"notebooks/{chapter.path.name}"))
            cell.source = f"(cell-{cell.id})=\n{cell.source}"
            if number == 0:
                cell.source += f"\n\n{download(chapter)}\n"
        else:
            _code(cell, heading or chapter.slug)
        heading = found[-1] if found else heading
    nb.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nb


def download(chapter: Chapter) -> str:
    """Return the line under a title that offers the notebook itself."""
    return (
        f":::{{container}} course-download\n{{download}}`{chapter.path.name} <../downloads/{chapter.path.name}>` · "
        "to run it, and to have your answers checked, see [how to install it](../install.md).\n:::"
    )


def _code(cell: nbformat.NotebookNode, heading: str) -> None:
    if cell.metadata.get("jupyter", {}).get("source_hidden"):
        cell.metadata.setdefault("tags", []).append("hide-input")
    if any("image/png" in output.get("data", {}) for output in cell.outputs):
        words = alternative(cell.source, re.sub(r"[`*]", "", heading))
        cell.metadata["mystnb"] = {"image": {"alt": words}}
