"""Checks that one course alone needs: each Python file of a folder, by its function `findings`."""

import runpy
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from lessonkit.notebook.catalog import Chapter
from lessonkit.review.report import Finding, error


def extra(folder: Path, chapters: Sequence[Chapter]) -> Iterator[Finding]:
    """Yield what `findings(chapters)` of each `NAME.py` in the folder yields; none where there is no such folder.

    The files may import each other and what lies in the folder above.
    """
    before = list(sys.path)
    sys.path[:0] = [str(folder), str(folder.parent)]
    try:
        for path in sorted(folder.glob("*.py")):
            try:
                yield from runpy.run_path(str(path))["findings"](chapters)
            except Exception as found:  # noqa: BLE001 - over a chapter that is not whole
                yield error(f"{path.name} broke off with {type(found).__name__}: {found}")
    finally:
        sys.path[:] = before
