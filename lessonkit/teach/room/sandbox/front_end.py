"""What a notebook offers its cells and a bare Python does not: `display`, `get_ipython()`, magics, widgets.

Nothing is shown where submissions run. A cell that shows something goes on as it does in a notebook.
"""

import linecache
import sys
import types
from collections.abc import Iterable


def show_lines(pieces: Iterable[tuple[str, str]]) -> None:
    """Let tracebacks quote the lines of cells, each of which is run as several (label, source) pieces.

    A piece has empty lines above it, so that its lines have the numbers that they have in the cell.
    """
    found: dict[str, list[str]] = {}
    for label, source in pieces:
        lines, new = found.setdefault(label, []), source.split("\n")
        lines += [""] * (len(new) - len(lines))
        lines[: len(new)] = [one or before for one, before in zip(new, lines, strict=False)]
    for label, lines in found.items():
        linecache.cache[label] = (sum(map(len, lines)), None, [f"{one}\n" for one in lines], label)


def notebook() -> dict[str, object]:
    """Return the names of a fresh notebook, which is `__main__`."""
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    shell = Shell(vars(main))
    vars(main).update(get_ipython=lambda: shell, display=_shown_to_nobody())
    return vars(main)


def _shown_to_nobody():
    """Return a `display` with IPython's own handles, and put it where cells and libraries import IPython's from.

    Without a running shell, IPython's prints what it is given and returns no handle for a `display_id`.
    """
    try:
        from IPython import display as public
        from IPython.core import display_functions
    except ImportError:
        return lambda *_, **__: None

    def display(*objs: object, display_id: object = None, update: bool = False, **_: object) -> object:
        """Show nothing; return a handle, as IPython does, where a `display_id` is given."""
        if update and display_id is None:
            raise TypeError("display_id required for update_display")
        if display_id is None:
            return None
        return display_functions.DisplayHandle(None if display_id is True else display_id)

    for module in (public, display_functions):
        module.display = display
        module.clear_output = lambda wait=False: None
        module.publish_display_data = lambda *_, **__: None
    return display


class Shell:
    """Stands for IPython's shell: a magic does nothing, and a method that a cell calls gives None."""

    def __init__(self, names: dict[str, object]) -> None:
        self.user_ns = self.user_global_ns = names
        self.config: dict[str, object] = {}

    def run_cell_magic(self, name: str, line: str, cell: str) -> object:
        """Do nothing; `%%capture NAME` gets an object that holds no output."""
        return types.SimpleNamespace(stdout="", stderr="", outputs=[], show=lambda: None)

    def getoutput(self, *_: object, **__: object) -> list[str]:
        """Return no lines: a command of the system is not run."""
        return []

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: None
