"""The first step of judging: run an answer, and record what it did on each input. No reference runs here.

`collect` makes the Outcomes of an answer, for a check in a notebook and in a submission's process alike; what they
are worth says `verdict`, in judge.py.
"""

import contextlib
import dis
import linecache
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import FunctionType
from typing import Protocol

from lessonkit.checks.alteration import Alteration, alterations
from lessonkit.checks.bytecode import methods_of, unwrapped
from lessonkit.checks.isolation import Refused, fence, isolated, seed_generators
from lessonkit.checks.snapshot import snapshot
from lessonkit.checks.time_limit import SECONDS, Ending, OutOfTime, run_with_limit
from lessonkit.checks.verdict import not_judged
from lessonkit.system.course import course
from lessonkit.system.meter import Meter

_TRIVIAL = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "POP_TOP", "CACHE"}
OF_THE_CHAPTER = " of the chapter"  # how the name of a cell ends, where submissions run, that is the course's own
_CAUSES = 9  # as far back a chain of causes is followed: it may be a ring


class Runnable(Protocol):
    """What it takes to run an answer: an `Exercise`, or what stands for one where submissions run."""

    inputs: Callable[[int], list[tuple]] | None
    probe: Callable
    in_place: bool
    restrictions: Sequence[Callable[[object], str | None]]


@dataclass
class Outcome:
    """What one call gave: a value or an error, and what it altered of its arguments.

    `line`: of an answer's error, the learner's own line that raised it, in the words that the learner reads.
    """

    value: object = None
    error: BaseException | None = None
    altered: frozenset[Alteration] = frozenset()
    line: str = ""


@dataclass(frozen=True, kw_only=True)
class Outcomes:
    """What became of one answer: all that a verdict has to know of it, wherever the answer ran.

    `kind`: the name of its class. `untouched`: it is a stub, and has not run; nor has one that is not `callable`
    where a function was asked for. `each`: what each input gave, in order, as far as the answer came. `ending`: how
    the run ended; `seconds`: how long the answer was waited for; `printed`: all that it printed. `against`: what it
    does against the task, in the words of a restriction. `returns`: whether its code holds a `return` of anything
    but None; looked up only where one of the values is None.
    """

    kind: str
    callable: bool
    untouched: bool
    each: tuple[Outcome, ...] = ()
    ending: Ending = "finished"
    seconds: float = SECONDS
    printed: str = ""
    against: str | None = None
    returns: bool = False


def collect(
    question: Runnable, answer: object, *, seed: int, patience: Callable[[], float], fenced: bool = True
) -> Outcomes:
    """Run an answer on the inputs of a seed: in a thread, with a time limit, behind a fence.

    `patience()` returns the time limit, in seconds; it is called only if the answer will run. `fenced`: calls that
    would end this process raise instead. A process that exists only for this answer may end, so it is not fenced.
    """
    asked = question.inputs is not None
    seen = as_it_stands(question, answer)  # before it runs, since it could change its own code
    if seen.untouched or (asked and not seen.callable):
        return seen
    seconds = patience()
    call = driven(question, answer) if asked else lambda: answer
    with isolated(seed) as printed, fence() if fenced else contextlib.nullcontext():
        # On a busy machine an answer waits for a core: that is not its fault, and not charged.
        clock = Meter(lambda: [os.getpid()]).charged
        each, ending = observe(call, question.inputs or no_inputs, seed, seconds=seconds, clock=clock)
    for one in each:
        if one.error is not None:
            one.line = quoted_line(one.error, answer)
    returns = any(one.value is None and one.error is None for one in each) and _returns(answer)
    text = printed.text()
    return replace(seen, each=tuple(each), ending=ending, seconds=seconds, printed=text, returns=returns)


def _returns(answer):
    try:
        return returns_something(answer)
    except BaseException:  # noqa: BLE001 - an answer that cannot be looked at may be right all the same
        return False


def as_it_stands(question: Runnable, answer: object) -> Outcomes:
    """Return what is known of an answer before it runs: whether it is a stub, and which restriction it breaks."""
    untried = answer is None or answer is ... if question.inputs is None else untouched(answer)
    seen = Outcomes(kind=type(answer).__name__, callable=callable(answer), untouched=untried)
    if untried or question.inputs is None or not seen.callable:
        return seen
    return replace(seen, against=next((said for one in question.restrictions if (said := one(answer))), None))


def no_inputs(seed: int) -> list[tuple]:
    """Return the inputs of a question that asks for a value: one call, without arguments."""
    return [()]


def driven(question: Runnable, function: Callable) -> Callable:
    """Return a function of one input's arguments: what the probe makes of `function`, with what it altered."""

    def call(*arguments):
        value = question.probe(function, *arguments)
        return (value, *arguments) if question.in_place else value

    return call


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
            outcomes.append(outcome)  # one by one: a run that is stopped keeps those that it has

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


def quoted_line(error: BaseException, answer: object) -> str:
    """Return what `learners_line` does; where the error or the answer refuses to be looked at, say that instead."""
    try:
        return learners_line(error, answer)
    except BaseException as unreadable:  # noqa: BLE001 - an error whose own words raise
        return not_judged(unreadable)


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
    words = first if origin is error else f"{_first_words(origin)}. Then Python raised {first}"
    return f"Line {own[-1].lineno} of your cell raised: `{line}`\n{words}"


def _own_frames(error, answer):
    """Return the frames of an error's traceback that are the learner's."""
    # The course's from what is imported already: a search would put folders on the path of the learner's kernel.
    ours = [
        OF_THE_CHAPTER,
        str(Path(__file__).parents[1]),
        *getattr(sys.modules.get(course().package), "__path__", ()),
    ]
    code = getattr(unwrapped(answer), "__code__", None)  # a decorator's own lines stand in a library
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if code and frame.filename == code.co_filename]
    return own or [
        frame for frame in frames if not any(place in frame.filename for place in [*ours, "site-packages"])
    ]


def _first_words(error):
    words = str(error).strip().splitlines()
    empty = "" if isinstance(error, StopIteration) else ": (no message)"
    return f"{type(error).__name__}{f': {words[0]}' if words else empty}"
