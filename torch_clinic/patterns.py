"""How a case shows in an error's text: the patterns of patterns.toml, and what each lets us say."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from torch_clinic.cases import known_cases
from torch_clinic.tracebacks import Section

PATH = Path(__file__).with_name("patterns.toml")
REGEXES = {"find", "unless", "context", "without", "last", "name", "aside", "around", "away", "symptom"}
WORDS = {"title", "read", "look", "fix"}


class PatternError(Exception):
    """A table of patterns.toml that cannot be used; the text names the case and what is wrong."""


@dataclass(frozen=True)
class Pattern:
    """One way in which a case shows: see the head of patterns.toml."""

    case: str
    find: re.Pattern | None = None
    unless: re.Pattern | None = None
    context: re.Pattern | None = None
    without: re.Pattern | None = None
    last: re.Pattern | None = None
    name: re.Pattern | None = None
    aside: re.Pattern | None = None
    around: re.Pattern | None = None
    away: re.Pattern | None = None
    symptom: re.Pattern | None = None
    score: float = 1.0
    alone: bool = False
    sole: bool = False
    theirs: bool = False
    title: str = ""
    read: str = ""
    look: str = ""
    fix: str = ""

    def groups(self, section: Section) -> dict[str, str] | None:
        """Return what `find` took out of the section's message, None where the pattern does not fit it.

        Where the message alone does not hold it, it is sought once more with the error's type in front.
        """
        if self.find is None:
            return None
        match = self.find.search(section.message) or (section.name and self.find.search(section.headline))
        if not match:
            return None
        last = section.frames[-1].as_text() if section.frames else ""
        asked = ((self.context, section.context), (self.last, last), (self.name, section.name))
        barred = ((self.unless, section.message), (self.without, section.context), (self.aside, section.beside))
        if (
            all(regex is None or regex.search(where) for regex, where in asked)
            and not any(regex and regex.search(where) for regex, where in barred)
            and self.suits(section.text)
        ):
            return {name: value.strip(" ,") for name, value in match.groupdict(default="").items()}
        return None

    def suits(self, text: str) -> bool:
        """Whether the whole text says what the pattern wants in it, and nothing that speaks against it."""
        return not (self.around and not self.around.search(text)) and not (self.away and self.away.search(text))

    def said(self, groups: dict[str, str]) -> dict[str, str]:
        """Return title, read, look and fix for this very text: the pattern's own, else the case's."""
        case = known_cases()[self.case]
        return {
            word: getattr(self, word).format_map(groups) if getattr(self, word) else getattr(case, word)
            for word in ("title", "read", "look", "fix")
        }


@cache
def read_patterns() -> tuple[Pattern, ...]:
    """Return every pattern, in the order of the file. Raises `PatternError` for one that cannot be used."""
    tables = tomllib.loads(PATH.read_text(encoding="utf-8"))
    return tuple(_pattern(case, table) for case, rows in tables.items() for table in rows)


def _pattern(case: str, table: dict) -> Pattern:
    if case not in known_cases():
        raise PatternError(f"{case} is not a case of cases.toml")
    fields = REGEXES | WORDS | {"score", "alone", "sole", "theirs"}
    if unknown := set(table) - fields:
        raise PatternError(
            f"{case}: {', '.join(sorted(unknown))} is no field; there are {', '.join(sorted(fields))}"
        )
    if ("find" in table) == ("symptom" in table):
        raise PatternError(f"{case}: a pattern has either find or symptom")
    words = {name: table[name] for name in table.keys() - REGEXES}
    flags = {"symptom": re.IGNORECASE}
    regexes = {name: re.compile(table[name], flags.get(name, 0)) for name in table.keys() & REGEXES}
    return Pattern(case, **words, **regexes)
