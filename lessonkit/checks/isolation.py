"""Run somebody else's code so that random numbers, defaults and printed text stay as they were."""

import contextlib
import io
import random
import sys
import warnings
from collections.abc import Iterator

import torch


def seed_torch(seed: int) -> None:
    """Seed torch's generators as `torch.manual_seed` does, but leave a CUDA that has not been started alone.

    Until CUDA is started, `torch.manual_seed` puts each seed into a queue of calls to be made then, together with a
    formatted traceback of who asked: milliseconds at every call, and a check seeds once for each input.
    """
    if torch.cuda.is_initialized() or not torch.backends.cuda.is_built():
        torch.manual_seed(seed)
    else:
        torch.default_generator.manual_seed(seed)


def seed_generators(seed: int) -> None:
    """Seed Python's generator, NumPy's where it is loaded, and torch's as `seed_torch` does."""
    seed_torch(seed)
    random.seed(seed)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(seed)


class _Gathered(io.StringIO):
    def close(self) -> None:
        """Do nothing: code that takes it for the terminal's may close it, and what was printed is still wanted."""

    def text(self) -> str:
        """Return all that was printed."""
        return io.StringIO.getvalue(self)


@contextlib.contextmanager
def isolated(seed: int) -> Iterator[_Gathered]:
    """Seed every generator for the block, gather what it prints, and put back all that it changed.

    Yields what gathers standard output and error; its `text()` is what was printed. Restored afterwards: the states
    of Python's, NumPy's and torch's generators, the default dtype, the number of threads, whether deterministic
    algorithms alone are allowed, Python's limit of recursion and the warning filters.
    """
    numpy = sys.modules.get("numpy")
    python_state = random.getstate()
    numpy_state = numpy.random.get_state() if numpy else None
    # Only devices that are in use: asking for the others would start them.
    devices = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else []
    dtype, threads, printed = torch.get_default_dtype(), torch.get_num_threads(), _Gathered()
    deterministic, recursion = _deterministic(), sys.getrecursionlimit()
    with (
        torch.random.fork_rng(devices),
        warnings.catch_warnings(),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
    ):
        seed_generators(seed)
        try:
            yield printed
        finally:
            random.setstate(python_state)
            if numpy:
                numpy.random.set_state(numpy_state)
            sys.setrecursionlimit(recursion)
            torch.set_default_dtype(dtype)
            if _deterministic() != deterministic:  # only then: setting it imports for seconds
                torch.use_deterministic_algorithms(deterministic[0], warn_only=deterministic[1])
            if torch.get_num_threads() != threads:
                torch.set_num_threads(threads)


def _deterministic():
    return torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
