"""Judge one answer: run it, then the reference on the same inputs, and put the first difference into words."""

import inspect
import sys
import time
from typing import TYPE_CHECKING

from course_utils.checks.behaviour import Outcome, learners_line, observe, untouched
from course_utils.checks.compare import difference
from course_utils.checks.fence import Fence, Seal
from course_utils.checks.isolation import isolated
from course_utils.checks.snapshot import Foreign
from course_utils.checks.time_limit import SECONDS, SLOWER
from course_utils.checks.verdict import State, Verdict

if TYPE_CHECKING:
    from course_utils.checks.exercise import Exercise


class Judge:
    """One answer to an Exercise, on the inputs of one seed. `seal`: what must be itself again after the answer."""

    def __init__(self, exercise: "Exercise", answer: object, *, seed: int, seal: Seal) -> None:
        self.exercise, self.answer, self.seed, self.seal = exercise, answer, seed, seal
        self.printed = ""

    def verdict(self) -> Verdict:
        """Run the answer, then the reference, compare, and say the first difference."""
        if self.answer is None or self.answer is ... or (self.exercise.inputs and untouched(self.answer)):
            return self._not_attempted()
        return self._judge_value() if self.exercise.inputs is None else self._judge_function()

    def _say(self, state: State, message: str) -> Verdict:
        return Verdict(self.exercise.name, state, message, printed=_shorten(self.printed))

    def _not_attempted(self):
        return self._say("not attempted", f"Not attempted. Run `ex.{self.exercise.name}.hint()` for a first step.")

    def _judge_value(self):
        found, _ = self._run(lambda: self.answer, lambda seed: [()], SECONDS)
        value = found[0].value if found else Foreign(type(self.answer).__name__)
        if self._difference(value, self._ours(self.exercise.reference)[0].value) is None:
            return self._say("passed", "Right.")
        for mistake in self.exercise.mistakes:
            if self._difference(value, self._ours(mistake)[0].value) is None:
                return self._say("known mistake", _words(mistake))
        shown = _shorten(repr(value), 80)
        return self._say("wrong", f"{shown} is not it. `ex.{self.exercise.name}.hint()` gives a first step.")

    def _judge_function(self):
        name = self.exercise.name
        if not callable(self.answer):
            kind = type(self.answer).__name__
            message = f"Found a value ({kind}), expected the function itself: pass `{name}` uncalled."
            return self._say("wrong", message)
        against = self._against_the_task()  # before it runs: it could change its own code
        seconds = self._patience()
        found, ending = self._run(self._call(self.answer), self.exercise.inputs, seconds)
        # PyTorch raises the same error, with a sentence, where it lacks an operation: that is an attempt.
        if found and isinstance(found[0].error, NotImplementedError) and not found[0].error.args:
            return self._not_attempted()
        wanted = self._ours(self.exercise.reference)  # only now: an answer that looks for it finds nothing
        for case, (one, other) in enumerate(zip(found, wanted, strict=False)):
            if message := self._unlike(one, other):
                return self._explain(found, case, message)
        if ending == "left":
            message = "Your answer has started a thread that is still running: `join()` it before you return."
            return self._say("wrong", message)
        answered_all = ending == "finished" and len(found) == len(wanted)
        if not answered_all or not wanted:  # a question whose inputs somebody took away passes nobody
            return self._say("too slow", self._too_slow(len(found), ending, seconds))
        if against:
            return self._say("wrong", f"The values are right, but {against}")
        return self._say("passed", f"Right for {len(found)} inputs.")

    def _against_the_task(self):
        return next((said for one in self.exercise.restrictions if (said := one(self.answer))), None)

    def _explain(self, found, case, message):
        """Say what is wrong with the first outcome that differs, as a known mistake where it is one."""
        for mistake in self.exercise.mistakes:
            guess = self._ours(mistake)
            pairs = list(zip(found, guess, strict=False))
            if len(guess) >= len(found) and not any(self._unlike(one, other) for one, other in pairs):
                return self._say("known mistake", _words(mistake))
        where = self._where(case)
        if found[case].error is not None:
            return self._say("raised", f"{learners_line(found[case].error, self.answer)}\n{where}")
        if found[case].altered and not self.exercise.in_place:
            message = (
                f"Your answer altered its argument number {found[case].altered}, which its caller still needs. "
                "Work on a copy, and mind operations that end in `_`."
            )
            return self._say("wrong", f"{message}\n{where}")
        values = [one.value for one in found if one.error is None]
        if self._returns_its_input(values):
            message = f"You returned the input unchanged. {message}"
        elif len(values) > 2 and all(difference(value, values[0]) is None for value in values):
            message = f"You returned the same value for every input. {message}"
        return self._say("wrong", f"{message}\n{where}")

    def _patience(self):
        """Return how many seconds the answer gets: SLOWER times what the reference needs, at least SECONDS."""
        for _ in range(2):  # what is imported or started at a first call is not an answer's fault
            start = time.perf_counter()
            self._ours(self.exercise.reference)
            seconds = SLOWER * (time.perf_counter() - start)
            if seconds <= SECONDS:
                return SECONDS
        return seconds

    def _run(self, call, inputs, seconds):
        """Run the learner's code: in a thread, with a time limit, behind a fence."""
        reference = self.exercise.reference
        about = Seal().remember(own=(self.exercise, sys.modules[reference.__module__]))
        with isolated(self.seed) as printed, Fence(reference, seals=(self.seal, about)):
            outcomes, ending = observe(call, inputs, self.seed, seconds=seconds)
        self.printed = printed.text()
        return outcomes, ending

    def _ours(self, function):
        """Return the outcomes of a reference or mistake of ours."""
        with isolated(self.seed):
            return observe(self._call(function), self.exercise.inputs or (lambda seed: [()]), self.seed)[0]

    def _call(self, function):
        def call(*arguments):
            value = self.exercise.probe(function, *arguments)
            return (value, *arguments) if self.exercise.in_place else value

        return call

    def _difference(self, found, wanted):
        return difference(found, wanted, rtol=self.exercise.rtol, atol=self.exercise.atol)

    def _unlike(self, found: Outcome, wanted: Outcome) -> str | None:
        if found.error is not None or wanted.error is not None:
            return None if type(found.error) is type(wanted.error) else "One raises an error, the other does not."
        if message := self._difference(found.value, wanted.value):
            return message
        return None if found.altered == wanted.altered else "It altered its arguments."

    def _returns_its_input(self, values):
        cases = self.exercise.inputs(self.seed)[: len(values)]
        return not self.exercise.in_place and all(
            any(difference(value, argument) is None for argument in case)
            for value, case in zip(values, cases, strict=True)
        )

    def _where(self, case):
        return f"The input was `ex.{self.exercise.name}.example({self.seed}, {case})`: try it by hand."

    def _too_slow(self, case, ending, seconds):
        message = f"No answer within {seconds:.2g} s: a loop that never ends, or far too many steps?"
        message += f"\n{self._where(case)}"
        if ending == "runaway":
            message += "\nIt could not be stopped and goes on in the background: restart the kernel."
        return message


def _words(function):
    return " ".join(inspect.getdoc(function).split())


def _shorten(text, most=1000):
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters in all)"
