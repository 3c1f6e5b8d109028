"""Run somebody else's code so that random numbers, defaults and printed text stay as they were."""

import contextlib
import io
import random
import sys
import warnings

import torch


@contextlib.contextmanager
def isolated(seed):
    """Seed every generator for the block, gather what it prints, and put back all that it changed.

    Yields the io.StringIO that gathers standard output and error. Restored afterwards: the states of Python's,
    NumPy's and torch's generators, the default dtype, the number of threads and the warning filters.
    """
    numpy = sys.modules.get("numpy")
    python_state = random.getstate()
    numpy_state = numpy.random.get_state() if numpy else None
    # Only devices that are in use: asking for the others would start them.
    devices = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else []
    dtype, threads, printed = torch.get_default_dtype(), torch.get_num_threads(), io.StringIO()
    with (
        torch.random.fork_rng(devices),
        warnings.catch_warnings(),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
    ):
        torch.manual_seed(seed)
        random.seed(seed)
        if numpy:
            numpy.random.seed(seed)
        try:
            yield printed
        finally:
            random.setstate(python_state)
            if numpy:
                numpy.random.set_state(numpy_state)
            torch.set_default_dtype(dtype)
            if torch.get_num_threads() != threads:
                torch.set_num_threads(threads)
