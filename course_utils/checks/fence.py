"""A fence around an answer while it runs: what it replaces is put back, what would end the kernel is refused.

It keeps slips and quick tricks away from the check. It is no prison: docs/checks.md says what gets through.
"""

import builtins
import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType

_BUILTINS, _GENUINE, _NOTHING = vars(builtins), dict(vars(builtins)), object()
_OF_OS = ("_exit", "abort", "kill", "killpg", "execv", "execve")
# What ends this process or takes hold of it for good; `os` is made of a module of its own name: `posix` or `nt`.
_ENDINGS = (
    *(("os", name) for name in _OF_OS),
    *((os.name, name) for name in _OF_OS),
    *(("signal", name) for name in ("raise_signal", "pthread_kill", "alarm", "setitimer")),
    *(("threading", name) for name in ("setprofile", "settrace", "setprofile_all_threads", "settrace_all_threads")),
    ("sys", "addaudithook"),
    ("_thread", "interrupt_main"),
)


class Refused(Exception):
    """Raised in an answer that calls what no answer needs."""


class Seal:
    """What modules, classes and objects hold, to be put back when somebody has replaced it."""

    def __init__(self) -> None:
        self._kept, self._codes = [], []

    def remember(self, *, own: Iterable = (), others: Iterable = ()) -> "Seal":
        """Remember `own` whole, with the code of each function, and of `others` what can be called.

        The others are libraries, whose other values may change: a counter counts, a submodule is imported. Names
        that are added to them stay as well, but for one that hides what a class inherits: a `torch.Tensor.isclose`
        of somebody's own would be the one that compares. Return the seal itself.
        """
        for owner in own:
            self._kept.append((owner, dict(vars(owner)), None))
            functions = [value for value in vars(owner).values() if type(value) is FunctionType]
            self._codes += [(one, one.__code__, one.__defaults__, one.__kwdefaults__) for one in functions]
        for owner in others:
            kept = {name: value for name, value in vars(owner).items() if callable(value)}
            self._kept.append((owner, kept, set(vars(owner))))
        return self

    def restore(self) -> list[tuple[object, str, object]]:
        """Put back what was replaced; return (owner, name, replacement) of each."""
        changed = [(n, v) for n, v in _BUILTINS.items() if n in _GENUINE and v is not _GENUINE[n]]
        found = [(builtins, name, value) for name, value in changed]
        _BUILTINS.update(_GENUINE)  # first, and up to here no call of any of them: they may be the learner's
        for owner, kept, known in self._kept:
            space = vars(owner)
            names = [name for name in kept if space.get(name, _NOTHING) is not kept[name]]
            names += [name for name in space if name not in kept and _added(owner, name, known)]
            for name in names:
                found.append((owner, name, space.get(name, _NOTHING)))
                _put(owner, name, kept.get(name, _NOTHING))
        for function, *parts in self._codes:
            function.__code__, function.__defaults__, function.__kwdefaults__ = parts
        return found

    @contextlib.contextmanager
    def unbroken(self) -> Iterator[None]:
        """Put everything back for the block, and afterwards leave it as it was found."""
        theirs = self.restore()
        try:
            yield
        finally:
            self.restore()
            for owner, name, value in theirs:
                _put(owner, name, value)


class Fence:
    """A block in which nothing ends this process by name, and `reference` cannot be called, nor its code be read.

    Afterwards each of `seals` is restored. A class, since the end of a generator needs the built-in `next`, which
    the answer may have replaced.
    """

    def __init__(self, reference: Callable, *, seals: Iterable[Seal] = ()) -> None:
        self._seals, self._table, self._modules = seals, sys.modules, dict(sys.modules)
        spaces = [(vars(self._modules[module]), name) for module, name in _ENDINGS if module in self._modules]
        self._endings = [(space, name, space[name]) for space, name in spaces if name in space]
        members = vars(reference).values() if isinstance(reference, type) else [reference]
        self._locked = [(member, member.__code__) for member in members if isinstance(member, FunctionType)]

    def __enter__(self) -> None:
        for space, name, original in self._endings:
            space[name] = _refusal(name, original)
        for function, code in self._locked:
            # A function takes only code with its own free variables (a closure's); `_ours` uses none of them.
            function.__code__ = _ours.__code__.replace(co_freevars=code.co_freevars)

    def __exit__(self, *error: object) -> None:
        for function, code in self._locked:
            function.__code__ = code
        for space, name, original in self._endings:
            space[name] = original
        sys.modules = self._table
        self._table.update(self._modules)
        for seal in self._seals:
            seal.restore()


def _ours(*arguments, **named):
    # Nobody calls `_ours`. While an answer runs, `Fence.__enter__` gives its code to the reference: called, by any
    # name, that raises; read, it shows nothing. A function that is given other code keeps its own globals: here
    # they are those of the exercise's module, which does not know `Refused`.
    from course_utils.checks.fence import Refused

    raise Refused("this is the course's own answer, and it is locked while yours is checked.")


def _refusal(name, original):
    home = os.getpid()

    def refuse(*arguments, **named):
        # A worker process that the answer has started may end as it likes, and be ended.
        if os.getpid() != home or (name == "kill" and abs(arguments[0]) not in (0, 1, home)):
            return original(*arguments, **named)
        raise Refused(f"`{name}` would act on the whole kernel.")

    return refuse


def _added(owner, name, known):
    if known is None:
        return True
    return isinstance(owner, type) and name not in known and any(name in vars(base) for base in owner.__mro__[1:])


def _put(owner, name, value):
    if isinstance(owner, type):
        type.__delattr__(owner, name) if value is _NOTHING else type.__setattr__(owner, name, value)
    elif value is _NOTHING:
        vars(owner).pop(name, None)
    else:
        vars(owner)[name] = value
