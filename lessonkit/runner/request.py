"""The request of one `course run`: its options, checked, and the job that each worker gets."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from lessonkit.notebook import catalog
from lessonkit.notebook.catalog import Chapter
from lessonkit.system.course import hook
from lessonkit.system.errors import Refused
from lessonkit.system.versions import versions

START = 240  # seconds in which a kernel must be up, also on a busy machine
GOAL = 30.0  # seconds that no cell of a quick run should need; marked in the report, not a failure


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """One run: which chapters, how they are executed, and where the results go."""

    out: Path  # folder of the executed notebooks and the report
    names: tuple[str, ...] = ()  # numbers or slugs of chapters; none for all
    answers: str = "untouched"  # or "solved"
    extent: str = "whole"  # or "core", without the cells tagged `further`
    profile: str = "quick"  # or "full"
    device: str = "auto"  # or "cpu", "cuda", "mps"
    jobs: int | None = 1  # chapters side by side; None: as many as fit this machine
    resume: bool = False
    settings: tuple[str, ...] = ()  # `NAME=VALUE`, parameters besides profile and device
    limit: float = 600.0  # seconds after which a cell counts as hung
    notebooks: Path = catalog.NOTEBOOKS
    parameters: dict[str, dict[str, object]] = field(default_factory=dict)  # chapter's name -> what is injected

    def injected(self, chapter: Chapter) -> dict[str, object]:
        """Return the parameters that must be injected into `chapter`: those that differ from its own.

        Raises `Refused` for one that the chapter does not have.
        """
        device = None if self.device == "auto" else self.device
        given = {"PROFILE": self.profile, "DEVICE": device} | dict(map(setting, self.settings))
        # A chapter without PROFILE or DEVICE has no use for the default, but cannot be given another.
        standard = {"PROFILE": "quick", "DEVICE": None}
        optional = tuple(name for name, value in standard.items() if given[name] == value)
        return catalog.changed(chapter, given, optional=optional)

    def output(self, chapter: Chapter) -> Path:
        """Return where the executed notebook of `chapter` is written."""
        return self.out / f"{chapter.name}.ipynb"

    def job(self, chapter: Chapter) -> dict[str, object]:
        """Return what the worker of `chapter` needs to know, fit for JSON."""
        return {
            "name": chapter.name,
            "notebook": str(chapter.path.resolve()),
            "output": str(self.output(chapter)),
            "answers": self.answers,
            "extent": self.extent,
            "parameters": self.parameters.get(chapter.name, {}),
            "limit": self.limit,
            "goal": GOAL if self.profile == "quick" else None,
        }


def setting(text: str) -> tuple[str, object]:
    """Return `NAME=VALUE` as a pair; the value is JSON, or the text itself where it is not.

    Raises `Refused` for a text of another form.
    """
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise Refused(f"--set {text}: expected NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def resolve_device(name: str) -> str:
    """Return the type of device that `name` stands for: `auto` takes the best there is.

    Raises `Refused` for one that this machine does not have.
    """
    devices = hook("devices")
    types = devices() if devices else ["cpu"]
    if name == "auto":
        return types[0]
    if name not in types:
        there = ", ".join(types)
        torch = versions("torch").get("torch", "")
        found = f"torch {torch} finds no {name} device here" if torch else f"no {name} device was found here"
        raise Refused(f"--device {name}: {found}; there is: {there}")
    return name
