"""What a folder of checkpoints holds, and which of them are whole."""

import math

from course_utils.checkpoints import file_format
from course_utils.checkpoints.file_format import CheckpointError

FACTS = ("epoch", "step", "metrics", "versions", "holds")


def row(path):
    """What one file says of itself, as a dict; its "problem" is None, or why it says nothing."""
    facts = {"path": path, "bytes": path.stat().st_size} | dict.fromkeys(FACTS) | {"problem": None}
    try:
        record = file_format.read_record(path)
        return facts | {key: record[key] for key in FACTS}
    except CheckpointError as error:
        return facts | {"problem": str(error)}


def intact(rows, count):
    """(paths of the first `count` files that are as they were saved, paths of damaged ones met on the way).

    Reads those files, every bit.
    """
    found, damaged = [], []
    for each in rows:
        try:
            file_format.check_seal(each["path"])
        except CheckpointError:
            damaged.append(each["path"])
            continue
        found.append(each["path"])
        if len(found) == count:
            break
    return found, damaged


def ranked(rows, metric, *, mode):
    """The rows that have a number as this metric, best first; of equals the earliest."""
    having = [each for each in rows if _is_number(each["metrics"].get(metric))]
    sign = 1 if mode == "min" else -1
    return sorted(having, key=lambda each: sign * each["metrics"][metric])


def _is_number(value):
    return isinstance(value, (int, float)) and not math.isnan(value)
