"""What the ranks of a pool have written, in files that stay open for as long as they live."""

import sys
from pathlib import Path


class Outputs:
    """In `folder`, RANK.out (what Python printed), RANK.err (warnings and errors) and RANK.log (what C++ wrote).

    What has been shown once is not shown again.
    """

    def __init__(self, folder: Path, world_size: int):
        self.folder, self.world_size = folder, world_size
        self._seen: dict[Path, int] = {}  # bytes

    def show(self) -> None:
        """Print what is new, rank by rank; not what C++ wrote, which is kept for a rank that dies."""
        for rank in range(self.world_size):
            for kind, stream in (("out", sys.stdout), ("err", sys.stderr), ("log", None)):
                content = self._content(rank, kind)
                for line in _text(content).splitlines() if stream else []:
                    print(f"rank {rank}: {line}", file=stream)
                path = self._path(rank, kind)
                self._seen[path] = self._seen.get(path, 0) + len(content)

    def new(self, rank: int, kind: str) -> str:
        """Return what one rank has written since `show` was last called. `kind`: "out", "err" or "log"."""
        return _text(self._content(rank, kind))

    def _path(self, rank, kind):
        return self.folder / f"{rank}.{kind}"

    def _content(self, rank, kind):
        path = self._path(rank, kind)
        if not path.exists():
            return b""
        with path.open("rb") as file:
            file.seek(self._seen.get(path, 0))
            return file.read()


def _text(content):
    return content.decode("utf-8", errors="replace")
