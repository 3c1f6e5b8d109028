"""What a learner reads of an answer that is wrong: what was asked, what it altered, which input shows it."""

import inspect
from collections.abc import Iterable
from typing import TYPE_CHECKING

import torch

from lessonkit.checks.behaviour import Outcome, returns_something
from lessonkit.checks.compare import difference
from lessonkit.checks.snapshot import Foreign
from lessonkit.checks.wording import a, kind_of, short

if TYPE_CHECKING:
    from lessonkit.checks.exercise import Exercise


def first_line(error: BaseException) -> str:
    """Return the first line of an error's own words."""
    return (str(error).strip().splitlines() or [""])[0]


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


def other_error(found: Outcome, wanted: Outcome) -> str:
    """Say what was to be raised, or that nothing was."""
    if wanted.error is None:
        return "No error was asked for here."
    asked = a(type(wanted.error).__name__)
    if found.error is not None:
        return f"Asked for here: {asked}."
    return f"Expected {asked} here; your function returned {short(found.value) or kind_of(found.value)}."


def nothing(answer: object, wanted: object) -> str:
    """Say that None came back, and why, as far as the code tells."""
    if returns_something(answer):
        return (
            f"It returned None, expected {kind_of(wanted)}. Either a path ends without a `return`, or what you "
            "return was None: `and` and `or` hand on one of their two sides."
        )
    return "It returned None: is a `return` missing?"


def unlike(exercise: "Exercise", found: Outcome, wanted: Outcome) -> str | None:
    """Return the first difference of two outcomes: what was raised, the value, what was altered."""
    if found.error is not None or wanted.error is not None:
        return None if type(found.error) is type(wanted.error) else other_error(found, wanted)
    return unlike_value(exercise, found.value, wanted.value) or altered(exercise, found, wanted)


def makes(exercise: "Exercise", found: list[Outcome], guess: Iterable[Outcome], wanted: list[Outcome]) -> bool:
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
            if not told and first_line(one.error) != first_line(other.error):
                return False
        elif one.altered != other.altered or unlike_value(exercise, one.value, other.value):
            return False
    return True


def altered(exercise: "Exercise", found: Outcome, wanted: Outcome) -> str | None:
    """Say what the answer altered and the reference did not, or the other way round."""
    if exercise.in_place:
        return None  # the arguments are part of the value
    more = sorted(found.altered - wanted.altered, key=lambda change: (change.argument, change.kind))
    less = [change for change in wanted.altered - found.altered if change.kind == "values"]
    if more:
        cure = "Leave it as you found it"
        if more[0].kind == "values":
            in_place = any(word in more[0].words for word in ("stood", "its `", "shape"))
            why = ": `x[...] =`, `+=` and operations that end in `_` alter what they are given" if in_place else ""
            cure = f"Work on a copy{why}"
        changed = f"`{_name(exercise, more[0].argument)}` {more[0].words}"
        return f"Your answer changed its input, which the caller still needs: {changed}. {cure}."
    if less:
        return f"`{_name(exercise, less[0].argument)}` is as it was: the task asks to alter it in place."
    return None


def where(exercise: "Exercise", seed: int, case: int) -> str:
    """Say which input it was: itself where that is short, and how to get it."""
    again = f"ex.{exercise.name}.example({seed}, {case})"
    cases = exercise.inputs(seed)
    if case >= len(cases):
        return f"The input was `{again}`."
    arguments = cases[case]
    if exercise.describe:
        return f"The input: {exercise.describe(*arguments)} (`{again}`)"
    shown, names = [short(one) for one in arguments], [_name(exercise, i) for i in range(len(arguments))]
    small = None not in shown and len(", ".join(shown)) <= 90
    if _called_alike(exercise):
        call = f"{exercise.name}({', '.join(shown)})" if small else ""
        return f"The input was `{call}`, from `{again}`." if small else f"The input was `{again}`: try it by hand."
    if not small:
        return f"The input that shows it: `{again}`, as ({', '.join(names)})."
    listed = ", ".join(f"{name}={text}" for name, text in zip(names, shown, strict=True))
    return f"The input that shows it: `{listed}`, from `{again}`."


def other_kind(found: object, wanted: object) -> str:
    """Say what kind of value was asked for, where it was another one."""
    one, other = _kind(found), _kind(wanted)
    if one == other or isinstance(found, Foreign):
        return f" Asked for is {other}." if isinstance(found, Foreign) else ""
    place = " in a tuple or list"
    if one.endswith(place) and other.endswith(place):
        return f" These are {one.removesuffix(place)}; asked for are {other.removesuffix(place)}."
    quotes = ", without quotes" if isinstance(found, str) and not isinstance(wanted, torch.dtype) else ""
    return f" That is {one}; asked for is {other}{quotes}."


def _kind(value):
    if isinstance(value, bool):
        return "True or False"
    if isinstance(value, (int, float, complex)) or (isinstance(value, torch.Tensor) and value.numel() == 1):
        return "a number"
    if isinstance(value, torch.Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, (tuple, list)):
        kinds = {_kind(one) for one in value}
        of = f"{kinds.pop()[2:]}s" if len(kinds) == 1 and "a number" in kinds else "values"
        return f"{len(value)} {of} in a tuple or list"
    names = {torch.dtype: "a dtype of PyTorch", torch.device: "a device of PyTorch"}
    return names.get(type(value), a(type(value).__name__))


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
