"""Find out which exercises a learner's copy still has, so that START links to no cell that is not there."""

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from lessonkit.progress.contents import Contents

# By pattern: to parse a copy with pictures takes longer than a check may. An id too many does no harm.
_ID = re.compile(rb'"id"\s*:\s*"([\w-]{1,64})"')


def with_cells_of(work: Path, one: Contents) -> Contents:
    """Return the chapter with the ids of those cells only that the copy in `work` has.

    A task whose cell the learner has deleted has none, and neither have those of a copy that cannot be read: START
    links to the chapter there.
    """
    there = _ids(work / one.chapter.path.name)
    tasks = tuple(task if task.cell in there else replace(task, cell="") for task in one.tasks)
    return replace(one, tasks=tasks)


def _ids(copy: Path) -> frozenset[str]:
    try:
        state = copy.stat()
        return _ids_in(copy, state.st_mtime_ns, state.st_size)
    except OSError:
        return frozenset()


@lru_cache(maxsize=100)
def _ids_in(copy: Path, changed: int, size: int) -> frozenset[str]:  # the last two are part of what it is kept by
    return frozenset(found.decode() for found in _ID.findall(copy.read_bytes()))
