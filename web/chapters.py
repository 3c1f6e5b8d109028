"""A chapter as the site's page: the kept outputs as they are, with addresses, notes for navigation, a download."""

import ast
import copy
import re

import nbformat
import repository
import terms
from documents import with_links
from pictures import alternative, suits_inversion

from lessonkit.notebook import predictions
from lessonkit.notebook.catalog import NOTEBOOKS, Chapter
from lessonkit.notebook.folds import is_folded

HEADING = re.compile(r"^#{1,4} +(.*)$", re.MULTILINE)
CELL_LINK = re.compile(r"\]\((?:\d\d_\w+\.ipynb)?#cell-id=([\w-]+)\)")


def page(chapter: Chapter) -> nbformat.NotebookNode:
    """Return the notebook that Sphinx reads; the one on disk stays as it is."""
    nb = copy.deepcopy(nbformat.read(chapter.path, 4))
    heading, said = "", terms.introduced((NOTEBOOKS / "glossary.md").read_text(encoding="utf-8"))
    for cell in predictions.answered(nb.cells):
        cell.metadata.setdefault("tags", []).append("hide-output")  # MyST-NB's own tag
    for number, cell in enumerate(nb.cells):
        found = HEADING.findall(cell.source) if cell.cell_type == "markdown" else []
        if cell.cell_type == "markdown":
            cell.source = CELL_LINK.sub(r"](#cell-\1)", with_links(cell.source, f"notebooks/{chapter.path.name}"))
            entries = [terms.indexed(term, f"says-{terms.address(term)}") for term in said.get(cell.id, [])]
            cell.source = "\n".join([*entries, f"(cell-{cell.id})=", cell.source])
            if number == 0:
                cell.source += f"\n\n{download(chapter)}\n"
        else:
            around = "\n".join(
                one.source for one in nb.cells[max(number - 1, 0) : number + 2] if one.cell_type == "markdown"
            )
            _code(cell, heading or chapter.slug, around)
        heading = found[-1] if found else heading
    nb.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nb


def download(chapter: Chapter) -> str:
    """Return the lines under a title that offer the notebook itself, and say how its outputs are shown."""
    there = repository.binder(chapter, repository.address())
    binder = f" You can also [open it on Binder]({there}). {repository.UNSEEN}" if there else ""
    return (
        f":::{{container}} course-download\n{{download}}`{chapter.path.name} <../downloads/{chapter.path.name}>` · "
        f"To run it, and to have your answers checked, [install the course](../install.md).{binder}\n\n"
        "Where the text asks you for a prediction, the output is folded. Make your prediction, then open it.\n:::"
    )


def _code(cell: nbformat.NotebookNode, heading: str, around: str) -> None:
    draws = any("image/png" in output.get("data", {}) for output in cell.outputs)
    mystnb = {}
    if is_folded(cell, "source_hidden"):
        shown = cell.metadata.setdefault("tags", [])
        if "hide-output" not in shown:  # both folds would have the same words
            mystnb |= {
                f"code_prompt_{verb.lower()}": f"{verb} {_folded(cell.source, draws)}" for verb in ("Show", "Hide")
            }
        shown.append("hide-input")
    if draws:
        words = alternative(cell.source, re.sub(r"[`*]", "", heading))
        image = {"alt": words}
        if suits_inversion(cell, around):
            image["classes"] = "course-plot"
        mystnb["image"] = image
    if mystnb:
        cell.metadata["mystnb"] = mystnb


def _folded(source: str, draws: bool) -> str:
    """Return what is in the fold of a cell's code, in words."""
    if draws:
        return "the code that draws this"
    try:
        lines = ast.parse(source).body
    except SyntaxError:  # magics
        lines = []
    imports = bool(lines) and isinstance(lines[0], ast.Import | ast.ImportFrom)
    return "the imports" if imports else "the code of this cell"
