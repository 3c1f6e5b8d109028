"""Fetch the packed files of a data set: one process downloads, and a file gets its name when its content is right.

No torch here: processes that only download stay light.
"""

import errno
from pathlib import Path

from course_utils.data import settings, transfer
from course_utils.data.errors import DataError
from course_utils.data.registry import DataSet
from lessonkit.system import atomic, disk

BUDGET = 5.0  # seconds for all servers together to answer
STALL = 5.0  # seconds without a byte
LOCK_WAIT = 900.0  # seconds; the lock falls by itself when its holder dies
# Module state with a reason: a dead network must cost its five seconds once per process, not once per load.
_failed: dict[tuple[str, ...], DataError] = {}


def fetch(
    data_set: DataSet,
    cache: Path,
    *,
    ask_again: bool = False,
    budget: float = BUDGET,
    stall: float = STALL,
    pause: float = 0.5,
) -> None:
    """Bring every missing file of a data set into its folder in `cache`.

    One process downloads; the others wait and find the files there. `ask_again` also tries what failed before in
    this process. In seconds: `budget` for a first answer, `stall` without a byte, `pause` between tries. Raise
    `DataError`.
    """
    folder = Path(cache) / data_set.folder
    missing = data_set.missing(folder)
    if not missing:
        return
    from filelock import FileLock, Timeout  # 30 ms, and most loads download nothing

    prefixes = _prefixes(data_set)
    if prefixes in _failed and not ask_again:
        raise _failed[prefixes]
    lock_file = Path(cache) / f"{data_set.name}.lock"
    try:
        served, silent = transfer.answering(prefixes, missing[0].packed_name, budget=budget)
        if not served and not lock_file.exists():  # where it exists, servers may be busy with another process
            raise transfer.no_answer(silent, budget=budget)
        atomic.make_folder(folder)
        with FileLock(lock_file, timeout=LOCK_WAIT):
            for file in data_set.missing(folder):  # once more: another process may have brought them meanwhile
                if not served:
                    raise transfer.no_answer(silent, budget=budget)
                transfer.bring(file, folder, served, stall=stall, pause=pause)
                file.settle(folder)
            data_set.paths_in(folder)  # raises where an archive held less than the whole set
    except Timeout:
        raise DataError(
            f"{lock_file} has been held by another process for {LOCK_WAIT / 60:g} minutes, expected a download to "
            "end before: end that process and try again.",
            "another process holds the download lock",
        ) from None
    except OSError as error:
        raise _disk_error(folder, error) from error
    except DataError as error:
        _failed[prefixes] = error
        raise


def why_silent(data_set: DataSet, *, budget: float = BUDGET) -> str:
    """Return why no server of a data set answers within `budget` seconds, empty where one does; fetch nothing."""
    served, silent = transfer.answering(_prefixes(data_set), data_set.files[0].packed_name, budget=budget)
    return "" if served else transfer.no_answer(silent, budget=budget).reason


def _prefixes(data_set):
    """Return what stands before a file's name in an address: the mirror in the room first, where one is named."""
    own = settings.course_mirror()
    return data_set.mirrors if own is None else (f"{own}/{data_set.folder}/", *data_set.mirrors)


def _disk_error(folder: Path, error: OSError) -> DataError:
    """Say what the disk refused, in words."""
    if disk.is_full(error):
        found = f"a full disk ({disk.free(folder / 'file')})"
        advice = "free 12 MB (31 MB for Fashion-MNIST, 100 MB for a set of sounds or photographs)"
    elif error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        found, advice = "a folder that cannot be written", "give yourself the permission, or set COURSE_DATA"
    else:
        found, advice = f"a failing disk ({error.strerror or error})", "see to the disk, or set COURSE_DATA"
    reason = f"found {found} at {folder}"
    return DataError(f"The download has no place: {reason}, expected room to write: {advice}.", reason)
