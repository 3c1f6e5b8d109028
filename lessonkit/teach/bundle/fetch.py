"""Fetching wheels so that what has come is kept: a part goes on where it ended, a whole one has its SHA-256."""

import os
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

import requests

from lessonkit.notebook.catalog import Refused
from lessonkit.teach.bundle.integrity import sha256
from lessonkit.teach.bundle.wheels import Wheel

PART = ".part"
TRIES = 5  # of which none brings a byte
TIMEOUT = 60.0  # seconds without a byte
_CHUNK = 1 << 16  # what is lost at most where a connection breaks off
_GONE = {401, 403, 404, 407, 410}  # answers that another try does not change
_RANGE = 416  # the answer to a part that is as long as the file, or longer


class Store:
    """A folder of wheels, filled from an index that is asked as pip is configured to (`settings`)."""

    def __init__(self, folder: Path, settings: Mapping[str, str], *, pause: float = 1.0) -> None:
        self.folder, self.pause = folder, pause  # seconds before the first further try
        self.session = requests.Session()
        self.session.headers["Accept-Encoding"] = "identity"  # bytes as they are: a part goes on at its length
        if "cert" in settings and not os.environ.get("REQUESTS_CA_BUNDLE"):
            self.session.verify = settings["cert"]
        if "client-cert" in settings:
            self.session.cert = settings["client-cert"]
        if "proxy" in settings:
            self.session.proxies = {"http": settings["proxy"], "https": settings["proxy"]}
        named = f"{settings.get('index-url', '')} {settings.get('extra-index-url', '')}".split()
        indexes = [parts for parts in map(urlsplit, named) if parts.username]
        # An index with a log-in serves its files with the same; uv leaves it out of their addresses.
        self.log_ins = {
            one.netloc.rpartition("@")[2]: (unquote(one.username), unquote(one.password or "")) for one in indexes
        }

    def size(self, wheel: Wheel) -> int | None:
        """Return a wheel's bytes, asked of its server where the index does not tell; None where nobody does."""
        if wheel.size is not None:
            return wheel.size
        if wheel.local is not None:
            return wheel.local.stat().st_size
        try:
            answer = self.session.head(wheel.url, timeout=TIMEOUT, allow_redirects=True, auth=self._log_in(wheel))
            answer.raise_for_status()
            return int(answer.headers["Content-Length"])
        except (requests.RequestException, KeyError, ValueError):
            return None

    def here(self, wheel: Wheel) -> int:
        """Return how many bytes of a wheel have come."""
        paths = (self.folder / wheel.name, self.folder / (wheel.name + PART))
        return next((path.stat().st_size for path in paths if path.exists()), 0)

    def bring(self, wheel: Wheel, tell: Callable[[int], object]) -> Path:
        """Return the path of a wheel, fetched where it is not there whole; `tell` hears of bytes as they come.

        Raises `Refused` where it does not come, or comes as something else.
        """
        path = self.folder / wheel.name
        if path.exists():
            if sha256(path) == wheel.sha256:
                return path
            path.unlink()  # nobody else writes here: the disk has lost it
        part = path.with_name(path.name + PART)
        for again in (True, False):
            if wheel.local is not None:
                shutil.copyfile(wheel.local, part)
            else:
                self._transfer(wheel, part, tell)
            found = sha256(part)
            if found == wheel.sha256:
                part.replace(path)
                return path
            part.unlink()
            if not again:
                raise Refused(
                    f"{wheel.name} came twice with another content: found the SHA-256 {found[:16]}…, the index "
                    f"says {wheel.sha256[:16]}…; nothing of it is kept. Try again later, or with another index"
                )
        raise AssertionError  # not reached

    def _transfer(self, wheel, part, tell):
        """Append to `part` until the server says that this was all."""
        failed = 0
        while True:
            before = part.stat().st_size if part.exists() else 0
            try:
                return self._once(wheel, part, before, tell)
            except requests.RequestException as error:
                came = (part.stat().st_size if part.exists() else 0) > before
                failed = 0 if came else failed + 1
                status = getattr(error.response, "status_code", None)
                if failed == TRIES or status in _GONE:
                    host = urlsplit(wheel.url).hostname
                    reason = f"status {status}" if status else type(error).__name__
                    raise Refused(
                        f"{wheel.name} does not come from {host} ({reason}). What has come is kept: say the same "
                        "again when the network is better"
                    ) from error
                time.sleep(self.pause * max(1, failed))

    def _once(self, wheel, part, before, tell):
        headers = {"Range": f"bytes={before}-"} if before else {}
        ask = {"stream": True, "timeout": TIMEOUT, "headers": headers, "auth": self._log_in(wheel)}
        with self.session.get(wheel.url, **ask) as answer:
            if answer.status_code == _RANGE:
                return  # its SHA-256 tells whether it is the file
            answer.raise_for_status()
            goes_on = answer.status_code == 206
            with part.open("ab" if goes_on else "wb") as file:  # a server may send all of it again
                for chunk in answer.iter_content(_CHUNK):
                    file.write(chunk)
                    tell(len(chunk))
            promised = answer.headers.get("Content-Length")
            came = part.stat().st_size - (before if goes_on else 0)
            if promised is not None and came < int(promised):  # some versions of requests do not mind
                raise requests.ConnectionError(f"{came} of {promised} bytes")

    def _log_in(self, wheel):
        return self.log_ins.get(urlsplit(wheel.url).netloc)
