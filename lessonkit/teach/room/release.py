"""Write notebooks for a class: the chapters without outputs, what we saw on pages beside them, and a manifest."""

import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from lessonkit.checks import verdict
from lessonkit.desk.as_opened import as_opened
from lessonkit.desk.merge_base import text, version_of
from lessonkit.notebook.catalog import Chapter, notebook_of
from lessonkit.notebook.cells import keep_core, wants_answer
from lessonkit.notebook.what_we_saw import page, page_name
from lessonkit.system import atomic
from lessonkit.system.course import course
from lessonkit.system.errors import Refused
from lessonkit.system.place import PROJECT
from lessonkit.system.versions import versions
from lessonkit.teach.room import handout
from lessonkit.teach.room.submission import digest
from lessonkit.teach.slides.guide import marks

MANIFEST = "manifest.json"
_PACKAGES = ("python", "torch", "torchvision", "numpy", "jupyterlab", "ipykernel", "matplotlib")
# A cell that asks the doctor shows the machine that its output was stored on.
_MACHINE = re.compile(r"^\s*(?:from|import)\s+\S*\bdoctor\b", re.MULTILINE)
_TELLING = ("course-verdict", "course-note", "course-hint", "course-answer")  # classes of the boxes in HTML


@dataclass(frozen=True)
class Released:
    """One notebook as it was written: of how many cells no output is handed out, how many of Further are left out.

    `bets`: how many of the former answer a bet. `warnings`: what still gives an answer away, or names a part
    that is not there.
    """

    name: str
    cleared: int
    left_out: int
    bets: int = 0
    warnings: tuple[str, ...] = ()


def release(chapters: Sequence[Chapter], to: Path, *, core: bool, without_bets: bool = False) -> list[Released]:
    """Write the chapters and the manifest into the folder `to`; return what was done to each.

    The notebooks open without outputs. A page beside each shows what we saw, cell by cell, without the outputs that
    `clear` removes. `without_bets`: without those that answer a question of the text, too. Raises `Refused` where
    something else lies in the way: a notebook that no release has written, or that has been changed since.
    """
    before = _manifest(to)
    notebooks, pages, entries, released = {}, {}, {}, []
    files = {f"{chapter.name}.ipynb" for chapter in chapters}
    for chapter in chapters:
        original = chapter.path.read_bytes()  # once: somebody may save the chapter meanwhile
        notebook = notebook_of(chapter, original)
        version, name = version_of(notebook), f"{chapter.name}.ipynb"
        whole = list(notebook.cells)
        if core:
            keep_core(notebook)
        left_out = [cell for cell in whole if not any(cell is one for one in notebook.cells)]
        handout.fit(notebook, files=files, left_out=left_out)
        cleared = clear(notebook)
        bets = handout.clear_bets(notebook) if without_bets else 0
        said = marks(chapter)
        bet = said.bet if said else None
        warnings = [
            *handout.still_named(notebook, left_out),
            *(handout.telling(notebook, bet) if without_bets else ()),
        ]
        released.append(Released(chapter.name, cleared + bets, len(left_out), bets, tuple(warnings)))
        pages[to / page_name(chapter.name)] = page(notebook)
        notebooks[name] = text(as_opened(notebook))
        entries[name] = {
            "chapter": chapter.name,
            "version": version,
            "exercises": list(handout.exercises(notebook)),
            "numbers": {name: number for name, number in handout.exercises(notebook).items() if number},
            "sha256_of_original": digest(original),
            "sha256": digest(notebooks[name]),
        }
    for name in notebooks:
        path = to / name
        if path.exists() and digest(path.read_bytes()) not in before.get(name, ()):
            raise Refused(
                f"{path} is there, and no `course release` has written it as it is: somebody may have worked in "
                "it. Give another --to, or move it away"
            )
    manifest = {"commit": commit(), "extent": "core" if core else "whole", "bets_cleared": without_bets}
    manifest["packages"] = versions(course().distribution, *_PACKAGES)
    atomic.make_folder(to)
    # The manifest first: of a release that is broken off, the next one still knows what is its own, old or new.
    there = {name: digest((to / name).read_bytes()) for name in before if (to / name).exists()}
    for name, found in there.items():
        if name not in entries:
            entries[name] = {"sha256": found}
        elif found != entries[name]["sha256"]:
            entries[name]["sha256_before"] = found
    atomic.write(to / MANIFEST, json.dumps(manifest | {"notebooks": entries}, indent=2).encode() + b"\n")
    for name, data in notebooks.items():
        atomic.write(to / name, data)
    for path, data in pages.items():
        atomic.make_folder(path.parent)
        atomic.write(path, data)
    return released


def clear(notebook: NotebookNode) -> int:
    """Remove, in place, the outputs that are not for a class; return of how many cells.

    Those are the outputs of exercises and questions, verdicts, hints and solutions wherever they stand, and what
    the doctor said of the machine that executed the chapter. Every cell loses the number of its execution.
    """
    cleared = 0
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        cell.execution_count = None
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = None
        if cell.outputs:
            asks = wants_answer(cell)
            if asks or _MACHINE.search(cell.source) or any(_tells(output) for output in cell.outputs):
                cell.outputs = []
                cleared += 1
    return cleared


def _tells(output):
    data = output.get("data", {})
    page = data.get("text/html", "")
    return verdict.MIME in data or any(f'class="{name}"' in page for name in _TELLING)


def commit() -> str:
    """Return the commit that the course is at, "+changes" where files differ from it; "unknown" without git."""
    try:
        said = subprocess.run(
            ["git", "describe", "--always", "--abbrev=40", "--dirty=+changes", "--exclude=*"],
            cwd=PROJECT,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):  # no git, or no clone: a bundle, an archive
        return "unknown"
    return said.stdout.strip()


def _manifest(to):
    """Return what an earlier release wrote into the folder, or replaced there: file's name -> SHA-256s."""
    try:
        found = json.loads((to / MANIFEST).read_text(encoding="utf-8"))
        return {name: (entry["sha256"], entry.get("sha256_before")) for name, entry in found["notebooks"].items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused(
            f"{to / MANIFEST} is no manifest of a release ({type(error).__name__}); give another --to"
        ) from None
