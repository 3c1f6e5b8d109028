"""The program of a torchrun agent: torchrun itself, which ends with its ranks when its starter has died."""

import importlib
import runpy
import sys
from pathlib import Path

from lessonkit.system import processes
from lessonkit.system.fast_imports import without_collection


def main() -> None:
    """Run torchrun with the words of the command line; the first is the folder that its starter would remove."""
    with processes.ParentWatcher(Path(sys.argv.pop(1))):
        with without_collection():
            importlib.import_module("torch.distributed")  # all that torchrun is slow to import
        runpy.run_module("torch.distributed.run", run_name="__main__", alter_sys=True)
