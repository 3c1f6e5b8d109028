"""How a rank failed, as the error that its parent raises."""

from __future__ import annotations

from pathlib import Path

from course_utils.ranks import stack_dumps
from course_utils.ranks.outputs import Outputs


class RankError(Exception):
    """A rank failed: `rank`, `kind` ("raised", "died" or "too slow") and `trace`, the text it left behind."""

    def __init__(self, message: str, *, rank: int, kind: str, trace: str):
        super().__init__(message)
        self.rank, self.kind, self.trace = rank, kind, trace


class RankTrace(Exception):
    """What a rank left behind, shown by Python above the `RankError` it belongs to."""


def raised(rank: int, reports: dict[int, dict], *, of: int) -> RankError:
    """Return the error for a rank whose function raised. `reports`: what the ranks reported; `of`: how many are."""
    message = f"rank {rank} of {of} raised {reports[rank]['headline']}"
    return _error(message, rank=rank, kind="raised", trace=reports[rank]["trace"])


def died(rank: int, code: int, outputs: Outputs, *, of: int) -> RankError:
    """Return the error for a rank whose process is gone. `code`: as `Popen.returncode` has it."""
    trace = stack_dumps.last_words(outputs, rank) or "no word"
    return _error(f"rank {rank} of {of} died: {stack_dumps.cause(code)}", rank=rank, kind="died", trace=trace)


def too_slow(reports: dict[int, dict], folder: Path, *, of: int, timeout: float) -> RankError:
    """Return the error for a run that was not over after `timeout` seconds. `folder`: of the ranks' stacks."""
    late = [rank for rank in range(of) if rank not in reports]
    phrases, trace = stack_dumps.doing(folder, late)
    phrases += [f"rank {rank} had returned" for rank in sorted(reports)]
    message = f"not finished within {timeout:g} s: {'; '.join(phrases)}"
    return _error(message, rank=late[0], kind="too slow", trace=trace)


def _error(message, *, rank, kind, trace):
    error = RankError(message, rank=rank, kind=kind, trace=trace)
    error.__cause__ = RankTrace(f"what rank {rank} left behind:\n\n{trace}")
    return error
