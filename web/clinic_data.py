"""What the clinic's page needs of the package: its cases, patterns and expressions, as one script."""

import json
import re
import sys
from dataclasses import fields
from types import ModuleType

from regexes import to_javascript

from torch_clinic import diagnosis, hints, memory, packages, platforms, printed, tracebacks, tried
from torch_clinic.cases import known_cases
from torch_clinic.expressions import Expression
from torch_clinic.patterns import Pattern, read_patterns


def script() -> str:
    """Return `window.courseClinic = {...};`: a script, as a page opened from a file may not fetch anything."""
    content = {
        "cases": {name: {word: getattr(case, word) for word in WORDS} for name, case in known_cases().items()},
        "patterns": [_pattern(pattern) for pattern in read_patterns()],
        "expressions": {name: to_javascript(value) for name, value in _expressions().items()},
        "frames": [to_javascript(pattern.compiled) for pattern in tracebacks.FRAMES],
        "signs": {chr(sign): typed or "" for sign, typed in printed.SIGNS.items()},
        "units": memory.UNITS,
        "libraries": packages.LIBRARIES,
        "python": sorted({*sys.stdlib_module_names, *packages.GONE.split()}),
        "oftenOwn": packages.OFTEN_OWN.split(),
        "constants": {
            "unknown": diagnosis.UNKNOWN,
            "brokenOff": diagnosis.BROKEN_OFF,
            "mostCharacters": diagnosis.MOST_CHARACTERS,
            "overhead": memory.OVERHEAD,
            "tooOld": hints.TOO_OLD,
            "forward": tracebacks.FORWARD,
            "userCode": tracebacks.USER_CODE,
            "ofALine": diagnosis.OF_A_LINE,
            "ofCalled": diagnosis.OF_CALLED,
            "ofOthers": diagnosis.OF_OTHERS,
            "done": tried.DONE,
            "install": tried.INSTALL,
            "prompt": tried.PROMPT,
            "package": tried.OF_A_PACKAGE,
            "setting": tried.OF_A_SETTING,
        },
    }
    return f"window.courseClinic = {json.dumps(content, ensure_ascii=False, separators=(',', ':'))};\n"


WORDS = ("title", "read", "look", "fix", "chapter", "group")


def _pattern(pattern: Pattern) -> dict:
    """Return the fields that are given; expressions in JavaScript's words."""
    row = {}
    for field in fields(pattern):
        value = getattr(pattern, field.name)
        if value != field.default:
            row[field.name] = to_javascript(value) if isinstance(value, re.Pattern) else value
    return row


def _expressions() -> dict[str, re.Pattern]:
    """Return every expression that a module of the clinic keeps under a name of its own."""
    modules: tuple[ModuleType, ...] = (diagnosis, hints, memory, packages, platforms, printed, tracebacks, tried)
    return {
        name: value.compiled
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Expression)
    }
