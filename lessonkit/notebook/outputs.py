"""Outputs made fit to be committed: the same text on every refresh, small pictures, nothing of this machine."""

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

from PIL import Image

from lessonkit.checks import verdict
from lessonkit.checks.verdict_box import without_answer
from lessonkit.system.place import PROJECT

PICTURE_LIMIT = 60 * 1024  # bytes of a PNG
WIDGET = "application/vnd.jupyter.widget-view+json"
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}")
CELL_FILE = re.compile(r"[^\s'\"]*ipykernel_\d+[/\\]\d+\.py")


class Unfit(Exception):
    """An output that cannot be stored; the text says what was found and what to do."""


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
    """Return `text` with the paths in a traceback or warning told without this machine: `site-packages/torch/…`."""
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
    """Raise `Unfit` when `text` tells of this machine, or of an address that is another one in every run."""
    for folder in (PROJECT, Path.home(), Path(tempfile.gettempdir()), Path(sys.prefix)):
        for form in {str(folder), folder.as_posix(), str(folder).replace("\\", "\\\\"), str(folder.resolve())}:
            if len(form) > 1 and re.search(rf"(?<![\w.]){re.escape(form)}(?=[/\\\s'\"]|$)", text):
                raise Unfit(f"the path {form} of this machine is in the output; print it relative to a folder")
    if not changes and (found := ADDRESS.search(text)):
        raise Unfit(f"a memory address ({found[0]}) is in the output; print something else, or tag the cell")


def fingerprint(source: str) -> str:
    """Return a short digest of a cell's source, stored beside outputs that are kept while it stays the same."""
    return hashlib.sha256(source.encode()).hexdigest()[:12]
