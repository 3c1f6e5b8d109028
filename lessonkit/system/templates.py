"""Load the jinja2 templates of pages: values are escaped, and a missing value is an error."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jinja2


def templates(folder: Path) -> "jinja2.Environment":
    """Return the templates of a folder."""
    import jinja2  # here, since only a command that writes a page needs it

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
