"""Begin a chapter or an exercise from a template: it passes lint, and its tests fail until it is filled.

    python tools/new.py chapter 14 audio          notebooks/14_audio.ipynb with one question
    python tools/new.py exercise 05 clip          the question `clip` in chapter 05, and its bank

Nothing that is there is written over. What is to be filled says TODO; CONTRIBUTING.md says what belongs there.
"""

import argparse
import hashlib
import keyword
import re
import sys
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils import PROJECT
from lessonkit.notebook.catalog import NOTEBOOKS, find, select
from lessonkit.notebook.tags import EXERCISE, PARAMETERS
from lessonkit.system.atomic import atomic_write
from lessonkit.system.errors import Refused

EXERCISES = PROJECT / "course_utils" / "exercises"
BANK = PROJECT / "answers"

# The three files of a chapter's folder, as they begin, and what each exercise adds to each of them.
HEADS = {
    "__init__.py": '''"""Questions of chapter {number:02}: TODO in a few words."""

import importlib
import sys

from course_utils.exercises.{chapter} import answers, questions
from lessonkit.checks.exercise import Exercise


def begin():
    """Make the exercises anew, as in a fresh kernel: their hints and inputs begin with the first ones."""
    importlib.reload(sys.modules[__name__])


''',
    "questions.py": '''"""What chapter {number:02} asks: TODO in a few words.

The inputs of each question, and how an answer is driven. A submission that is graded sees this file.
"""

from lessonkit.checks.question import Question
''',
    "answers.py": '''"""Our answers to the questions of chapter {number:02}: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

from lessonkit.checks.answer import Answer
''',
}
PARTS = {
    "__init__.py": """{name} = Exercise.of(questions.{name}, answers.{name})
""",
    "questions.py": '''

def {name}_inputs(seed):
    """TODO: fresh arguments, one tuple a call; the example first, edge sizes among them."""
    yield (seed,)


{name} = Question(
    "{name}",
    inputs={name}_inputs,
)
''',
    "answers.py": '''

def {name}(value):
    """TODO: what it returns."""
    raise NotImplementedError("TODO: the reference of {name}, real code")


def {name}_first_mistake(value):
    """TODO: what they will read who make the first mistake that people make."""
    return None


def {name}_second_mistake(value):
    """TODO: what they will read who make the second."""
    return value


{name} = Answer(
    {name},
    mistakes=({name}_first_mistake, {name}_second_mistake),
    hints=("TODO: a first step.", "TODO: the step after it."),
)
''',
}
TASK = """### Exercise: TODO what it is about (5 min, ★★)

TODO: `{name}(value)` returns what, for which values; what is forbidden; an example with its result."""
STUB = '''def {name}(value):
    """TODO: what it returns."""
    ...  # your code here


ex.{name}.check({name})'''
KINDS = [(f"wrong_todo_{n}", "TODO: what is wrong with it, in a few words") for n in range(1, 9)]
KINDS += [(f"right_todo_{n}", "TODO: in which style") for n in range(1, 4)]


def chapter(number, name, *, notebooks=NOTEBOOKS, exercises=EXERCISES, bank=BANK):
    """Write a chapter with one question; returns its paths. Raises `Refused` for a number or name that is taken."""
    _check(name)
    taken = [one.name for one in find(notebooks) if one.number == number or one.slug == name]
    if taken:
        raise Refused(f"{', '.join(taken)} is there already: choose another number and name")
    path, folder = notebooks / f"{number:02}_{name}.ipynb", exercises / name
    if folder.exists():
        raise Refused(f"{folder} is there already: choose another name")
    before = max((one.number for one in find(notebooks) if one.number < number), default=0)
    nb = new_notebook(cells=list(_cells(number, name, before)))
    nb.metadata = {
        "course": {"accelerator": "not needed", "builds_on": [f"{before:02}"], "data": []},
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    _write(path, nb)
    return exercise(name, "first_question", notebooks=notebooks, exercises=exercises, bank=bank)


def _cells(number, name, before):
    yield _text(
        name,
        0,
        f"""# {number:02} · TODO a claim that this chapter proves

**60 minutes for the core, 100 with *Further*.** TODO on which devices, with which data.

Skip this if you can TODO.

**By the end you can**
- TODO;
- TODO.

**Builds on** {before:02}.

The next cell, folded in JupyterLab, imports what the chapter uses.""",
    )
    imports = '# No such module? Run "make setup" in the course\'s folder (or see README.md), '
    imports += "and choose its .venv as the kernel.\n"
    imports += (
        f"import torch\n\nfrom course_utils.exercises import {name} as ex\nfrom course_utils.seed import set_seed"
    )
    yield _code(name, 1, imports, jupyter={"source_hidden": True})
    yield _code(name, 2, 'PROFILE = "quick"\nSEED = 0\nDEVICE = None', tags=[PARAMETERS])
    yield _text(name, 3, "## TODO: a first question\n\nTODO: a bet that the reader could lose.")
    yield _code(name, 4, "set_seed(SEED)\nprint(torch.rand(2))")
    yield _text(
        name,
        5,
        """## What to take along

- TODO.

**What surprised us.** TODO.

**Sources.** TODO.""",
    )


def exercise(chapter_name, name, *, notebooks=NOTEBOOKS, exercises=EXERCISES, bank=BANK):
    """Add a question to a chapter: its cells before the last one, its code, its bank; returns the paths written.

    Raises `Refused` for a chapter that there is not, and a name that is taken or is no name.
    """
    _check(name)
    (found,) = select(find(notebooks), [chapter_name])
    folder, answers = exercises / found.slug, bank / found.slug / f"{name}.py"
    texts = {}
    for file, head in HEADS.items():
        path = folder / file
        there = path.read_text(encoding="utf-8") if path.exists() else ""
        if re.search(rf"^(?:def )?{name}\b", there, re.MULTILINE) or answers.exists():
            raise Refused(f"{found.name} has a {name} already: choose another name")
        texts[path] = (there or head.format(number=found.number, chapter=found.slug)) + PARTS[file].format(
            name=name
        )
    nb = nbformat.read(found.path, 4)
    task = _text(name, 0, TASK.format(name=name))
    nb.cells[-1:-1] = [task, _code(name, 1, STUB.format(name=name), tags=[EXERCISE])]
    cells = [f"# %% {slug}: {words}\ndef {name}(value):\n    raise NotImplementedError\n" for slug, words in KINDS]
    for path, text in (texts | {answers: "\n\n".join(cells)}).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as file:
            file.write(text.encode())
    _write(found.path, nb)
    return [found.path, *texts, answers]


def _check(name):
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise Refused(f"{name!r} is no name of ours: small letters, digits and _, and no word of Python's")


def _write(path, nb):
    nbformat.validate(nb)
    with atomic_write(path) as file:
        file.write((nbformat.writes(nb).rstrip("\n") + "\n").encode())


def _text(name, number, source):
    return new_markdown_cell(source, id=_id(name, number))


def _code(name, number, source, **metadata):
    return new_code_cell(source, id=_id(name, number), metadata=metadata)


def _id(name, number):
    """An id that is the same in every run: nbformat's own are random."""
    return hashlib.sha256(f"{name} {number}".encode()).hexdigest()[:8]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="chapter|exercise")
    one = kinds.add_parser("chapter", help="a new notebook with its file of exercises")
    one.add_argument("number", type=int)
    one.add_argument("name")
    other = kinds.add_parser("exercise", help="a question more in a chapter")
    other.add_argument("chapter")
    other.add_argument("name")
    given = parser.parse_args()
    try:
        made = chapter(given.number, given.name) if given.kind == "chapter" else exercise(given.chapter, given.name)
    except Refused as error:
        sys.exit(f"Refused: {error}")
    print("Written:", *(Path(path).relative_to(PROJECT) for path in made), sep="\n  ")
    print("Fill what says TODO; CONTRIBUTING.md says what belongs there. Until then its tests fail.")


if __name__ == "__main__":
    main()
