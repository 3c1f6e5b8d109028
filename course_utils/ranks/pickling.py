"""Serialize what travels between a process and its ranks; tensors become plain copies on the CPU.

cloudpickle sends by value what no import finds: functions and classes of a notebook's cells, of a script, lambdas.
"""

import contextlib
import io
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import Any

import cloudpickle
import torch

from course_utils.ranks import cell_sources

LARGE = 10 * 2**20  # bytes of a function's global from which on its journey is told


@dataclass(frozen=True)
class Job:
    """A function and its arguments as bytes.

    `by_value`: the functions and classes that went along by value, in order; `large`: a sentence for each of their
    globals and closures' variables that takes more than `LARGE` bytes.
    """

    content: bytes
    by_value: list[Any]
    large: list[str]


def pack_job(fn: Callable[..., Any], args: tuple[Any, ...]) -> Job:
    """Return `fn` and `args` pickled, with the source of the cells that they come from.

    Raises TypeError, naming the global at fault where a function brought it along, for what cannot be pickled.
    """
    pickler = _Pickler()
    content = pickler.pack((fn, args))
    large = _large(pickler) if len(content) > LARGE else []
    cell_sources.remember(pickler.cells.sources)  # here too: stacks of the ranks are shown here
    content = pickle.dumps(pickler.cells.sources) + content + pickler.pack(pickler.by_value)
    return Job(content, pickler.by_value, large)


def unpack_job(content: bytes) -> tuple[Callable[..., Any], tuple[Any, ...], list[Any]]:
    """Return the function, its arguments, and the `by_value` of the `Job` that `content` is of, all made anew.

    The source of cells goes into `linecache`; what is `__main__`'s into that module, where plain pickle finds it.
    """
    file = io.BytesIO(content)
    cell_sources.remember(pickle.load(file))
    unpickler = _Unpickler(file, ())
    (fn, args), by_value = _load(unpickler), _load(unpickler)
    for thing in by_value:
        if thing.__module__ == "__main__" and thing.__qualname__.isidentifier():
            setattr(sys.modules["__main__"], thing.__qualname__, thing)
    return fn, args, by_value


def pack(thing: Any, *, known: list[Any]) -> bytes:
    """Return a result pickled. `known`: what `unpack_job` made; it goes back as what it was made of."""
    return _Pickler(known).pack(thing)


def unpack(content: bytes, *, known: list[Any]) -> Any:
    """Return the result that `pack` made bytes of. `known`: the `Job`'s `by_value`.

    Raises TypeError for what cannot be made again here.
    """
    return _load(_Unpickler(io.BytesIO(content), known))


class _Pickler(cloudpickle.Pickler):
    """No shared memory, nothing that stays on a GPU, no storage behind a view; notes what goes by value."""

    def __init__(self, known=()):
        self.buffer = io.BytesIO()
        super().__init__(self.buffer, protocol=pickle.HIGHEST_PROTOCOL)
        self.known = {id(thing): number for number, thing in enumerate(known)}
        self.by_value, self.brought, self.cells = [], [], cell_sources.Cells()

    def pack(self, thing):
        """Return the bytes of `thing`, in which what was packed before is only named."""
        start = self.buffer.tell()
        try:
            self.dump(thing)
        except Exception as error:
            raise TypeError(
                f"{self._at_fault()} cannot be sent to another process: {error}. Expected tensors, numbers, "
                "strings, lists, dicts of them, functions and classes; open files, generators and process groups "
                "stay where they were made."
            ) from error
        return self.buffer.getvalue()[start:]

    def persistent_id(self, thing):
        return self.known.get(id(thing)) if isinstance(thing, (type, FunctionType)) else None

    def reducer_override(self, thing):
        if type(thing) in (torch.Tensor, torch.nn.Parameter):
            copy = thing.detach().to("cpu", copy=True)
            if type(thing) is torch.nn.Parameter:
                copy = torch.nn.Parameter(copy, requires_grad=thing.requires_grad)
            return copy.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
        if isinstance(thing, io.TextIOWrapper):
            return thing.__reduce_ex__(pickle.HIGHEST_PROTOCOL)  # raises; cloudpickle would send the content
        if isinstance(thing, CodeType):
            return self.dispatch_table[CodeType](thing.replace(co_filename=self.cells.file(thing)))
        reduced = super().reducer_override(thing)
        if isinstance(reduced, tuple) and len(reduced) == 6:  # by value: what makes it, and what to fill it with
            self.by_value.append(thing)
            if isinstance(thing, FunctionType):
                self.brought += [(thing, *variable) for variable in _variables(thing, reduced[2][1]["__globals__"])]
        return reduced

    def _at_fault(self):
        for fn, name, value in reversed(self.brought):  # the innermost function first
            try:
                _Pickler().dump(value)
            except Exception:  # noqa: BLE001 (the same that is being told)
                return f"`{name}`, which `{fn.__name__}` uses from outside,"
        return "This"


class _Unpickler(pickle.Unpickler):
    def __init__(self, file, known):
        super().__init__(file)
        self.known = known

    def persistent_load(self, number):
        return self.known[number]


def _load(unpickler):
    try:
        return unpickler.load()
    except Exception as error:
        raise TypeError(
            f"What another process sent cannot be read here: {type(error).__name__}: {error}. Expected tensors, "
            "numbers, strings, lists and dicts of them, and functions that an import finds in both processes."
        ) from error


def _variables(fn, used):
    """(name, value) of the globals a function uses, and of what it closes over."""
    yield from used.items()
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # not assigned yet
            yield name, cell.cell_contents


def _large(pickler):
    sentences = {}
    for fn, name, value in pickler.brought:
        if isinstance(value, (FunctionType, type, ModuleType)) or id(value) in sentences:
            continue  # what a function brings along itself is told under its name
        size = len(_Pickler().pack(value))
        if size > LARGE:
            sentences[id(value)] = (
                f"`{fn.__name__}` uses `{name}`, a variable outside of it: {size / 2**20:.0f} MiB go along to "
                "every rank. Hand the ranks what they need of it as an argument, or load it inside the function."
            )
    return list(sentences.values())
