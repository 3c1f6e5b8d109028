"""The program of JupyterLab: `course lab` starts it as `python -m lessonkit.commands.jupyterlab_program`.

It is `python -m jupyterlab`, which answers some seconds earlier: half of the time of its imports was spent on
compiling a grammar that it never uses.
"""

import sys

from lessonkit.system import fast_imports


def main() -> None:
    """Run JupyterLab with the arguments of the command line until it is stopped."""
    fast_imports.defer_grammar()
    with fast_imports.without_collection():
        from jupyterlab.labapp import main as run

    sys.exit(run())


if __name__ == "__main__":
    main()
