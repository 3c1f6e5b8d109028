"""Parse the reports of kernels, with bounds: they come from the network and may be anything."""

import json
import re
from dataclasses import dataclass

from lessonkit.checks.verdict import STATES
from lessonkit.reporting.client import MOST_EVENTS
from lessonkit.reporting.join import NOTES
from lessonkit.reporting.nickname import cleaned

_LEARNER = re.compile(r"[0-9a-f]{32}")


class Unfit(Exception):
    """Something that no kernel of ours sends; the text says what was expected."""


@dataclass(frozen=True)
class Event:
    """One verdict. `chapter`: the slug, `training`."""

    chapter: str
    exercise: str
    state: str
    mistake: str | None


@dataclass(frozen=True)
class Report:
    """What one learner did; `nickname` is clean, and empty for none. `note`: None where nothing is said of it."""

    learner: str
    nickname: str
    events: tuple[Event, ...]
    note: str | None = None


def note_in(body: bytes) -> str | None:
    """Return the note that a request sets, None where it sets none. Raises `Unfit`."""
    return _note(_object(body, "note"))


def _object(body, expected):
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise Unfit("Expected JSON.") from None
    if not isinstance(said, dict):
        raise Unfit(f"Expected an object with {expected}.")
    return said


def _note(said):
    note = said.get("note")
    if note is not None and (not isinstance(note, str) or note not in ("", *NOTES)):
        raise Unfit(f"`note` must be one of {', '.join(NOTES)}, or empty.")
    return note


def parse(body: bytes) -> Report:
    """Return what a request says. Raises `Unfit`."""
    said = _object(body, "learner, nickname and events")
    learner, events = said.get("learner"), said.get("events")
    if not isinstance(learner, str) or not _LEARNER.fullmatch(learner):
        raise Unfit("`learner` is to be 32 hexadecimal digits.")
    if not isinstance(events, list) or len(events) > MOST_EVENTS:
        raise Unfit(f"`events` is to be a list of at most {MOST_EVENTS}.")
    return Report(learner, cleaned(said.get("nickname")), tuple(map(_event, events)), _note(said))


def _event(said):
    if not isinstance(said, dict):
        raise Unfit("Each event is to be an object.")
    chapter, exercise, state, mistake = (said.get(name) for name in ("chapter", "exercise", "state", "mistake"))
    if not isinstance(chapter, str) or not isinstance(exercise, str):
        raise Unfit("`chapter` and `exercise` are to be strings.")
    if state not in STATES:
        raise Unfit(f"`state` is to be one of {', '.join(STATES)}.")
    if mistake is not None and not isinstance(mistake, str):
        raise Unfit("`mistake` is to be a string or null.")
    return Event(chapter, exercise, state, mistake)
