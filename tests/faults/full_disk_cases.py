"""What the course writes, on a small drive that is filled before each try; run in a drive of its own.

    python tests/faults/full_disk_cases.py DRIVE SCRATCH COUNT WRITER...

Prints lines of JSON: for each writer (tests/helpers/writers.py) {"row", "to be tried" (how many amounts of room)},
then for each case in which the drive was full {"row", "case", "lost" (a sentence or null), "seconds" (the next try,
once there is room)}. COUNT: how many amounts of bytes each writer is tried with, fewer where it needs fewer pages;
besides it is tried with few names. SCRATCH is a folder on another drive.
"""

import contextlib
import itertools
import json
import os
import re
import shutil
import sys
import time
import traceback
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "helpers")]

import writers  # noqa: E402

PAGE = 4096
FULL = re.compile(r"No space left on device|full disk|is full|free, and this takes", re.I)
WHAT_TO_DO = re.compile(r"make room|make some|free \d+ MB|Delete checkpoints|--resume|free, and this takes", re.I)


def emptied(drive):
    for path in drive.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def files_in(drive):
    return {
        path.relative_to(drive).as_posix(): path.read_bytes()
        for path in drive.rglob("*")
        if path.is_file() and not path.name.startswith("filler")
    }


def free(drive):
    return os.statvfs(drive).f_bavail * os.statvfs(drive).f_frsize


def filled(drive, room):
    """Leave `room` bytes, or, of a negative number, so many names less one."""
    if room < 0:
        number = 0
        with contextlib.suppress(OSError):
            while True:
                (drive / f"filler{number}").touch()
                number += 1
        for left in range(number + room + 1, number):
            (drive / f"filler{left}").unlink()
        return
    with (drive / "filler").open("wb", buffering=0) as file, contextlib.suppress(OSError):
        file.truncate(0)
        os.posix_fallocate(file.fileno(), 0, max(1, free(drive) - room))


def cleared(drive):
    for path in drive.glob("filler*"):
        path.unlink()


def needed(one):
    """More bytes than an operation takes: what it leaves, and all its files once more."""
    emptied(one.drive)
    one.prepare()
    before = free(one.drive)
    one.act()
    one.check(True)
    return max(0, before - free(one.drive)) + sum(len(data) + PAGE for data in files_in(one.drive).values())


def too_small(one, count):
    """Amounts of room in which an operation cannot be done: `count` of them, spread over all there are, or all.

    The least room that is enough is looked for first (whole pages, and at most five names), so that what is to be
    tried is known before it is tried.
    """
    low, high = 0, -(-needed(one) // PAGE)  # pages: `high` are enough
    while low < high:
        middle = (low + high) // 2
        if tried(one, middle * PAGE) is None:
            high = middle
        else:
            low = middle + 1
    rooms = sorted({high * step // count * PAGE for step in range(count)} if high else ())
    names = list(itertools.takewhile(lambda room: tried(one, room) is not None, range(-1, -6, -1)))
    return rooms + names


def tried(one, room):
    """One case: None where there was room enough, else (what was lost or None, seconds of the next try)."""
    emptied(one.drive)
    one.prepare()
    before = files_in(one.drive)
    filled(one.drive, room)
    try:
        one.act()
    except writers.Said as said:
        words = str(said)
    except Exception:  # noqa: BLE001 - it is what is looked for
        return f"no sentence: {traceback.format_exc()[-700:]}", 0.0
    else:
        try:
            one.check(True)
        except Exception:  # noqa: BLE001
            return f"it is said to be done, and is not: {traceback.format_exc()[-700:]}", 0.0
        return None
    try:
        if not (FULL.search(words) and WHAT_TO_DO.search(words) and str(one.drive) in words):
            return f"does not say what is full, where, and what to do: {words[-500:]}", 0.0
        now = files_in(one.drive)
        for name, data in one.unchanged(before).items():
            assert now.get(name) == data, f"{name} is not as it was"
        assert set(one.replaced) & set(before) <= set(now), "what was to be replaced is gone"
        assert not one.unfinished(), f"{one.unfinished()} is left"
        one.check(False)
        cleared(one.drive)
        start = time.perf_counter()
        one.act()
        one.check(True)
        return "", time.perf_counter() - start
    except Exception:  # noqa: BLE001
        return f"after “{words[-200:]}”: {traceback.format_exc()[-700:]}", 0.0


def main(drive, scratch, count, names):
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # a program that a writer starts, such as pip, says what it says elsewhere
    os.environ["JUPYTER_DATA_DIR"] = str(scratch / "jupyter")
    for name in ("COURSE_DATA", "COURSE_MIRROR", "COURSE_OFFLINE"):
        os.environ.pop(name, None)
    for name in names:
        kind = writers.ON_FULL_DISKS[name]
        shutil.rmtree(scratch / name, ignore_errors=True)
        (scratch / name).mkdir(parents=True)
        one = kind(drive, scratch / name)
        rooms = too_small(one, count)
        print(json.dumps({"row": kind.disk, "to be tried": len(rooms)}), file=answers, flush=True)
        for room in rooms:
            outcome = tried(one, room)
            if outcome is not None:
                lost, seconds = outcome
                left = f"{room:,} bytes" if room >= 0 else f"{-room - 1} names"
                line = {"row": kind.disk, "case": f"{name}, {left} left", "lost": lost or None, "seconds": seconds}
                print(json.dumps(line), file=answers, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
