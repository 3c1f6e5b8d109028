"""Estimate how long a run takes on this machine: from the recorded seconds of chapters and the machine's speed."""

from collections.abc import Sequence

from lessonkit.notebook import costs


def estimate(names: Sequence[str], jobs: int, work_seconds: float | None) -> float | None:
    """Return the seconds until the chapters `names` are executed, `jobs` side by side; None without a record.

    `work_seconds`: what the hook `machine` measures here; None for a course that has no such hook. As the run does,
    it starts the longest chapter first, and the next one where a place becomes free.
    """
    each = {} if work_seconds is None else costs.seconds_here(list(names), work_seconds)
    free_at = [0.0] * jobs
    for seconds in sorted(each.values(), reverse=True):
        free_at[free_at.index(min(free_at))] += seconds
    return max(free_at) or None


def in_words(seconds: float) -> str:
    """Return `40 seconds` or `7 minutes`: an estimate is no more precise than that.

    >>> in_words(38.2), in_words(417)
    ('40 seconds', '7 minutes')
    """
    if seconds < 90:
        return f"{max(10, round(seconds, -1)):.0f} seconds"
    return f"{seconds / 60:.0f} minutes"
