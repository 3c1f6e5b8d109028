"""Recognise files that are no checkpoints of the course, and say what each is and what to do with it."""

import contextlib
import json
import pickle
import pickletools
import warnings
import zipfile
from pathlib import Path

import torch

from lessonkit.system.plain_file import open_plain

EXPECTED = "expected a file of save_checkpoint"
DONE = "Nothing was loaded."
HARMLESS = ("collections.OrderedDict", "torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_parameter")


def missing(path: Path) -> str:
    """Return the sentence for a path without a file; it names the checkpoints in the same folder."""
    if not path.parent.is_dir():
        return f"There is no folder {path.parent}, so no checkpoint {path.name} in it. Check the path. {DONE}"
    others = _names(sorted(other.name for other in path.parent.glob("*.pt")))
    return f"There is no file {path}. Checkpoints in that folder: {others}. Check the name. {DONE}"


def folder(path: Path) -> str:
    """Return the sentence for a path that is a folder; it names the checkpoints in it."""
    files = _names(sorted(file.name for file in path.glob("*.pt")))
    return f"{path} is a folder, {EXPECTED}. Name one of those in it: {files}. {DONE}"


def not_ours(path: Path, found: str) -> str:
    """Return the sentence for a file with our marks that `save_checkpoint` never wrote; `found`: what shows it."""
    return (
        f"{path} was not written by save_checkpoint: {found}, {EXPECTED}. Do not trust it: ask who made it, or "
        f"take another checkpoint. {DONE}"
    )


def refused(path: Path) -> str:
    """Return the sentence for a pickle that would import or call something while it is opened."""
    names = []
    with contextlib.suppress(Exception):  # instructions that torch cannot read: the sentence says the rest
        if zipfile.is_zipfile(path):  # both ways read instructions and run none
            names = torch.serialization.get_unsafe_globals_in_checkpoint(str(path))
        else:
            names = _imports(path)
    wants = _names(sorted(set(names))) if names else "more than plain values and tensors"
    return (
        f"{path} was refused: opening it would call {wants}, and what a file may call can be any code. Do not open "
        f"it unless you know who made it; ask them for a file of tensors only (a state_dict, safetensors). {DONE}"
    )


def _imports(path):
    """Return the names that a bare pickle imports, read from its instructions."""
    names, strings = [], []
    with contextlib.suppress(ValueError):  # damaged further on: what stands before it is enough
        for operation, argument, _ in pickletools.genops(path.read_bytes()):
            if operation.name == "STACK_GLOBAL":
                names.append(".".join(strings[-2:]))
            elif operation.name == "GLOBAL":
                names.append(argument.replace(" ", "."))
            elif isinstance(argument, str):
                strings.append(argument)
    return [name for name in names if name not in HARMLESS]


def describe(path: str | Path) -> str:
    """Return the sentence for a file that is no whole checkpoint. Raises OSError if it cannot be read."""
    path = Path(path)
    with open_plain(path) as file:
        start = file.read(512)
    try:
        return _describe(path, start, path.stat().st_size)
    except Exception:  # noqa: BLE001  on damaged bytes zipfile and torch raise a dozen kinds
        return f"{path} is damaged: it begins like one of torch.save and does not open. Take a copy. {DONE}"


def _describe(path, start, size):
    if size == 0:
        return (
            f"{path} is empty, {EXPECTED}. Whatever wrote it was cut off at once: delete it and take an older "
            f"checkpoint. {DONE}"
        )
    if start.startswith(b"PK"):
        return _zip(path, size)
    if start[8:9] == b"{" and 2 <= int.from_bytes(start[:8], "little") <= size - 8:
        return _safetensors(path)
    if start.startswith(b"\x80"):
        return _pickle(path)
    if start.isascii() and b"\0" not in start:
        line = start.decode("ascii").splitlines()[0][:40]
        return f"{path} is a text file that begins with {line!r}, {EXPECTED}. Check the path. {DONE}"
    return (
        f"{path} is no checkpoint: {size:,} bytes that begin with {start[:4]!r}, {EXPECTED}. Check the path. {DONE}"
    )


def _zip(path, size):
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile:
        return (
            f"{path} is cut off or damaged: {size:,} bytes that begin like a checkpoint, without its end. Copy it "
            f"again, or take an older checkpoint. {DONE}"
        )
    if any(name.endswith("/data.pkl") for name in names):
        return _pickle(path)
    return f"{path} is a zip file with {_names(names)} in it, {EXPECTED}. Check the path. {DONE}"


def _pickle(path):
    """Return the sentence for what torch.load opens: a state_dict, another object, or a pickle that it refuses."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Detected pickle protocol")  # the sentence below says what it is
            # Memory-mapped: a listing asks this of every other file of torch.save, and needs no tensor's values.
            found = torch.load(path, weights_only=True, map_location="cpu", mmap=zipfile.is_zipfile(path))
    except pickle.UnpicklingError:
        return refused(path)
    if isinstance(found, dict) and found and all(isinstance(value, torch.Tensor) for value in found.values()):
        return (
            f"{path} is a bare state_dict ({len(found)} tensors: {_names(list(found))}), {EXPECTED}. Load it with "
            f"model.load_state_dict(torch.load(path, weights_only=True)); it holds no place to resume from. {DONE}"
        )
    keys = f" with the keys {_names([str(key) for key in found])}" if isinstance(found, dict) else ""
    return (
        f"{path} is a {type(found).__name__}{keys} of torch.save, {EXPECTED}. Open it with torch.load(path, "
        f"weights_only=True) and take from it what you need. {DONE}"
    )


def _safetensors(path):
    with path.open("rb") as file:
        try:
            header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        except ValueError:
            return f"{path} begins like a safetensors file, but its header is damaged: take another copy. {DONE}"
    names = [name for name in header if name != "__metadata__"]
    return (
        f"{path} is a safetensors file ({len(names)} tensors: {_names(names)}), {EXPECTED}. Load it with "
        f"model.load_state_dict(safetensors.torch.load_file(path)); it holds no place to resume from. {DONE}"
    )


def _names(names, most=3):
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more if names else "none"
