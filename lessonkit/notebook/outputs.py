"""Store the outputs of an executed notebook in its chapter, normalised so that they can be committed.

Stored outputs are the same text at every refresh, hold small pictures, and say nothing of the machine.
"""

import base64
import hashlib
import io
import json
import re
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from PIL import Image

from lessonkit.checks import verdict
from lessonkit.checks.verdict_html import without_answer
from lessonkit.notebook.catalog import ODD, Chapter
from lessonkit.notebook.cells import code_cells, label, tags
from lessonkit.notebook.reader import Unreadable, load
from lessonkit.notebook.tags import LIVE_OUTPUT, UNCOMPARED
from lessonkit.system import atomic
from lessonkit.system.place import PROJECT

PICTURE_LIMIT = 60 * 1024  # bytes of a PNG
WIDGET = "application/vnd.jupyter.widget-view+json"
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}")
CELL_FILE = re.compile(r"[^\s'\"]*ipykernel_\d+[/\\]\d+\.py")
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
NOISE = ("papermill", "execution", "collapsed", "scrolled", "ExecuteTime", "widgets", "signature")
MADE_FROM = "outputs_of"  # cell metadata: fingerprint of the source that the kept outputs came from


class Unfit(Exception):
    """An output that cannot be stored; the text says what was found and what to do."""


def store(chapter: Chapter, executed: Path, *, renew: bool = False) -> int:
    """Write the outputs of the notebook `executed` into the chapter; return in how many cells they changed.

    Raises `Unfit` when an output must not be stored, OSError where the disk is full; the chapter is then as it was.
    """
    source, run = _read(chapter.path), _read(executed)
    try:
        changed = transfer(source, run, renew=renew)
        text = nbformat.writes(source, version=4) + "\n"
    except ODD as error:
        raise Unfit(f"{executed} is not this chapter executed ({type(error).__name__}: {error})"[:300]) from error
    atomic.write(chapter.path, text.encode())  # the chapter itself: a full disk must not cost it
    return changed


def _read(path: Path) -> NotebookNode:
    """Return the notebook in a file. Raises `Unfit` for what is none."""
    try:
        return load(path)
    except (OSError, Unreadable) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise Unfit(f"{path} is not a notebook: {reason[:200]}") from error


def transfer(source: NotebookNode, executed: NotebookNode, *, renew: bool) -> int:
    """Replace, in place, the outputs in `source` by those in `executed`; return in how many cells they changed.

    Raises `Unfit` naming every cell with an output that must not be stored.
    """
    changed, unfit = 0, []
    for number, (cell, run) in enumerate(zip(code_cells(source), code_cells(executed), strict=True), start=1):
        old = cell.outputs
        try:
            cell.outputs = outputs(cell, run, number=number, renew=renew)
        except Unfit as error:
            unfit.append(f"{label(number, cell)} -> {error}")
        cell.execution_count = number
        changed += old != cell.outputs
    if unfit:
        raise Unfit("\n    ".join(["", *unfit]))
    for position, cell in enumerate(source.cells):
        cell.setdefault("id", f"cell-{position:02}")
        cell.metadata = {key: value for key, value in cell.metadata.items() if key not in NOISE and value != []}
        if cell.cell_type == "code" and not cell.source.strip():
            cell.outputs, cell.execution_count = [], None
    source.nbformat, source.nbformat_minor = 4, max(5, source.nbformat_minor)
    others = {key: value for key, value in source.metadata.items() if key not in NOISE}
    # No version of Python: it would change with every machine.
    source.metadata = nbformat.from_dict(others | {"kernelspec": KERNEL, "language_info": {"name": "python"}})
    return changed


def outputs(cell: NotebookNode, run: NotebookNode, *, number: int, renew: bool) -> list[NotebookNode]:
    """Return the outputs to store for `cell`, whose executed twin is `run`; note in its metadata what they are of.

    Those that depend on the machine are kept as they are while the source is the same, unless `renew`.
    Raises `Unfit` for one that must not be stored.
    """
    if LIVE_OUTPUT in tags(cell):
        return []
    changes = UNCOMPARED in tags(cell)
    mark = fingerprint(cell.source)
    if changes and cell.outputs and cell.metadata.get(MADE_FROM) == mark and not renew:
        return tidy(cell.outputs, number=number, changes=True)
    if changes:
        cell.metadata[MADE_FROM] = mark
    else:
        cell.metadata.pop(MADE_FROM, None)
    return tidy(run.outputs, number=number, changes=changes)


def tidy(outputs: list, *, number: int, changes: bool) -> list:
    """Return the outputs of cell `number`, normalised.

    `changes` says that they are known to differ from run to run, and so may hold memory addresses.
    Raises `Unfit` for a picture that stays too large, a path of this machine, or a memory address.
    """
    kept = [output for output in merged(outputs) if WIDGET not in output.get("data", {})]
    for output in kept:
        if output["output_type"] == "execute_result":
            output["execution_count"] = number
        if output["output_type"] == "error":
            output["traceback"] = [shortened(line) for line in output["traceback"]]
        if output["output_type"] == "stream" and output["name"] == "stderr":
            output["text"] = shortened(output["text"])
        if "metadata" in output:
            output["metadata"] = {}
        if verdict.MIME in output.get("data", {}):  # a reader on the way to the exercise sees this, too
            output["data"]["text/html"] = without_answer(output["data"]["text/html"])
        if "image/png" in output.get("data", {}):
            output["data"]["image/png"] = small(output["data"]["image/png"])
        for text in texts(output):
            refuse(text, changes=changes)
    return kept


def merged(outputs: list) -> list:
    """Return `outputs` with consecutive pieces of one stream joined: how they were cut depends on time."""
    result: list = []
    for output in outputs:
        last = result[-1] if result else None
        if last and output["output_type"] == last["output_type"] == "stream" and output["name"] == last["name"]:
            last["text"] += output["text"]
        else:
            result.append(output.copy())
    return result


def shortened(text: str) -> str:
    """Return `text` with the paths in a traceback or warning shortened to `site-packages/torch/…` and the like."""
    text = CELL_FILE.sub("cell.py", text)
    for folder, name in (
        (sysconfig.get_path("purelib"), "site-packages"),
        (sysconfig.get_path("stdlib"), "python"),
        (str(PROJECT), "."),
    ):
        for form in (str(folder), str(Path(folder).resolve()), _in_home(Path(folder))):
            text = text.replace(form, name) if form else text
    return text


def _in_home(folder: Path) -> str:
    """Return `~/…` as IPython shortens it, or nothing for a folder that is not in the user's home."""
    home = Path.home()
    return f"~/{folder.relative_to(home).as_posix()}" if folder.is_relative_to(home) else ""


def small(picture: str) -> str:
    """Return a base64 PNG of at most `PICTURE_LIMIT` bytes: as it is, or with a palette of up to 256 colours.

    Raises `Unfit` for one that is larger even with 64 colours.
    """
    data = base64.b64decode(picture)
    if len(data) <= PICTURE_LIMIT:
        return picture
    with Image.open(io.BytesIO(data)) as image:
        full = image.convert("RGBA")
    method = Image.Quantize.FASTOCTREE  # the one that keeps transparency
    if full.getchannel("A").getextrema() == (255, 255):
        full, method = full.convert("RGB"), Image.Quantize.MEDIANCUT  # closer to the colours
    for colours in (256, 128, 64):
        file = io.BytesIO()
        full.quantize(colours, method=method).save(file, "PNG", optimize=True)
        if file.tell() <= PICTURE_LIMIT:
            return base64.b64encode(file.getvalue()).decode("ascii")
    raise Unfit(
        f"a picture of {len(data) // 1024} KB, {file.tell() // 1024} KB with 64 colours; at most "
        f"{PICTURE_LIMIT // 1024} KB are stored: a smaller figsize or dpi, or fewer marks"
    )


def texts(output: dict) -> Iterator[str]:
    """Yield every text in an output: a stream, a traceback, or the text kinds of a bundle."""
    if output["output_type"] == "stream":
        yield output["text"]
    elif output["output_type"] == "error":
        yield from (output["evalue"], *output["traceback"])
    else:
        for kind, value in output["data"].items():
            if not kind.startswith("image/") or kind == "image/svg+xml":
                yield value if isinstance(value, str) else json.dumps(value)


def refuse(text: str, *, changes: bool) -> None:
    """Raise `Unfit` if `text` holds a path of this machine, or a memory address, which differs in every run."""
    for folder in (PROJECT, Path.home(), Path(tempfile.gettempdir()), Path(sys.prefix)):
        for form in {str(folder), folder.as_posix(), str(folder).replace("\\", "\\\\"), str(folder.resolve())}:
            if len(form) > 1 and re.search(rf"(?<![\w.]){re.escape(form)}(?=[/\\\s'\"]|$)", text):
                raise Unfit(f"the path {form} of this machine is in the output; print it relative to a folder")
    if not changes and (found := ADDRESS.search(text)):
        raise Unfit(f"a memory address ({found[0]}) is in the output; print something else, or tag the cell")


def fingerprint(source: str) -> str:
    """Return a short digest of a cell's source, stored with outputs that are kept until it changes."""
    return hashlib.sha256(source.encode()).hexdigest()[:12]
