"""The findings of a review: an error is a fact that has to be fixed, a warning is advice."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

Level = Literal["error", "warning"]


class Finding(NamedTuple):
    """One sentence about the content; `where` names the chapter or the exercise that it is about."""

    level: Level
    text: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.text}" if self.where else self.text


def error(text: str) -> Finding:
    """Return a fact that is wrong: with one of these `course check` ends with exit status 1."""
    return Finding("error", text)


def warning(text: str) -> Finding:
    """Return advice: something that was counted, for a person to weigh."""
    return Finding("warning", text)


def at(where: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings with the place that they are about."""
    for finding in findings:
        yield finding._replace(where=where)


def errors(findings: Iterable[Finding]) -> list[str]:
    """Return the texts of the errors."""
    return [finding.text for finding in findings if finding.level == "error"]


def warnings(findings: Iterable[Finding]) -> list[str]:
    """Return the texts of the warnings."""
    return [finding.text for finding in findings if finding.level == "warning"]
