"""An exercise: a reference, fresh inputs at each check, hints in steps, and the mistakes that people make."""

import inspect
import itertools
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from time import perf_counter

from lessonkit.checks.answer import Answer
from lessonkit.checks.expected import Expected
from lessonkit.checks.isolation import isolated
from lessonkit.checks.judge import judged
from lessonkit.checks.listeners import notify
from lessonkit.checks.question import Question, call
from lessonkit.checks.verdict import Note, Verdict

_NOT_SHARED = {"name", "given"}  # of a Question: what an Exercise gets elsewhere or has no use for


@dataclass(eq=False, repr=False)
class Exercise:
    """One question with everything needed to judge an answer: the fields are those of `Question` and `Answer`.

    Where no `inputs` are given, the answer is a value, and `reference()` computes the right one.
    """

    name: str = field(init=False)
    reference: Callable
    _: KW_ONLY
    inputs: Callable[[int], list[tuple]] | None = None
    mistakes: Sequence[Callable] = ()
    hints: Sequence[str] = ()
    probe: Callable = call
    in_place: bool = False
    rtol: float | None = None
    atol: float | None = None
    restrictions: Sequence[Callable[[object], str | None]] = ()
    asks: str = ""
    describe: Callable[..., str] | None = None

    def __post_init__(self) -> None:
        self.name, self.hints = self.reference.__name__, tuple(self.hints)
        self._seeds, self._hint_numbers = itertools.count(1), itertools.count(1)

    @classmethod
    def of(cls, question: Question, answer: Answer) -> "Exercise":
        """Return the exercise of a question and the course's own answer to it.

        Raises ValueError where the reference is not called like the question.
        """
        if answer.reference.__name__ != question.name:
            raise ValueError(f"The answer to {question.name} is called {answer.reference.__name__}.")
        asked = {one.name: getattr(question, one.name) for one in fields(question) if one.name not in _NOT_SHARED}
        return cls(answer.reference, mistakes=answer.mistakes, hints=answer.hints, **asked)

    def check(self, answer: object, *, seed: int | None = None) -> Verdict:
        """Judge an answer and return a Verdict; never raises and never prints.

        The time limit of the answer is `Expected.patience`: one second, or 20 times what the reference needs if
        that is longer. Importing modules for the first time does not count.

        `seed`: seed of the inputs, given to see those of an earlier check again. By default each check has fresh
        inputs, beginning with those of seed 1. In the learner's work folder, recording the verdict takes some
        hundredths of a second, and one or two seconds at worst. If it cannot be recorded, one sentence about that
        is printed to standard error, once in a kernel's life.
        """
        if seed is None:
            seed = next(self._seeds)
        start = perf_counter()
        verdict = judged(self, answer, expected=Expected(self, seed))
        notify(self, verdict, perf_counter() - start, "check")
        return verdict

    def hint(self) -> Note:
        """Return the next hint, one step further each time."""
        number = next(self._hint_numbers)
        if number > len(self.hints):
            return Note(f"No more hints. `ex.{self.name}.solution()` shows our answer.")
        note = Note(f"Hint {number} of {len(self.hints)}: {self.hints[number - 1]}")
        notify(self, note, 0.0, "hint")
        return note

    def solution(self) -> Note:
        """Return the source of our own answer, as it would stand in a cell."""
        note = Note(self.source().rstrip(), code=True)
        notify(self, note, 0.0, "solution")
        return note

    def source(self) -> str:
        """Return the text of `solution()` as a string, ending in a newline."""
        text = textwrap.dedent(inspect.getsource(self.reference))
        return text if self.inputs else f"{text}\n\n{self.name} = {self.name}()\n"

    def shown(self) -> str:
        """Return `source()` for a verdict to show, or why there is no source if the exercise is in no file."""
        try:
            return self.source().rstrip()
        except (OSError, TypeError) as error:
            return f"# There is no text of it: {error}."

    def example(self, seed: int = 0, case: int = 0) -> tuple:
        """Return the arguments of input number `case` of that seed, to try an answer by hand.

        They are those of a check with that seed; the learner's own random numbers go on as if nothing was drawn.
        """
        with isolated(seed):
            return self.inputs(seed)[case]
