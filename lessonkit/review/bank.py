"""The bank of answers: right and wrong ones, by people who had seen only an exercise's statement.

`answers/CHAPTER/NAME.py` holds the answers to one exercise, each a percent cell that is run by itself: what stands
under `# %% wrong_SLUG: what is wrong with it` must be refused, under `# %% right_SLUG: in which style` accepted.
CHAPTER is the notebook's name without its number, NAME the exercise's.
"""

import ast
import io
import re
import tokenize
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nbformat import NotebookNode

from lessonkit.checks.answer import explanation
from lessonkit.checks.compare import difference
from lessonkit.checks.exercise import Exercise
from lessonkit.checks.verdict import Verdict
from lessonkit.notebook.cells import tags
from lessonkit.notebook.tags import EXERCISE
from lessonkit.review.cached_judge import Judging
from lessonkit.review.diagnostics import Finding, error
from lessonkit.review.exercises import anonymous

WRONG, RIGHT = 8, 3  # at least so many of each; a wrong one that the check foresaw is not counted
SEED = 1  # a learner's first inputs
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
    def exercise(self) -> str:
        """Return the exercise that is answered, as "chapter.name"."""
        return f"{self.path.parent.name}.{self.path.stem}"

    @property
    def label(self) -> str:
        """Return its name among the answers to one exercise."""
        return f"{self.kind}_{self.slug}"

    @cached_property
    def form(self) -> str:
        """Return what it has in common with its copies."""
        return form(self.code, self.path.stem)

    def run(self) -> object:
        """Run it like a cell, in a namespace of its own; return what it leaves under the exercise's name."""
        space = {"__name__": "__main__"}
        source = "\n" * self.line + self.code  # an error then names the line of the file
        exec(compile(source, str(self.path), "exec"), space)
        if self.path.stem not in space:
            raise NameError(f"{self.label} of {self.path} defines no {self.path.stem}.")
        return space[self.path.stem]


def read_answers(path: Path, names: Container[str], *, plain: bool = False) -> list[Answer]:
    """Return the answers of a file, in its order; `plain`: without any heading the whole file is one.

    `names`: the exercises that there are, as "chapter.name".
    Raises BankError: a file of no exercise, a heading that is not of the form above or stands there twice, a cell
    without code, one that is no Python, text before the first heading.
    """
    if f"{path.parent.name}.{path.stem}" not in names:
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


def form(source: str, name: str) -> str:
    """Return an answer's syntax without names, comments, docstrings and imports: what copies have in common."""
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


def _text(line):
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)


def read_bank(folder: Path, names: Container[str]) -> tuple[Answer, ...]:
    """Return every answer under a folder, by file and then in the file's order. Raises BankError."""
    return tuple(answer for path in sorted(folder.rglob("*.py")) for answer in read_answers(path, names))


def of_kind(answers: Sequence[Answer], kind: str) -> list[Answer]:
    """Return the answers of a kind, "wrong" or "right"."""
    return [one for one in answers if one.kind == kind]


def foreseen(exercise: Exercise) -> dict[str, str]:
    """Return the forms of an exercise's reference and mistakes, which no answer may have, and whose each is."""
    functions = (exercise.reference, *exercise.mistakes)
    return {form(anonymous(function), "answer"): f"`{function.__name__}` of the exercise" for function in functions}


def judged(answer: Answer, exercise: Exercise, judging: Judging) -> tuple[Verdict, list[Finding]]:
    """Return what the check says to an answer, and the error if that is not what its kind asks for.

    Whatever the cell of the answer raises is raised here.
    """
    verdict = judging.verdict(exercise, answer.run(), SEED)
    if answer.kind == "right":
        return verdict, [] if verdict.passed else [error(f"{answer.label} is right and refused: {verdict.message}")]
    if verdict.state in ("passed", "not attempted"):
        return verdict, [error(f"{answer.label} is wrong ({answer.purpose}), and the check says: {verdict.state}")]
    return verdict, [] if verdict.message else [error(f"{answer.label} is refused without a word")]


def enough(answers: Sequence[Answer], verdicts: Sequence[Verdict]) -> Iterator[Finding]:
    """Yield whether an exercise has too few answers; `verdicts` are those of its wrong ones.

    Wrong ones that the check knows as a mistake were foreseen, so they do not count.
    """
    unforeseen = sum(verdict.state != "known mistake" for verdict in verdicts)
    if unforeseen < WRONG:
        yield error(
            f"{unforeseen} wrong answers in the bank that the check did not foresee ({len(verdicts)} in all), "
            f"expected at least {WRONG}"
        )
    if (right := len(of_kind(answers, "right"))) < RIGHT:
        yield error(f"{right} right answers in the bank, expected at least {RIGHT}")


def copies(answers: Sequence[Answer], exercise: Exercise) -> Iterator[Finding]:
    """Yield answers that are a copy, of our own or of another in other names, and those that say too little."""
    seen = foreseen(exercise)
    for one in sorted(answers, key=lambda answer: answer.kind):  # right ones first
        if one.form in seen:
            yield error(f"{one.label} is a copy of {seen[one.form]} in other names")
        seen.setdefault(one.form, one.label)
        if len(one.purpose.split()) < 3:
            yield error(f"{one.label} has a heading of fewer than three words: say what it does, or what is wrong")
    if exercise.inputs is None:
        yield from _same_values(answers, exercise)


def _same_values(answers, exercise):
    seen = [(mistake.__name__, mistake()) for mistake in exercise.mistakes]
    for one in of_kind(answers, "wrong"):
        value = one.run()
        twins = [other for other, there in seen if type(there) is type(value) and difference(value, there) is None]
        if twins:
            yield error(f"{one.label} has the value of {twins[0]}")
        seen.append((one.label, value))


def statement(name: str, exercise: Exercise, *, nb: NotebookNode, before: int = 0) -> str:
    """Return what a learner sees of an exercise: `before` cells, its text, stub and example.

    It holds no hint and no reference: the bank's answers are written from it.
    """
    chapter, question = name.split(".")
    call = f"ex.{question}.check({question})"
    here = next(i for i, cell in enumerate(nb.cells) if call in cell.source and EXERCISE in tags(cell))
    shown = [f"===== {chapter}.{question}"]
    for cell in nb.cells[max(0, here - 1 - before) : here + 1]:
        shown.append(cell.source if cell.cell_type == "markdown" else f"```python\n{cell.source}\n```")
        if cell.cell_type == "code" and EXERCISE not in tags(cell):
            shown += [output.text for output in cell.outputs if output.output_type == "stream"]
    if exercise.inputs:
        shown.append(f">>> ex.{question}.example()\n{exercise.example()!r}")
    return "\n\n".join(shown)


def given_away(shown: str, exercise: Exercise) -> Iterator[Finding]:
    """Yield the hints and explanations that a statement holds, which would help whoever writes the bank from it."""
    if "### Exercise" not in shown:
        yield error("no heading “### Exercise …” stands before its cell")
    for text in (*exercise.hints, *map(explanation, exercise.mistakes)):
        if text in shown:
            yield error(f"its statement holds a hint or an explanation: {text[:60]!r}")
