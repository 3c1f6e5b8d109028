"""Whether chapters write the same text on two threads, on one, and on a processor that rounds differently.

    python tools/testing/determinism.py                      every chapter in each way; some ten minutes a way
    python tools/testing/determinism.py 00 05 --ways "one thread" imitated
    python tools/testing/determinism.py --to 0.001           exit status 1 only where numbers differ by more

Every chapter is executed as it is and each text output compared with the stored one: printed text, standard
error, results, the name and message of each error. Cells tagged `nbval-ignore-output` say what depends on machine
or time; they are counted and not compared. A difference is listed with its cell and, where only numbers differ,
the largest relative difference. All of it lies in build/determinism.json afterwards.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import nbformat
from all import IMITATED

from course_utils import PROJECT
from lessonkit.notebook import catalog
from lessonkit.notebook.cells import code_cells, label, stream, tags, without_colours
from lessonkit.notebook.outputs import merged
from lessonkit.notebook.tags import UNCOMPARED
from lessonkit.runner.report import NAME, read

OUT = PROJECT / "build" / "determinism"
WAYS = {
    "two threads": {"OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"},
    "one thread": {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"},
    "imitated": IMITATED,
}
KINDS = ("text/plain", "text/html", "text/markdown", "text/latex")  # of a result; not pictures, not widgets
NUMBER = re.compile(r"(?<![\w.])[-+−]?\d+(?:[,_]\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
SANITIZERS = re.findall(
    r"^regex: (.*)$\n^replace: (.*)$",
    (Path(__file__).parent / "stored_verdicts.cfg").read_text(encoding="utf-8"),
    re.MULTILINE,
)


class Difference(NamedTuple):
    """One output of one cell; `largest` is relative, None where more than numbers differs."""

    cell: str
    output: str
    largest: float | None
    stored: str
    found: str


class Compared(NamedTuple):
    """What a chapter's comparison saw: cells compared, cells that are not to be, and the differences."""

    cells: int
    left_out: int
    differences: list[Difference]


def compare(stored, executed):
    """`Compared` of two notebooks of the same code; raises ValueError where it is not the same."""
    before, after = code_cells(stored), code_cells(executed)
    if [cell.source for cell in before] != [cell.source for cell in after]:
        raise ValueError("the two notebooks do not hold the same code")
    cells, left_out, differences = 0, 0, []
    for number, (old, new) in enumerate(zip(before, after, strict=True), start=1):
        if UNCOMPARED in tags(old):
            left_out += 1
            continue
        cells += 1
        old_texts, new_texts = texts(old), texts(new)
        for output in sorted(old_texts.keys() | new_texts.keys()):
            pair = old_texts.get(output, ""), new_texts.get(output, "")
            if pair[0] != pair[1]:
                differences.append(Difference(label(number, old), output, largest(*pair), *first(*pair)))
    return Compared(cells, left_out, differences)


def texts(cell):
    """{output: text} of a cell: what nbval compares, without the verdicts' parts that are not stored."""
    found = {name: stream(cell, name) for name in ("stdout", "stderr")}
    for output in merged(cell.outputs):
        if output["output_type"] == "error":
            found["error"] = found.get("error", "") + without_colours(f"{output['ename']}: {output['evalue']}\n")
        for kind in KINDS:
            if kind in output.get("data", {}):
                found[kind] = found.get(kind, "") + output["data"][kind] + "\n"
    return {name: sanitized(text) for name, text in found.items() if text}


def sanitized(text):
    """A text as nbval compares it, by the patterns of stored_verdicts.cfg."""
    for pattern, word in SANITIZERS:
        text = re.sub(pattern, word, text)
    return text


def largest(one, other):
    """The largest relative difference of two texts' numbers, or None where their words differ."""
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return None
    pairs = zip(map(number, NUMBER.findall(one)), map(number, NUMBER.findall(other)), strict=True)
    return max((abs(a - b) / max(abs(a), abs(b)) for a, b in pairs if a != b), default=0.0)


def number(text):
    """The number that a text says."""
    return float(text.replace(",", "").replace("_", "").replace("−", "-"))


def first(one, other):
    """The first lines in which two texts differ."""
    lines, others = [*one.splitlines(), ""], [*other.splitlines(), ""]
    place = next((at for at, pair in enumerate(zip(lines, others, strict=False)) if pair[0] != pair[1]), 0)
    return lines[place][:200], others[place][:200]


def run(way, chapters=(), *, jobs=1, notebooks=catalog.NOTEBOOKS, out=OUT, resume=False):
    """{chapter: `Compared`, or a sentence where it did not pass} of one way to execute the chapters.

    `resume`: what has passed in `out` and is unchanged is not executed again.
    """
    folder = out / way.replace(" ", "-")
    resume = resume and (folder / NAME).exists()
    if not resume:
        (folder / NAME).unlink(missing_ok=True)
    command = [
        sys.executable,
        "-m",
        "lessonkit.cli",
        "run",
        *chapters,
        "--notebooks",
        notebooks,
        "--out",
        folder,
    ]
    command += ["--jobs", jobs, *(["--resume"] if resume else [])]
    subprocess.run([*map(str, command)], cwd=PROJECT, env=os.environ | WAYS[way])
    return seen(folder, notebooks) if (folder / NAME).exists() else {"the run": "did not begin"}


def seen(folder, notebooks=catalog.NOTEBOOKS):
    """{chapter: `Compared` or a sentence} of what `course run` has left in `folder`."""
    found = {}
    for result in read(folder / NAME)["chapters"]:
        if not result.passed:
            found[result.name] = (result.error or result.status).splitlines()[0]
            continue
        pair = (nbformat.read(place / f"{result.name}.ipynb", 4) for place in (notebooks, folder))
        found[result.name] = compare(*pair)
    return found


def summary(found):
    """One line of figures for what one way gave, and the differences that it lists, one a line."""
    whole = {name: one for name, one in found.items() if isinstance(one, Compared)}
    differences = [(name, one) for name, them in whole.items() for one in them.differences]
    relative = [one.largest for _, one in differences if one.largest is not None]
    words = sum(one.largest is None for _, one in differences)
    line = (
        f"{len(whole)} of {len(found)} chapters, {sum(one.cells for one in whole.values())} cells compared, "
        f"{sum(one.left_out for one in whole.values())} left out by their tag, {len(differences)} outputs differ"
    )
    line += f", numbers by at most {max(relative):.2g} relative" if relative else ""
    line += f", {words} in more than numbers" if words else ""
    lines = [f"{name}: {sentence}" for name, sentence in found.items() if isinstance(sentence, str)]
    for name, one in differences:
        size = "more than numbers" if one.largest is None else f"{one.largest:.2g} relative"
        lines.append(f"{name}, {one.cell}, {one.output}: {size}: {one.stored!r} is stored, {one.found!r} was found")
    return line, lines


def as_json(found):
    """What one way gave, as values that JSON has."""
    return {
        name: one
        if isinstance(one, str)
        else one._asdict() | {"differences": [difference._asdict() for difference in one.differences]}
        for name, one in found.items()
    }


def beyond(found, bound):
    """Whether something failed, or differs in words, or in numbers by more than `bound`."""
    return any(
        isinstance(one, str)
        or any(difference.largest is None or difference.largest > bound for difference in one.differences)
        for one in found.values()
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("chapters", nargs="*", metavar="NN")
    parser.add_argument("--ways", nargs="+", choices=tuple(WAYS), default=tuple(WAYS))
    parser.add_argument("--jobs", type=int, default=1, help="chapters side by side (default: 1)")
    parser.add_argument("--to", type=float, default=0.0, help="relative difference that is no failure (default: 0)")
    options = parser.parse_args()
    found = {way: run(way, options.chapters, jobs=options.jobs) for way in options.ways}
    OUT.with_suffix(".json").write_text(
        json.dumps({way: as_json(them) for way, them in found.items()}, indent=1, ensure_ascii=False) + "\n",
        encoding="utf-8",
    )
    for way, them in found.items():
        line, lines = summary(them)
        print(f"\n{way}: {line}", *lines, sep="\n")
    return int(any(beyond(them, options.to) for them in found.values()))


if __name__ == "__main__":
    sys.exit(main())
