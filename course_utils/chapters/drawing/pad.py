"""A pad to draw on with the mouse, a finger or a pen, in the output of a cell."""

import sys
import uuid
from html import escape
from pathlib import Path
from string import Template

PAGE = Path(__file__).with_suffix(".html")


class DrawingPad:
    """A black square to draw on; each stroke is saved as a PNG of 280 × 280 pixels, white on black.

    `path`: the file, relative to the folder of the notebook; its folder is made. The page itself saves it through
    the Jupyter server that it came from, so it works in JupyterLab and in Jupyter Notebook. A page without such a
    server offers the drawing as a download. A drawing that is there already is shown again.

    >>> DrawingPad("digit.png", kernel="")
    A pad to draw on, which needs a page in a browser. It would save digit.png.
    """

    def __init__(self, path: str | Path, *, kernel: str | None = None) -> None:
        """Make the folder. `kernel`: the id by which the page finds the notebook; by default of the one here."""
        self.path = Path(path)
        if self.path.is_absolute():
            raise ValueError(f"{path} is absolute; give the file's path as it is seen from the notebook's folder")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._kernel = this_kernel() if kernel is None else kernel

    def __repr__(self) -> str:
        """Say what an editor without HTML cannot show."""
        return f"A pad to draw on, which needs a page in a browser. It would save {self.path.as_posix()}."

    def _repr_html_(self) -> str:
        return Template(PAGE.read_text(encoding="utf-8")).substitute(
            pad=uuid.uuid4().hex, file=escape(self.path.as_posix()), kernel=escape(self._kernel)
        )


def this_kernel() -> str:
    """Return the id of the Jupyter kernel that runs this, or "" where none does."""
    if "ipykernel.kernelapp" not in sys.modules:  # imported here, it would tell others that this is a notebook
        return ""
    from ipykernel import get_connection_file

    try:
        return Path(get_connection_file()).stem.removeprefix("kernel-")
    except RuntimeError:  # imported, and no kernel runs
        return ""
