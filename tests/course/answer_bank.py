"""The bank: answers, wrong and right, by people who saw an exercise's statement, but not its check or reference.

    python tests/course/answer_bank.py statement CHAPTER [NAME] [--before N]   what a learner sees before answering
    python tests/course/answer_bank.py try FILE [FILE ...]                     what the check says to these answers
    python tests/course/answer_bank.py missing                                 what the bank still lacks

`bank/CHAPTER/NAME.py` holds the answers to one exercise, each a percent cell that is run by itself: what stands
under `# %% wrong_SLUG: what is wrong with it` must be refused, under `# %% right_SLUG: in which style` accepted.
CHAPTER is the notebook's name without its number, NAME the exercise's. A file to try is called so too, wherever it
lies; it may be written in such cells, or be one answer without a heading.
"""

import argparse
import ast
import importlib
import io
import json
import re
import sys
import tokenize
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
from explanations import RECORD, exercises

from course_utils import PROJECT

BANK = Path(__file__).parent / "bank"
NOTEBOOKS = PROJECT / "notebooks"
WRONG, RIGHT = 8, 3  # at least so many of each; a wrong one that the check foresaw is not counted
EXPECTED = "expected `# %% wrong_SLUG: …` or `# %% right_SLUG: …`"
HEADING = re.compile(r"# %% (?P<kind>wrong|right)_(?P<slug>\w+)(?:: (?P<purpose>.*))?")


class BankError(Exception):
    """A file of answers that cannot be read; the text names the file, the line and what is wrong there."""


@dataclass(frozen=True)
class Answer:
    """One answer: what stands under line number `line` of `path`, its heading `# %% {kind}_{slug}: {purpose}`."""

    path: Path
    line: int
    kind: str
    slug: str
    purpose: str
    code: str

    @property
    def exercise(self):
        """The exercise that is answered, as "chapter.name"."""
        return f"{self.path.parent.name}.{self.path.stem}"

    @property
    def label(self):
        """Its name among the answers to one exercise."""
        return f"{self.kind}_{self.slug}"

    @property
    def form(self):
        """What it has in common with its copies."""
        return form(self.code, self.path.stem)

    def run(self):
        """Run it like a cell, in a namespace of its own; return what it leaves under the exercise's name."""
        space = {"__name__": "__main__"}
        source = "\n" * self.line + self.code  # an error then names the line of the file
        exec(compile(source, str(self.path), "exec"), space)
        if self.path.stem not in space:
            raise NameError(f"{self.label} of {self.path} defines no {self.path.stem}.")
        return space[self.path.stem]


def read_answers(path, *, plain=False):
    """Return the answers of a file, in its order; `plain`: without any heading the whole file is one.

    Raises BankError: a file of no exercise, a heading that is not of the form above or stands there twice, a cell
    without code, one that is no Python, text before the first heading.
    """
    if f"{path.parent.name}.{path.stem}" not in exercises():
        raise BankError(f"{path}: no exercise {path.parent.name}.{path.stem}; a file is called CHAPTER/NAME.py.")
    text = path.read_text(encoding="utf-8")
    lines, starts = text.split("\n"), _headings(path, text)
    if plain and not starts:
        return [Answer(path, 0, "draft", path.stem, "", text)]
    if any(line.strip() for line in lines[: starts[0] - 1 if starts else None]):
        raise BankError(f"{path}, line 1: no heading; {EXPECTED}.")
    found = {}
    for start, end in zip(starts, [*starts[1:], len(lines) + 1], strict=True):
        heading, place = HEADING.fullmatch(lines[start - 1]), f"{path}, line {start}"
        if heading is None:
            raise BankError(f"{place}: {lines[start - 1]!r}; {EXPECTED}.")
        code = "\n".join(lines[start : end - 1]).rstrip("\n") + "\n"
        answer = Answer(path, start, heading["kind"], heading["slug"], heading["purpose"] or "", code)
        if answer.label in found:
            raise BankError(f"{place}: {answer.label} is there already, in line {found[answer.label].line}.")
        try:
            if not ast.parse(code).body:
                raise BankError(f"{place}: an empty cell.")
        except SyntaxError as error:
            raise BankError(f"{path}, line {start + error.lineno}: {error.msg}.") from error
        found[answer.label] = answer
    return list(found.values())


def _headings(path, text):
    """Numbers of the lines that begin a cell. In a string, indented or behind code `# %%` is the answer's own."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError) as error:
        raise BankError(f"{path}: no Python: {error}.") from error
    comments = [token for token in tokens if token.type == tokenize.COMMENT and token.start[1] == 0]
    return [token.start[0] for token in comments if re.match(r"#\s*%%", token.string)]


@cache
def read_bank(folder=BANK):
    """Return every answer under a folder, by file and then in the file's order. Raises BankError."""
    return tuple(answer for path in sorted(folder.rglob("*.py")) for answer in read_answers(path))


def answers(kind, exercise=None):
    """Return the bank's answers of a kind, "wrong" or "right"; of one exercise where it is named."""
    return [one for one in read_bank() if one.kind == kind and exercise in (None, one.exercise)]


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
    return {"bank answers (wrong)": len(answers("wrong")), "bank answers (right)": len(answers("right"))}


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


def try_answers(path):
    """Print what the check says to each answer of a file, on the inputs that the bank is tested with."""
    for answer in read_answers(path, plain=True):
        verdict = exercises()[answer.exercise].check(answer.run(), seed=1)
        note = " (A COPY of one on record: write another)" if answer.form in foreseen(answer.exercise) else ""
        print(f"{answer.label}: {verdict.state.upper()}{note}\n    {verdict.message}")


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
            try_answers(path)
    else:
        for name in exercises():
            have = [len(answers(kind, name)) for kind in ("wrong", "right")]
            if have[0] < WRONG or have[1] < RIGHT:
                print(f"{name}: {have[0]} wrong of {WRONG}, {have[1]} right of {RIGHT}")


def _text(line):
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)


if __name__ == "__main__":
    try:
        main()
    except BankError as error:
        sys.exit(f"{error}")
