"""The types of a finding of `course doctor`, and of all that a course adds to the engine's own findings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Finding(NamedTuple):
    """One line of `course doctor`: `state` is "ok", "warning" (all runs, less well) or "problem"."""

    name: str
    state: str
    found: str
    fix: str = ""


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a course's hook `findings` returns about a machine.

    `findings` and `lines` are groups, each under the name of the engine's finding or line that it stands behind; a
    group comes last where the engine has none of that name. The finding `data: NAME` is about the data set NAME.
    """

    findings: Mapping[str, Sequence[Finding]] = field(default_factory=dict)
    lines: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)  # of --mail: (name, text)
    sources: Mapping[str, str] = field(default_factory=dict)  # data set -> "full", "sample", "none" or "damaged"
    stops_nobody: Sequence[str] = ()  # findings whose problem still lets everybody run the core of a chapter
    lacks: str = ""  # the package without which nothing of the course can be computed, and so no speed measured
