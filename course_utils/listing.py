"""What a folder of checkpoints holds, and which of them are whole."""

import contextlib
import math

from course_utils import container
from course_utils.container import CheckpointError

FACTS = ("epoch", "step", "metrics", "versions", "holds")


def row(path):
    """What one file says of itself, as a dict; its "problem" is None, or why it says nothing."""
    facts = {"path": path, "bytes": path.stat().st_size} | dict.fromkeys(FACTS) | {"problem": None}
    try:
        record = container.read_record(path)
        return facts | {key: record[key] for key in FACTS}
    except CheckpointError as error:
        return facts | {"problem": str(error)}


def intact(rows, count):
    """Paths of the first `count` rows whose files are as they were saved, every bit; reads those files."""
    found = []
    for each in rows:
        with contextlib.suppress(CheckpointError):  # damaged: not counted, so the next one stays in its place
            container.check_seal(each["path"])
            found.append(each["path"])
        if len(found) == count:
            break
    return found


def ranked(rows, metric, *, mode):
    """The rows that have a number as this metric, best first; of equals the latest."""
    having = [each for each in rows if _is_number(each["metrics"].get(metric))]
    sign = 1 if mode == "min" else -1
    return sorted(reversed(having), key=lambda each: sign * each["metrics"][metric])


def _is_number(value):
    return isinstance(value, (int, float)) and not math.isnan(value)
