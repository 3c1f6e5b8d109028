"""Bring one file over HTTP, going on where an earlier try stopped."""

import http.client
import os
import sys
import urllib.error
import urllib.request
from contextlib import nullcontext

CHUNK = 1 << 16


class Broken(Exception):
    """The network or the server failed; what arrived is kept. (Failures of the disk stay `OSError`.)"""


def transfer(url, part, *, limit, stall):
    """Bring `part` (a Path) to the end of the file at `url`, from where it stopped.

    Stops at `limit` bytes, whatever the server sends. Raises `Broken` after `stall` seconds without a byte, on
    any other failure of the network, and when fewer bytes came than promised; `OSError` when the disk fails.
    """
    have = size(part)
    with _response(url, have, stall) as response:
        if response is None:
            return
        resumed = response.status == 206  # any other success is the file from its beginning
        done = have if resumed else 0
        if resumed and f"bytes {have}-" not in response.headers.get("Content-Range", ""):
            raise Broken("a range came that nobody asked for")
        promised = response.headers.get("Content-Length", "")
        total = done + int(promised) if promised.isdigit() else None
        # Unbuffered: a full disk shows at the write, and what arrived is in the file when the process dies.
        with part.open("ab" if resumed else "wb", buffering=0) as target, _bar(part, done, total) as bar:
            while done < limit and (chunk := _chunk(response)):
                rest = memoryview(chunk)
                while rest:
                    rest = rest[target.write(rest) :]
                done += len(chunk)
                bar.update(len(chunk))
    if total is not None and done < min(total, limit):
        raise Broken(f"{done:,} of {total:,} bytes came")


def size(part):
    """Bytes of a file, 0 where there is none."""
    return part.stat().st_size if part.exists() else 0


def _response(url, have, stall):
    """The open answer to a request for the file from byte `have` on; a context with None where nothing follows."""
    headers = {"Range": f"bytes={have}-"} if have else {}
    try:
        return urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=stall)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 416 and have:
            return nullcontext()  # what we have is the whole file, or a wrong one: its verification decides
        raise Broken(f"HTTP status {error.code}") from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise Broken(_words(error)) from error


def _chunk(response):
    try:
        return response.read1(CHUNK)
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise Broken(_words(error)) from error


def _words(error):
    return str(getattr(error, "reason", "") or error) or type(error).__name__


def _bar(part, done, total):
    """A progress bar where a person looks on: in a terminal or a notebook, unless TQDM_DISABLE is set."""
    from tqdm.auto import tqdm  # here, because it costs more than all the rest and few processes download

    seen = sys.stderr is not None and (sys.stderr.isatty() or "ipykernel.kernelapp" in sys.modules)
    return tqdm(
        desc=part.name.removesuffix(".part"),
        initial=done,
        total=total,
        unit="B",
        unit_scale=True,
        leave=False,
        disable=not seen or bool(os.environ.get("TQDM_DISABLE")),
    )
