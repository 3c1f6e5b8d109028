"""Judge one answer: run it, then the reference on the same inputs, and put the first difference into words."""

import inspect
import os
import time
from typing import TYPE_CHECKING

from lessonkit.checks import explain
from lessonkit.checks.behaviour import Outcome, learners_line, observe, outcomes_of, untouched
from lessonkit.checks.compare import difference
from lessonkit.checks.fence import fence
from lessonkit.checks.isolation import isolated
from lessonkit.checks.snapshot import Foreign
from lessonkit.checks.time_limit import SECONDS, SLOWER, too_slow
from lessonkit.checks.verdict import State, Verdict
from lessonkit.system.meter import Meter

if TYPE_CHECKING:
    from lessonkit.checks.exercise import Exercise


class Judge:
    """One answer to an Exercise, on the inputs of one seed."""

    def __init__(self, exercise: "Exercise", answer: object, *, seed: int) -> None:
        self.exercise, self.answer, self.seed = exercise, answer, seed
        self.printed = ""

    def verdict(self) -> Verdict:
        """Run the answer, then the reference, compare, and say the first difference."""
        if self.answer is None or self.answer is ... or (self.exercise.inputs and untouched(self.answer)):
            return self._not_attempted()
        return self._judge_value() if self.exercise.inputs is None else self._judge_function()

    def _say(self, state: State, message: str) -> Verdict:
        # Whoever has not tried yet gets hints; our answer is for comparing with one's own.
        solution = "" if state == "not attempted" else self.exercise.shown()
        printed, hints = _shorten(self.printed), self.exercise.hints
        return Verdict(self.exercise.name, state, message, printed=printed, hints=hints, solution=solution)

    def _not_attempted(self):
        return self._say("not attempted", f"Not attempted. Run `ex.{self.exercise.name}.hint()` for a first step.")

    def _judge_value(self):
        found, _ = self._run(lambda: self.answer, lambda seed: [()], SECONDS)
        value = found[0].value if found else Foreign(type(self.answer).__name__)
        wanted = self._ours(self.exercise.reference)[0].value
        if self._difference(value, wanted) is None:
            return self._say("passed", "Right.")
        for mistake in self.exercise.mistakes:
            if self._difference(value, self._ours(mistake)[0].value) is None:
                return self._say("known mistake", _words(mistake))
        message = f"{_shorten(repr(value), 80)} is not it.{explain.other_kind(value, wanted)}"
        if self.exercise.asks:
            message += f" The question was: {self.exercise.asks}"
        return self._say("wrong", f"{message} `ex.{self.exercise.name}.hint()` gives a first step.")

    def _judge_function(self):
        name = self.exercise.name
        if not callable(self.answer):
            kind = type(self.answer).__name__
            message = f"Found a value ({kind}), expected the function itself: pass `{name}` uncalled."
            return self._say("wrong", message)
        against = next((said for one in self.exercise.restrictions if (said := one(self.answer))), None)
        seconds = self._patience()
        found, ending = self._run(self._call(self.answer), self.exercise.inputs, seconds)
        # PyTorch raises the same error, with a sentence, where it lacks an operation: that is an attempt.
        if found and isinstance(found[0].error, NotImplementedError) and not found[0].error.args:
            return self._not_attempted()
        wanted = self._ours(self.exercise.reference)  # only now: an answer that looks for it finds nothing
        for case, (one, other) in enumerate(zip(found, wanted, strict=False)):
            if message := self._unlike(one, other):
                return self._explain(found, wanted, case, message)
        if ending == "left":
            message = "Your answer has started a thread that is still running: `join()` it before you return."
            return self._say("wrong", message)
        answered_all = ending == "finished" and len(found) == len(wanted)
        if not answered_all or not wanted:  # a question whose inputs somebody took away passes nobody
            return self._say("too slow", too_slow(self._where(len(found)), ending, seconds))
        if against:
            return self._say("wrong", f"The values are right, but {against}")
        return self._say("passed", f"Right for {len(found)} inputs.")

    def _explain(self, found, wanted, case, message):
        """Say what is wrong with the first outcome that differs, as a known mistake where it is one."""
        for mistake in self.exercise.mistakes:
            if explain.makes(self.exercise, found, self._guess(mistake), wanted):
                return self._say("known mistake", _words(mistake))
        one, other, where = found[case], wanted[case], self._where(case)
        if one.error is not None:
            also = f"\n{message}" if other.error is not None else ""
            return self._say("raised", f"{self._quoted(one.error)}{also}\n{where}")
        if changed := explain.altered(self.exercise, one, other):
            return self._say("wrong", f"{changed}\n{where}")
        values = [one.value for one in found if one.error is None]
        if one.value is None and other.error is None:
            message = explain.nothing(self.answer, other.value)
        elif self._returns_its_input(values):
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
        with isolated(self.seed) as printed, fence():
            # On a busy machine an answer waits for a core: that is not its fault, and not charged.
            clock = Meter(lambda: [os.getpid()]).charged
            outcomes, ending = observe(call, inputs, self.seed, seconds=seconds, clock=clock)
        self.printed = printed.text()
        return outcomes, ending

    def _ours(self, function):
        """Return the outcomes of a reference or mistake of ours."""
        with isolated(self.seed):
            return observe(self._call(function), self.exercise.inputs or (lambda seed: [()]), self.seed)[0]

    def _guess(self, mistake):
        """Yield the outcomes of a mistake of ours, each when it is asked for: most are told by the first."""
        with isolated(self.seed):
            outcomes = outcomes_of(self._call(mistake), self.exercise.inputs, self.seed)
        while True:
            with isolated(self.seed):  # not while somebody compares
                if (outcome := next(outcomes, None)) is None:
                    return
            yield outcome

    def _call(self, function):
        def call(*arguments):
            value = self.exercise.probe(function, *arguments)
            return (value, *arguments) if self.exercise.in_place else value

        return call

    def _where(self, case):
        return explain.where(self.exercise, self.seed, case)

    def _difference(self, found, wanted):
        return explain.unlike_value(self.exercise, found, wanted)

    def _unlike(self, found: Outcome, wanted: Outcome) -> str | None:
        return explain.unlike(self.exercise, found, wanted)

    def _quoted(self, error: BaseException) -> str:
        return learners_line(error, self.answer)

    def _returns_its_input(self, values):
        cases = self.exercise.inputs(self.seed)[: len(values)]
        return not self.exercise.in_place and all(
            any(difference(value, argument) is None for argument in case)
            for value, case in zip(values, cases, strict=True)
        )


def _words(function):
    return " ".join(inspect.getdoc(function).split())


def _shorten(text, most=1000):
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters in all)"
