"""What a child does when its parent has died, however that happened: it ends what it started, and itself."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

from lessonkit.system import processes, scratch


class Follower(threading.Thread):
    """Ends this process, its family and `folders` once the parent is gone, and sets `noticed` before.

    The parent holds the other side of standard input, from which nothing more is read, for as long as it lives.
    The family is what carries the mark that `processes.start` gave. `before` is called first. Use it in a `with`:
    an error in it that comes of the parent's death does not end the process before this has tidied.
    """

    def __init__(self, *folders: str | Path, before: Callable[[], object] | None = None):
        super().__init__(daemon=True)
        self.folders, self.before, self.noticed = folders, before, threading.Event()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if self.noticed.is_set() or (kind and issubclass(kind, BrokenPipeError)):
            self.join()

    def run(self) -> None:
        """Wait, and end this process."""
        while os.read(0, 1 << 16):
            continue
        self.noticed.set()
        try:
            if self.before:
                self.before()
            if mark := os.environ.get(processes.MARK):
                processes.end(mark)
            for folder in self.folders:
                scratch.remove(folder)
        finally:
            os._exit(1)
