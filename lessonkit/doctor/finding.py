"""What the doctor says of one thing."""

from typing import NamedTuple


class Finding(NamedTuple):
    """One line of `course doctor`: `state` is "ok", "warning" (all runs, less well) or "problem"."""

    name: str
    state: str
    found: str
    fix: str = ""
