"""The second step of judging: compare an answer's outcomes with the expected ones, and explain the difference.

`verdict` compares them with what our reference and our known mistakes give. It runs nothing of the answer's, so the
outcomes may have been collected in this process or been told by another one.
"""

import inspect
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import torch

from lessonkit.checks.answer import explanation
from lessonkit.checks.compare import difference
from lessonkit.checks.expected import Expected
from lessonkit.checks.isolation import isolated
from lessonkit.checks.outcomes import Outcome, Outcomes, collect
from lessonkit.checks.snapshot import Foreign
from lessonkit.checks.time_limit import run_with_limit, too_slow
from lessonkit.checks.verdict import State, Verdict, not_judged
from lessonkit.checks.wording import a, kind_of, short

if TYPE_CHECKING:
    from lessonkit.checks.exercise import Exercise


def judged(exercise: "Exercise", answer: object, *, expected: Expected) -> Verdict:
    """Run an answer on the inputs of `expected.seed` and return the Verdict; never raises, never prints."""
    verdicts = []

    def work():
        try:
            outcomes = collect(exercise, answer, seed=expected.seed, patience=expected.patience)
            verdicts.append(
                verdict(exercise, outcomes, expected)
            )  # only now: no expected value existed while it ran
        except BaseException as error:  # noqa: BLE001 - whatever an answer's objects do when looked at
            verdicts[:] = [Verdict(exercise.name, "raised", not_judged(error), hints=exercise.hints)]

    # A thread of its own, so that no mode, hook or unfinished `with` of the cell's bears on the comparison.
    run_with_limit(work)
    return verdicts[0]


def verdict(exercise: "Exercise", outcomes: Outcomes, expected: Expected) -> Verdict:
    """Compare the outcomes of an answer with ours, and say the first difference."""
    judge = _on_value if exercise.inputs is None else _on_function
    state, message = ("not attempted", "") if outcomes.untouched else judge(exercise, outcomes, expected)
    if state == "not attempted":
        message = f"Not attempted. Run `ex.{exercise.name}.hint()` for a first step."
    # Whoever has not tried yet gets hints; our answer is for comparing with one's own.
    solution = "" if state == "not attempted" else exercise.shown()
    printed, hints = _shorten(outcomes.printed), exercise.hints
    return Verdict(exercise.name, state, message, printed=printed, hints=hints, solution=solution)


def _on_value(exercise, outcomes, expected) -> tuple[State, str]:
    value = outcomes.each[0].value if outcomes.each else Foreign(outcomes.kind)
    wanted = expected.wanted[0].value
    if unlike_value(exercise, value, wanted) is None:
        return "passed", "Right."
    for mistake in exercise.mistakes:
        if unlike_value(exercise, value, next(expected.guess(mistake)).value) is None:
            return "known mistake", explanation(mistake)
    asked = f" The question was: {exercise.asks}" if exercise.asks else ""
    message = f"{_shorten(repr(value), 80)} is not the answer.{_other_kind(value, wanted)}{asked}"
    return "wrong", f"{message} `ex.{exercise.name}.hint()` gives a first step."


def _on_function(exercise, outcomes, expected) -> tuple[State, str]:
    if not outcomes.callable:
        got = f"The check got a value ({outcomes.kind}), but it needs the function itself"
        message = f"{got}. Pass `{exercise.name}` without calling it."
        return "wrong", message
    found = outcomes.each
    # PyTorch raises the same error, with a sentence, where it lacks an operation: that is an attempt.
    if found and isinstance(found[0].error, NotImplementedError) and not found[0].error.args:
        return "not attempted", ""
    wanted = expected.wanted
    for case, (one, other) in enumerate(zip(found, wanted, strict=False)):
        if message := unlike(exercise, one, other):
            return _explained(exercise, outcomes, expected, case, message)
    if outcomes.ending == "left":
        return (
            "wrong",
            "Your answer has started a thread that is still running. Call its `join()` before you return.",
        )
    answered_all = outcomes.ending == "finished" and len(found) == len(wanted)
    if not answered_all or not wanted:  # without inputs, nothing was compared
        where = _where(exercise, expected.seed, len(found))
        return "too slow", too_slow(where, outcomes.ending, outcomes.seconds)
    if outcomes.against:
        return "wrong", f"The values are right, but {outcomes.against}"
    return "passed", f"Right for {len(found)} inputs."


def _explained(exercise, outcomes, expected, case, message) -> tuple[State, str]:
    """Explain the first outcome that differs, as a known mistake where it is one."""
    found, wanted = outcomes.each, expected.wanted
    for mistake in exercise.mistakes:
        if makes(exercise, found, expected.guess(mistake), wanted):
            return "known mistake", explanation(mistake)
    one, other, where = found[case], wanted[case], _where(exercise, expected.seed, case)
    if one.error is not None:
        also = f"\n{message}" if other.error is not None else ""
        return "raised", f"{one.line}{also}\n{where}"
    if changed := _altered(exercise, one, other):
        return "wrong", f"{changed}\n{where}"
    values = [one.value for one in found if one.error is None]
    if one.value is None and other.error is None:
        message = _nothing(other.value, returns=outcomes.returns)
    elif _are_inputs(exercise, values, expected.seed):
        message = f"You returned the input unchanged. {message}"
    elif len(values) > 2 and all(difference(value, values[0]) is None for value in values):
        message = f"You returned the same value for every input. {message}"
    return "wrong", f"{message}\n{where}"


def _are_inputs(exercise, values, seed):
    """Say whether each value is one of the arguments of its input."""
    cases = _cases(exercise, seed)[: len(values)]
    return not exercise.in_place and all(
        any(difference(value, argument) is None for argument in case)
        for value, case in zip(values, cases, strict=True)
    )


def _shorten(text, most=1000):
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters in all)"


# Comparing outcomes


def unlike(exercise: "Exercise", found: Outcome, wanted: Outcome) -> str | None:
    """Return the first difference of two outcomes: what was raised, the value, what was altered."""
    if found.error is not None or wanted.error is not None:
        return None if type(found.error) is type(wanted.error) else _other_error(found, wanted)
    return unlike_value(exercise, found.value, wanted.value) or _altered(exercise, found, wanted)


def unlike_value(exercise: "Exercise", found: object, wanted: object) -> str | None:
    """Return the first difference of two results of a call; of those altered in place, by the arguments' names."""
    tolerances = {"rtol": exercise.rtol, "atol": exercise.atol, "report": _reported(exercise)}
    if not exercise.in_place:
        return difference(found, wanted, **tolerances)
    names = ["What it returned", *(f"`{_name(exercise, i)}` afterwards" for i in range(len(wanted) - 1))]
    for name, one, other in zip(names, found, wanted, strict=True):
        if message := difference(one, other, **tolerances):
            return f"{name}: {message[0].lower()}{message[1:]}"
    return None


def makes(
    exercise: "Exercise", found: Sequence[Outcome], guess: Iterable[Outcome], wanted: Sequence[Outcome]
) -> bool:
    """Say whether each outcome is that of a mistake; errors alone are thin evidence, so their words count then.

    `guess` is asked for no more outcomes than it takes to tell.
    """
    if len(found) != len(wanted):
        return False
    told = any(
        one.error is None and unlike(exercise, one, other) for one, other in zip(found, wanted, strict=False)
    )
    for one, other in zip(found, guess, strict=True):
        if type(one.error) is not type(other.error):
            return False
        if one.error is not None:
            if not told and _first_line(one.error) != _first_line(other.error):
                return False
        elif one.altered != other.altered or unlike_value(exercise, one.value, other.value):
            return False
    return True


def _first_line(error):
    return (str(error).strip().splitlines() or [""])[0]


# What a learner reads of an answer that is wrong


def _other_error(found, wanted):
    """Say what was to be raised, or that nothing was."""
    if wanted.error is None:
        return "For this input the function must return a value and not raise an error."
    asked = a(type(wanted.error).__name__)
    if found.error is not None:
        return f"For this input the function must raise {asked}."
    returned = short(found.value) or kind_of(found.value)
    return f"For this input the function must raise {asked}; yours returned {returned}."


def _nothing(wanted, *, returns):
    """Say that the answer returned None, and why, as far as its code shows it."""
    if returns:
        return (
            f"Your function returned None instead of {kind_of(wanted)}. Either a path ends without a `return`, or "
            "the value that you return is None: `and` and `or` return one of their two sides."
        )
    return "Your function returned None. Is a `return` missing?"


def _altered(exercise, found, wanted):
    """Say what the answer altered and the reference did not, or the other way round; None where nothing is so."""
    if exercise.in_place:
        return None  # the arguments are part of the value
    more = sorted(found.altered - wanted.altered, key=lambda change: (change.argument, change.kind))
    less = [change for change in wanted.altered - found.altered if change.kind == "values"]
    if more:
        fix = "Restore it before you return"
        if more[0].kind == "values":
            in_place = any(word in more[0].words for word in ("changed: element", "its `", "shape"))
            why = ": `x[...] =`, `+=` and operations that end in `_` change their input in place"
            fix = f"Work on a copy{why if in_place else ''}"
        changed = f"`{_name(exercise, more[0].argument)}` {more[0].words}"
        return f"Your answer changed its input, which the caller still needs: {changed}. {fix}."
    if less:
        return f"`{_name(exercise, less[0].argument)}` is unchanged, but the task asks you to change it in place."
    return None


def _where(exercise, seed, case):
    """Say which input it was: itself where that is short, and how to get it."""
    again = f"ex.{exercise.name}.example({seed}, {case})"
    cases = _cases(exercise, seed)
    if case >= len(cases):
        return f"The input was `{again}`."
    arguments = cases[case]
    if exercise.describe:
        return f"The input: {exercise.describe(*arguments)} (`{again}`)"
    shown, names = [short(one) for one in arguments], [_name(exercise, i) for i in range(len(arguments))]
    small = None not in shown and len(", ".join(shown)) <= 90
    if _called_alike(exercise):
        call = f"{exercise.name}({', '.join(shown)})" if small else ""
        tried = f"`{exercise.name}(*{again})`"
        return f"The input was `{call}`, from `{again}`." if small else f"To try the same input: {tried}."
    if not small:
        return f"The input that shows it: `{again}`, as ({', '.join(names)})."
    listed = ", ".join(f"{name}={text}" for name, text in zip(names, shown, strict=True))
    return f"The input that shows it: `{listed}`, from `{again}`."


def _other_kind(found, wanted):
    """Say what kind of value was asked for, where it was another one."""
    one, other = _kind(found), _kind(wanted)
    if one == other or isinstance(found, Foreign):
        return f" The answer is {other}." if isinstance(found, Foreign) else ""
    place = " in a tuple or list"
    if one.endswith(place) and other.endswith(place):
        return f" These are {one.removesuffix(place)}, and the answer has {other.removesuffix(place)}."
    quotes = ", without quotes" if isinstance(found, str) and not isinstance(wanted, torch.dtype) else ""
    return f" That is {one}, and the answer is {other}{quotes}."


def _kind(value):
    if isinstance(value, bool):
        return "True or False"
    if isinstance(value, (int, float, complex)) or (isinstance(value, torch.Tensor) and value.numel() == 1):
        return "a number"
    if isinstance(value, torch.Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, (tuple, list)):
        kinds = {_kind(one) for one in value}
        of = f"{kinds.pop()[2:]}s" if len(kinds) == 1 and "a number" in kinds else "values"
        return f"{len(value)} {of} in a tuple or list"
    names = {torch.dtype: "a dtype of PyTorch", torch.device: "a device of PyTorch"}
    return names.get(type(value), a(type(value).__name__))


# How an exercise is driven, and what its arguments are called


def _cases(exercise, seed):
    """Return the inputs as the answer got them; some are drawn from torch's own generator, the learner's too."""
    with isolated(seed):
        return exercise.inputs(seed)


def _reported(exercise):
    return exercise.probe is not type(exercise).probe


def _names(exercise):
    """Return the names of an input's parts: the answer's parameters, or those of the probe."""
    function, first = (exercise.probe, 1) if _reported(exercise) else (exercise.reference, 0)
    return list(inspect.signature(function).parameters)[first:]


def _name(exercise, number):
    names = _names(exercise)
    return names[number] if number < len(names) else f"argument {number}, counted from 0"


def _called_alike(exercise):
    if not _reported(exercise):
        return True
    names = [list(inspect.signature(one).parameters) for one in (exercise.probe, exercise.reference)]
    return names[0][1:] == names[1]
