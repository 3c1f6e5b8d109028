"""What a rank was doing when its time was over or it died, read from the dump that faulthandler wrote for it."""

import linecache
import re
import site
import sysconfig
import time
from pathlib import Path

from course_utils.ranks import cells
from course_utils.ranks.outputs import Outputs
from lessonkit.system import processes

FRAME = re.compile(r'  File "(?P<file>.*)", line (?P<line>\d+) in (?P<name>.+)')
WAIT = 1.0  # seconds a dump may come later than its moment: the machine may be busy
OWN = Path(__file__).with_name("worker.py")  # below its frames is only how a rank starts


def doing(folder: Path, unfinished: list[int]) -> tuple[list[str], str]:
    """Return (a phrase for each unfinished rank, all the dumps as one text). `unfinished`: numbers of ranks.

    The phrase names the innermost Python function, and the place in the user's own files it was called from.
    """
    until = time.monotonic() + WAIT
    while time.monotonic() < until and not all(_main_thread(folder, rank) for rank in unfinished):
        time.sleep(0.05)
    time.sleep(0.05)  # a dump is written line by line
    dumps = {rank: _main_thread(folder, rank) for rank in unfinished}
    text = "\n\n".join(f"rank {rank}:\n" + (_with_source(lines) or "(no stack)") for rank, lines in dumps.items())
    return [f"rank {rank} was {_phrase(lines)}" for rank, lines in dumps.items()], text


def cause(code: int) -> str:
    """Return a phrase for what ended a process without a report. `code`: as `Popen.returncode` has it."""
    if code >= 0:
        return f"it left with code {code} and no exception, as os._exit does"
    return processes.ending(code)


def last_words(outputs: Outputs, rank: int) -> str:
    """Return what a dead rank wrote through C++ or the interpreter, and the stack it crashed with, if any."""
    _, _, stack = _stack(outputs.folder, rank).partition("\n")
    parts = (outputs.new(rank, "err"), outputs.new(rank, "log"), stack)
    return "\n".join(part.strip()[-3000:] for part in parts if part.strip())


def _stack(folder, rank):
    """Return the number of the rank's main thread, and then what faulthandler has dumped in this run."""
    path = folder / f"{rank}.stack"
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


def _main_thread(folder, rank):
    """Lines of the rank's main thread, innermost frame first; empty where there is no dump."""
    ident, _, dump = _stack(folder, rank).partition("\n")
    for header, lines in re.findall(r"(?m)^(?:Current thread|Thread) (0x[0-9a-f]+).*\n((?:  .*\n?)*)", dump):
        if int(header, 16) == int(ident):
            return [line for line in lines.splitlines() if FRAME.match(line)]
    return []


def _with_source(lines):
    """Return the frames as text, a cell's with its line of code, which the reader finds in no file."""
    text = []
    for line in lines:
        frame = FRAME.match(line)
        ours = frame["file"].startswith(cells.BEGINS)
        source = linecache.getline(frame["file"], int(frame["line"])).strip() if ours else ""
        text += [line, f"    {source}"] if source else [line]
    return "\n".join(text)


def _phrase(lines):
    frames = [FRAME.match(line) for line in lines]
    own = next((i for i, frame in enumerate(frames) if Path(frame["file"]) == OWN), len(frames))
    if not frames:
        return "not yet up"
    if own == 0 or not any(_is_users(frame["file"]) for frame in frames[:own]):
        inner = frames[own]["name"] if own < len(frames) else "start"
        return "importing torch" if any("torch/__init__" in f["file"] for f in frames) else f"starting ({inner})"
    user = next(frame for frame in frames[:own] if _is_users(frame["file"]))
    place = cells.place(user["file"], user["line"])
    if frames[0] is user:
        return f"in `{user['name']}` ({place})"
    return f"in `{frames[0]['name']}`, called by `{user['name']}` ({place})"


def _is_users(file):
    """Whether a frame's file is neither the standard library's nor an installed package's."""
    roots = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), *site.getsitepackages()}
    if file.startswith("<"):
        return file.startswith((cells.BEGINS, "<string>", "<stdin>"))
    return not any(Path(file).is_relative_to(root) for root in roots)
