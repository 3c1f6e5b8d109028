"""Grade submissions in parallel, in processes of judges, and save each result as soon as it is there."""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path

from lessonkit.system import processes, scratch
from lessonkit.system.meter import LONGER
from lessonkit.teach.room import submission
from lessonkit.teach.room.gradebook import Gradebook
from lessonkit.teach.room.grading import Grader
from lessonkit.teach.room.handed_in import Place
from lessonkit.teach.room.rows import Graded, Row
from lessonkit.teach.room.sandbox.process import STARTING
from lessonkit.teach.room.sandbox.visible import make_tree
from lessonkit.teach.room.settled import file_of

_DIED = (
    "The judge's own process ended or stopped responding while it read this file. This is an error of the course."
)


def waiting_in(folder: Path, places: Sequence[Place], book: Gradebook) -> list[Place]:
    """Return the submissions that `book` has no result of, by their bytes; forget what is not there any more."""
    learners = {place.path.as_posix(): place.learner for place in places}
    book.keep(learners.__contains__)
    for key, one in book.graded.items():  # by their folders, as results come in: `settled` gives people their names
        book.graded[key] = replace(one, learner=learners[file_of(one)])
    return [place for place in places if not _is_graded(folder, place, book)]


def _is_graded(folder, place, book):
    one = book.graded.get(place.path.as_posix())
    # A fault of ours is tried again each time; what this machine lacks, where something has come (`opened`).
    if one is None or any(row.state == "not judged" for row in one.rows):
        return False
    try:
        return submission.digest(submission.read(folder / place.path)) == one.sha256
    except submission.Unreadable:
        return False


@dataclass
class GradingQueue:
    """A grading of `folder` into `book`, `jobs` at a time; `tell` is told of each result."""

    folder: Path
    book: Gradebook
    grader: Grader
    jobs: int
    tell: Callable[[Graded], None]

    def run(self, places: Sequence[Place]) -> None:
        """Grade what is in `places`.

        A judge that dies or hangs takes nothing along: what was being judged then is begun anew, one at a time, and
        the one with which it happens again gets a row that says so.
        """
        if not places:
            return
        with contextlib.closing(scratch.Scratch("course-room-")) as place:
            grader = replace(self.grader, tree=make_tree(place.path / "course"))
            left = list(places)
            while left:
                suspects, left = self._series(left, grader, self.jobs)
                for one in suspects:
                    if self._series([one], grader, 1)[0]:
                        row = Row(exercise="", state="not judged", message=_DIED)
                        file = one.path.as_posix()
                        self._done(Graded(learner=one.learner, file=file, sha256="", chapter="", rows=(row,)))

    def _done(self, graded: Graded) -> None:
        self.book.add(graded)
        self.tell(graded)

    def _series(self, places, grader, jobs):
        """Grade; return those that were being judged when a judge died, and those that had not begun."""
        spawn = multiprocessing.get_context("spawn")
        mark = processes.new_mark("judges")
        given = {"initializer": _alone, "initargs": (str(grader.tree.parent), mark)}
        pool = ProcessPoolExecutor(max_workers=jobs, mp_context=spawn, **given)
        running: dict[Future, tuple[Place, float]] = {}
        left = list(places)
        patience = LONGER * (grader.limits.whole + 2 * STARTING + 60.0)
        try:
            while left or running:
                while left and len(running) < jobs:
                    one = left[0]
                    path, file = self.folder / one.path, one.path.as_posix()
                    with _deaf():  # to Ctrl-C, as a judge that starts here is from its first moment on
                        future = pool.submit(grader.grade, path, learner=one.learner, file=file)
                    running[future] = left.pop(0), time.monotonic() + patience  # after it: a broken pool takes none
                for future in wait(running, timeout=5.0, return_when=FIRST_COMPLETED).done:
                    graded = future.result()
                    del running[future]
                    self._done(graded)
                if any(time.monotonic() > until for _, until in running.values()):
                    _end_judges()  # one that hangs; the pool is broken by it, as by one that dies
        except BrokenProcessPool:
            return [one for one, _ in running.values()], left
        except KeyboardInterrupt:
            _end_judges()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            if not grader.isolation.of_files:  # what a judge that was killed had started; a namespace has ended
                processes.end(mark)
        return [], []


def _end_judges():
    for one in multiprocessing.active_children():
        processes.kill_tree(one)


@contextlib.contextmanager
def _deaf():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _alone(place: str, mark: str):
    """Let a judge end with who started it, leave Ctrl-C to that one, and take one core and no GPU."""
    threading.Thread(target=_follow, args=(place,), daemon=True).start()
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(Path(place, "inductor"))  # else one stays in /tmp
    os.environ[processes.MARK] = mark  # of what it starts, not of itself: that was told before
    import torch

    torch.set_num_threads(1)
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _follow(place: str):
    """Wait for the end of who started this judge; then end what it has started, their common folder, and itself."""
    multiprocessing.parent_process().join()
    try:
        processes.kill_below(os.getpid())
        scratch.remove(place)
    finally:
        os._exit(1)
