"""A progress bar where somebody watches, and silence where nobody does."""

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tqdm import tqdm


def progress(
    iterable: Iterable | None = None,
    *,
    total: float | None = None,
    desc: str | None = None,
    unit: str = "it",
    leave: bool = False,
) -> "tqdm":
    """Return a tqdm bar over an iterable, or one to update by hand where `iterable` is None.

    `total`: how many `unit`s make the whole, where the iterable does not say. `leave`: keep the bar at its end.
    Shown in a notebook and in a terminal; not shown where the output goes to a file or a test, nor where the
    environment says TQDM_DISABLE=1 (as the course's runner does).

    >>> sum(progress(range(4), desc="steps"))  # no bar here, as nobody watches a test
    6
    """
    from tqdm.auto import tqdm  # in a notebook it imports all of ipywidgets: only when a bar is wanted

    settings = {"total": total, "desc": desc, "unit": unit, "leave": leave}
    # A kernel has its app; ipykernel alone comes with nbval, into the process of the tests.
    unwatched = "ipykernel.kernelapp" not in sys.modules and not (sys.stderr and sys.stderr.isatty())
    # tqdm asks TQDM_DISABLE itself, but its notebook bar is drawn before it does.
    refused = os.environ.get("TQDM_DISABLE", "0") not in ("", "0")
    return tqdm(iterable, disable=unwatched or refused, **settings)
