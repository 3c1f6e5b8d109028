"""Questions that answer back: a reference, fresh inputs, staged hints and the mistakes people make."""

import inspect
import textwrap
import time

from course_utils.answers import SECONDS, SLOWER, import_for, learners_line, observe, untouched
from course_utils.compare import difference
from course_utils.isolation import isolated
from course_utils.verdict import Note, Verdict


class Exercise:
    """One question with everything needed to judge an answer.

    `reference`: the solution, a function (or class) whose name and signature the learner's stub has.
    `inputs(seed)`: list of argument tuples, the first one the example, edge sizes among the others; without it
    the answer is a value and `reference()` computes it. `mistakes`: wrong answers we expect; the docstring of
    each is what a learner reads who makes it. `hints`: sentences, one more at each call. `probe(answer, *args)`:
    how to drive an answer that is not called with the arguments directly. `in_place`: the answer is asked to
    alter its arguments, which are then compared as well. `rtol`, `atol`: tolerances, default torch.testing's.
    """

    def __init__(
        self, reference, *, inputs=None, mistakes=(), hints=(), probe=None, in_place=False, rtol=None, atol=None
    ):
        self.reference, self.inputs, self.mistakes, self.hints = reference, inputs, mistakes, hints
        self.name = reference.__name__
        self._probe = probe or (lambda answer, *arguments: answer(*arguments))
        self._in_place, self._tolerance = in_place, {"rtol": rtol, "atol": atol}
        self._checks = self._hints_shown = 0

    def check(self, answer):
        """Judge an answer and return a Verdict; never raises, never prints, ends within two seconds."""
        self._checks += 1
        seed = self._checks  # fresh inputs at every check, and a number to name them by
        with isolated(seed) as printed:
            state, message = self._judge_value(answer) if self.inputs is None else self._judge(answer, seed)
        return Verdict(self.name, state, message, printed=_shorten(printed.getvalue()))

    def hint(self):
        """The next hint, one step further each time."""
        if self._hints_shown >= len(self.hints):
            return Note(f"No more hints. `ex.{self.name}.solution()` shows our answer.")
        self._hints_shown += 1
        return Note(f"Hint {self._hints_shown} of {len(self.hints)}: {self.hints[self._hints_shown - 1]}")

    def solution(self):
        """The source of our own answer, as it would stand in a cell."""
        return Note(self.source().rstrip())

    def source(self):
        """The text of `solution()` as a string, ending in a newline."""
        text = textwrap.dedent(inspect.getsource(self.reference))
        return text if self.inputs else f"{text}\n\n{self.name} = {self.name}()\n"

    def example(self, seed=0, case=0):
        """The arguments of input number `case` of that seed, to try an answer by hand."""
        return self.inputs(seed)[case]

    def _judge_value(self, answer):
        if answer is None or answer is ...:
            return "not attempted", self._not_attempted()
        if difference(answer, self.reference(), **self._tolerance) is None:
            return "passed", "Right."
        for mistake in self.mistakes:
            if difference(answer, mistake(), **self._tolerance) is None:
                return "known mistake", _words(mistake)
        return "wrong", f"{_shorten(repr(answer), 80)} is not it. `ex.{self.name}.hint()` gives a first step."

    def _judge(self, answer, seed):
        if untouched(answer):
            return "not attempted", self._not_attempted()
        if not callable(answer):
            kind = type(answer).__name__
            return "wrong", f"Found a value ({kind}), expected the function itself: pass `{self.name}` uncalled."
        wanted, seconds = self._reference(seed)
        import_for(answer)
        found, ending = self._observe(answer, seed, seconds=seconds)
        if found and isinstance(found[0].error, NotImplementedError):
            return "not attempted", self._not_attempted()
        for case, (one, other) in enumerate(zip(found, wanted, strict=False)):
            if message := self._unlike(one, other):
                return self._explain(answer, seed, found, case, message)
        if ending != "finished":
            return "too slow", self._too_slow(seed, len(found), ending, seconds)
        return "passed", f"Right for {len(found)} inputs."

    def _explain(self, answer, seed, found, case, message):
        """Say what is wrong with the first outcome that differs, as a known mistake where it is one."""
        for mistake in self.mistakes:
            guess, _ = self._observe(mistake, seed)
            pairs = list(zip(found, guess, strict=False))
            if len(guess) >= len(found) and not any(self._unlike(one, other) for one, other in pairs):
                return "known mistake", _words(mistake)
        where = f"The input was `ex.{self.name}.example({seed}, {case})`: try it by hand."
        if found[case].error is not None:
            return "raised", f"{learners_line(found[case].error, answer)}\n{where}"
        if found[case].altered and not self._in_place:
            number = found[case].altered
            return "wrong", (
                f"Your answer altered its argument number {number}, which its caller still needs. "
                f"Work on a copy, and mind operations that end in `_`.\n{where}"
            )
        values = [one.value for one in found if one.error is None]
        if self._returns_its_input(values, seed):
            message = f"You returned the input unchanged. {message}"
        elif len(values) > 2 and all(difference(value, values[0]) is None for value in values):
            message = f"You returned the same value for every input. {message}"
        return "wrong", f"{message}\n{where}"

    def _reference(self, seed):
        """What the reference gives on every input, and how many seconds an answer gets for the same."""
        self._observe(
            self.reference, seed
        )  # whatever is imported or started at a first call is not an answer's fault
        start = time.perf_counter()
        wanted, _ = self._observe(self.reference, seed)
        return wanted, max(SECONDS, SLOWER * (time.perf_counter() - start))

    def _observe(self, answer, seed, *, seconds=None):
        def call(*arguments):
            value = self._probe(answer, *arguments)
            return (value, *arguments) if self._in_place else value

        return observe(call, self.inputs, seed, seconds=seconds)

    def _unlike(self, found, wanted):
        if found.error is not None or wanted.error is not None:
            return None if type(found.error) is type(wanted.error) else "One raises an error, the other does not."
        if message := difference(found.value, wanted.value, **self._tolerance):
            return message
        return None if found.altered == wanted.altered else "It altered its arguments."

    def _returns_its_input(self, values, seed):
        cases = self.inputs(seed)[: len(values)]
        return not self._in_place and all(
            any(difference(value, argument) is None for argument in case)
            for value, case in zip(values, cases, strict=True)
        )

    def _not_attempted(self):
        return f"Not attempted. Run `ex.{self.name}.hint()` for a first step."

    def _too_slow(self, seed, case, ending, seconds):
        message = (
            f"No answer within {seconds:.2g} s: a loop that never ends, or far too many steps?\n"
            f"The input was `ex.{self.name}.example({seed}, {case})`: try it by hand."
        )
        if ending == "runaway":
            message += "\nIt could not be stopped and goes on in the background: restart the kernel."
        return message


def _words(function):
    return " ".join(inspect.getdoc(function).split())


def _shorten(text, most=1000):
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters in all)"
