"""The program of JupyterLab: `course lab` starts it as `python -m lessonkit.commands.jupyterlab_program`.

It is `python -m jupyterlab`, which answers some seconds earlier: half of the time of its imports was spent on
compiling a grammar that it never uses.
"""

import logging
import sys

from lessonkit.system import fast_imports


def tells_something(record: logging.LogRecord) -> bool:
    """Return False for the warning that two time limits of Jupyter's own for a silent browser do not fit.

    Nobody has set them, nothing is wrong, and the address would no longer be the last line.
    """
    return "websocket_ping_timeout" not in record.getMessage()


def main() -> None:
    """Run JupyterLab with the arguments of the command line until it is stopped."""
    fast_imports.defer_grammar()
    with fast_imports.without_collection():
        from jupyterlab.labapp import main as run
    logging.getLogger("tornado.general").addFilter(tells_something)

    sys.exit(run())


if __name__ == "__main__":
    main()
