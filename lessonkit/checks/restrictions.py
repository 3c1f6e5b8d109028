"""Check what a task forbids, such as a loop or a call of the function that the learner is to write.

A restriction is a function `answer -> str | None`. It says, in words that stand after "The values are right, but",
what the answer does against the task. It needs no source, and looks into functions and classes inside the answer,
comprehensions, lambdas, and functions and classes of the same notebook or file that the answer names.
"""

import functools
import itertools
import linecache
import sys
from collections.abc import Callable
from types import ModuleType

from lessonkit.checks.bytecode import (
    UNKNOWN,
    among,
    calls_itself,
    codes,
    functions_of,
    line_of_loop,
    methods_of,
    unwrapped,
    uses,
)

Restriction = Callable[[object], str | None]

_REPEATING = (map, filter, functools.reduce, itertools.starmap, itertools.accumulate)
_REPEATING_METHODS = {"vectorize", "frompyfunc", "apply_along_axis", "apply_", "map_"}
_RUNNING_TEXT = (eval, exec, compile)
_BY_TEXT = {"getattr", "attrgetter", "methodcaller", "__getattribute__", "import_module", "__import__"}


def no_loop(answer: object) -> str | None:
    """Refuse `for`, `while` and comprehensions, and what is a loop by another name: `map`, `reduce`, recursion."""
    for function in functions_of(answer):
        for code in codes(function.__code__):
            if line := line_of_loop(code):
                return f"{_quoted(code, line)} is a loop. The task allows no loops."
            for line, path, value in uses(function, code):
                name = path.rsplit(".", 1)[-1]
                if among(value, _RUNNING_TEXT):
                    return f"line {line} runs text with `{name}`. Write it as code: the task allows no loops."
                if among(value, _REPEATING) or ("." in path and name in _REPEATING_METHODS):
                    return f"`{name}` in {_quoted(code, line)} is a loop too. The task allows no loops."
        if name := calls_itself(function):
            return f"`{name}` calls itself, which is a loop too. The task allows no loops."
    return None


def no_call(*names: str) -> Restriction:
    """Refuse functions, methods, classes and modules by name, whether called or only named.

    `no_call("softmax", "log_softmax")` refuses `torch.softmax`, `F.softmax`, `x.softmax`, `from … import softmax as
    s` and `getattr(torch, "softmax")`, but no function or variable of the answer's own that is called so. The name
    of a module, `no_call("torch.func")`, refuses the module and what it offers.
    """

    def restriction(answer: object) -> str | None:
        functions = functions_of(answer)
        own = {one.__name__ for one in functions if "." in one.__qualname__.rpartition("<locals>.")[2]}  # methods
        for wanted in names:
            if not functions and _is(unwrapped(answer), wanted):
                return f"it is `{wanted}` itself, which the task forbids."
        for function in functions:
            for code in codes(function.__code__):
                texts = {text for text in code.co_consts if isinstance(text, str)}
                for line, path, value in uses(function, code):
                    mine = any(among(one, functions) for one in methods_of(value))
                    found = [wanted for wanted in names if not mine and _refused(path, value, wanted, own)]
                    if path.rsplit(".", 1)[-1] in _BY_TEXT:
                        found += [wanted for wanted in names if texts & {wanted, wanted.rsplit(".", 1)[-1]}]
                    if found:
                        return f"{_quoted(code, line)} uses `{found[0]}`, which the task forbids."
        return None

    return restriction


def _refused(path, value, wanted, own):
    if value is not UNKNOWN:
        return _is(value, wanted)
    # An attribute of something that is known only when the answer runs, or a name that it fills itself.
    return f".{path}".endswith(f".{wanted}") and "." in path and wanted not in own


def _is(value, wanted):
    """Say whether a value, by whatever name it goes, is what is called `wanted` where it comes from."""
    module = sys.modules.get(wanted)
    if getattr(value, "__module__", None) == "torch.autograd.grad_mode":
        return False  # `torch.no_grad` and its like only turn recording on and off
    if isinstance(value, ModuleType):
        return value is module or f".{value.__name__}".endswith(f".{wanted}")
    if not callable(value):
        return False
    if isinstance(module, ModuleType) and among(value, vars(module).values()):
        return True
    name = getattr(value, "__name__", None)
    where = getattr(value, "__module__", None) or "torch"
    return isinstance(name, str) and f".{where}.{name}".endswith(f".{wanted}")


def _quoted(code, line):
    text = linecache.getline(code.co_filename, line).strip()
    return f"line {line}, `{text}`," if text else f"line {line}"
