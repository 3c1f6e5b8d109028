"""Read an answer's bytecode: its functions, the names that they load, and their loops. No source is needed."""

import builtins
import dis
import functools
import inspect
import sys
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType, MethodType, ModuleType

_ENDS = {"RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE", "INTERPRETER_EXIT"}
_ONWARD_BY_JUMP_ALONE = {"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE"}
_JUMPS = {*dis.hasjrel, *dis.hasjabs}
_NAMES = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF"}
_NAMES |= {"LOAD_FROM_DICT_OR_GLOBALS", "LOAD_FROM_DICT_OR_DEREF"}
_ATTRIBUTES = {"LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"}
_BETWEEN = {"PUSH_NULL", "CACHE", "EXTENDED_ARG", "PRECALL", "COPY", "SWAP"}
_LIBRARIES = {"torch", "torchvision", "torchaudio", "numpy"}
UNKNOWN = object()


def functions_of(answer: object) -> list[FunctionType]:
    """Return the functions that an answer consists of, with those of its own notebook or file that they name.

    The list is empty where the answer is a function of a library.
    """
    found, waiting = [], [one for one in methods_of(answer) if not _of_a_library(one)]
    while waiting:
        function = waiting.pop(0)
        if not among(function, found):
            found.append(function)
            waiting += _named(function)
    return found


def _of_a_library(function):
    package = (function.__module__ or "").partition(".")[0]
    return package in _LIBRARIES or package in sys.stdlib_module_names


def methods_of(thing: object) -> Iterator[FunctionType]:
    """Yield the function in whatever it is wrapped, or those of a class and its bases in the same module."""
    thing = unwrapped(thing)
    if isinstance(thing, FunctionType):
        yield thing
    elif isinstance(thing, type):
        members = [m for base in thing.__mro__ if base.__module__ == thing.__module__ for m in vars(base).values()]
        for member in members:
            parts = (member.fget, member.fset, member.fdel) if isinstance(member, property) else (member,)
            yield from (part for one in parts if isinstance(part := unwrapped(one), FunctionType))


def unwrapped(thing: object) -> object:
    """Return what a method, a partial object or a decorator holds, the class of an instance that can be called."""
    for _ in range(20):
        if isinstance(thing, (staticmethod, classmethod, MethodType)):
            thing = thing.__func__
        elif isinstance(thing, functools.partial):
            thing = thing.func
        elif isinstance(thing, type) or "__wrapped__" not in getattr(thing, "__dict__", {}):
            break
        else:
            thing = thing.__wrapped__
    if isinstance(thing, (FunctionType, type)):
        return thing
    called = inspect.getattr_static(type(thing), "__call__", None)
    return type(thing) if isinstance(called, FunctionType) else thing


def _named(function):
    """Return the functions of the same notebook or file that this one names, methods of classes among them."""
    names = _names(function)
    loaded = {step.argval for code in codes(function.__code__) for step in _steps(code) if step.opname in _NAMES}
    values = [names[name] for name in sorted(loaded & names.keys())]
    return [one for value in values for one in methods_of(value) if one.__globals__ is function.__globals__]


def _names(function):
    names = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # nothing in it yet
            names.pop(name, None)
    return names


def calls_itself(function: FunctionType) -> str | None:
    """Return the name of what calls itself, by way of others too: this function, or one inside it."""
    if any(among(function, functions_of(one)) for one in _named(function)):
        return function.__name__
    for code in list(codes(function.__code__))[1:]:
        if any(step.opname == "LOAD_DEREF" and step.argval == code.co_name for step in _steps(code)):
            return code.co_name
    return None


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a function's code and that of every function, class and comprehension inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def _steps(code):
    return [step for step in dis.get_instructions(code) if step.opname not in _BETWEEN]


def uses(function: FunctionType, code: CodeType) -> Iterator[tuple[int, str, object]]:
    """Yield (line, name with its dots, value or UNKNOWN) of each name, attribute and import that is loaded."""
    names, path, value, module, line = _names(function), "", UNKNOWN, "", code.co_firstlineno
    inner = {name for one in codes(function.__code__) for name in one.co_cellvars}  # filled only when it runs
    for step in _steps(code):
        line = step.positions.lineno or line
        if step.opname in _NAMES:
            path, value = step.argval, vars(builtins).get(step.argval, UNKNOWN)
            value = UNKNOWN if path in inner else names.get(path, value)
        elif step.opname in _ATTRIBUTES:
            path = f"{path or '?'}.{step.argval}"
            value = getattr(value, step.argval, UNKNOWN) if isinstance(value, ModuleType) else UNKNOWN
        elif step.opname == "IMPORT_NAME":
            path = module = step.argval
            value = sys.modules.get(module, UNKNOWN)
        elif step.opname == "IMPORT_FROM":
            path, value = f"{module}.{step.argval}", getattr(sys.modules.get(module), step.argval, UNKNOWN)
        else:
            path, value = "", UNKNOWN
            continue
        yield line, path, value


def line_of_loop(code: CodeType) -> int | None:
    """Return the line of the first loop: a circle in the order in which the instructions can follow each other."""
    steps = list(dis.get_instructions(code))
    place = {step.offset: number for number, step in enumerate(steps)}
    onward = [set() for _ in steps]
    for number, step in enumerate(steps):
        if step.opcode in _JUMPS:
            onward[number] |= {place[step.argval]} if step.argval in place else set()
        # SEND, of `yield from` and `await`, goes round with what follows it: that is no loop of the answer's.
        if step.opname not in _ENDS | _ONWARD_BY_JUMP_ALONE | {"SEND"} and number + 1 < len(steps):
            onward[number].add(number + 1)
    for entry in dis.Bytecode(code).exception_entries:
        for number in (place[offset] for offset in place if entry.start <= offset < entry.end):
            onward[number] |= {place[entry.target]} if entry.target in place else set()
    loops = {number for number, step in enumerate(steps) if step.opname == "FOR_ITER"}
    for number, followers in enumerate(onward):
        if any(back <= number and number in _reached(onward, back) for back in followers):
            backward = [{one for one, there in enumerate(onward) if to in there} for to in range(len(steps))]
            loops |= _reached(onward, number) & _reached(backward, number)
    lines = [steps[number].positions.lineno or code.co_firstlineno for number in loops]
    return min(lines, default=None)


def _reached(onward, start):
    seen, waiting = {start}, [start]
    while waiting:
        new = onward[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def among(value: object, them: Iterable) -> bool:
    """Whether it is one of them, itself and not its like."""
    return any(value is one for one in them)
