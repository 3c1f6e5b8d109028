"""The clinic's cases, read from cases.toml: what is broken, how its message is read, what is asked about it."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType

PATH = Path(__file__).with_name("cases.toml")
KINDS = ("loud", "silent")


class CaseError(Exception):
    """A table of cases.toml that cannot be used; the text names the case and the field."""


@dataclass(frozen=True)
class Option:
    """One of the answers to choose from, and what is said to somebody who chooses it."""

    text: str
    why: str


@dataclass(frozen=True)
class Case:
    """One case. `kind`: "loud" raises `message` (this torch's words), "silent" only computes something wrong.

    `message`: of a silent case, what is seen instead. `read`: which number of the message is what. `look`: the line
    to look at. `fix`: one sentence. `chapter`: where it was taught, "04 nets". `options`: letter -> Option, empty
    where nothing is asked; `answer`: the right letter. `number`: its place in chapter 12, or 0. `in_index`: whether
    chapter 12 of the course lists it.
    """

    id: str
    title: str
    group: str
    kind: str
    message: str
    read: str
    look: str
    fix: str
    chapter: str
    number: int = 0
    question: str = ""
    answer: str = ""
    options: Mapping[str, Option] = field(default_factory=dict)
    in_index: bool = False


@cache
def read_cases() -> Mapping[str, Case]:
    """Return the cases of chapter 12's index by id, in the order of the file, read-only.

    Raises `CaseError`, see `make_case`.

    >>> case = read_cases()["mm_shapes"]
    >>> case.title, case.number
    ('A Linear layer gets features of another length', 1)
    """
    return MappingProxyType({name: case for name, case in known_cases().items() if case.in_index})


@cache
def known_cases() -> Mapping[str, Case]:
    """Return every case that `diagnose` knows by its id, in the order of the file, read-only.

    Raises `CaseError`, see `make_case`.

    >>> known_cases()["norm_dims"].message
    'expected 4D input (got 2D input)'
    >>> len(known_cases()) > len(read_cases())
    True
    """
    tables = tomllib.loads(PATH.read_text(encoding="utf-8"))
    return MappingProxyType({name: make_case(name, table) for name, table in tables.items()})


def make_case(name: str, table: Mapping[str, object]) -> Case:
    """Make a Case from one table of the file; `a = ["text", "why"]` and so on are its options.

    Raises `CaseError`: an option that is not two strings, a field too many or too few, a kind that there is not, a
    question without options, or an answer that is none of them.

    >>> words = dict.fromkeys(["title", "group", "message", "read", "look", "fix", "chapter"], "...")
    >>> make_case("toy", {"kind": "silent", **words}).kind
    'silent'
    >>> make_case("toy", {"kind": "quiet", **words})
    Traceback (most recent call last):
        ...
    torch_clinic.cases.CaseError: toy: kind is 'quiet'; expected one of loud, silent.
    """
    options = {letter: value for letter, value in table.items() if len(letter) == 1}
    words = {key: value for key, value in table.items() if key not in options}
    for letter, value in options.items():
        if not (isinstance(value, list) and len(value) == 2 and all(isinstance(part, str) for part in value)):
            raise CaseError(f"{name}: option {letter} is {value!r}; expected two strings, the text and the reason.")
    options = MappingProxyType({letter: Option(*value) for letter, value in sorted(options.items())})
    try:
        case = Case(name, **words, options=options)
    except TypeError as error:
        raise CaseError(f"{name}: {error}; expected the fields of Case and no others.") from error
    if case.kind not in KINDS:
        raise CaseError(f"{name}: kind is {case.kind!r}; expected one of {', '.join(KINDS)}.")
    if bool(case.question) != bool(options) or (options and case.answer not in options):
        raise CaseError(f"{name}: a question needs options, and an answer that is one of them: {list(options)}.")
    return case
