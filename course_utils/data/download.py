"""Download the packed files of a data set: find a server that answers, transfer, check, and name what is whole.

One process downloads while the others wait for it. The question whether a server answers goes through the standard
library, because every waiting process asks it; only the process that downloads imports requests (0.2 s). No torch
here: processes that only download stay light.

pooch is not used: its `fetch` accepts one address for a file and checks a hash of the packed bytes, but MNIST has
published hashes of the unpacked bytes only and the archives have none. Its temporary files are not synced to the
disk, are readable by their owner only, and stay behind when the process is killed.
"""

import errno
import http.client
import queue
import ssl
import threading
import time
import urllib.error
import urllib.request
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit

from course_utils.data import settings
from course_utils.data.archive import Archive
from course_utils.data.errors import DataError
from course_utils.data.idx import IdxFile
from course_utils.data.registry import DataSet
from course_utils.progress_bar import progress
from lessonkit.system import disk
from lessonkit.system.atomic import atomic_write, make_folder
from lessonkit.system.redact import without_secrets

BUDGET = 5.0  # seconds for all servers together to answer
STALL = 5.0  # seconds without a byte
LOCK_WAIT = 900.0  # seconds; the system releases the lock when its holder dies
TRIES = 3  # connections that may break off
CHUNK = 1 << 16  # bytes
SLACK = 1 << 16  # bytes that a packed file may have more than the unpacked one
# The statuses of a file that is missing or forbidden. Any other counts as an answer, as some servers know no HEAD.
NOT_SERVED = {401, 403, 404, 410, 500, 502, 503, 504}
PAGES = "a web page in place of the file", "an answer that is not encrypted"  # what a proxy or a log-in page sends
LATER = "try again later or on another network"
INSTEAD = "or set COURSE_DATA to a folder that holds the files"
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
        served, silent = answering(prefixes, missing[0].packed_name, budget=budget)
        if not served and not lock_file.exists():  # where it exists, servers may be busy with another process
            raise no_answer(silent, budget=budget)
        make_folder(folder)
        with FileLock(lock_file, timeout=LOCK_WAIT):
            for file in data_set.missing(folder):  # once more: another process may have brought them meanwhile
                if not served:
                    raise no_answer(silent, budget=budget)
                _bring(file, folder, served, stall=stall, pause=pause)
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
    served, silent = answering(_prefixes(data_set), data_set.files[0].packed_name, budget=budget)
    return "" if served else no_answer(silent, budget=budget).reason


def _prefixes(data_set):
    """Return what stands before a file's name in an address: the mirror in the room first, where one is named."""
    own = settings.course_mirror()
    return data_set.mirrors if own is None else (f"{own}/{data_set.folder}/", *data_set.mirrors)


def answering(prefixes: tuple[str, ...], file_name: str, *, budget: float) -> tuple[list[str], dict[str, str]]:
    """Return (prefixes to download from, {prefix: why not}): from the first that answers on, in their order.

    A prefix is what stands before `file_name` in an address. All are asked at once and waited for in their order,
    up to the first answer: `budget` seconds for all of them together, hanging name look-ups included.
    """
    answers = {prefix: queue.SimpleQueue() for prefix in prefixes}
    for prefix, answer in answers.items():
        # Daemon threads: a name look-up cannot be interrupted, and must not keep the process alive.
        threading.Thread(target=_ask, args=(prefix + file_name, budget, answer), daemon=True).start()
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


def _ask(url, budget, answer):
    """Put None into the queue `answer` when the server answers within `budget` seconds, else the reason."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=budget) as head:
            answer.put(PAGES[0] if head.headers.get_content_type() == "text/html" else None)
    except urllib.error.HTTPError as error:
        with error:
            answer.put(f"HTTP status {error.code}" if error.code in NOT_SERVED else None)
    except (OSError, ValueError, http.client.HTTPException) as error:
        why = getattr(error, "reason", error)
        plain = isinstance(why, ssl.SSLError) and not isinstance(why, ssl.SSLCertVerificationError)
        answer.put(PAGES[1] if plain else without_secrets(str(why)) or type(error).__name__)


def no_answer(silent: dict[str, str], *, budget: float) -> DataError:
    """Return the error that tells of servers of which none answered: `silent` as `answering` returns it."""
    details = ", ".join(f"{_host(prefix)}: {failure}" for prefix, failure in silent.items())
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


class _Refused(Exception):
    """What came is not what was wanted."""


def _bring(file: IdxFile | Archive, folder: Path, prefixes: list[str], *, stall: float, pause: float) -> None:
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
                reason = f"{file.packed_name} from {_host(prefix)}: {error}"
                raise DataError(
                    f"The download was refused twice: {reason}; nothing was kept: {LATER}, {INSTEAD}.",
                    f"the download was refused ({reason})",
                ) from None
        except (requests.RequestException, ValueError) as error:  # ValueError: a redirect to what is no address
            broken += 1
            if broken == TRIES:
                reason = f"the download from {_host(prefix)} broke off ({_words(error)})"
                raise DataError(
                    f"{file.packed_name}: {reason}, expected it to the end; nothing was kept: {LATER}, {INSTEAD}.",
                    reason,
                ) from error
            time.sleep(pause * broken)


def _transfer(url, target, file, stall):
    """Write what comes from `url` beside `target`, up to `file.size` bytes and some; then check and rename it."""
    import requests

    with (
        requests.get(url, stream=True, timeout=stall, headers={"Accept-Encoding": "identity"}) as response,
        atomic_write(target) as part,
        progress(total=response.raw.length_remaining, desc=target.name, unit="B") as bar,
    ):
        response.raise_for_status()
        bar.unit_scale = True  # 9.9M, not 9912422
        left = file.size + SLACK  # a server that never ends must not fill the disk
        # Some servers say of every .gz file that they packed it on the way; requests would unpack it.
        response.raw.headers.pop("Content-Encoding", None)
        for chunk in response.iter_content(CHUNK):
            part.write(chunk[:left])
            bar.update(len(chunk))
            left -= len(chunk)
            if left <= 0:
                break
        part.flush()
        if (refusal := file.refusal(Path(part.name))) is not None:
            raise _Refused(refusal)


def _host(url):
    """Return the server's name, as it stands in sentences: without a log-in."""
    return urlsplit(url).netloc.rpartition("@")[2]


def _words(error):
    """Say what failed, without its wrappings: requests holds urllib3's error, which was caused by the system's."""
    if getattr(error, "response", None) is not None:
        return f"HTTP status {error.response.status_code}"
    inner = error.args[0] if error.args and isinstance(error.args[0], Exception) else error
    while inner.__cause__ is not None:
        inner = inner.__cause__
    return without_secrets(str(inner)) or type(inner).__name__


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
