"""Run an answer so that it changes nothing in this process: random state, defaults, output, the process itself."""

import contextlib
import io
import os
import random
import sys
import warnings
from collections.abc import Iterator

import torch

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
# What waits until somebody types. A kernel interrupted there runs no further cell until the box is answered.
_QUESTIONS = (("builtins", "input"), ("getpass", "getpass"))
_ASKING = {name for _, name in _QUESTIONS}


def seed_torch(seed: int) -> None:
    """Seed torch's generators as `torch.manual_seed` does, but leave a CUDA that has not been started alone.

    Until CUDA is started, `torch.manual_seed` puts each seed into a queue of calls to be made then, together with a
    formatted traceback of who asked: milliseconds at every call, and a check seeds once for each input.
    """
    if torch.cuda.is_initialized() or not torch.backends.cuda.is_built():
        torch.manual_seed(seed)
    else:
        torch.default_generator.manual_seed(seed)


def seed_generators(seed: int) -> None:
    """Seed Python's generator, NumPy's where it is loaded, and torch's as `seed_torch` does."""
    seed_torch(seed)
    random.seed(seed)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(seed)


class _Gathered(io.StringIO):
    def close(self) -> None:
        """Do nothing: code that takes it for the terminal's may close it, and what was printed is still wanted."""

    def text(self) -> str:
        """Return all that was printed."""
        return io.StringIO.getvalue(self)


@contextlib.contextmanager
def isolated(seed: int) -> Iterator[_Gathered]:
    """Seed every generator for the block, gather what it prints, and put back all that it changed.

    Yields what gathers standard output and error; its `text()` is what was printed. Restored afterwards: the states
    of Python's, NumPy's and torch's generators, the default dtype, the number of threads, whether deterministic
    algorithms alone are allowed, Python's limit of recursion and the warning filters.
    """
    numpy = sys.modules.get("numpy")
    python_state = random.getstate()
    numpy_state = numpy.random.get_state() if numpy else None
    # Only devices that are in use: asking for the others would start them.
    devices = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else []
    dtype, threads, printed = torch.get_default_dtype(), torch.get_num_threads(), _Gathered()
    deterministic, recursion = _deterministic(), sys.getrecursionlimit()
    with (
        torch.random.fork_rng(devices),
        warnings.catch_warnings(),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
    ):
        seed_generators(seed)
        try:
            yield printed
        finally:
            random.setstate(python_state)
            if numpy:
                numpy.random.set_state(numpy_state)
            sys.setrecursionlimit(recursion)
            torch.set_default_dtype(dtype)
            if _deterministic() != deterministic:  # only then: setting it imports for seconds
                torch.use_deterministic_algorithms(deterministic[0], warn_only=deterministic[1])
            if torch.get_num_threads() != threads:
                torch.set_num_threads(threads)


def _deterministic():
    return torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()


class Refused(Exception):
    """Raised in an answer that calls what no answer needs."""


@contextlib.contextmanager
def fence() -> Iterator[None]:
    """Let nothing in the block end this process by name or wait for somebody to type.

    Afterwards every imported module is there again.
    """
    table, modules = sys.modules, dict(sys.modules)
    spaces = [(vars(modules[module]), name) for module, name in (*_ENDINGS, *_QUESTIONS) if module in modules]
    found = [(space, name, space[name]) for space, name in spaces if name in space]
    for space, name, original in found:
        space[name] = _refusal(name, original)
    try:
        yield
    finally:
        for space, name, original in found:
            space[name] = original
        sys.modules = table
        table.update(modules)


def _refusal(name, original):
    home = os.getpid()

    def refuse(*arguments, **named):
        # A worker process that the answer has started may end as it likes, and be ended.
        if os.getpid() != home or (name == "kill" and abs(arguments[0]) not in (0, 1, home)):
            return original(*arguments, **named)
        if name in _ASKING:
            raise Refused(
                f"`{name}` waits until somebody types, which nobody can do during a check. "
                "Take what you need from the arguments, or write the value into the cell."
            )
        raise Refused(f"`{name}` would affect the whole kernel, so a check does not run it.")

    return refuse
