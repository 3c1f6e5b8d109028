"""What a learner reads of an answer whose process did not tell what it gave."""

from lessonkit.teach.room.confined import NOT_STARTED, Limits


def in_words(ended: str, limits: Limits) -> tuple[str, str]:
    """Return the state and the words for a process that did not answer."""
    if ended.startswith(NOT_STARTED):
        return "not judged", f"Its process was {ended}; none of its cells has run."
    if ended == "out of time":
        return "too slow", f"No answer within {limits.seconds:g} s; its process was ended. A loop that never ends?"
    if ended == "used up":
        words = f"the exercises above had used up the {limits.whole:g} s of this submission."
        return "too slow", f"It was not run: {words}"
    if ended == "the machine ran out of memory":
        return "not judged", "Its process was ended as this machine ran out of memory. Grade with --jobs 1."
    if ended == "out of memory":
        return "ended", f"Its process was ended: it took more than {limits.memory / 2**30:.0f} GB of memory."
    if ended == "too many processes":
        return "ended", f"Its process was ended: it had started more than {limits.processes} others."
    if ended.startswith(("exit code", "signal")):
        return "ended", f"Its process ended before it had answered ({ended})."
    if ended == "too much":
        return "wrong", "What it returned is larger than 64 MB."
    if ended.startswith("unreadable"):
        return "wrong", f"What it returned cannot be read: {ended.partition(': ')[2]}."
    return "ended", f"Its process ended before it had answered: {ended}."
