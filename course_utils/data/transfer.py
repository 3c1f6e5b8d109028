"""What is asked of download servers: whether they answer, and one file, which is judged before it gets its name.

The question goes through the standard library, as every process that waits for another one's download asks it; only
the one that downloads imports requests and pooch (0.2 s).
"""

import queue
import threading
import time
from contextlib import closing, suppress
from itertools import cycle
from pathlib import Path
from typing import BinaryIO

from course_utils.data.archive import Archive
from course_utils.data.errors import DataError
from course_utils.data.idx import IdxFile
from course_utils.data.question import PAGES, ask, host_of
from course_utils.progress_bar import progress
from lessonkit.system.atomic import atomic_write
from lessonkit.system.private import without_secrets

TRIES = 3  # that may break off
CHUNK = 1 << 16
SLACK = 1 << 16  # a packed file is hardly ever larger than the unpacked one
LATER = "try again later or on another network"
INSTEAD = "or set COURSE_DATA to a folder that holds the files"


def answering(prefixes: tuple[str, ...], file_name: str, *, budget: float) -> tuple[list[str], dict[str, str]]:
    """Return (prefixes to download from, {prefix: why not}): from the first that answers on, in their order.

    A prefix is what stands before `file_name` in an address. All are asked at once and waited for in their order,
    up to the first answer: `budget` seconds for all of them together, hanging name look-ups included.
    """
    answers = {prefix: queue.SimpleQueue() for prefix in prefixes}
    for prefix, answer in answers.items():
        # Daemon threads: a name look-up cannot be interrupted, and must not keep the process alive.
        threading.Thread(target=ask, args=(prefix + file_name, budget, answer), daemon=True).start()
    deadline = time.monotonic() + budget
    silent = {}
    for prefix, answer in answers.items():
        try:
            failure = answer.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            failure = f"nothing within {budget:g} s"
        if failure is None:
            break
        silent[prefix] = failure
    return [prefix for prefix in prefixes if prefix not in silent], silent


def no_answer(silent: dict[str, str], *, budget: float) -> DataError:
    """Return the error that tells of servers of which none answered: `silent` as `answering` returns it."""
    details = ", ".join(f"{host_of(prefix)}: {failure}" for prefix, failure in silent.items())
    if pages := [failure for failure in silent.values() if failure in PAGES]:
        reason = f"{pages[0]} came from a download server's address"
        return DataError(
            f"Nothing could be downloaded: {reason} ({details}): log in with a browser if the network asks for it, "
            f"correct HTTP_PROXY and HTTPS_PROXY, {INSTEAD}.",
            reason,
        )
    return DataError(
        f"There was no answer within {budget:g} s ({details}): connect to a network and try again, {INSTEAD}.",
        f"no download server answered within {budget:g} s",
    )


def bring(file: IdxFile | Archive, folder: Path, prefixes: list[str], *, stall: float, pause: float) -> None:
    """Download one file into `folder`, where it gets its name when its content is right; nothing else is kept.

    Each further try asks the next server. Wrong content earns one; a connection that breaks off, or brings no byte
    for `stall` seconds, two, after a pause of `pause` seconds. Raise `DataError`; `OSError` when the disk fails.
    """
    import requests

    refused = broken = 0
    for prefix in cycle(prefixes):
        try:
            return _transfer(prefix + file.packed_name, folder / file.packed_name, file, stall)
        except _Refused as error:
            refused += 1
            if refused == 2:
                reason = f"{file.packed_name} from {host_of(prefix)}: {error}"
                raise DataError(
                    f"The download was refused twice: {reason}; nothing was kept: {LATER}, {INSTEAD}.",
                    f"the download was refused ({reason})",
                ) from None
        except (requests.RequestException, ValueError) as error:  # ValueError: a length that is no number
            broken += 1
            if broken == TRIES:
                reason = f"the download from {host_of(prefix)} broke off ({_words(error)})"
                raise DataError(
                    f"{file.packed_name}: {reason}, expected it to the end; nothing was kept: {LATER}, {INSTEAD}.",
                    reason,
                ) from error
            time.sleep(pause * broken)


class _Refused(Exception):
    """What came is not what was wanted."""


class _Enough(Exception):
    """More bytes came than the file can have."""


class _Limited:
    """The file that pooch writes: a server that never ends must not fill the disk."""

    def __init__(self, file: BinaryIO, limit: int) -> None:
        self.file, self.left = file, limit

    def write(self, chunk: bytes) -> None:
        self.file.write(chunk[: self.left])
        self.left -= len(chunk)
        if self.left <= 0:
            raise _Enough

    def flush(self) -> None:
        self.file.flush()


def _transfer(url, target, file, stall):
    """Write what comes from `url` beside `target`, up to `file.size` bytes and some; then judge and rename it."""
    import pooch

    with atomic_write(target) as part, closing(progress(total=file.size, desc=target.name, unit="B")) as bar:
        bar.unit_scale = True  # 9.9M, not 9912422
        download = pooch.HTTPDownloader(
            progressbar=bar,
            chunk_size=CHUNK,
            timeout=stall,
            headers={"Accept-Encoding": "identity"},
            hooks={"response": _leave_packed},
        )
        with suppress(_Enough):
            download(url, _Limited(part, file.size + SLACK), None)
        part.flush()
        if (refusal := file.refusal(Path(part.name))) is not None:
            raise _Refused(refusal)


def _leave_packed(response, **_):
    """Keep requests from unpacking: some servers call a .gz file packed on the way (Content-Encoding)."""
    response.raw.headers.pop("Content-Encoding", None)


def _words(error):
    """Say what failed, without its wrappings: requests holds urllib3's error, which was caused by the system's."""
    if getattr(error, "response", None) is not None:
        return f"HTTP status {error.response.status_code}"
    inner = error.args[0] if error.args and isinstance(error.args[0], Exception) else error
    while inner.__cause__ is not None:
        inner = inner.__cause__
    return without_secrets(str(inner)) or type(inner).__name__
