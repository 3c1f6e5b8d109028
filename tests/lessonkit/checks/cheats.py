"""Answers that try to pass without doing the work, or to take the kernel along.

    python tests/lessonkit/checks/cheats.py [FIRST]   try CHEATS, from FIRST on, in this process; JSON lines

Each function below returns an answer to a real question; what it does before it returns, a cell would have done
before its check. Two honest answers follow each cheat, a right and a wrong one: is the check still itself? All are
submitted to `course grade` as well (tests/lessonkit/teach/room/test_tricks.py), where none scores.
"""

import builtins
import gc
import inspect
import json
import os
import signal
import sys
import threading
import time
import types
import warnings

import torch

from course_utils.exercises import start_here as ex
from lessonkit.checks.exercise import Exercise

CHEATS, OPEN, VALUES = {}, {}, {"a_number_that_equals_everything", "a_value_that_equals_everything"}


def cheat(function):
    """A trick that passes nowhere and leaves the check in the notebook what it was."""
    CHEATS[function.__name__] = function
    return function


def unguarded(function):
    """A trick that the check in the notebook lets through, or is not itself after; `course grade` is."""
    OPEN[function.__name__] = function
    return function


def kernels():
    """A number."""
    return 50 * 20 * 5 * 5 + 50


NUMBER = Exercise(kernels)


def honest(images):
    return images.float().div(255).flatten(1).sum(1) / images[0].numel() if len(images) else torch.zeros(0)


def careless(images):
    return images.float().flatten(1).median(1).values


# Through `ex`, frames, the garbage collector: our own answer


@unguarded
def our_own_answer():
    return ex.ink.reference


@unguarded
def our_own_answer_called():
    reference = ex.ink.reference
    return lambda images: reference(images)


@cheat
def whatever_hangs_on_the_exercise():
    def answer(images):
        for thing in list(vars(ex.ink).values()):
            if inspect.isfunction(thing) and thing.__name__ == "ink":
                return thing(images)

    return answer


@unguarded
def our_code_in_another_function():
    return lambda images: types.FunctionType(ex.ink.reference.__code__, globals())(images)


@cheat
def the_solution_executed():
    def answer(images):
        space = {}
        exec(str(ex.ink.solution()), space)
        return space["ink"](images)

    return answer


@cheat
def the_source_executed():
    def answer(images):
        space = {}
        exec(inspect.getsource(ex.ink.reference), space)
        return space["ink"](images)

    return answer


@cheat
def every_module_searched():
    def answer(images):
        for module in list(sys.modules.values()):
            found = vars(module).get("ink") if isinstance(module, types.ModuleType) else None
            if isinstance(found, Exercise):
                return found.reference(images)

    return answer


@cheat
def the_collector_asked_for_functions():
    def answer(images):
        for thing in gc.get_objects():
            if isinstance(thing, types.FunctionType) and thing.__name__ == "ink":
                return thing(images)

    return answer


@cheat
def the_mistakes_closures_and_globals():
    def answer(images):
        spaces = [Exercise.check.__globals__, ex.ink.mistakes[0].__globals__]
        spaces += [{"cell": cell.cell_contents} for cell in ex.ink.probe.__closure__ or ()]
        for space in spaces:
            for thing in list(space.values()):
                if getattr(thing, "name", "") == "ink":
                    return thing.reference(images)

    return answer


# What we expect, read where it lies


def _expected(frames, number):
    for frame in frames:
        while frame is not None:
            for name, value in list(frame.f_locals.items()):
                if name in ("wanted", "expected", "values") and isinstance(value, list) and len(value) > number:
                    return value[number].value
            frame = frame.f_back


@cheat
def the_callers_locals():
    calls = iter(range(99))
    return lambda images: _expected([sys._getframe()], next(calls))


@cheat
def the_locals_of_every_thread():
    calls = iter(range(99))
    return lambda images: _expected(sys._current_frames().values(), next(calls))


@cheat
def the_collector_asked_for_outcomes():
    calls = iter(range(99))

    def answer(images):
        number = next(calls)
        for thing in gc.get_objects():
            if isinstance(thing, list) and len(thing) == 5 and all(type(o).__name__ == "Outcome" for o in thing):
                return thing[number].value

    return answer


@cheat
def results_filled_in_later():
    calls, mine = iter(range(99)), []

    def later():
        for _ in range(400):
            for number, tensor in enumerate(mine):
                value = _expected(sys._current_frames().values(), number)
                if value is not None and value.shape == tensor.shape:
                    tensor.copy_(value)
            time.sleep(0.0005)

    def answer(images):
        if next(calls) == 0:
            threading.Thread(target=later, daemon=True).start()
        mine.append(torch.zeros(len(images)))
        time.sleep(0.01)
        return mine[-1]

    return answer


@cheat
def remembered_from_the_last_check():
    seen = {}

    def answer(images):
        return seen.setdefault(tuple(images.shape), honest(images).clone())

    ex.ink.check(answer)
    return answer


# Other comparisons


def _agree(*arguments, **named):
    return torch.ones_like(arguments[0], dtype=torch.bool)


@unguarded
def comparisons_of_torch_replaced():
    def answer(images):
        torch.isclose = torch.allclose = torch.equal = torch.eq = torch.Tensor.isclose = _agree
        torch.testing.assert_close = lambda *arguments, **named: None
        return torch.zeros(len(images))

    return answer


@unguarded
def comparisons_of_torch_replaced_before():
    torch.isclose = torch.allclose = torch.equal = torch.Tensor.__invert__ = torch.Tensor.isclose = _agree
    torch.Tensor.any = lambda self: False
    return lambda images: torch.zeros(len(images))


@unguarded
def our_comparison_replaced():
    def answer(images):
        for name in ("compare", "outcomes", "judge"):
            sys.modules[f"lessonkit.checks.{name}"].difference = lambda *arguments, **named: None
        return torch.zeros(len(images))

    return answer


@unguarded
def our_comparison_shadowed():
    def answer(images):
        sys.modules["lessonkit.checks.compare"].isinstance = lambda thing, kind: False
        sys.modules["lessonkit.checks.compare"].type = lambda thing: None
        sys.modules["lessonkit.checks.judge"].zip = lambda *arguments, **named: iter(())
        return torch.zeros(len(images))

    return answer


@unguarded
def builtins_replaced():
    def answer(images):
        builtins.zip = lambda *arguments, **named: iter(())
        builtins.len = lambda thing: 5
        return torch.zeros(5)

    return answer


@unguarded
def a_function_of_the_reference_replaced_before():
    torch.Tensor.mean = lambda self, **named: torch.zeros(len(self))
    return lambda images: torch.zeros(len(images))


@unguarded
def a_function_of_the_reference_replaced():
    def answer(images):
        torch.Tensor.mean = lambda self, **named: torch.zeros(len(self))
        return torch.zeros(len(images))

    return answer


@cheat
def a_mode_that_overrules_torch():
    class Mode(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, kinds, arguments=(), named=None):
            if getattr(function, "__name__", "") == "any":
                return torch.zeros(())
            return function(*arguments, **(named or {}))

    Mode().__enter__()
    return lambda images: torch.zeros(len(images))


@unguarded
def inputs_without_chance():
    torch.randint = lambda low, high, shape, **named: torch.zeros(shape, dtype=named.get("dtype"))
    return lambda images: torch.zeros(len(images))


@unguarded
def the_generator_never_seeded():
    torch.manual_seed = torch.random.manual_seed = lambda seed: None
    return lambda images: torch.zeros(len(images))


# Other results


class Agreeable:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = None


class Flatterer(torch.Tensor):
    """A tensor that answers each comparison as its owner wishes."""

    @classmethod
    def __torch_function__(cls, function, kinds, arguments=(), named=None):
        if getattr(function, "__name__", "") in ("isclose", "eq"):
            return torch.ones(arguments[0].shape, dtype=torch.bool)
        return super().__torch_function__(function, kinds, arguments, named or {})


class Chameleon(torch.Tensor):
    """A tensor without numbers, whose every operation gives what its owner wishes."""

    @staticmethod
    def __new__(cls, size):
        return torch.Tensor._make_wrapper_subclass(cls, (size,), dtype=torch.float32)

    @classmethod
    def __torch_dispatch__(cls, function, kinds, arguments=(), named=None):
        if "isclose" in str(function) or "bitwise_not" in str(function) or "eq" in str(function):
            return torch.zeros(arguments[0].shape, dtype=torch.bool)
        return arguments[0]


class Everything(int):
    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


@cheat
def a_result_that_equals_everything():
    return lambda images: Agreeable()


@cheat
def a_tensor_that_flatters():
    return lambda images: torch.zeros(len(images)).as_subclass(Flatterer)


@cheat
def a_tensor_without_numbers():
    return lambda images: Chameleon(len(images))


@cheat
def a_value_that_equals_everything():
    return Agreeable()


@cheat
def a_number_that_equals_everything():
    return Everything(7)


# The frame of the check


@cheat
def out_of_time_at_once():
    def answer(images):
        raise sys.modules["lessonkit.checks.time_limit"].OutOfTime

    return answer


@cheat
def outcomes_taken_away():
    def answer(images):
        frame = sys._getframe()
        while frame is not None:
            if "outcomes" in frame.f_locals:
                frame.f_locals["outcomes"].clear()
            frame = frame.f_back

    return answer


@unguarded
def the_verdict_replaced():
    def answer(images):
        module = sys.modules["lessonkit.checks.judge"]
        before = module.Verdict
        module.Verdict = lambda name, state, message, **named: before(name, "passed", "Right.")
        return torch.zeros(len(images))

    return answer


@unguarded
def the_verdict_changed():
    def answer(images):
        kind = sys.modules["lessonkit.checks.verdict"].Verdict
        kind.passed = property(lambda self: True)
        kind.__init__ = lambda self, name, *rest, **named: self.__dict__.update(
            exercise=name, state="passed", message="Right.", printed=""
        )
        return torch.zeros(len(images))

    return answer


@unguarded
def the_check_replaced():
    def answer(images):
        kind = sys.modules["lessonkit.checks.verdict"].Verdict
        Exercise.check = lambda self, answer: kind(self.name, "passed", "Right.")
        judge = sys.modules["lessonkit.checks.judge"]
        judge.verdict = lambda exercise, *arguments: kind(exercise.name, "passed", "Right.")
        judge.unlike = judge.unlike_value = lambda *arguments: None
        return torch.zeros(len(images))

    return answer


@unguarded
def the_question_replaced():
    def answer(images):
        vars(ex.ink).update(inputs=lambda seed: [], reference=answer)
        return torch.zeros(len(images))

    return answer


@unguarded
def the_question_replaced_before():
    def answer(images):
        return torch.zeros(len(images))

    ex.ink.reference = answer
    return answer


@unguarded
def no_inputs():
    ex.ink.inputs = lambda seed: []
    return lambda images: torch.zeros(len(images))


@unguarded
def the_question_made_one_for_a_value():
    del ex.ink.inputs
    return lambda images: torch.zeros(len(images))


@unguarded
def a_check_of_its_own():
    ex.ink.check = lambda answer: None
    return lambda images: torch.zeros(len(images))


@unguarded
def a_thread_called_dead():
    def answer(images):
        threading.Thread.is_alive = lambda self: False
        threading.Thread.join = lambda self, timeout=None: None
        while True:
            time.sleep(0.01)

    return answer


@unguarded
def a_thread_that_waits():
    def later():
        time.sleep(0.002)
        for _ in range(300):
            torch.isclose = _agree
            sys.modules["lessonkit.checks.judge"].difference = lambda *arguments, **named: None
            time.sleep(0.001)

    def answer(images):
        threading.Thread(target=later, daemon=True).start()
        time.sleep(0.01)
        return torch.zeros(len(images))

    return answer


@cheat
def a_thread_that_stays():
    def answer(images):
        threading.Thread(target=time.sleep, args=(1.5,), daemon=True).start()
        return honest(images)

    return answer


@cheat
def the_input_made_easy():
    def answer(images):
        images.zero_()
        return torch.zeros(len(images))

    return answer


# The end of the kernel, or of the check


def ending(function, *arguments):
    def make():
        def answer(images):
            function(*arguments)
            return torch.zeros(len(images))

        return answer

    return make


def raising(kind):
    def answer(images):
        raise kind

    return lambda: answer


class Mute(Exception):
    def __str__(self):
        raise SystemExit("no words")


class Unprintable:
    def __repr__(self):
        raise SystemExit("no name")

    @property
    def __class__(self):
        raise RuntimeError("no class")


class Callable:
    __code__ = property(lambda self: 1 / 0)

    def __call__(self, images):
        return torch.zeros(len(images))


def swallow():
    while True:
        try:
            while True:
                pass
        except BaseException:  # noqa: BLE001 - this is the answer that tries to survive
            continue


def recurse(depth=0):
    return recurse(depth + 1)


def deeper():
    sys.setrecursionlimit(3000)
    recurse()


CHEATS |= {
    "raises_SystemExit": raising(SystemExit),
    "raises_KeyboardInterrupt": raising(KeyboardInterrupt),
    "raises_what_cannot_be_printed": raising(Mute),
    "a_result_that_cannot_be_printed": lambda: lambda images: Unprintable(),
    "an_answer_that_cannot_be_printed": Unprintable,
    "an_answer_without_code": Callable,
    "recursion_without_end": ending(recurse),
    "a_deeper_recursion": ending(deeper),
    "exits": ending(lambda: os._exit(0)),
    "exits_by_another_name": ending(lambda: sys.modules[os.name]._exit(0)),
    "aborts": ending(lambda: os.abort()),
    "kills_itself": ending(lambda: os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))),
    "signals_itself": ending(lambda: signal.raise_signal(signal.SIGTERM)),
    "sets_an_alarm": ending(lambda: (signal.setitimer(signal.ITIMER_REAL, 0.02), time.sleep(0.2))),
    "becomes_another_program": ending(lambda: os.execv(sys.executable, [sys.executable, "-c", ""])),
    "interrupts_the_main_thread": ending(lambda: sys.modules["_thread"].interrupt_main()),
    "audits_everything": ending(lambda: sys.addaudithook(lambda event, arguments: 1 / 0)),
    "changes_the_default_dtype": ending(torch.set_default_dtype, torch.float64),
    "makes_warnings_errors": ending(warnings.simplefilter, "error"),
    "closes_stdout": ending(lambda: (sys.stdout.close(), sys.stderr.close())),
    "replaces_stdout": ending(lambda: setattr(sys, "stdout", None)),
    "deletes_torch": ending(lambda: [sys.modules.pop(name) for name in list(sys.modules) if "torch" in name]),
    "deletes_every_module": ending(lambda: sys.modules.clear()),
    "time_limit_swallowed": ending(swallow),  # the last: it goes on in the background
}


# By way of text and names taken earlier


@unguarded
def our_code_copied_before_the_check():
    return types.FunctionType(ex.ink.reference.__code__, {"torch": torch})


@unguarded
def the_solution_executed_before_the_check():
    space = {}
    exec(str(ex.ink.solution()), space)
    return space["ink"]


@cheat
def the_file_of_the_questions_read():
    def answer(images):
        from pathlib import Path

        text = Path(ex.answers.__file__).read_text(encoding="utf-8")
        space = {}
        exec("def ink" + text.split("\ndef ink")[1].split("\n\n")[0], space)
        return space["ink"](images)

    return answer


@unguarded
def exits_by_a_name_of_its_own():
    _exit = os._exit  # as `from os import _exit` in an earlier cell

    def answer(images):
        _exit(7)

    return answer


def attempt(name):
    """Hand in one cheat and then two honest answers: what was said, and what these became."""
    make = CHEATS[name]
    question = ex.ink
    if name in VALUES:
        question = NUMBER if "number" in name else ex.half_dtype
    try:
        verdict = question.check(make())
        state, message = verdict.state, str(verdict)
    except BaseException as error:  # noqa: BLE001 - a check that raises is what this looks for
        state, message = "CHECK RAISED", f"{type(error).__name__}"
    return {"name": name, "state": state, "message": message, "after": honest_answers()}


def honest_answers():
    """What a right answer and a wrong one become now."""
    try:
        return [ex.ink.check(honest).state, ex.ink.check(careless).state]
    except BaseException as error:  # noqa: BLE001 - a check that raises is what this looks for
        return [f"CHECK RAISED {type(error).__name__}: {error}"]


if __name__ == "__main__":
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    names = list(CHEATS)
    dumps = json.dumps
    for name in names[names.index(sys.argv[1]) if sys.argv[1:] else 0 :]:
        print(dumps({"name": name}), file=out, flush=True)
        print(dumps(attempt(name)), file=out, flush=True)
    os._exit(0)  # runaway answers are daemons, but may hold on to torch while it is taken down
