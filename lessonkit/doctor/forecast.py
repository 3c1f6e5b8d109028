"""Estimate how long the chapters compute on this machine, from its speed and the recorded durations."""

from lessonkit.doctor.facts import Facts
from lessonkit.notebook import costs
from lessonkit.notebook.catalog import find
from lessonkit.system.finding import Finding

NAME = "speed"
LONG = 4.0  # minutes of computing from which a chapter is worth a warning; on record none takes three


def minutes(work_seconds: float) -> dict[str, float]:
    """Return the minutes that executing each chapter takes on a machine with these `work_seconds`, by its number.

    Minutes of computing, while one other chapter runs; reading and answering take longer. Empty for a course that
    has no record.
    """
    seconds = costs.seconds_here([chapter.name for chapter in find()], work_seconds)
    return {name.partition("_")[0]: value / 60 for name, value in seconds.items()}


def rounded(value: float) -> str:
    """Return whole minutes as text, `<1` for less than one."""
    return f"{value:.0f}" if value >= 1 else "<1"


def speed(facts: Facts) -> Finding | None:
    """Return how fast this machine is, and how long each chapter computes on it; a warning names the long ones.

    None for a course that has no hook by which a machine's speed is measured.
    """
    if facts.work_seconds is None:
        fix = f"Fix {facts.course.lacks} first, and then run the doctor again."
        return Finding(NAME, "warning", "not measured", fix) if facts.course.lacks else None
    each = minutes(facts.work_seconds)
    if not each:
        found = f"{facts.work_seconds * 1000:.0f} ms for a piece of work; no chapter's time is recorded"
        return Finding(NAME, "ok", found)
    factor = facts.work_seconds / costs.work_seconds()
    table = ", ".join(f"{number} {rounded(value)}" for number, value in each.items())
    found = (
        f"{factor:.1f} times the seconds on record ({facts.work_seconds * 1000:.0f} ms for a piece of work); "
        f"minutes of computing, chapter by chapter: {table}; together {sum(each.values()):.0f}"
    )
    long = [number for number, value in each.items() if value >= LONG]
    if not long:
        return Finding(NAME, "ok", found)
    fix = (
        f"Chapter {', '.join(long)}: a cell that computes for minutes is not broken, only slow here. "
        "Close other programs, and let a laptop run on mains."
    )
    return Finding(NAME, "warning", found, fix)
