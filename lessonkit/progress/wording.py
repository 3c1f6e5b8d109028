"""Say in words where a learner stands: amounts, minutes, and the sentence when a core is finished."""

from lessonkit.progress.contents import Task
from lessonkit.progress.summary import ChapterProgress, Summary

FULL, EMPTY = "■", "□"
WIDTH = 8  # signs of a bar


def bar(done: int, there: int, width: int = WIDTH) -> str:
    """Return a bar such as `■■■□□□□□`; it is empty only where nothing is done and full only where all is.

    Example: `bar(1, 30)` has one full sign, and `bar(29, 30)` all but one.
    """
    full = width if done >= there else min(width - 1, max(round(width * done / there), 1 if done else 0))
    return FULL * full + EMPTY * (width - full)


def rounded(minutes: float) -> int:
    """Return minutes rounded to five, never to none while something is left."""
    return max(5, 5 * round(minutes / 5)) if minutes else 0


def hours(minutes: float) -> str:
    """Return `45 min`, `3 h 20 min`, in steps of five minutes."""
    whole, rest = divmod(rounded(minutes), 60)
    return " ".join([*([f"{whole} h"] if whole else []), *([f"{rest} min"] if rest or not whole else [])])


def whole(minutes: float) -> int:
    """Return the minutes of one chapter, so fine that each passed exercise shows; never 0 while any is left."""
    return max(1, round(minutes)) if minutes else 0


def left(one: ChapterProgress) -> str:
    """Return the minutes left of the core and of the whole chapter, for a column: `25 / 60`."""
    core, further = (one.minutes_left(further=further) for further in (False, True))
    return f"{whole(core)} / {whole(core + further)}"


def title(task: Task) -> str:
    """Return what people call a task, as Markdown: its heading; its name as code where it has none."""
    return task.title or f"`{task.name}`"


def exercises(number: int) -> str:
    """Return `1 exercise`, `3 exercises`."""
    return f"{number} exercise{'' if number == 1 else 's'}"


def finished(summary: Summary) -> tuple[str, str]:
    """Return a sentence for somebody who has just finished a core, or all, and what it means; empty for others.

    They stay until an answer in a chapter whose core is not finished is checked.
    """
    if summary.next is None:
        return "You have solved every exercise of this course.", "Which chapter would you like to do again?"
    done, there = summary.cores()
    if there and done == there:
        more = "Only *Further* is left: choose what interests you."
        return "You have finished the core of every chapter.", more
    one = summary.at_hand
    if one is None or not one.finished():
        return "", ""
    some = len(one.open(further=True))
    what = "the core" if some else "all exercises"
    more = f" Its *Further* has {exercises(some)} left; no later chapter needs it." if some else ""
    return f"You have finished {what} of {one.contents.title}.", f"That makes {done} of {there} cores.{more}"
