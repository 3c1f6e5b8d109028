"""What a cell has put out, made fit for a slide: one kind each, verdicts without what unfolds, short tracebacks."""

import html
import re

from nbformat import NotebookNode
from nbformat.v4 import new_output

from lessonkit.notebook.cells import without_colours
from lessonkit.notebook.outputs import merged

_FOLDS = re.compile(r"<details.*</details>", re.DOTALL)
_HINT = re.compile(r"<summary>Hint \d+ of \d+</summary><div>(.*?)</div>", re.DOTALL)
_TITLE = re.compile(r"""title\s*=\s*f?(["'])(.+?)\1""")


def outputs(cell: NotebookNode) -> list[NotebookNode]:
    """Return the outputs of a cell, each with one kind of data. Raises ValueError for one that cannot be shown."""
    return [shown for output in merged(cell.outputs) if (shown := _shown(output)) is not None]


def described(cell: NotebookNode, about: str) -> str:
    """Return what a screen reader says of a cell's picture: the titles in its code, or else `about`."""
    titles = [found[1] for found in _TITLE.findall(cell.source)]
    return f"The picture that this cell draws: {'; '.join(titles) or about}"


def hints(cell: NotebookNode) -> list[str]:
    """Return the hints, as Markdown, that the stored verdicts of an exercise unfold."""
    pages = [output.get("data", {}).get("text/html", "") for output in cell.outputs]
    return [_markdown(hint) for page in pages for hint in _HINT.findall(page)]


def _markdown(hint):
    """Return the text of which `verdict_html.words` has made this HTML; a line's end is kept as one."""
    text = re.sub(r"</?em>", "*", re.sub(r"</?code>", "`", hint.replace("<br>", "  \n")))
    return html.unescape(re.sub(r"<[^>]+>", "", text))


def _shown(output):
    if output.output_type == "stream":
        return _text(output.text)
    if output.output_type == "error":
        return new_output("error", ename=output.ename, evalue=output.evalue, traceback=_traceback(output))
    data = output.data
    if "image/png" in data:
        return _display("image/png", "".join(data["image/png"].split()))
    if "text/html" in data:
        return _page(data["text/html"])
    if "text/markdown" in data:
        return _display("text/markdown", data["text/markdown"])
    if "text/plain" in data:
        return _text(data["text/plain"])
    raise ValueError(f"an output of {', '.join(data) or 'no kind'}; text, HTML, Markdown and PNG can be shown")


def _display(kind, content):
    return new_output("display_data", {kind: content})


def _text(text):
    text = without_colours(text).rstrip()
    return new_output("stream", name="stdout", text=text) if text else None


def _traceback(output):
    """Return the frames of the cell and the message; of the libraries' frames, how many lines there are."""
    frames = [without_colours(frame).rstrip() for frame in output.traceback]
    kept, skipped = [], 0
    for frame in [frame for frame in frames if frame.strip("- ")]:
        if frame.startswith("File "):
            skipped += len(frame.splitlines())
            continue
        kept += [f"… {skipped} more lines"] if skipped else []
        kept.append(frame)
        skipped = 0
    return kept


def _page(page):
    """Return a verdict or note of ours without what unfolds; of other HTML, that only the notebook shows it."""
    if 'class="course-' in page:
        return _display("text/html", _FOLDS.sub("", page))
    return _display("text/markdown", f"*Here the notebook shows {'a sound' if '<audio' in page else 'a page'}.*")
