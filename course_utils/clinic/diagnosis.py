"""From the text of an error to the clinic's cases: which one it is, where to look, which number is what."""

import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from course_utils.checks.verdict import Note
from course_utils.clinic.cases import read_cases
from course_utils.clinic.tracebacks import Section, on_one_line, own_line, sections

PATH = Path(__file__).with_name("patterns.toml")
UNKNOWN = "I do not know this one."
MOST_CHARACTERS = 500_000  # of a log; an error stands at its end
FIELDS = {"find", "context", "last", "name", "symptom", "score", "read"}


class PatternError(Exception):
    """A table of patterns.toml that cannot be used; the text names the case and what is wrong."""


@dataclass(frozen=True)
class Pattern:
    """One way in which a case shows: see the head of patterns.toml."""

    case: str
    find: re.Pattern | None = None
    context: re.Pattern | None = None
    last: re.Pattern | None = None
    name: re.Pattern | None = None
    symptom: re.Pattern | None = None
    score: float = 1.0
    read: str = ""


@dataclass(frozen=True)
class Finding:
    """One case that fits. `score`: 0 to 1. `line`: the deepest line of your own code, empty where none was pasted.

    `look`: what to look at there. `read`: which number is what, filled in from your message where it could be.
    """

    case: str
    title: str
    score: float
    line: str
    look: str
    read: str
    cure: str
    chapter: str

    def __str__(self) -> str:
        place = f"{self.line}\n   Look at: {self.look}" if self.line else self.look
        label = "Raised at" if self.line else "Look at"
        return (
            f"{self.title} (`{self.case}`, chapter {self.chapter})\n   {label}: {place}\n"
            f"   Read: {self.read}\n   Cure: {self.cure}"
        )


class Diagnosis(list):
    """A list of findings, the likeliest first, that shows itself; an empty one says that it does not know."""

    def __str__(self) -> str:
        return "\n\n".join(f"{number}. {finding}" for number, finding in enumerate(self, start=1)) or UNKNOWN

    __repr__ = __str__

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict:
        return Note(str(self))._repr_mimebundle_(include, exclude)


def diagnose(text: str, *, most: int = 3) -> Diagnosis:
    """Return the cases that fit a pasted traceback, message or warning, `most` at most; empty where none does.

    A text without any error is searched for what people say of the silent cases. Of a long text only the last
    half million characters are read.
    """
    text = text[-MOST_CHARACTERS:]
    found = sections(text)
    said = on_one_line(text)
    best: dict[str, Finding] = {}
    if found:
        for section in found:
            weight = 0.8 if section.name.endswith("Warning") else 1.0 if section is found[-1] else 0.95
            _collect(best, section, weight, line=own_line(found, section))
        _collect(best, Section(message=_loose(text)), 0.7, line="")
    else:
        _collect(best, Section(message=said), 1.0, line="")
        for pattern in read_patterns():
            if pattern.symptom and pattern.symptom.search(said):
                _keep(best, pattern, {}, pattern.score, "")
    return Diagnosis(sorted(best.values(), key=lambda finding: -finding.score)[:most])


def _loose(text: str) -> str:
    """Return what CUDA's kernels print beside a traceback; the rest of a log is not searched."""
    return on_one_line(" ".join(line for line in text.splitlines() if "Assertion" in line))


def _collect(best: dict[str, Finding], section: Section, weight: float, *, line: str) -> None:
    for pattern in read_patterns():
        if pattern.find is None or not (match := pattern.find.search(section.message)):
            continue
        last = section.frames[-1].as_text() if section.frames else ""
        asked = ((pattern.context, section.context), (pattern.last, last), (pattern.name, section.name))
        if all(regex is None or regex.search(where) for regex, where in asked):
            _keep(best, pattern, match.groupdict(), round(pattern.score * weight, 3), line)


def _keep(best: dict[str, Finding], pattern: Pattern, groups: dict, score: float, line: str) -> None:
    case = read_cases()[pattern.case]
    if pattern.case in best and best[pattern.case].score >= score:
        return
    read = pattern.read.format_map(groups) if pattern.read else case.read
    best[case.id] = Finding(case.id, case.title, score, line, case.look, read, case.cure, case.chapter)


@cache
def read_patterns() -> tuple[Pattern, ...]:
    """Return every pattern, in the order of the file. Raises `PatternError` for one that cannot be used."""
    tables = tomllib.loads(PATH.read_text(encoding="utf-8"))
    return tuple(_pattern(case, table) for case, rows in tables.items() for table in rows)


def _pattern(case: str, table: dict) -> Pattern:
    if case not in read_cases():
        raise PatternError(f"{case} is not a case of cases.toml")
    if unknown := set(table) - FIELDS:
        raise PatternError(
            f"{case}: {', '.join(sorted(unknown))} is no field; there are {', '.join(sorted(FIELDS))}"
        )
    if ("find" in table) == ("symptom" in table):
        raise PatternError(f"{case}: a pattern has either find or symptom")
    words = {name: table[name] for name in ("score", "read") if name in table}
    flags = {"symptom": re.IGNORECASE}
    regexes = {name: re.compile(table[name], flags.get(name, 0)) for name in table.keys() - {"score", "read"}}
    return Pattern(case, **words, **regexes)
