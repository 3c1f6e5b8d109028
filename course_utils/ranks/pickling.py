"""What travels between a process and its ranks, as bytes: tensors become plain copies on the CPU."""

import io
import os
import pickle
import runpy
import sys
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType

import torch

LOADING = "COURSE_LOADS_MAIN"  # environment variable that is set while a rank runs its parent's script again
CURE = (
    "Write it into a file (`%%writefile my_ranks.py` on the cell's first line does that) and import it from there."
)


class NotImportable(TypeError):
    """What a new process cannot get by an import, and so cannot be sent to one."""


def pack(thing):
    """`thing` pickled; returns bytes. No shared memory, nothing that stays on a GPU, no storage behind a view.

    Raises TypeError, with the cure, for what another process cannot import (a function or class of a notebook
    cell, a lambda, one defined inside a function) and for what cannot be pickled at all.
    """
    buffer = io.BytesIO()
    try:
        _Pickler(buffer, protocol=pickle.HIGHEST_PROTOCOL).dump(thing)
    except NotImportable:
        raise
    except Exception as error:
        raise TypeError(
            f"This cannot be sent to another process: {error}. Expected tensors, numbers, strings, lists, dicts of "
            "them, and what an import finds; open files, generators and process groups stay where they were made."
        ) from error
    return buffer.getvalue()


def unpack(content, *, main=None):
    """The thing that `pack` made bytes of. `main`: what `main_script` returned in the process that packed.

    Raises TypeError for what cannot be made again here.
    """
    try:
        return _Unpickler(io.BytesIO(content), main).load()
    except Exception as error:
        raise TypeError(
            f"What another process sent cannot be read here: {type(error).__name__}: {error}. Expected tensors, "
            "numbers, strings, lists and dicts of them, and functions that an import finds in both processes."
        ) from error


def main_script():
    """How another process gets at this one's `__main__`: {"name": module} or {"path": file}, None at a prompt."""
    main = sys.modules["__main__"]
    if getattr(main, "__spec__", None) is not None:
        return {"name": main.__spec__.name}
    path = getattr(main, "__file__", None)
    return {"path": str(Path(path).resolve())} if path and Path(path).is_file() else None


class _Pickler(pickle.Pickler):
    def reducer_override(self, thing):
        if type(thing) in (torch.Tensor, torch.nn.Parameter):
            copy = thing.detach().to("cpu", copy=True)
            if type(thing) is torch.nn.Parameter:
                copy = torch.nn.Parameter(copy, requires_grad=thing.requires_grad)
            return copy.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
        if isinstance(thing, (type, FunctionType, BuiltinFunctionType)):
            _refuse_what_is_not_importable(thing)
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    def __init__(self, file, main):
        super().__init__(file)
        self.main = main

    def find_class(self, module, name):
        if module == "__main__" and self.main is not None:
            _load_main(self.main)
            self.main = None
        return super().find_class(module, name)


def _refuse_what_is_not_importable(thing):
    name = getattr(thing, "__qualname__", repr(thing))
    if "<lambda>" in name:
        reason = "it is a lambda, which has no name to import it by"
    elif "<locals>" in name:
        reason = "it is defined inside another function, where no import finds it"
    elif getattr(thing, "__module__", None) == "__main__" and main_script() is None:
        reason = "it is defined in a notebook cell or at a prompt, and a new process imports files, not cells"
    else:
        return
    raise NotImportable(f"`{name.split('.')[-1]}` cannot be sent to another process: {reason}. {CURE}")


def _load_main(main):
    """Runs the parent's script as `__mp_main__`, as multiprocessing does: what its guard protects is left out."""
    os.environ[LOADING] = "1"
    try:
        if "name" in main:
            content = runpy.run_module(main["name"], run_name="__mp_main__", alter_sys=True)
        else:
            content = runpy.run_path(main["path"], run_name="__mp_main__")
    finally:
        del os.environ[LOADING]
    module = ModuleType("__mp_main__")
    module.__dict__.update(content)
    sys.modules["__main__"] = sys.modules["__mp_main__"] = module
