"""A fence around an answer while it runs: what would end the kernel, or take hold of it, is refused.

It keeps slips away from the kernel. It is no prison: docs/checks.md says what gets through.
"""

import contextlib
import os
import sys
from collections.abc import Iterator

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


@contextlib.contextmanager
def fence() -> Iterator[None]:
    """Let nothing in the block end this process by name; afterwards every imported module is there again."""
    table, modules = sys.modules, dict(sys.modules)
    spaces = [(vars(modules[module]), name) for module, name in _ENDINGS if module in modules]
    endings = [(space, name, space[name]) for space, name in spaces if name in space]
    for space, name, original in endings:
        space[name] = _refusal(name, original)
    try:
        yield
    finally:
        for space, name, original in endings:
            space[name] = original
        sys.modules = table
        table.update(modules)


def _refusal(name, original):
    home = os.getpid()

    def refuse(*arguments, **named):
        # A worker process that the answer has started may end as it likes, and be ended.
        if os.getpid() != home or (name == "kill" and abs(arguments[0]) not in (0, 1, home)):
            return original(*arguments, **named)
        raise Refused(f"`{name}` would act on the whole kernel.")

    return refuse
