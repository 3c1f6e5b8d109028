"""Review one chapter: its notebook, then each of its exercises with mistakes, mutants and bank."""

import runpy
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from nbformat import NotebookNode

from lessonkit.checks.exercise import Exercise
from lessonkit.notebook import asserts
from lessonkit.notebook.catalog import Chapter
from lessonkit.notebook.reader import Unreadable, load
from lessonkit.notebook.solutions import Unsolvable
from lessonkit.review import anatomy, bank, core_path, mistakes, mutants, references
from lessonkit.review import exercises as asked
from lessonkit.review.cached_judge import Judging
from lessonkit.review.diagnostics import Finding, at, error


@dataclass
class Review:
    """A check of a course's content.

    `answers`: the folder of the bank, `package`: the exercises, as a dotted name. `quick`: mistakes are judged on
    one seed; mutants and answers of the bank are read, but not judged. `tried` counts what was judged.
    """

    answers: Path
    package: str
    quick: bool = False
    tried: Counter = field(default_factory=Counter)
    judging: Judging = field(default_factory=Judging)

    @cached_property
    def equivalent(self) -> dict[str, dict[str, str]]:
        """The mutants that behave like their reference, as `read_equivalent` returns them."""
        return mutants.read_equivalent(self.answers)

    def chapter(self, chapter: Chapter, series: Sequence[Chapter], only: str | None = None) -> Iterator[Finding]:
        """Yield every finding about a chapter of a series; with `only` about that exercise alone."""
        questions = asked.questions(self.package, chapter.slug)
        if only is None:
            yield from at(chapter.name, self._notebook(chapter, series))
            yield from at(chapter.name, self._strays(chapter, questions))
        for name, exercise in questions.items():
            if only in (None, exercise.name):
                yield from at(name, self.exercise(name, exercise, chapter.path))

    def _notebook(self, chapter, series):
        self.tried["chapters"] += 1
        yield from notebook(chapter.path, following(chapter, series))

    def _strays(self, chapter, questions):
        if not questions:
            yield error(f"{self.package}.{chapter.slug} has no exercise, or does not exist")
        for path in sorted((self.answers / chapter.slug).glob("*")):
            if path.suffix == ".py" and f"{chapter.slug}.{path.stem}" not in questions:
                yield error(f"{chapter.slug}/{path.name} of the bank belongs to no exercise of this chapter")
        of_this = {name: one for name, one in self.equivalent.items() if name.partition(".")[0] == chapter.slug}
        yield from mutants.reasons(of_this, set(questions))

    def exercise(self, name: str, exercise: Exercise, path: Path) -> Iterator[Finding]:
        """Yield every finding about the exercise "chapter.name", which the notebook at `path` asks."""
        self.tried["exercises"] += 1
        seeds = mistakes.SEEDS[:1] if self.quick else mistakes.SEEDS
        yield from asked.complete(exercise)
        yield from asked.reference(exercise)  # on three seeds also where it is to be quick: the first may import
        yield from asked.cheap(exercise, self.judging)
        for mistake in exercise.mistakes:
            self.tried["mistakes"] += 1
            yield from mistakes.explained(exercise, mistake, judging=self.judging, seeds=seeds)
        yield from mistakes.told_apart(exercise, self.judging, seeds=seeds)
        yield from mistakes.thin(exercise, self.judging)
        if not self.quick:
            self.tried["mutants"] += len(mutants.mutants(exercise.reference))
            yield from mutants.refused(exercise, self.equivalent.get(name, {}), judging=self.judging)
        yield from self._asked(name, exercise, path)
        yield from self._bank(name, exercise)

    def _asked(self, name, exercise, path):
        try:
            nb = load(path)
        except (OSError, Unreadable):  # what is said of the notebook says so
            return
        wrong = list(asked.asked(name, nb))
        yield from wrong
        if not wrong:
            yield from bank.given_away(bank.statement(name, exercise, nb=nb), exercise)

    def _bank(self, name, exercise):
        path = self.answers / f"{name.replace('.', '/')}.py"
        try:
            answers = bank.read_answers(path, {name})
        except FileNotFoundError:
            yield error(f"the bank has no {'/'.join(path.parts[-2:])}: write {bank.WRONG} wrong answers and more")
            return
        except bank.BankError as found:
            yield error(str(found))
            return
        yield from bank.copies(answers, exercise)
        verdicts = []
        for answer in [] if self.quick else answers:
            self.tried[f"{answer.kind} answers"] += 1
            try:
                verdict, wrong = bank.judged(answer, exercise, self.judging)
            except Exception as found:  # noqa: BLE001 - a cell raises what it likes
                yield error(f"{answer.label} cannot be run: {type(found).__name__}: {found}")
                continue
            yield from wrong
            if answer.kind == "wrong":
                verdicts.append(verdict)
        if not self.quick:
            yield from bank.enough(answers, verdicts)


def following(chapter: Chapter, series: Iterable[Chapter]) -> tuple[str, ...]:
    """Return the file names of the chapters with the next number."""
    return tuple(other.path.name for other in series if other.number == chapter.number + 1)


def notebook(path: Path, followers: tuple[str, ...] = ()) -> Iterator[Finding]:
    """Yield every finding about a notebook file: anatomy, core path, and the names that its references use."""
    nb, readable = anatomy.open_valid(path)
    yield from readable
    if nb is None:
        return
    yield from anatomy.check(nb, followers)
    try:
        yield from map(error, asserts.astray(nb, asserts.read(path)))
    except asserts.Malformed as found:
        yield error(str(found))
    yield from core_path.check(nb)
    try:
        yield from references.check(nb)
    except (Unsolvable, KeyError, ValueError) as found:
        yield error(f"an exercise of the notebook has no reference: {found}")


def readable(chapters: Iterable[Chapter]) -> Iterator[tuple[Chapter, NotebookNode]]:
    """Yield each chapter that can be read with its notebook; of the others the anatomy says why they cannot be."""
    for chapter in chapters:
        try:
            yield chapter, load(chapter.path)
        except (OSError, Unreadable, ValueError):
            continue


def own_findings(folder: Path, chapters: Sequence[Chapter]) -> Iterator[Finding]:
    """Yield what `findings(chapters)` of each `NAME.py` in the folder yields; none where there is no such folder.

    The files may import each other and what lies in the folder above.
    """
    before = list(sys.path)
    sys.path[:0] = [str(folder), str(folder.parent)]
    try:
        for path in sorted(folder.glob("*.py")):
            try:
                yield from runpy.run_path(str(path))["findings"](chapters)
            except Exception as found:  # noqa: BLE001 - over a chapter that is not whole
                yield error(f"{path.name} broke off with {type(found).__name__}: {found}")
    finally:
        sys.path[:] = before
