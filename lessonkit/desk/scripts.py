"""The scripts that chapters link to, beside the copies of a course that was installed as a package."""

import shutil
from pathlib import Path

from lessonkit.system import atomic
from lessonkit.system.place import PROJECT


def bring_scripts(folder: Path) -> None:
    """Copy what chapters link to and is not in `folder` yet; in a clone it lies there already.

    Raises OSError.
    """
    brought = PROJECT / "scripts"
    for path in sorted(path for path in brought.rglob("*") if path.is_file()):
        to = folder / path.relative_to(brought)
        if not to.exists():
            atomic.make_folder(to.parent)
            atomic.write(to, path.read_bytes())  # half a script would never be brought again
            shutil.copymode(path, to)
