"""A room of thirty from `course release` to the page that each learner gets, by the commands alone.

    python tools/testing/room_of_thirty.py FOLDER --chapters 00,01

Thirty people of a roster hand in what people hand in: right answers in unusual places, notebooks that other
programs have saved, mistakes, a PDF, two files for one person. What each is worth is known beforehand. The script
releases the core, collects what a Moodle would export, grades it, gives points by hand for the answer that this
machine cannot judge, grades again, and compares every learner's points and page. It prints a table, and ends with
status 1 where something is not as it should be. `FOLDER` is made anew.
"""

import argparse
import copy
import csv
import html
import io
import json
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_utils import PROJECT
from lessonkit.desk.matching import names as tasks_in
from lessonkit.notebook.solutions import solve

NAMES = """Ana Núñez|Ben Okafor|Chloé Dubois|Dmitri Wolkow|Eszter Nagy|Farid Ćorić|Grace O'Brien|Haruka 山田
Иван Петров|Jürgen Müller|Karin Åberg|Léa Martin|Mỹ Nguyễn|नेहा शर्मा|Olu Adeyemi|Paweł Żak|Quentin Roy|Rosa Díaz
Søren Holm|ธนา สุขใจ|Uma Rao|Víctor Gil|王小明|Xenia Παππά|يوسف علي|Zoë Smit|Abe Cohen|Bo Li|Cara Lund|Dana Katz"""
PACKAGE = "a_package_that_is_not_here"


@dataclass(frozen=True)
class Way:
    """How somebody hands in one chapter: `make` returns files by how their name ends; `lost`: points not given."""

    make: Callable[[NotebookNode], dict[str, bytes]]
    lost: int = 0
    unjudged: int = 0  # of those lost, what this machine cannot judge


def book(notebook: NotebookNode) -> bytes:
    """Return a notebook's bytes as Jupyter writes them."""
    return nbformat.writes(notebook).encode()


def answers(notebook: NotebookNode) -> list[NotebookNode]:
    """Return the cells of exercises, in order."""
    return [cell for cell in notebook.cells if "exercise" in cell.metadata.get("tags", []) and tasks_in(cell)]


def solved(handout: NotebookNode) -> NotebookNode:
    """Return the handout with every answer in place."""
    notebook = copy.deepcopy(handout)
    solve(notebook)
    return notebook


def changed(*changes: Callable[[NotebookNode, NotebookNode], None]) -> Callable[[NotebookNode], dict[str, bytes]]:
    """Return what hands in the solved handout after `changes(solved, handout)`."""

    def make(handout: NotebookNode) -> dict[str, bytes]:
        notebook = solved(handout)
        for change in changes:
            change(notebook, handout)
        return {"": book(notebook)}

    return make


def moved(at: int) -> Callable[[NotebookNode, NotebookNode], None]:
    """Put the untouched stub of every exercise before (0) or behind (1) the answer, with the same id."""

    def change(notebook: NotebookNode, handout: NotebookNode) -> None:
        stubs = {cell.id: cell for cell in answers(handout)}
        for cell in answers(notebook):
            place = notebook.cells.index(cell)
            notebook.cells.insert(place + at, copy.deepcopy(stubs[cell.id]))

    return change


def prefixed(text: str) -> Callable[[NotebookNode, NotebookNode], None]:
    """Put a line above each answer."""

    def change(notebook: NotebookNode, handout: NotebookNode) -> None:
        for cell in answers(notebook):
            cell.source = f"{text}\n{cell.source}"

    return change


def followed(text: str) -> Callable[[NotebookNode, NotebookNode], None]:
    """Put a line behind each check."""

    def change(notebook: NotebookNode, handout: NotebookNode) -> None:
        for cell in answers(notebook):
            cell.source = f"{cell.source}\n{text}"

    return change


def bare(notebook: NotebookNode, handout: NotebookNode) -> None:
    """Leave no ids and no tags, as other programs save a notebook."""
    notebook.nbformat_minor = 4
    for cell in notebook.cells:
        cell.pop("id", None)
        cell.metadata = NotebookNode()


def first_is(text: str) -> Callable[[NotebookNode, NotebookNode], None]:
    """Make the answer to the first exercise another one; `NAME` in the text is the exercise's name."""

    def change(notebook: NotebookNode, handout: NotebookNode) -> None:
        cell = answers(notebook)[0]
        name = tasks_in(cell)[0]
        cell.source = f"{text.replace('NAME', name)}\nex.{name}.check({name})"

    return change


def tried_before(notebook: NotebookNode, handout: NotebookNode) -> None:
    """Keep a wrong try in a cell of its own above the answer."""
    cell = answers(notebook)[0]
    name = tasks_in(cell)[0]
    wrong = nbformat.v4.new_code_cell(f"{name} = 'a first try'\nex.{name}.check({name})")
    notebook.cells.insert(notebook.cells.index(cell), wrong)


def null_ids(handout: NotebookNode) -> dict[str, bytes]:
    """Hand in a notebook in which every id and every list of tags is null."""
    raw = json.loads(book(solved(handout)))
    for cell in raw["cells"]:
        cell["id"], cell["metadata"]["tags"] = None, None
    return {"": json.dumps(raw).encode()}


def twice(handout: NotebookNode) -> dict[str, bytes]:
    """Hand in the untouched handout, and later the solved one."""
    return {"": book(handout), "-2": book(solved(handout))}


RIGHT = Way(changed())
NOTHING = Way(lambda handout: {"": book(handout)}, lost=99)
WAYS: dict[str, Way] = {
    "untouched": NOTHING,
    "the answer above a stub that was left": Way(changed(moved(1))),
    "the answer below a stub that was left": Way(changed(moved(0))),
    "%%time above each answer": Way(changed(prefixed("%%time"))),
    "%%capture above each answer": Way(changed(prefixed("%%capture said"))),
    "no ids and no tags": Way(changed(bare)),
    "a wrong try in a cell above": Way(changed(tried_before)),
    "an error behind each check": Way(changed(followed("what_is_this"))),
    "a display and a plot below": Way(changed(followed("import matplotlib.pyplot as plt; plt.plot([1, 2])"))),
    "null ids and tags": Way(null_ids),
    "UTF-16": Way(lambda handout: {"": book(solved(handout)).decode().encode("utf-16")}),
    "a byte order mark and Windows' line ends": Way(
        lambda handout: {"": b"\xef\xbb\xbf" + book(solved(handout)).replace(b"\n", b"\r\n")}
    ),
    "twice, the later one solved": Way(twice),
    "the first answer raises": Way(changed(first_is("NAME = 1 / 0")), lost=1),
    "the first answer is none of the values": Way(changed(first_is("NAME = 'no idea'")), lost=1),
    "a package that is not here": Way(
        changed(first_is(f"import {PACKAGE}\nNAME = {PACKAGE}.answer")), lost=1, unjudged=1
    ),
    "a PDF": Way(lambda handout: {".pdf": b"%PDF-1.7 printed"}, lost=99),
    "nothing": Way(lambda handout: {}, lost=99),
}


def course(*words: object) -> None:
    """Run one command of the course, and print what it says but for its progress."""
    command = [sys.executable, "-m", "lessonkit.cli", *map(str, words)]
    print("$ course", *words, flush=True)
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=3600, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"it was refused: {done.stderr}")
    print(*[line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("[")], sep="\n")


def hand_in(folder: Path, people: list[str], handouts: dict[str, NotebookNode]) -> dict[str, str]:
    """Write the archive and the roster; return how each person hands in."""
    ways = dict(zip(people, [*WAYS, *["right"] * len(people)], strict=False))
    with zipfile.ZipFile(folder / "handed_in.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (person, way) in enumerate(ways.items(), start=1001):
            for chapter, handout in handouts.items():
                for ending, data in WAYS.get(way, RIGHT).make(handout).items():
                    name = f"{chapter}{ending}" if ending.startswith(".") else f"{chapter}{ending}.ipynb"
                    archive.writestr(f"{person}_{number}_assignsubmission_file_/{name}", data)
    with (folder / "names.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["Name"], *([person] for person in people)])
    return ways


def points(folder: Path) -> dict[str, tuple[float, float]]:
    """Return each learner's points and what there is, by grades-for-lms.csv."""
    text = (folder / "grades" / "grades-for-lms.csv").read_text(encoding="utf-8")
    return {
        row["learner"]: (float(row["points"]), float(row["total"])) for row in csv.DictReader(io.StringIO(text))
    }


def given_by_hand(folder: Path) -> int:
    """Give a point for each answer of the table that this machine could not judge; return how many."""
    text = (folder / "grades" / "grades.csv").read_text(encoding="utf-8")
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["state"] == "not judged here"]
    with (folder / "grades" / "overrides.csv").open("a", encoding="utf-8", newline="") as file:
        for row in rows:
            csv.writer(file).writerow([row["learner"], row["chapter"], row["exercise"], 1, "ran at my desk"])
    return len(rows)


def compare(folder: Path, ways: dict[str, str], possible: int, chapters: int, *, by_hand: bool) -> list[str]:
    """Return a sentence for each learner whose points or page are not as they should be."""
    found, wrong = points(folder), []
    written = (folder / "grades" / "feedback").glob("*.html")
    pages = [html.unescape(path.read_text(encoding="utf-8")) for path in written]
    for person, name in ways.items():
        way = WAYS.get(name, RIGHT)
        lost = chapters * (way.lost - (way.unjudged if by_hand else 0))
        expected = max(0, possible - lost)
        if (there := found.get(person, (None, None))[0]) != expected:
            wrong.append(f"{person} ({name}) has {there} points, expected {expected}")
        page = next((text for text in pages if f"Feedback for {person}" in text), "")
        if not page:
            wrong.append(f"{person} ({name}) gets no page")
        if others := [other for other in ways if other != person and other in page]:
            wrong.append(f"the page of {person} names {', '.join(others)}")
        if str(folder) in page:
            wrong.append(f"the page of {person} names a folder of this machine")
    if strangers := set(found) - set(ways):
        wrong.append(f"nobody is called {', '.join(sorted(strangers))}")
    return wrong


def main() -> int:
    """Play the room; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--chapters", default="00,01")
    parser.add_argument("--people", type=int, default=30)
    options = parser.parse_args()
    folder, people = options.folder.resolve(), [name for line in NAMES.splitlines() for name in line.split("|")]
    people = people[: options.people]
    if PROJECT in folder.parents:
        parser.error(f"{folder} lies in the course; give a folder elsewhere")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    began = time.monotonic()
    course("release", "--to", folder / "handout", "--chapters", options.chapters, "--core", "--clear-bets")
    manifest = json.loads((folder / "handout" / "manifest.json").read_text(encoding="utf-8"))
    handouts = {
        one["chapter"]: nbformat.read(folder / "handout" / name, as_version=4)
        for name, one in manifest["notebooks"].items()
    }
    possible = sum(len(one["exercises"]) for one in manifest["notebooks"].values())
    ways = hand_in(folder, people, handouts)
    course("collect", folder / "handed_in.zip", "--to", folder / "room", "--roster", folder / "names.csv")
    grade = ("grade", folder / "room", "--out", folder / "grades", "--released", folder / "handout")
    course(*grade)
    wrong = compare(folder, ways, possible, len(handouts), by_hand=False)
    count = given_by_hand(folder)
    course(*grade)
    wrong += [
        f"after points by hand: {one}" for one in compare(folder, ways, possible, len(handouts), by_hand=True)
    ]
    found = points(folder)
    for person, name in ways.items():
        print(f"{person:16} {found.get(person, (0, 0))[0]:3g} of {possible}  {name}")
    seconds = time.monotonic() - began
    print(f"{len(ways)} people, {count} points by hand, {seconds:.0f} s; {len(wrong)} not as expected")
    print(*wrong, sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
