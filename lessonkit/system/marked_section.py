"""A section of a page that a program rewrites: the text between two marker lines, each of which occurs once."""

from pathlib import Path
from typing import NamedTuple

from lessonkit.system import atomic


class Section(NamedTuple):
    """The part of `page` (UTF-8) between the lines `start` and `end`, which are comments."""

    page: Path
    start: str
    end: str

    def read(self) -> str:
        """Return what stands there, without empty lines around it. Raises ValueError as `put` does."""
        return self._parts()[1].strip("\n")

    def put(self, text: str) -> None:
        """Replace what stands there. Raises ValueError for a page that has lost its marks, OSError as files do."""
        before, old, after = self._parts()
        new = f"\n\n{text}\n\n"
        if new != old:
            whole = f"{before}{self.start}{new}{self.end}{after}"
            atomic.write(self.page, whole.encode())

    def _parts(self):
        text = self.page.read_text(encoding="utf-8")
        counts = text.count(self.start), text.count(self.end)
        if counts != (1, 1) or text.index(self.end) < text.index(self.start):
            raise ValueError(
                f"{self.page} must hold each of these two lines once, in this order: {self.start} and {self.end}; "
                f"found {counts[0]} and {counts[1]}"
            )
        before, _, rest = text.partition(self.start)
        inside, _, after = rest.partition(self.end)
        return before, inside, after
