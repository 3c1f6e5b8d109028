"""A progress bar in a notebook or a terminal, and no output elsewhere."""

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
    """Return a tqdm bar over an iterable, or one that you update yourself if `iterable` is None.

    `total`: the number of `unit`s, if the iterable does not have a length. `leave`: keep the bar at its end. The
    bar is shown in a notebook and in a terminal. It is not shown if the output goes to a file or a test, or if the
    environment says TQDM_DISABLE=1 (as the course's runner does).

    >>> sum(progress(range(4), desc="steps"))  # a test shows no bar
    6
    """
    from tqdm.auto import tqdm  # imported here, because in a notebook it imports all of ipywidgets

    settings = {"total": total, "desc": desc, "unit": unit, "leave": leave}
    # Only a kernel imports this module; nbval also imports ipykernel, but into the process of the tests.
    unwatched = "ipykernel.kernelapp" not in sys.modules and not (sys.stderr and sys.stderr.isatty())
    # tqdm reads TQDM_DISABLE itself, but only after it has drawn its notebook bar.
    refused = os.environ.get("TQDM_DISABLE", "0") not in ("", "0")
    return tqdm(iterable, disable=unwatched or refused, **settings)
