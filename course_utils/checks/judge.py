"""What is to be said of one answer to one question."""

import inspect
import sys
import time
import traceback

from course_utils.checks.behaviour import SECONDS, SLOWER, learners_line, observe, untouched
from course_utils.checks.compare import difference
from course_utils.checks.fence import Fence, Seal
from course_utils.checks.isolation import isolated
from course_utils.checks.snapshot import Foreign
from course_utils.checks.verdict import Verdict


class Judge:
    """One answer to an Exercise, on the inputs of one seed. `seal`: what must be itself again after the answer."""

    def __init__(self, exercise, answer, *, seed, seal):
        self.exercise, self.answer, self.seed, self.seal = exercise, answer, seed, seal
        self.printed = ""

    def verdict(self):
        """Run the answer, then the reference, compare, and say the first difference."""
        if self.answer is None or self.answer is ... or (self.exercise.inputs and untouched(self.answer)):
            state, message = "not attempted", self._not_attempted()
        else:
            state, message = self._value() if self.exercise.inputs is None else self._function()
        return Verdict(self.exercise.name, state, message, printed=_shorten(self.printed))

    def _value(self):
        found, _ = self._run(lambda: self.answer, lambda seed: [()], SECONDS)
        value = found[0].value if found else Foreign(type(self.answer).__name__)
        if difference(value, self._ours(self.exercise.reference)[0].value, **self.exercise.tolerance) is None:
            return "passed", "Right."
        for mistake in self.exercise.mistakes:
            if difference(value, self._ours(mistake)[0].value, **self.exercise.tolerance) is None:
                return "known mistake", _words(mistake)
        return (
            "wrong",
            f"{_shorten(repr(value), 80)} is not it. `ex.{self.exercise.name}.hint()` gives a first step.",
        )

    def _function(self):
        name = self.exercise.name
        if not callable(self.answer):
            kind = type(self.answer).__name__
            return "wrong", f"Found a value ({kind}), expected the function itself: pass `{name}` uncalled."
        seconds = self._patience()
        found, ending = self._run(self._call(self.answer), self.exercise.inputs, seconds)
        # PyTorch raises the same error, with a sentence, where it lacks an operation: that is an attempt.
        if found and isinstance(found[0].error, NotImplementedError) and not found[0].error.args:
            return "not attempted", self._not_attempted()
        wanted = self._ours(self.exercise.reference)  # only now: an answer that looks for it finds nothing
        for case, (one, other) in enumerate(zip(found, wanted, strict=False)):
            if message := self._unlike(one, other):
                return self._explain(found, case, message)
        if ending == "left":
            return "wrong", "Your answer has started a thread that is still running: `join()` it before you return."
        if ending != "finished" or not len(found) == len(wanted) > 0:
            return "too slow", self._too_slow(len(found), ending, seconds)
        return "passed", f"Right for {len(found)} inputs."

    def _explain(self, found, case, message):
        """Say what is wrong with the first outcome that differs, as a known mistake where it is one."""
        for mistake in self.exercise.mistakes:
            guess = self._ours(mistake)
            pairs = list(zip(found, guess, strict=False))
            if len(guess) >= len(found) and not any(self._unlike(one, other) for one, other in pairs):
                return "known mistake", _words(mistake)
        where = self._where(case)
        if found[case].error is not None:
            return "raised", f"{learners_line(found[case].error, self.answer)}\n{where}"
        if found[case].altered and not self.exercise.in_place:
            number = found[case].altered
            return "wrong", (
                f"Your answer altered its argument number {number}, which its caller still needs. "
                f"Work on a copy, and mind operations that end in `_`.\n{where}"
            )
        values = [one.value for one in found if one.error is None]
        if self._returns_its_input(values):
            message = f"You returned the input unchanged. {message}"
        elif len(values) > 2 and all(difference(value, values[0]) is None for value in values):
            message = f"You returned the same value for every input. {message}"
        return "wrong", f"{message}\n{where}"

    def _patience(self):
        """How many seconds the answer gets: SLOWER times what the reference needs, at least SECONDS."""
        for _ in range(2):  # what is imported or started at a first call is not an answer's fault
            start = time.perf_counter()
            self._ours(self.exercise.reference)
            seconds = SLOWER * (time.perf_counter() - start)
            if seconds <= SECONDS:
                return SECONDS
        return seconds

    def _run(self, call, inputs, seconds):
        """The learner's code: in a thread, with a time limit, behind a fence."""
        reference = self.exercise.reference
        about = Seal().remember(own=(self.exercise, sys.modules[reference.__module__]))
        with isolated(self.seed) as printed, Fence(reference, seals=(self.seal, about)):
            outcomes, ending = observe(call, inputs, self.seed, seconds=seconds)
        self.printed = printed.text()
        return outcomes, ending

    def _ours(self, function):
        """The outcomes of a reference or mistake of ours."""
        with isolated(self.seed):
            return observe(self._call(function), self.exercise.inputs or (lambda seed: [()]), self.seed)[0]

    def _call(self, function):
        def call(*arguments):
            value = self.exercise.probe(function, *arguments)
            return (value, *arguments) if self.exercise.in_place else value

        return call

    def _unlike(self, found, wanted):
        if found.error is not None or wanted.error is not None:
            return None if type(found.error) is type(wanted.error) else "One raises an error, the other does not."
        if message := difference(found.value, wanted.value, **self.exercise.tolerance):
            return message
        return None if found.altered == wanted.altered else "It altered its arguments."

    def _returns_its_input(self, values):
        cases = self.exercise.inputs(self.seed)[: len(values)]
        return not self.exercise.in_place and all(
            any(difference(value, argument) is None for argument in case)
            for value, case in zip(values, cases, strict=True)
        )

    def _not_attempted(self):
        return f"Not attempted. Run `ex.{self.exercise.name}.hint()` for a first step."

    def _where(self, case):
        return f"The input was `ex.{self.exercise.name}.example({self.seed}, {case})`: try it by hand."

    def _too_slow(self, case, ending, seconds):
        words = (
            f"No answer within {seconds:.2g} s: a loop that never ends, or far too many steps?\n{self._where(case)}"
        )
        if ending == "runaway":
            words += "\nIt could not be stopped and goes on in the background: restart the kernel."
        return words


def not_judged(error):
    """The sentence for an answer that cannot even be looked at; names our own line, in case the fault is there."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"This answer cannot be judged: {type(error).__name__} as it was looked at "
        f"(line {last.lineno} of {last.filename}). Does it override `__repr__`, `__str__` or `__class__`?"
    )


def _words(function):
    return " ".join(inspect.getdoc(function).split())


def _shorten(text, most=1000):
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters in all)"
