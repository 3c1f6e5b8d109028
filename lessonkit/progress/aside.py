"""What is kept beside the file of progress, by date: a damaged one, and what was forgotten."""

from datetime import datetime
from pathlib import Path

from lessonkit.progress.database import NotKept


def set_aside(path: Path) -> Path:
    """Rename a damaged file, with what belongs to it; return its new path. Raises `NotKept` where that fails."""
    aside = dated(path, "damaged")
    try:
        for ending in ("-wal", "-shm", ""):  # the file last: a new one must not meet the old one's log
            if (part := path.with_name(path.name + ending)).exists():
                part.replace(aside.with_name(aside.name + ending))
    except OSError as error:
        raise NotKept(f"{path} is damaged and cannot be renamed ({error.strerror}); delete it yourself.") from None
    return aside


def dated(path: Path, why: str) -> Path:
    """Return a free name beside the file, with the reason and the date in it: `progress-damaged-2027-03-01…`."""
    now = datetime.now().strftime("%Y-%m-%d_%H%M%S")
    names = [path.with_stem(f"{path.stem}-{why}-{now}{again}") for again in ("", *(f"_{n}" for n in range(2, 99)))]
    return next(name for name in names if not name.exists())
