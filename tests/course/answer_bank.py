"""The bank: answers, wrong and right, by people who saw an exercise's statement, but not its check or reference.

    python tests/course/answer_bank.py statement CHAPTER [NAME] [--before N]   what a learner sees before answering
    python tests/course/answer_bank.py try FILE [FILE ...]                     what the check says to these answers
    python tests/course/answer_bank.py missing                                 what the bank still lacks

`bank/CHAPTER/NAME/` holds one complete answer a file: `wrong_*.py` must be refused, `right_*.py` accepted.
CHAPTER is the notebook's name without its number, NAME the exercise's.
"""

import argparse
import ast
import importlib
import json
import sys
from pathlib import Path

import nbformat
from explanations import RECORD, exercises

from course_utils import PROJECT

BANK = Path(__file__).parent / "bank"
NOTEBOOKS = PROJECT / "notebooks"
WRONG, RIGHT = 8, 3  # at least so many of each; a wrong one that the check foresaw is not counted


def files(kind="*"):
    """Every answer of a kind ("wrong", "right", "*"), in order."""
    return sorted(BANK.glob(f"*/*/{kind}_*.py"))


def exercise_of(path):
    """The exercise that a file of the bank answers, as "chapter.name"."""
    return f"{path.parent.parent.name}.{path.parent.name}"


def answer(path):
    """Run a file of the bank like a cell; what it leaves under the exercise's name."""
    space = {"__name__": "__main__"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), space)
    if path.parent.name not in space:
        raise NameError(f"{path} defines no {path.parent.name}.")
    return space[path.parent.name]


def purpose(path):
    """The first line: what is wrong with the answer, or in which style it is right; empty where there is none."""
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    return first.strip('#" ') if first[:1] in "#\"'" else ""


def form(source, name):
    """The answer's syntax without names, comments, docstrings and imports: what copies have in common."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if hasattr(node, "body") and isinstance(node.body, list):
            kept = [
                line for line in node.body if not isinstance(line, (ast.Import, ast.ImportFrom)) and not _text(line)
            ]
            node.body = kept or [ast.Pass()]
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.FunctionDef):
            node.returns = None
    own = {name: "answer"}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            own.setdefault(node.arg, f"name{len(own)}")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.setdefault(node.id, f"name{len(own)}")
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node in tree.body:
            own.setdefault(node.name, f"name{len(own)}")
    for node in ast.walk(tree):
        for field in ("id", "arg", "name"):
            if getattr(node, field, None) in own and not isinstance(node, ast.alias):
                setattr(node, field, own[getattr(node, field)])
    return ast.dump(tree)


def foreseen(name):
    """The forms of an exercise's recorded reference and mistakes: an answer of the bank must be none of them."""
    record = json.loads(RECORD.read_text(encoding="utf-8")).get(name, {"right": "", "wrong": []})
    return {form(code, "answer") for code in (record["right"], *(one["answer"] for one in record["wrong"])) if code}


def counts():
    """How many answers the bank holds: for the report of `make test`."""
    return {"bank answers (wrong)": len(files("wrong")), "bank answers (right)": len(files("right"))}


def statement(chapter, name, before=0):
    """What a learner sees of an exercise: `before` cells, its text, stub and example; no hint, no reference."""
    book = next(path for path in NOTEBOOKS.glob("*.ipynb") if path.stem.split("_", 1)[1] == chapter)
    cells = nbformat.read(book, 4).cells
    here = next(
        i
        for i, cell in enumerate(cells)
        if f"ex.{name}.check({name})" in cell.source and "exercise" in cell.metadata.tags
    )
    shown = [f"===== {chapter}.{name}"]
    for cell in cells[max(0, here - 1 - before) : here + 1]:
        shown.append(cell.source if cell.cell_type == "markdown" else f"```python\n{cell.source}\n```")
        if cell.cell_type == "code" and "exercise" not in cell.metadata.get("tags", []):
            shown += [output.text for output in cell.outputs if output.output_type == "stream"]
    exercise = exercises()[f"{chapter}.{name}"]
    if exercise.inputs:
        shown.append(f">>> ex.{name}.example()\n{exercise.example()!r}")
    return "\n\n".join(shown)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    ask = commands.add_parser("statement")
    ask.add_argument("chapter")
    ask.add_argument("name", nargs="?")
    ask.add_argument("--before", type=int, default=0)
    commands.add_parser("try").add_argument("files", nargs="+", type=Path)
    commands.add_parser("missing")
    options = parser.parse_args()
    if options.command == "statement":
        chapter = options.chapter.split("_", 1)[1] if options.chapter[0].isdigit() else options.chapter
        module = importlib.import_module(f"course_utils.exercises.{chapter}")
        for name in [name for name in vars(module) if f"{chapter}.{name}" in exercises()]:
            if options.name in (None, name):
                print(statement(chapter, name, options.before), end="\n\n")
    elif options.command == "try":
        for path in map(Path.resolve, options.files):
            verdict = exercises()[exercise_of(path)].check(answer(path))
            copied = form(path.read_text(encoding="utf-8"), path.parent.name) in foreseen(exercise_of(path))
            note = " (A COPY of one on record: write another)" if copied else ""
            print(f"{path.name}: {verdict.state.upper()}{note}\n    {verdict.message}")
    else:
        for name in exercises():
            have = [len([p for p in files(kind) if exercise_of(p) == name]) for kind in ("wrong", "right")]
            if have[0] < WRONG or have[1] < RIGHT:
                print(f"{name}: {have[0]} wrong of {WRONG}, {have[1]} right of {RIGHT}")


def _text(line):
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)


if __name__ == "__main__":
    sys.exit(main())
