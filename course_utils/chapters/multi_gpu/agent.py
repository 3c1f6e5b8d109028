"""The program of a torchrun agent: torchrun itself, which ends with its ranks when its starter has died."""

import importlib
import runpy
from pathlib import Path

from lessonkit.system import processes
from lessonkit.system.fast_imports import without_collection


def main(folder: str) -> None:
    """Run torchrun with the words of the command line. `folder`: what its starter would have removed at the end."""
    with processes.ParentWatcher(Path(folder)):
        with without_collection():
            importlib.import_module("torch.distributed")  # all that torchrun is slow to import
        runpy.run_module("torch.distributed.run", run_name="__main__", alter_sys=True)
