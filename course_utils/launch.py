"""Run a function in several processes of this machine at once, the ranks of one process group."""

from collections.abc import Callable
from typing import Any

from course_utils.ranks.failures import RankError, RankTrace
from course_utils.ranks.pool import Ranks

__all__ = ["RankError", "RankTrace", "Ranks", "run_ranks"]


def run_ranks(
    fn: Callable[..., Any], world_size: int, *args: Any, timeout: float = 60, backend: str = "gloo"
) -> list[Any]:
    """Call `fn(rank, *args)` in `world_size` new processes; return the list of their results, by rank.

    Each process has one thread and a process group of `backend`. The ranks find each other by a file and
    communicate over the loopback interface, so no port and no network is needed. `timeout` is in seconds and
    includes the starts.

    Arguments and results are pickled; tensors are sent as CPU copies. `fn` may be defined in a notebook's cell or
    in a script, and it may be a lambda or a nested function. It is sent together with the globals that it uses, and
    a message names large ones. The ranks import what an import finds. Their output is printed afterwards, rank by
    rank.

    When `run_ranks` returns or raises, all ranks and their files are gone. On Linux one process stays, which has
    imported torch and from which the ranks are forked, because importing torch takes seconds for each. It ends with
    this process, or after two minutes in which no rank was started.

    Raises TypeError for values that cannot be pickled (an open file, a generator, a process group). Raises
    `RankError` for the first rank that fails: one that raised an error, died, or did not return in time. To run
    several functions one after the other in the same processes, use `Ranks`.

    >>> import torch.distributed as dist
    >>> def total(rank):
    ...     number = torch.tensor(rank + 10)
    ...     dist.all_reduce(number)
    ...     return number.item()
    >>> run_ranks(total, 2)  # 10 + 11, on both ranks
    [21, 21]
    """
    with Ranks(world_size, timeout=timeout, backend=backend) as ranks:
        return ranks.run(fn, *args)
