"""Which download server answers, found out in at most five seconds and only once per process."""

import http.client
import os
import queue
import threading
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

from course_utils.data.idx import DataError

BUDGET = 5.0  # seconds for all servers together
# A file that is not there, or not for us; any other status is at least an answer (some servers know no HEAD).
_REFUSALS = {401, 403, 404, 410, 500, 502, 503, 504}
# Module state with a reason: a dead network must cost its five seconds once per process, not once per load.
_silent: dict[str, str] = {}


class NoAnswer(DataError):
    """No download server answered."""


def prefixes(spec):
    """The addresses in front of a packed file's name, COURSE_MIRROR first. Raises `DataError` for a bad one."""
    own = os.environ.get("COURSE_MIRROR", "").strip()
    if not own:
        return spec.mirrors
    if urlsplit(own).scheme not in {"http", "https"}:
        raise DataError(
            f"COURSE_MIRROR={own} is not a web address: expected one that begins with http:// or https://; "
            "correct the variable or unset it."
        )
    return (f"{own.rstrip('/')}/{spec.folder}/", *spec.mirrors)


def answering(prefixes, file_name, *, preferred=None, budget=BUDGET, ask_again=False):
    """The servers to download from: the one that answered first, then those that may still do.

    All are asked at the same time. `preferred` is waited for during half the budget, though another be quicker.
    Servers that were silent before in this process are not asked, unless `ask_again`.
    Raises `NoAnswer` within `budget` seconds, hanging name look-ups included.
    """
    asked = [prefix for prefix in prefixes if ask_again or prefix not in _silent]
    failures = {prefix: _silent[prefix] for prefix in prefixes if prefix not in asked}
    answers = queue.SimpleQueue()
    for prefix in asked:
        # Daemon threads: a name look-up cannot be interrupted, and must not keep the process alive.
        threading.Thread(target=_ask, args=(prefix, file_name, budget, answers), daemon=True).start()
    start = time.monotonic()
    quickest = None
    while len(failures) < len(prefixes):
        waiting_for_preferred = quickest is not None
        limit = budget / 2 if waiting_for_preferred else budget
        try:
            prefix, failure = answers.get(timeout=max(0.0, start + limit - time.monotonic()))
        except queue.Empty:
            break
        if failure is not None:
            failures[prefix] = failure
        elif quickest is None:
            quickest = prefix
        else:
            quickest = preferred if prefix == preferred else quickest
        if quickest is not None and (preferred not in asked or preferred in failures or quickest == preferred):
            break
    if quickest is None:
        silent = {prefix: failures.get(prefix, f"nothing within {budget:g} s") for prefix in prefixes}
        _silent.update(silent)
        raise NoAnswer(*_words(silent, budget))
    return [quickest, *(prefix for prefix in asked if prefix != quickest and prefix not in failures)]


def host(prefix):
    """The server's name, as it stands in sentences."""
    return urlsplit(prefix).netloc


def _ask(prefix, file_name, budget, answers):
    """Put (prefix, None) when the server answers, (prefix, why not) when it fails."""
    try:
        request = urllib.request.Request(prefix + file_name, method="HEAD")
        with urllib.request.urlopen(request, timeout=budget):
            answers.put((prefix, None))
    except urllib.error.HTTPError as error:
        with error:
            answers.put((prefix, f"HTTP status {error.code}" if error.code in _REFUSALS else None))
    except (OSError, ValueError, http.client.HTTPException) as error:
        answers.put((prefix, str(getattr(error, "reason", error)) or type(error).__name__))


def _words(silent, budget):
    """The message of `NoAnswer` and its short reason."""
    reason = f"no download server answered within {budget:g} s"
    details = ", ".join(f"{host(prefix)}: {failure}" for prefix, failure in silent.items())
    advice = "connect to a network and try again, or set COURSE_DATA to a folder that holds the files"
    return f"There {reason.replace('no download server answered', 'was no answer')} ({details}): {advice}.", reason
