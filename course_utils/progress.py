"""A progress bar where somebody watches, and silence where nobody does."""

import sys

from tqdm.auto import tqdm


def progress(iterable=None, *, total=None, desc=None, unit="it", leave=False):
    """A tqdm bar over an iterable, or one to update by hand where `iterable` is None.

    Shown in a notebook and in a terminal; not shown where the output goes to a file or a test, nor where the
    environment says TQDM_DISABLE=1 (as the course's runner does).
    """
    settings = {"total": total, "desc": desc, "unit": unit, "leave": leave}
    if "ipykernel" not in sys.modules and not sys.stderr.isatty():
        settings["disable"] = True  # given only then: otherwise tqdm itself asks TQDM_DISABLE
    return tqdm(iterable, **settings)
