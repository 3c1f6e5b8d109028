"""Make the imports of a process that we start faster: defer a slow grammar, and pause the garbage collector."""

import contextlib
import gc
import importlib.util
import sys
from collections.abc import Iterator
from types import ModuleType

NAME = "rfc3987_syntax"


def defer_grammar() -> None:
    """Let `rfc3987_syntax` wait for its first use; a process that reads notebooks then starts 1.3 s earlier.

    It compiles a grammar of addresses as it is imported, which jsonschema does, which nbformat does; no notebook's
    schema has such an address. What is imported already, or is not installed, stays as it is.
    """
    if NAME in sys.modules or importlib.util.find_spec(NAME) is None:
        return
    waiting = ModuleType(NAME, "Waits for its first use (lessonkit/system/fast_imports.py).")

    def __getattr__(name: str) -> object:  # of the module: jsonschema asks for no other name than the one below
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(whole(), name)

    def whole() -> ModuleType:
        if sys.modules.get(NAME) is waiting:
            del sys.modules[NAME]
        return importlib.import_module(NAME)

    def is_valid_syntax(term: str, value: str) -> bool:
        return whole().is_valid_syntax(term, value)

    waiting.__getattr__, waiting.is_valid_syntax = __getattr__, is_valid_syntax
    sys.modules[NAME] = waiting


@contextlib.contextmanager
def without_collection() -> Iterator[None]:
    """Collect no garbage in the block, and none of what is there at its end: for imports of large libraries.

    While torch is imported the collector runs dozens of times over a growing heap and finds next to nothing; at the
    end of the process it looks through it all again. Without that a rank that does nothing takes 1.0 s of a core,
    not 1.5 (torch 2.14). Only for processes that we start: in a learner's kernel it is not ours to decide.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if before:
            gc.enable()
