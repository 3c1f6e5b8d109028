"""What a cell put out, as blocks: text shortened and saying so, pictures, verdicts, the two ends of an error."""

import html
import re
from dataclasses import replace
from functools import partial

from nbformat import NotebookNode

from lessonkit.notebook.cells import without_colours
from lessonkit.notebook.outputs import merged
from lessonkit.teach.slides import sizes, table
from lessonkit.teach.slides.block import Block
from lessonkit.teach.slides.code import MOST_ROWS, plain
from lessonkit.teach.slides.picture import picture
from lessonkit.teach.slides.prose import passages

MOST_TEXT = MOST_ROWS - 1
MOST_TABLE = sizes.body("a title that takes two lines " * 3) - 2 * sizes.GAP
HEAD_OF_ERROR, END_OF_ERROR = 7, 9  # rows of a traceback: where it began in the cell, and the message
LONGEST = 10  # rows of one line
_FOLDS = re.compile(r"<details.*</details>", re.DOTALL)
_HINT = re.compile(r"<summary>Hint \d+ of \d+</summary><div>(.*?)</div>", re.DOTALL)
_TITLE = re.compile(r"""title\s*=\s*f?(["'])(.+?)\1""")


def output_blocks(cell: NotebookNode, about: str) -> list[Block]:
    """Return the outputs of a cell as blocks that are revealed; `about` names what a picture belongs to.

    Raises ValueError for an output of a kind that a slide cannot show.
    """
    return [block for output in merged(cell.outputs) for block in _blocks(output, cell, about)]


def hints(cell: NotebookNode) -> list[str]:
    """Return the hints, HTML, that the stored verdicts of an exercise unfold."""
    pages = [output.get("data", {}).get("text/html", "") for output in cell.outputs]
    return [hint for page in pages for hint in _HINT.findall(page)]


def _blocks(output, cell, about):
    if output.output_type == "stream":
        return _text(output.text)
    if output.output_type == "error":
        return [_error(output)]
    data = output.data
    if "image/png" in data:
        return [picture(data["image/png"], _described(cell, about))]
    if "text/html" in data:
        return [_page(data["text/html"])]
    if "text/markdown" in data:
        found = [piece for passage in passages(data["text/markdown"]) for piece in passage.pieces]
        return [replace(block, reveals=True) for piece in found for block in _markdown(piece)]
    if "text/plain" in data:
        return _text(data["text/plain"])
    raise ValueError(f"an output of {', '.join(data) or 'no kind'}; text, HTML, Markdown and PNG can be shown")


def _markdown(piece):
    return table.shortened(piece.tokens, MOST_TABLE) if piece.kind == "table" else piece.blocks()


def _text(text):
    lines = without_colours(text).rstrip().splitlines()
    if not lines:
        return []
    small = max(map(len, lines)) > sizes.COLUMNS
    most = (MOST_TEXT * sizes.CODE_LINE) // sizes.SMALL_LINE if small else MOST_TEXT
    lines = shortened(lines, most, sizes.SMALL_COLUMNS if small else sizes.COLUMNS)
    style = "output small" if small else "output"
    return [Block(plain(lines, style), partial(sizes.code_height, lines, small=small), reveals=True)]


def shortened(lines: list[str], most: int, columns: int) -> list[str]:
    """Return lines that take at most `most` rows; a last one says how many are left out."""
    lines = [_cut(line, columns) for line in lines]
    if sum(sizes.rows(line, columns) for line in lines) <= most:
        return lines
    kept, height = [], 0
    for line in lines:
        height += sizes.rows(line, columns)
        if height > most - 1:
            break
        kept.append(line)
    return [*kept, _left_out(len(lines) - len(kept))]


def _cut(line, columns):
    longest = columns + (LONGEST - 2) * (columns - 50)
    return line if len(line) <= longest else f"{line[:longest]} … {len(line) - longest:,} more letters"


def _left_out(number):
    return f"… {number:,} more {'line' if number == 1 else 'lines'}"


def _error(output):
    lines = [line for line in without_colours("\n".join(output.traceback)).splitlines() if line.strip(" -")]
    message = without_colours(f"{output.ename}: {output.evalue}").splitlines()
    columns = sizes.SMALL_COLUMNS
    body = lines[: max(1, len(lines) - len(message))]
    body = [*_own_frame(body, columns), *shortened(message, END_OF_ERROR, columns)]
    return Block(plain(body, "output error small"), partial(sizes.code_height, body, small=True), reveals=True)


def _own_frame(lines, columns):
    """Return the last frame of a cell with its arrow, and how many lines are left out."""
    if sum(sizes.rows(line, columns) for line in lines) <= HEAD_OF_ERROR + 3:
        return lines
    cells = [number for number, line in enumerate(lines) if line.startswith("Cell ")]
    last = cells[-1] if cells else 0
    frame = lines[last : last + 40]
    arrow = next((number for number, line in enumerate(frame) if line.lstrip().startswith("--")), len(frame) - 1)
    start, end = max(1, arrow - 3), min(len(frame), arrow + 2)
    after = next((number for number in range(arrow + 1, end) if not re.match(r"\s+\d", frame[number])), end)
    kept = [lines[0], *([frame[0]] if last else []), *frame[start:after]]
    return [*shortened(kept, HEAD_OF_ERROR + 3, columns), _left_out(len(lines) - len(kept))]


def _described(cell, about):
    titles = [found[1] for found in _TITLE.findall(cell.source)]
    return f"The picture that this cell draws: {'; '.join(titles) or about}"


def _page(page):
    """Return a verdict or note of ours without what unfolds; of other HTML, that only the notebook shows it."""
    if 'class="course-' not in page:
        kind = "a sound" if "<audio" in page else "a page"
        line = f"Here the notebook shows {kind}."
        return Block(f'<p class="elsewhere">{line}</p>', partial(sizes.text_height, line), reveals=True)
    bare = _FOLDS.sub("", page)
    text = html.unescape(re.sub(r"<[^>]+>", "", bare.replace("<br>", "\n")))
    measure = partial(sizes.text_height, text, padding=24, columns=sizes.TEXT_COLUMNS - 6)
    return Block(f'<div class="verdict">{bare}</div>', measure, reveals=True)
