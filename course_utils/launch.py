"""A function run by several processes of this machine at once, the ranks of one process group."""

from collections.abc import Callable
from typing import Any

from course_utils.ranks.failures import RankError, RankTrace
from course_utils.ranks.pool import Ranks

__all__ = ["RankError", "RankTrace", "Ranks", "run_ranks"]


def run_ranks(
    fn: Callable[..., Any], world_size: int, *args: Any, timeout: float = 60, backend: str = "gloo"
) -> list[Any]:
    """Call `fn(rank, *args)` in `world_size` new processes; return the list of their results, by rank.

    Each has one thread and a process group of `backend`, met through a file, over the loopback interface: no port,
    no network. `timeout`: seconds for everything, the starts included. Arguments and results are pickled, tensors
    as CPU copies. Functions and classes of a notebook's cells, of a script, lambdas and nested functions travel
    with the globals that they use, of which large ones are told; what an import finds is imported by the ranks.
    What the ranks print appears afterwards, rank by rank. All ranks and their files are gone when this returns or
    raises. On Linux one process stays that has imported torch and from which the ranks are forked, as importing it
    anew takes seconds for each; it ends with this process, or after two minutes in which no rank was started.
    Raises TypeError for what cannot be pickled (an open file, a generator, a process group), and `RankError` for
    the rank that failed first: it raised, died, or had not returned in time. To run several functions in the same
    processes, one after the other, make `Ranks`.

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
