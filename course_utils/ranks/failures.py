"""How a rank failed: the error that its parent raises, with what the rank was doing when it died or was too slow.

What it was doing is read from the stack that faulthandler has dumped for it.
"""

from __future__ import annotations

import linecache
import re
import site
import sysconfig
import time
from pathlib import Path

from course_utils.ranks import cell_sources
from course_utils.ranks.members import Outputs
from lessonkit.system import processes

FRAME = re.compile(r'  File "(?P<file>.*)", line (?P<line>\d+) in (?P<name>.+)')
WAIT = 1.0  # seconds a dump may come later than its moment: the machine may be busy
OWN = Path(__file__).with_name("worker.py")  # below its frames is only how a rank starts


class RankError(Exception):
    """A rank failed: `rank`, `kind` ("raised", "died" or "too slow") and `trace`, the text it left behind."""

    def __init__(self, message: str, *, rank: int, kind: str, trace: str):
        super().__init__(message)
        self.rank, self.kind, self.trace = rank, kind, trace


class RankTrace(Exception):
    """What a rank left behind, shown by Python above the `RankError` it belongs to."""


def raised(rank: int, reports: dict[int, dict], *, of: int) -> RankError:
    """Return the error for a rank whose function raised. `reports`: what the ranks reported; `of`: how many are."""
    message = f"rank {rank} of {of} raised {reports[rank]['headline']}"
    return _error(message, rank=rank, kind="raised", trace=reports[rank]["trace"])


def died(rank: int, code: int, outputs: Outputs, *, of: int) -> RankError:
    """Return the error for a rank whose process is gone. `code`: as `Popen.returncode` has it."""
    trace = last_words(outputs, rank) or "no word"
    return _error(f"rank {rank} of {of} died: {cause(code)}", rank=rank, kind="died", trace=trace)


def too_slow(reports: dict[int, dict], folder: Path, *, of: int, timeout: float) -> RankError:
    """Return the error for a run that was not over after `timeout` seconds. `folder`: of the ranks' stacks."""
    late = [rank for rank in range(of) if rank not in reports]
    phrases, trace = doing(folder, late)
    phrases += [f"rank {rank} had returned" for rank in sorted(reports)]
    message = f"not finished within {timeout:g} s: {'; '.join(phrases)}"
    return _error(message, rank=late[0], kind="too slow", trace=trace)


def _error(message, *, rank, kind, trace):
    error = RankError(message, rank=rank, kind=kind, trace=trace)
    error.__cause__ = RankTrace(f"what rank {rank} left behind:\n\n{trace}")
    return error


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
        ours = frame["file"].startswith(cell_sources.BEGINS)
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
    place = cell_sources.place(user["file"], user["line"])
    if frames[0] is user:
        return f"in `{user['name']}` ({place})"
    return f"in `{frames[0]['name']}`, called by `{user['name']}` ({place})"


def _is_users(file):
    """Whether a frame's file is neither the standard library's nor an installed package's."""
    roots = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), *site.getsitepackages()}
    if file.startswith("<"):
        return file.startswith((cell_sources.BEGINS, "<string>", "<stdin>"))
    return not any(Path(file).is_relative_to(root) for root in roots)
