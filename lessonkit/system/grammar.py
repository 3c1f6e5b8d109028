"""A library's grammar, compiled when it is asked for and not by whoever imports `jsonschema`."""

import importlib.util
import sys
from types import ModuleType

NAME = "rfc3987_syntax"


def compile_when_used() -> None:
    """Let `rfc3987_syntax` wait for its first use; a process that reads notebooks then starts 1.3 s earlier.

    It compiles a grammar of addresses as it is imported, which jsonschema does, which nbformat does; no notebook's
    schema has such an address. What is imported already, or is not installed, stays as it is.
    """
    if NAME in sys.modules or importlib.util.find_spec(NAME) is None:
        return
    waiting = ModuleType(NAME, "Waits for its first use (lessonkit/system/grammar.py).")

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
