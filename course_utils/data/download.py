"""Fetch the packed files of a data set: one lock for all processes, resumed, verified before they get their name.

No torch here: processes that only download stay light.
"""

import errno
import time
from pathlib import Path

from course_utils.data import mirrors, transfer
from course_utils.data.idx import DataError

STALL = 5.0  # seconds without a byte
TRIES = 3  # in a row without one new byte
SLACK = 1 << 16  # a packed file is hardly ever larger than the unpacked one
LOCK_WAIT = 900.0  # seconds; the lock falls by itself when its holder dies
# Module state with a reason: a server that fails must cost its time once per process, not once per load.
_failed: dict[tuple[str, ...], DataError] = {}


def fetch(spec, cache, *, ask_again=False, budget=mirrors.BUDGET, stall=STALL, pause=0.5):
    """Bring every missing file of `spec` into `cache/spec.folder`; returns nothing.

    One process downloads; the others wait and find the files there. `ask_again` also tries what failed before in
    this process; `budget`, `stall` and `pause` (between tries) are in seconds. Raises `DataError`.
    """
    folder = Path(cache) / spec.folder
    missing = spec.missing(folder)
    if not missing:
        return
    from filelock import FileLock, Timeout  # 7 ms, and most loads download nothing

    prefixes = mirrors.prefixes(spec)
    if prefixes in _failed and not ask_again:
        raise _failed[prefixes]
    lock_file = Path(cache) / f"{spec.name}.lock"
    preferred = None if prefixes[0] in spec.mirrors else prefixes[0]
    name, silence, served = missing[0].packed_name, None, []
    try:
        served = mirrors.answering(prefixes, name, preferred=preferred, budget=budget, ask_again=ask_again)
    except mirrors.NoAnswer as error:
        if not lock_file.exists():
            raise
        silence = error  # the server may be busy with another process: its lock is waited for below
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(lock_file, timeout=LOCK_WAIT):
            for file in spec.missing(folder):
                if silence is not None:
                    raise silence
                _fetch_file(file, folder, served, stall=stall, pause=pause)
                file.settle(folder)
            spec.paths_in(folder)  # raises where an archive held less than the whole set
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


def _fetch_file(file, folder, prefixes, *, stall, pause):
    """Download one file, verify it, then give it its name. Wrong content earns one retry from zero."""
    part = folder / f"{file.packed_name}.part"
    refusals, failures, turn = [], 0, 0
    while len(refusals) < 2:
        prefix = prefixes[turn % len(prefixes)]
        turn += 1
        before = transfer.size(part)
        try:
            transfer.transfer(prefix + file.packed_name, part, limit=file.size + SLACK, stall=stall)
        except transfer.Broken as error:
            kept = transfer.size(part)
            failures = 1 if kept > before else failures + 1
            if failures == TRIES:
                raise _broken_off(file, prefix, error, kept) from error
            time.sleep(pause * failures)
            continue
        refusal = file.refusal(part)
        if refusal is None:
            part.replace(folder / file.packed_name)
            return
        part.unlink()
        refusals.append(f"{mirrors.host(prefix)}: {refusal}")
    reason = f"{file.packed_name} from {refusals[-1]}"
    raise DataError(
        f"The download was refused twice: {reason}; nothing was kept: try again later or on another network, "
        "or set COURSE_DATA to a folder that holds the files.",
        f"the download was refused ({reason})",
    )


def _broken_off(file, prefix, error, kept):
    reason = f"the download from {mirrors.host(prefix)} broke off ({error})"
    return DataError(
        f"{file.packed_name}: {reason}, expected it to the end; {kept:,} bytes are kept: try again, and "
        "it goes on there.",
        reason,
    )


def _disk_error(folder, error):
    """What the disk refused, in words."""
    if error.errno in {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}:
        found, advice = (
            "a full disk",
            "free 12 MB (31 MB for Fashion-MNIST, 100 MB for a set of sounds or photographs); what arrived is kept "
            "and the next try goes on there",
        )
    elif error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        found, advice = "a folder that cannot be written", "give yourself the permission, or set COURSE_DATA"
    else:
        found, advice = f"a failing disk ({error.strerror or error})", "see to the disk, or set COURSE_DATA"
    reason = f"found {found} at {folder}"
    return DataError(f"The download has no place: {reason}, expected room to write: {advice}.", reason)
