"""Advice on long modules: a module may be as long as its concept, and a long one may hold two."""

from testing.depends import PACKAGES

from course_utils import PROJECT
from lessonkit.review.diagnostics import warning

MOST_LINES = 400


def findings(chapters):
    """Yield each long module of a package; one of exercises grows with its chapter, so it is not counted."""
    for path in (path for package in PACKAGES for path in sorted((PROJECT / package).rglob("*.py"))):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > MOST_LINES and "exercises" not in path.parts:
            name = path.relative_to(PROJECT).as_posix()
            yield warning(f"{name} has {lines} lines, more than {MOST_LINES}: does it hold one concept?")
