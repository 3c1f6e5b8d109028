"""Hands rooms in to nbgrader, by its own command line, and compares the marks: solved, untouched, each mistake.

    python …/nbgrader_submissions.py FOLDER     all chapters: some 40 minutes on a quiet machine
    python …/nbgrader_submissions.py FOLDER --chapters 00,01 --whole --mistakes together

FOLDER becomes the course directory. What is submitted is what `nbgrader generate_assignment` released, with answers
in it. `--mistakes`: `alone`, one to a submission, all else right; `together`, one of each exercise, and the first
of each alone; `sample`, the first two rows of those and one alone; `none`. Unless `--whole` is said, cells that no
exercise needs are tagged `skip-execution`, as which nbgrader leaves them out: a chapter's training says nothing of
an exercise's mark.
"""

import argparse
import copy
import importlib
import inspect
import itertools
import os
import subprocess
import sys
import time
from pathlib import Path

import nbformat

from lessonkit.checks.exercise import Exercise
from lessonkit.notebook.catalog import find, select
from lessonkit.notebook.cells import tags
from lessonkit.notebook.solutions import solve
from lessonkit.teach.assignments.course_directory import write
from lessonkit.teach.assignments.points import parse
from lessonkit.teach.room.needed_cells import Notebook, statements

SKIPPED = "skip-execution"  # nbclient's word, which nbgrader executes by


def nbgrader(folder, *arguments, limit=3600):
    """What a command of nbgrader's says, run in the course directory as a person would; its failure is raised.

    A kernel whose port another program has taken dies at its start; `autograde`, said again, grades what is left.
    """
    for _ in range(3):
        status, said = _run(folder, arguments, limit)
        if status == 0 or "Kernel died before replying" not in said:
            break
    assert status == 0, f"nbgrader {arguments} ended with {status}\n{said}"
    return said


def _run(folder, arguments, limit):
    program = Path(sys.executable).with_name("nbgrader.exe" if os.name == "nt" else "nbgrader")
    env = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    done = subprocess.run(
        [program, *arguments],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        timeout=limit,
    )
    return done.returncode, done.stdout


def exercises(chapter):
    """Name -> the Exercise, for each that the chapter asks."""
    module = importlib.import_module(f"course_utils.exercises.{chapter.slug}")
    return {one.name: one for one in vars(module).values() if isinstance(one, Exercise)}


def released(folder, chapter):
    """The notebook that nbgrader has released."""
    return nbformat.read(folder / "release" / chapter.name / f"{chapter.name}.ipynb", as_version=4)


def light(nb):
    """The notebook with all cells tagged to be skipped that no exercise, its stub and our answer to it, needs."""
    nb, solved = copy.deepcopy(nb), copy.deepcopy(nb)
    solve(solved)
    stays = {"exercise", "parameters"}
    kept = {cell.id for cell in nb.cells if stays & set(tags(cell)) or "nbgrader" in cell.metadata}
    code = {cell.id: cell.source for cell in solved.cells if cell.cell_type == "code"}
    ours = statements((key, source) for key, source in code.items() if key not in kept)
    before = set()
    while kept != before:  # a cell that is needed is run whole, and needs more
        before = set(kept)
        those = statements((key, source) for key, source in code.items() if key in kept)
        uses = frozenset().union(*(one.now | one.later for one in those)) - frozenset().union(
            *(one.binds for one in those)
        )
        kept |= {one.piece.label for one in Notebook(those, ours).needed(uses, 0)} & code.keys()
    for cell in nb.cells:
        if cell.cell_type == "code" and cell.id not in kept:
            cell.metadata["tags"] = [*tags(cell), SKIPPED]
    return nb


def mistaken(nb, chapter, mistakes):
    """A solved notebook, but for the mistakes given: exercise -> function of ours that makes it."""
    nb = copy.deepcopy(nb)
    solve(nb)
    for name, mistake in mistakes.items():
        check = f"ex.{name}.check({name})"
        (cell,) = (cell for cell in nb.cells if check in cell.source and "exercise" in tags(cell))
        line = f"from course_utils.exercises.{chapter.slug}.answers import {mistake.__name__} as {name}\n"
        if exercises(chapter)[name].inputs is None:  # a question for a value, which the function computes
            line += f"\n{name} = {name}()\n"
        cell.source = f"{line}\n{check}"
    return nb


def wrong(chapter, how):
    """Learner's name -> {exercise: mistake}, for `--mistakes`."""
    asked = exercises(chapter)
    each = [(name, number, one) for name, ex in asked.items() for number, one in enumerate(ex.mistakes)]
    alone = {f"{name}-{number}": {name: one} for name, number, one in each if how == "alone" or number == 0}
    if how == "sample":
        alone = dict(list(alone.items())[:1])
    if how in ("together", "sample"):
        rows = itertools.zip_longest(*(ex.mistakes for ex in asked.values()))
        for number, row in enumerate(itertools.islice(rows, None if how == "together" else 2)):
            alone[f"together-{number}"] = {name: one for name, one in zip(asked, row, strict=True) if one}
    return alone if how != "none" else {}


def hand_in(folder, chapter, nb, learner):
    """Put a notebook where nbgrader looks for what a learner has submitted."""
    path = folder / "submitted" / learner / chapter.name / f"{chapter.name}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(nb, path)


def submit(folder, chapter, points, *, how, whole=False):
    """Hand all submissions of a chapter in; return learner -> {exercise: (points it should get, why no more)}."""
    base = released(folder, chapter)
    base = base if whole else light(base)
    expected = {"untouched": {name: (0, f"NotSolved: ○ {name}: Not attempted") for name in points}}
    hand_in(folder, chapter, base, "untouched")
    for learner, mistakes in {"solved": {}, **wrong(chapter, how)}.items():
        hand_in(folder, chapter, mistaken(base, chapter, mistakes), learner)
        words = {name: " ".join(inspect.getdoc(mistake).split()) for name, mistake in mistakes.items()}
        lost = {name: (0, f"NotSolved: ✗ {name}: {text}") for name, text in words.items()}
        expected[learner] = {name: lost.get(name, (number, "")) for name, number in points.items()}
    return expected


def marks(folder, chapter):
    """Learner -> {exercise: (points, error)}, by nbgrader's gradebook and the notebooks that it has executed."""
    from nbgrader.api import Gradebook

    found = {}
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "pytorch") as book:
        for one in book.assignment_submissions(chapter.name):
            path = folder / "autograded" / one.student_id / chapter.name / f"{chapter.name}.ipynb"
            cells = nbformat.read(path, as_version=4).cells
            errors = {cell.metadata.nbgrader.grade_id: error(cell) for cell in cells if "nbgrader" in cell.metadata}
            grades = [grade for notebook in one.notebooks for grade in notebook.grades]
            found[one.student_id] = {grade.name: (grade.score, errors[grade.name]) for grade in grades}
    return found


def error(cell):
    """The error that a cell has ended with, as one line; empty where there is none."""
    found = [f"{one.ename}: {one.evalue}" for one in cell.get("outputs", []) if one.output_type == "error"]
    return " ".join(" ".join(found).split())


def different(expected, found):
    """Whether marks, or the reasons of those that were lost, are not as expected."""
    return set(expected) != set(found) or any(
        found[name][0] != points or not found[name][1].startswith(why) or bool(why) != bool(found[name][1])
        for name, (points, why) in expected.items()
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--chapters", default="", metavar="00,01")
    parser.add_argument("--mistakes", choices=("alone", "together", "sample", "none"), default="alone")
    parser.add_argument("--whole", action="store_true", help="execute every cell of the chapters")
    given = parser.parse_args()
    folder = given.folder.resolve()
    chosen = select(find(), tuple(filter(None, given.chapters.split(","))))
    wrong_rows = rows = 0
    for chapter in chosen:
        start = time.perf_counter()
        (made,) = write([chapter], folder, core=False, points=parse(()))
        nbgrader(folder, "generate_assignment", chapter.name)
        expected = submit(folder, chapter, made.points, how=given.mistakes, whole=given.whole)
        nbgrader(folder, "autograde", chapter.name)
        found = marks(folder, chapter)
        for learner, row in expected.items():
            differs = different(row, found.get(learner, {}))
            wrong_rows, rows = wrong_rows + differs, rows + 1
            got = " ".join(f"{name} {score:g}" for name, (score, _) in found.get(learner, {}).items())
            print(f"{chapter.name:14} {learner:28} {got}", flush=True)
            if differs:
                print(f"    EXPECTED {row}\n    FOUND    {found.get(learner)}", flush=True)
        nbgrader(folder, "generate_feedback", chapter.name)
        print(f"{chapter.name}: {len(expected)} submissions, {time.perf_counter() - start:.0f} s", flush=True)
    print(nbgrader(folder, "export"))
    print(f"{rows} submissions, {wrong_rows} with other marks than expected")
    sys.exit(bool(wrong_rows))


if __name__ == "__main__":
    main()
