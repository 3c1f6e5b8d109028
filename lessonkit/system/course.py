"""The settings of the course in course.toml, and the objects of the course that they name (hooks)."""

import sys
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from lessonkit.system.place import IMPORTED_FROM, PROJECT, SETTINGS


class CourseError(Exception):
    """A course.toml that cannot be used; the text names the setting, what was found and what was expected."""


@dataclass(frozen=True, kw_only=True)
class Course:
    """The settings of one course.

    `title` and `licence`: what its slides begin with. `package`: what its notebooks import; the code in it counts
    as the course's own. `distribution`: the installed package whose version reports name. `exercises`: the package
    of exercises, with one module or folder for each chapter, called like the notebook without its number.
    `notebooks` and `answers`: folders in the course's own folder; `answers` is the bank, and `checks`, where it is
    named, holds programs that `course check` runs beside its own checks. `guide`: the instructor's page, with an
    entry for each chapter that names the headings of its bet, its half-time and so on. `hooks`: name -> "module" or
    "module:attribute", all optional:

    - `machine`: `describe() -> dict` and `work_seconds(*, repeats=10) -> float`, for the head of a report and for
      forecasts;
    - `devices`: `() -> list[str]`, the kinds of device that a run may choose, the best first;
    - `data`: `names()`, `available(name) -> (source, sentence)`, `why_offline()`, and the exception `DataError`;
    - `passed_on`: `data_for({name: chapters})` and `fetch(one)`, the data that may go into a bundle;
    - `findings`: `() -> Found`, what `course doctor` says beside its own findings, and where it stands among them
      (`lessonkit.system.finding`); must be importable on a machine where what it examines is broken;
    - `letters`: `(name) -> question or None`, the questions that are answered by a letter.
    """

    title: str = "A course"
    licence: str = ""
    package: str = ""
    distribution: str = ""
    exercises: str = ""
    notebooks: str = "notebooks"
    answers: str = "answers"
    checks: str = ""
    guide: str = ""
    hooks: dict[str, str] = field(default_factory=dict)


_ENGINE = Path(__file__).parents[1]
HOOKS = ("machine", "devices", "data", "passed_on", "findings", "letters")


@cache
def course() -> Course:
    """Return the settings of the course that is here. Raises `CourseError` for a file that cannot be used."""
    return read(PROJECT / SETTINGS)


def read(path: Path) -> Course:
    """Return the settings in a course.toml. Raises `CourseError`."""
    import tomllib  # a notebook's imports need no settings, and this costs 1.5 ms

    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        settings = Course(**found)
    except (OSError, ValueError, TypeError) as error:
        raise CourseError(f"{path} cannot be used: {error}") from error
    texts = [value for name, value in found.items() if name != "hooks"]
    if not all(isinstance(value, str) for value in texts) or not isinstance(settings.hooks, dict):
        raise CourseError(f"{path}: every setting is a text, and [hooks] a table of texts")
    if unknown := sorted(set(settings.hooks) - set(HOOKS)):
        raise CourseError(f"{path}: no hook is called {', '.join(unknown)}; there are {', '.join(HOOKS)}")
    return settings


@cache
def hook(name: str) -> object | None:
    """Return the module or object that the course names for a hook; None where it names none.

    Raises `CourseError` where it cannot be imported.
    """
    named = course().hooks.get(name)
    if not named:
        return None
    module, _, attribute = named.partition(":")
    make_importable()
    try:
        found = import_module(module)
        return getattr(found, attribute) if attribute else found
    except (ImportError, AttributeError, OSError, RuntimeError) as error:  # the last two: a broken torch
        raise CourseError(f"the hook {name} of {PROJECT / SETTINGS} names {named}: {error}") from error


def package_folder(name: str) -> Path | None:
    """Return the folder of a top-level package, which is not imported; None where there is none of that name."""
    if name == _ENGINE.name:  # where a folder of that name lies in the current one, a search finds that
        return _ENGINE
    make_importable()
    found = find_spec(name) if name else None
    return (
        Path(next(iter(found.submodule_search_locations))) if found and found.submodule_search_locations else None
    )


def make_importable() -> None:
    """Let this process import the course's packages, wherever it was started."""
    sys.path.extend(place for place in IMPORTED_FROM if place not in sys.path)
