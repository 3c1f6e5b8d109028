"""A plugin of pytest, by `-p tools.testing.chosen`: of some test files only the cases of some chapters.

COURSE_ONLY holds JSON: {"tests/lessonkit/checks/test_x.py": ["training"]}. A case whose parameter is another
chapter, or belongs to one, is left out; a case without such a parameter stays.
"""

import json
import os
import re
from pathlib import Path

# Files whose parameters are exercises, "training.train_step", or answers to one.
BY_EXERCISE = ("test_bank.py", "test_exercises.py")
_NOTEBOOK = re.compile(r"\d\d_(\w+)")


def chapter_of(parameter, *, by_exercise):
    """The slug of the chapter that a parameter is, or belongs to; None of any other value."""
    if isinstance(slug := getattr(parameter, "slug", None), str):
        return slug
    if isinstance(parameter, Path):
        parameter = f"{parameter.parent.name}.{parameter.stem}" if by_exercise else parameter.stem
    exercise = getattr(parameter, "exercise", parameter)
    if not isinstance(exercise, str):
        return None
    if found := _NOTEBOOK.fullmatch(exercise.removesuffix(".ipynb")):
        return found[1]
    return exercise.split(".")[0] if by_exercise and re.fullmatch(r"\w+\.\w+", exercise) else None


def pytest_collection_modifyitems(config, items):
    """Leave out the cases of chapters that are not asked for."""
    only = json.loads(os.environ.get("COURSE_ONLY", "{}"))
    kept, out = [], []
    for item in items:
        wanted = only.get(item.nodeid.partition("::")[0])
        parameters = item.callspec.params.values() if wanted and hasattr(item, "callspec") else ()
        by_exercise = item.path.name in BY_EXERCISE
        found = {chapter_of(parameter, by_exercise=by_exercise) for parameter in parameters} - {None}
        (out if found and not found & set(wanted) else kept).append(item)
    if out:
        config.hook.pytest_deselected(items=out)
        items[:] = kept
