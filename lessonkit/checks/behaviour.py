"""How an answer behaves: what it returned or raised on each input, and what it did to its arguments."""

import dis
import linecache
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType

from lessonkit.checks.alteration import Alteration, alterations
from lessonkit.checks.bytecode import methods_of, unwrapped
from lessonkit.checks.fence import Refused
from lessonkit.checks.isolation import seed_generators
from lessonkit.checks.snapshot import snapshot
from lessonkit.checks.time_limit import Ending, OutOfTime, run_with_limit

_TRIVIAL = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "POP_TOP", "CACHE"}
_CAUSES = 9  # as far back a chain of causes is followed: it may be a ring


@dataclass
class Outcome:
    """What one call gave: a value or an error, and what it altered of its arguments."""

    value: object = None
    error: BaseException | None = None
    altered: frozenset[Alteration] = frozenset()


def outcomes_of(call: Callable, inputs: Callable[[int], list[tuple]], seed: int) -> Iterator[Outcome]:
    """Return the outcomes of `call(*arguments)` on every argument tuple of `inputs(seed)`, each on a fresh copy.

    The inputs are made at once, each call when its outcome is asked for.
    """
    copies = []
    for _ in range(2):
        seed_generators(seed)
        copies.append(inputs(seed))
    return _each_outcome(call, copies, seed)


def _each_outcome(call, copies, seed):
    for case, before in zip(*copies, strict=True):
        seed_generators(seed)  # an answer that draws random numbers draws the reference's
        outcome = Outcome()
        try:
            outcome.value = snapshot(call(*case))
        except OutOfTime:
            raise
        except BaseException as error:  # noqa: BLE001 - SystemExit too: an answer must not end the kernel
            outcome.error = error
        outcome.altered = alterations(case, before)
        yield outcome


def observe(
    call: Callable,
    inputs: Callable[[int], list[tuple]],
    seed: int,
    *,
    seconds: float | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[list[Outcome], Ending]:
    """Run `call(*arguments)` on every argument tuple of `inputs(seed)`, each on a fresh copy.

    Return the outcomes so far and how the run ended, as `run_with_limit` says. What a call returned is kept as it
    was at that moment; what it raised is an outcome too. `seconds`: the time limit, as `clock` counts; None for
    code of ours, which is waited for however busy the machine is.
    """
    outcomes, case_by_case = [], outcomes_of(call, inputs, seed)

    def work():
        for outcome in case_by_case:
            outcomes.append(outcome)  # one by one: who is ended leaves those that it has

    if seconds is None:
        work()
        return outcomes, "finished"
    ending = run_with_limit(work, seconds=seconds, clock=clock)
    return list(outcomes), ending


def untouched(answer: object) -> bool:
    """Say whether it is a stub: a function, or a class all of whose methods, that does nothing but return."""
    if answer is None or answer is ...:
        return True
    if not isinstance(answer, (type, FunctionType)):
        return False
    if isinstance(answer, FunctionType):
        return _does_nothing(answer.__code__, answer.__doc__)
    # Methods of every kind: `__new__` is a static one.
    return all(_does_nothing(function.__code__, function.__doc__) for function in methods_of(answer))


def _does_nothing(code, doc):
    return all(step.opname in _TRIVIAL for step in dis.get_instructions(code)) and all(
        constant in (None, ...) or constant == doc for constant in code.co_consts
    )


def returns_something(answer: object) -> bool:
    """Say whether a function, or a method of a class, holds a `return` of anything but a plain None."""
    for function in methods_of(answer):
        steps = list(dis.get_instructions(function.__code__))
        for before, step in zip(steps[:1] + steps, steps, strict=False):
            constant = step if step.opname == "RETURN_CONST" else before
            returned_none = constant.opname in ("RETURN_CONST", "LOAD_CONST") and constant.argval is None
            if step.opname in ("RETURN_VALUE", "RETURN_CONST") and not returned_none:
                return True
    return False


def learners_line(error: BaseException, answer: object) -> str:
    """Quote the learner's own line that raised, never one of ours or of a library's, and the error's first line.

    Where no such line raised the error itself, it is that of its cause: a generator's StopIteration, for one, goes
    on as a RuntimeError that knows no line.
    """
    first, origin, own = _first_words(error), error, _own_frames(error, answer)
    for _ in range(_CAUSES):
        if own or origin.__cause__ is None:
            break
        origin = origin.__cause__
        own = _own_frames(origin, answer)
    if not own:
        uncalled = isinstance(error, Refused) or (isinstance(error, TypeError) and "argument" in first)
        return f"{'It could not be called.' if uncalled else 'What it returned could not be used.'} {first}"
    line = own[-1].line or linecache.getline(own[-1].filename, own[-1].lineno).strip()
    words = first if origin is error else f"{_first_words(origin)}, which became {first}"
    return f"Line {own[-1].lineno} of your cell raised: `{line}`\n{words}"


def _own_frames(error, answer):
    """Return the frames of an error's traceback that are the learner's."""
    ours = str(Path(__file__).parents[1])
    code = getattr(unwrapped(answer), "__code__", None)  # a decorator's own lines stand in a library
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if code and frame.filename == code.co_filename]
    return own or [
        frame for frame in frames if ours not in frame.filename and "site-packages" not in frame.filename
    ]


def _first_words(error):
    words = str(error).strip().splitlines()
    empty = "" if isinstance(error, StopIteration) else ": (no message)"
    return f"{type(error).__name__}{f': {words[0]}' if words else empty}"
