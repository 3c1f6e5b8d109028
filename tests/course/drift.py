"""A torch that has drifted, for child processes: one function gone, one call deprecated, one other default.

`folder(path, *kinds)` writes a `sitecustomize.py`; with that folder first on PYTHONPATH each Python that starts
changes its torch as soon as it has imported it.
"""

import functools
import importlib.util
import sys
import warnings
from pathlib import Path

SITE = "import sys\nsys.path.append({tests!r})\nimport drift\nsys.path.remove({tests!r})\ndrift.plant(*{kinds!r})\n"


def renamed(torch):
    """`torch.as_strided` is called something else now."""
    del torch.as_strided


def deprecated(torch):
    """`torch.use_deterministic_algorithms` works and warns, in the words torch uses."""
    old = torch.use_deterministic_algorithms

    @functools.wraps(old)
    def warned(*arguments, **options):
        text = "`torch.use_deterministic_algorithms` is deprecated. Please use `torch.deterministic` instead."
        warnings.warn(text, FutureWarning, stacklevel=2)
        return old(*arguments, **options)

    torch.use_deterministic_algorithms = warned


def default(torch):
    """`torch.full` makes floats of whole numbers, as it did before 1.8, unless it is given a dtype."""
    old = torch.full

    @functools.wraps(old)
    def full(size, value, **options):
        return old(size, value, **({"dtype": torch.get_default_dtype()} | options))

    torch.full = full


KINDS = {change.__name__: change for change in (renamed, deprecated, default)}


class Planter:
    """Finds torch as Python would, and changes it right after it has been imported."""

    def __init__(self, changes):
        self.changes = changes

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            for change in self.changes:
                change(module)

        spec.loader.exec_module = exec_module
        return spec


def plant(*kinds):
    """Changes the torch that this process will import."""
    sys.meta_path.insert(0, Planter([KINDS[kind] for kind in kinds]))


def folder(path, *kinds):
    """Writes what plants `kinds` into `path`; returns it as text for PYTHONPATH."""
    path.mkdir(parents=True, exist_ok=True)
    text = SITE.format(tests=str(Path(__file__).parent), kinds=kinds)
    (path / "sitecustomize.py").write_text(text, encoding="utf-8")
    return str(path)
