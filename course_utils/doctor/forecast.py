"""How fast this machine is beside the one that recorded the chapters' seconds, and what that makes of them."""

from course_utils.doctor.facts import Facts
from course_utils.doctor.finding import Finding
from course_utils.notebook import costs
from course_utils.notebook.catalog import find

LONG = 3.0  # minutes of computing from which a chapter is worth a warning
SLOW = 3.0  # times the recorded seconds from which the whole machine is
NAME = "speed"


def minutes(work_seconds: float) -> dict[str, float]:
    """Return the minutes that executing each chapter will take on a machine with these `work_seconds`.

    Of computing, beside one other chapter; reading and answering come on top.
    """
    factor = work_seconds / costs.work_seconds()
    names = [chapter.name for chapter in find()]
    return {name: seconds * factor / 60 for name, seconds in costs.seconds(names).items()}


def speed(facts: Facts) -> Finding:
    """Return how long the chapters will compute here, the long ones by their number."""
    if facts.work_seconds is None:
        return Finding(NAME, "warning", "not measured", "Mend torch first, then run the doctor again.")
    factor, each = facts.work_seconds / costs.work_seconds(), minutes(facts.work_seconds)
    found = f"{facts.work_seconds * 1000:.0f} ms for a piece of work, {factor:.1f} times the seconds on record"
    found += f"; executing all chapters: about {sum(each.values()):.0f} minutes"
    if long := {name: value for name, value in each.items() if value >= LONG}:
        words = ", ".join(f"{name[:2]} about {value:.0f}" for name, value in long.items())
        found += f", of which chapter {words}"
    if factor < SLOW:
        return Finding(NAME, "ok", found)
    fix = (
        "Close other programs and look at the power plan; a cell that takes minutes here is not broken, only slow."
    )
    return Finding(NAME, "warning", found, fix)
