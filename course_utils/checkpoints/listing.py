"""List a folder of checkpoints, and say which of them are intact."""

import contextlib
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from course_utils.checkpoints import file_format
from course_utils.checkpoints.file_format import FACTS, CheckpointError

Row = dict[str, Any]  # "path", "bytes", the facts, and "problem"


def row(path: Path) -> Row:
    """Return the facts in one file's header; "problem" is None, or says why they cannot be read and are None."""
    facts = {"path": path, "bytes": 0} | dict.fromkeys(FACTS) | {"problem": None}
    try:
        with contextlib.suppress(OSError):  # a link to nowhere, or deleted just now: the header's reader says so
            facts["bytes"] = path.stat().st_size
        header = file_format.read_header(path)
        return facts | {key: header[key] for key in FACTS}
    except CheckpointError as error:
        return facts | {"problem": str(error)}


def intact(rows: Iterable[Row], count: int) -> tuple[list[Path], list[Path]]:
    """Return the paths of the first `count` files that are as they were saved, and of damaged ones before them.

    `rows`: in the order of preference, the file to be kept first at the front. Every file is read as a whole until
    `count` are found; fewer are returned where the rows run out. Files behind the last one found are not read.
    """
    found, damaged = [], []
    for each in rows:
        try:
            file_format.verify(each["path"])
        except CheckpointError:
            damaged.append(each["path"])
            continue
        found.append(each["path"])
        if len(found) == count:
            break
    return found, damaged


def ranked(rows: Sequence[Row], metric: str, *, mode: str) -> list[Row]:
    """Return the rows that have a number as this metric, best first; of equals the earlier one in `rows`.

    `mode`: "min" where a lower number is better, "max" where a higher one is. NaN is no number.
    """
    having = [each for each in rows if _is_number(each["metrics"].get(metric))]
    sign = 1 if mode == "min" else -1
    return sorted(having, key=lambda each: sign * each["metrics"][metric])


def _is_number(value):
    return isinstance(value, (int, float)) and not math.isnan(value)
