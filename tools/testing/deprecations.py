"""Deprecations that a run of chapters raised, in all its processes: counted for each chapter, with their origin.

    with_ears(folder)         the environment in which a run notes them, as overheard/sitecustomize.py does
    read(folder, notebooks)   {chapter: [Deprecation, ...]}, the course's own first
    table(results, found)     a line for each chapter: status, seconds, what broke, how many, then each one

A deprecation is the course's own if the line that Python blames lies in a cell, in a script of the course or in one
of its packages: we call what is deprecated. Else it is a library's, and `reached` says by which line of ours.
"""

import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from depends import PACKAGES
from ipykernel.compiler import get_tmp_hash_seed, murmur2_x86

from course_utils import PROJECT
from lessonkit.notebook.cells import code_cells

EARS = Path(__file__).resolve().parent / "overheard"
PID = re.compile(r"\(pid=\d+\)")  # Python's own of fork(): another number in each run
LIBRARY = re.compile(r"/(site-packages|dist-packages|python3\.\d+)/|^<")
LONG = 200  # characters of a message that are kept


class Deprecation(NamedTuple):
    """`by`: "cell 7", "script job.py", "course_utils/launch.py", or a library's module; `times`: at least."""

    ours: bool
    by: str
    reached: str
    kind: str
    text: str
    times: int
    processes: list[str]


def with_ears(folder: Path) -> dict[str, str]:
    """Return the variables with which Python notes deprecations as files in `folder`, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join(filter(None, [str(EARS), os.environ.get("PYTHONPATH")]))
    return {"COURSE_DEPRECATIONS": str(folder), "PYTHONPATH": path}


def read(folder: Path, notebooks: dict[str, object]) -> dict[str, list[Deprecation]]:
    """Return what was noted in `folder` for each chapter; `notebooks`: {chapter: the notebook that was executed}.

    What was raised outside a chapter, as by the program that starts them, stands under "the runner".
    """
    cells = {name: _numbers(book) for name, book in notebooks.items()}
    found: dict[str, dict[tuple, tuple[Counter, int]]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for text in path.read_text(encoding="utf-8").splitlines():
            try:
                line = json.loads(text)
            except ValueError:
                continue  # a process that was ended while it wrote
            line["course"] = shortened(line["course"])
            chapter = next((word for word in line["run"].split("/") if word in notebooks), "the runner")
            ours, by = _origin(line, cells.get(chapter, {}))
            key = (ours, by, _reached(line, cells.get(chapter, {})), line["kind"], _first_line(line["text"]))
            processes, times = found.setdefault(chapter, {}).get(key, (set(), 0))
            found[chapter][key] = (processes | {line["process"]}, times + 1)
    return {
        chapter: sorted(
            (Deprecation(*key, times, sorted(processes)) for key, (processes, times) in lines.items()),
            key=lambda one: (not one.ours, -one.times, one.by, one.text),
        )
        for chapter, lines in sorted(found.items())
    }


def _first_line(text):
    return PID.sub("(pid=…)", text.strip().splitlines()[0] if text.strip() else "")[:LONG]


def _numbers(book):
    """{what ipykernel, and a rank by what the cell defines, call the file of a cell: the cell's number}"""
    found = {}
    for number, cell in enumerate(code_cells(book), start=1):
        found[f"{murmur2_x86(cell.source, get_tmp_hash_seed())}.py"] = number
        for name in re.findall(r"^ *(?:def|class) (\w+)", cell.source, re.MULTILINE):
            found.setdefault(f"<cell of {name}>", number)
    return found


def _origin(line, numbers):
    """(whether it is the course's, whose line it is) by the module that Python blames."""
    module = line["module"] or ""
    if module.split(".")[0] in PACKAGES:
        return True, line["course"].rpartition(":")[0] if line["course"] else module
    if module == "__main__" or "ipykernel_" in module:
        if line["cell"]:
            return True, _cell(line["cell"], numbers)
        if line["course"]:
            return True, line["course"].rpartition(":")[0]
        if line["raised"] and Path(line["raised"].rpartition(":")[0]).suffix == ".py":
            return _of_ours(line["raised"])
    return False, module


def _of_ours(place):
    """A program that was started by its file: the course's or a notebook's, unless it lies among the packages."""
    path = Path(place.rpartition(":")[0])
    return (False, path.stem) if LIBRARY.search(path.as_posix()) else (True, f"script {path.name}")


def _reached(line, numbers):
    words = [line["course"] or "", _cell(line["cell"], numbers) if line["cell"] else ""]
    return " < ".join(word for word in words if word)


def _cell(place, numbers):
    file = place.rpartition(":")[0]
    number = numbers.get(re.sub(r", \d+>$", ">", file) if file.startswith("<") else Path(file).name)
    return f"cell {number}" if number else "a cell"


def counts(found: list[Deprecation]) -> tuple[int, int]:
    """Return how many distinct deprecations are the course's own, and how many libraries'."""
    ours = sum(one.ours for one in found)
    return ours, len(found) - ours


def table(results: list, found: dict[str, list[Deprecation]]) -> list[str]:
    """Return a line for each chapter of a run, then one for each deprecation; `results`: of the run's report."""
    wide = max([len(result.name) for result in results] + [len("the runner")])
    lines = [f"{'chapter':{wide}}  status       seconds  ours  libraries'  what broke"]
    for result in results:
        ours, theirs = counts(found.get(result.name, []))
        broke = (result.error or "").strip().splitlines()
        line = f"{result.name:{wide}}  {result.status:11}  {result.seconds:7.0f}  {ours:4}  {theirs:10}"
        lines.append(f"{line}  {broke[0] if broke else ''}".rstrip())
    for chapter, them in found.items():
        for one in them:
            whose = "the course's" if one.ours else "a library's"
            reached = f", reached by {one.reached}" if one.reached and one.reached != one.by else ""
            where = "; ".join(one.processes)
            lines.append(
                f"{chapter}: {whose}, {one.by}{reached}: {one.kind}, {one.times} times in {where}: {one.text}"
            )
    return lines


def shortened(place: str | None) -> str | None:
    """Return a place in the course without the folder of this machine."""
    return place.replace(f"{PROJECT}{os.sep}", "") if place else place
