"""Send the source of notebook cells to the ranks, whose tracebacks would find it in no file."""

import linecache
from pathlib import Path
from types import CodeType

BEGINS = "<cell of "


class Cells:
    """Names for the cells that code comes from, and their `sources`, {name: lines}.

    A name is that of the first function met, as in `<cell of step>`: IPython's own holds the kernel's process id.
    """

    def __init__(self):
        self.sources: dict[str, list[str]] = {}
        self._names: dict[str, str] = {}

    def file(self, code: CodeType) -> str:
        """Return the file that a rank's tracebacks shall name for `code`: its own, if it is not a cell's."""
        entry = linecache.cache.get(code.co_filename, ())
        if len(entry) != 4 or entry[1] is not None:
            return code.co_filename  # a file's entry has a time; source that nobody knows has no entry
        if code.co_filename not in self._names:
            first = code.co_qualname.partition(".")[0].strip("<>")
            name = f"{BEGINS}{first}>"
            if name in self.sources:
                name = f"{BEGINS}{first}, {len(self.sources) + 1}>"
            self._names[code.co_filename], self.sources[name] = name, entry[2]
        return self._names[code.co_filename]


def remember(sources: dict[str, list[str]]) -> None:
    """Let this process's tracebacks show the lines of `sources`, {name: lines}."""
    for name, lines in sources.items():
        linecache.cache[name] = (0, None, lines, name)


def place(file: str, line: int | str) -> str:
    """Return a place in the source as a phrase that is the same on every machine: `rank_programs.py, line 3`."""
    return f"{'a cell' if file.startswith(BEGINS) else Path(file).name}, line {line}"
