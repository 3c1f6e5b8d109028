"""Write a chapter's stored outputs to a page of its own, folded cell by cell, for copies that open without outputs.

The page is HTML without a script and without a file beside it, so every editor and browser shows it. JupyterLab's
extension `course-desk` reads the same page and shows each fold under its cell, also after the cell was run.
"""

import html
import re
from collections.abc import Iterator
from pathlib import PurePath

from nbformat import NotebookNode

from lessonkit.notebook.cells import wants_answer, without_colours
from lessonkit.notebook.predictions import answered

FOLDER = "what_we_saw"  # beside the notebooks; `course-desk` looks for the page there
FOLD = "What we saw"
MARK = "This output is ours, not yours. On your machine, times and other measured figures will differ."
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
# Of several forms of one output, the first that there is.
_FORMS = ("text/html", "text/markdown", "image/png", "text/plain")

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; font-size: 1.2rem; }
pre { overflow-wrap: anywhere; white-space: pre-wrap; font: 14px/1.4 ui-monospace, monospace; margin: 0.5rem 0; }
.source, td, th { border: 1px solid; border-color: color-mix(in srgb, currentColor 30%, transparent); }
.source { padding: 0.5rem 0.8rem; }
details { margin: 0.5rem 0 1.5rem; }
details > div { border-left: 4px solid #3b7dc4; padding: 0.3rem 0.8rem; }
summary { cursor: pointer; }
img { max-width: 100%; background: white; }
table { border-collapse: collapse; }
td, th { padding: 0.2rem 0.5rem; }
"""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{fold}: {title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{fold}: {title}</h1>
<p>This page shows what each cell of the chapter printed and drew when we ran it. First answer the question above a
cell and run the cell. Then unfold what we saw and compare. A new version of the chapter brings a new page.</p>
{sections}
</main>
</body>
</html>
"""


def page_name(name: str) -> PurePath:
    """Return where the page of the notebook `name` lies, seen from the notebook's folder.

    >>> page_name("05_training").as_posix()
    'what_we_saw/05_training.html'
    """
    return PurePath(FOLDER) / f"{name}.html"


def page(notebook: NotebookNode) -> bytes:
    """Return the page of a chapter with outputs: each code cell that has some, its source, and a fold.

    Exercises and questions are left out, because what is stored there is the verdict on an empty answer.
    """
    title = next(_headings(notebook.cells[:1]), "this chapter")
    shown = _PAGE.format(fold=FOLD, style=_STYLE, title=html.escape(title), sections="\n".join(_sections(notebook)))
    return shown.encode("utf-8", errors="xmlcharrefreplace")  # half a character, as a program may print it


def _sections(notebook: NotebookNode) -> Iterator[str]:
    above = said = None
    asked = {id(cell) for cell in answered(notebook.cells)}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            above = next(reversed(list(_headings([cell]))), above)
        elif cell.cell_type == "code" and not wants_answer(cell):
            shown = "\n".join(filter(None, map(_output, cell.outputs)))
            if not shown:
                continue
            if above != said:
                yield f"<h2>{html.escape(above)}</h2>"
                said = above
            yield _section(cell, shown, asked=id(cell) in asked)


def _section(cell: NotebookNode, shown: str, *, asked: bool) -> str:
    """Return the section of a cell; `data-asked` says that the text above asks for a prediction of its output."""
    return (
        f'<section data-cell="{html.escape(cell.get("id") or "")}"{" data-asked" if asked else ""}>\n'
        f'<pre class="source"><code>{html.escape(cell.source)}</code></pre>\n'
        f"<details><summary>{FOLD}</summary><div>\n<p>{MARK}</p>\n{shown}\n</div></details>\n</section>"
    )


def _output(output: NotebookNode) -> str:
    """Return an output in HTML; `data-mime` says how JupyterLab is to show it. Empty for what no page can show."""
    if output.output_type == "stream":
        return _text(f"application/vnd.jupyter.{output.name}", output.text)
    if output.output_type == "error":
        return _text("application/vnd.jupyter.stderr", "\n".join(output.traceback))
    data = output.get("data", {})
    form = next((form for form in _FORMS if form in data), None)
    if form == "text/html":
        return f'<div data-mime="text/html">{data[form]}</div>'
    if form == "text/markdown":
        from markdown_it import MarkdownIt  # for few chapters only

        drawn = MarkdownIt("commonmark", {"html": False}).enable("table").render(data[form])
        return f'<div data-mime="text/html">{drawn}</div>'
    if form == "image/png":
        picture = "".join(data[form].split())
        source = f"data:image/png;base64,{picture}"
        return f'<img data-mime="image/png" alt="The picture that this cell drew" src="{source}">'
    return _text("text/plain", data[form]) if form else ""


def _text(kind: str, text: str) -> str:
    # A browser drops a line break that follows <pre>.
    return f'<pre data-mime="{kind}">\n{html.escape(without_colours(text))}</pre>' if text else ""


def _headings(cells: list[NotebookNode]) -> Iterator[str]:
    for cell in cells:
        if cell.cell_type == "markdown":
            yield from (found[1] for found in _HEADING.finditer(cell.source))
