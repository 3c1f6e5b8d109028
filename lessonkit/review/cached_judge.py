"""Judge many answers to one exercise while the outcomes of its reference and mistakes are cached.

Beside the answer a check runs the reference twice and a mistake or two, each time anew: three fifths of the time
that judging a bank takes. Here only the answers vary. What is lost: an answer that misleads a reference which runs
after it meets one that ran before (test_cheating.py has such answers). With `keep=False`,
as CI does every week, nothing is kept.
"""

from collections.abc import Callable, Iterator

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.expected import Expected
from lessonkit.checks.judge import judged, verdict
from lessonkit.checks.outcomes import Outcome, Outcomes, collect
from lessonkit.checks.verdict import Verdict


class Kept(Expected):
    """What reference and mistakes of one exercise give on one seed's inputs; each is run once, when asked for."""

    def __init__(self, exercise: Exercise, seed: int) -> None:
        super().__init__(exercise, seed)
        self._collected: dict[Callable, Outcomes] = {}

    def collected(self, mistake: Callable) -> Outcomes:
        """Return what became of a mistake that was run as a learner's answer: behind the fence, within the time."""
        if mistake not in self._collected:
            self._collected[mistake] = collect(self.exercise, mistake, seed=self.seed, patience=self.patience)
        return self._collected[mistake]

    def guess(self, mistake: Callable) -> Iterator[Outcome]:
        """Return the outcomes of a mistake: those that it had as an answer, where the answer is a function."""
        return super().guess(mistake) if self.exercise.inputs is None else iter(self.collected(mistake).each)

    def known(self, function: Callable) -> list[Outcome]:
        """Return the outcome of the reference, or of a mistake, on each input."""
        return self.wanted if function is self.exercise.reference else list(self.guess(function))


class Judging:
    """Judges answers to the exercises of a course, and keeps what is ours of each exercise and seed."""

    def __init__(self, *, keep: bool = True) -> None:
        self.keep, self._kept = keep, {}

    def expected(self, exercise: Exercise, seed: int) -> Kept:
        """Return what reference and mistakes give on that seed: one run of each serves all that is asked of it."""
        return self._kept.setdefault((exercise, seed), Kept(exercise, seed))

    def verdict(self, exercise: Exercise, answer: object, seed: int) -> Verdict:
        """Return what `exercise.check(answer, seed=seed)` says; it notes no progress where outcomes are kept."""
        if not self.keep:
            return exercise.check(answer, seed=seed)
        expected = self.expected(exercise, seed)
        if exercise.inputs and any(answer is mistake for mistake in exercise.mistakes):
            return verdict(exercise, expected.collected(answer), expected)
        return judged(exercise, answer, expected=expected)
