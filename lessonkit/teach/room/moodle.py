"""The pages of feedback as Moodle takes them back: a zip with the folders that it gave out."""

import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import PurePosixPath

from lessonkit.teach.room.manifest import Manifest
from lessonkit.teach.room.names import normalised

NAME = "moodle"
_FOLDER = re.compile(r"(.+?_\d+_assign)submission_", re.IGNORECASE)
_DATE = (2000, 1, 1, 0, 0, 0)  # the same pages make the same archive


def folder_of(part: str) -> str:
    """Return the folder in which Moodle looks for feedback, by a folder or file of a download; empty for another.

    >>> folder_of("Ben Koch_12346_assignsubmission_file_00_start_here.ipynb")
    'Ben Koch_12346_assignsubmission_file_'
    """
    found = _FOLDER.match(part)
    return f"{found[1]}submission_file_" if found else ""


def folders(manifest: Manifest, names: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return for each assignment's archive: Moodle's folder -> learner. `names`: folder of the room -> learner."""
    found: dict[str, dict[str, str]] = {}
    for item in manifest.items:
        if item.moodle:
            found.setdefault(item.source, {})[item.moodle] = names.get(item.learner, item.learner)
    return found


def archives(
    assignments: Mapping[str, Mapping[str, str]], pages: Mapping[str, str], files: Mapping[str, str]
) -> dict[str, bytes]:
    """Return name of a zip -> its bytes, one for each assignment: Moodle's numbers are others in each.

    `pages`: file's name -> page; `files`: learner -> file's name.
    """
    made: dict[str, bytes] = {}
    for source, those in assignments.items():
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for folder, learner in sorted(those.items()):
                if learner in files:
                    entry = zipfile.ZipInfo(f"{folder}/feedback.html", _DATE)
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    archive.writestr(entry, pages[files[learner]].encode("utf-8", "replace"))
        name = NAME if len(assignments) == 1 else f"{NAME}-{normalised(PurePosixPath(source).stem)}"
        number = 1
        while (wanted := f"{name}{f'-{number}' if number > 1 else ''}.zip") in made:
            number += 1
        made[wanted] = buffer.getvalue()
    return made
