"""A question: the inputs of an answer and how it is called. It knows no reference and no mistake.

Where submissions run, the course has nothing else of its exercises. There a question keeps the answer that it is
given, and the judge, in another process, is told what that answer does.
"""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field

from lessonkit.checks.isolation import isolated
from lessonkit.checks.verdict import Note

NOTHING = object()  # no answer has been given


def call(answer: Callable, *arguments: object) -> object:
    """Call the answer with the arguments: how most exercises drive it."""
    return answer(*arguments)


@dataclass(frozen=True)
class Kept(Note):
    """What a check gives where submissions run: a sentence, and a state that is no verdict."""

    passed: bool = False
    state: str = "not judged"


@dataclass(eq=False, repr=False)
class Question:
    """One question, without its answer.

    `name`: of the function, class or value that is asked for. `inputs(seed)`: list of argument tuples, the first
    one the example, edge sizes among the others; without it the answer is a value. `probe(answer, *args)`: how to
    drive an answer that is not called with the arguments directly. `in_place`: the answer is asked to alter its
    arguments, which are then compared as well. `rtol`, `atol`: tolerances, default torch.testing's.
    `restrictions`: what else the task asks for, such as `no_loop`; each is a function `answer -> str | None` that
    says what a right answer does against it, in words that stand after "The values are right, but". `asks`: what a
    value is asked for, in a sentence, said of a wrong one. `describe(*arguments)`: an input in words, where the
    arguments say little. `given`: the answer that was handed to `check` last, where submissions run.
    """

    name: str
    _: KW_ONLY
    inputs: Callable[[int], list[tuple]] | None = None
    probe: Callable = call
    in_place: bool = False
    rtol: float | None = None
    atol: float | None = None
    restrictions: Sequence[Callable[[object], str | None]] = ()
    asks: str = ""
    describe: Callable[..., str] | None = None
    given: object = field(default=NOTHING, init=False)

    def check(self, answer: object, *, seed: int | None = None) -> Kept:
        """Keep the answer, which is judged in another process; return a sentence that says so."""
        self.given = answer
        return Kept(f"{self.name} is judged when the cell has run.")

    def hint(self) -> Note:
        """Say that there are no hints where submissions run."""
        return Note("There are no hints where submissions are graded.")

    def solution(self) -> Note:
        """Say that there is no solution where submissions run."""
        return Note("Our answer is not available where submissions are graded.")

    def example(self, seed: int = 0, case: int = 0) -> tuple:
        """Return the arguments of input number `case` of that seed, to try an answer by hand.

        They are those of a check with that seed; the learner's own random numbers go on as if nothing was drawn.
        """
        with isolated(seed):
            return self.inputs(seed)[case]
