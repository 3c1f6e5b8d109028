"""Recognise files that are no checkpoints of the course, and say what each is and what to do with it."""

import contextlib
import json
import mmap
import pickle
import warnings
import zipfile
from pathlib import Path

import torch
from torch.serialization import MAGIC_NUMBER

from course_utils.checkpoints import foreign
from course_utils.checkpoints.pickle_names import UNKNOWN, first_value, imported
from lessonkit.system.hidden import is_hidden
from lessonkit.system.plain_file import open_plain

EXPECTED = "expected a file of save_checkpoint"
DONE = "Nothing was loaded."
LARGEST_HEADER = 100_000_000  # bytes of a safetensors header, by its format
_KINDS = ("Float", "Double", "Half", "BFloat16", "Long", "Int", "Short", "Char", "Byte", "Bool", "Untyped")
HARMLESS = (
    *("collections.OrderedDict", "torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_parameter"),
    *("collections.Counter", "torch.Size", "torch.device", "torch.storage.UntypedStorage", "_codecs.encode"),
    *(f"{module}.{kind}" for module in ("builtins", "__builtin__") for kind in ("set", "bytearray", "complex")),
    *(f"torch.{name}" for name, value in vars(torch).items() if isinstance(value, torch.dtype)),
    *(f"torch.{kind}Storage" for kind in _KINDS),
)


def missing(path: Path) -> str:
    """Return the sentence for a path without a file; it names the checkpoints in the same folder."""
    if not path.parent.is_dir():
        return f"There is no folder {path.parent}, so no checkpoint {path.name} in it. Check the path. {DONE}"
    others = _names(_checkpoints(path.parent))
    return f"There is no file {path}. Checkpoints in that folder: {others}. Check the name. {DONE}"


def folder(path: Path) -> str:
    """Return the sentence for a path that is a folder; it names the checkpoints in it."""
    if any(path.glob("*.distcp")):
        return (
            f"{path} is a folder of torch.distributed.checkpoint, {EXPECTED}. torch.distributed.checkpoint.load "
            "opens it; `python -m torch.distributed.checkpoint.format_utils dcp_to_torch` makes one file of it. "
            f"{DONE}"
        )
    files = _names(_checkpoints(path))
    return f"{path} is a folder, {EXPECTED}. Name one of those in it: {files}. {DONE}"


def _checkpoints(folder):
    return sorted(path.name for path in folder.glob("*.pt") if not is_hidden(path.name))


def not_ours(path: Path, found: str) -> str:
    """Return the sentence for a file with our marks that `save_checkpoint` never wrote; `found`: what shows it."""
    return (
        f"{path} was not written by save_checkpoint: {found}, {EXPECTED}. Do not trust it: ask who made it, or "
        f"take another checkpoint. {DONE}"
    )


def refused(path: Path) -> str:
    """Return the sentence for a pickle that `torch.load(weights_only=True)` does not open."""
    names = []
    if zipfile.is_zipfile(path):
        with contextlib.suppress(Exception):  # instructions that torch does not know: they are read below
            names = torch.serialization.get_unsafe_globals_in_checkpoint(str(path))
    try:
        names = names or _names_in(path)
    except Exception:  # noqa: BLE001  damaged instructions, for which zipfile and pickletools have a dozen kinds
        names = [UNKNOWN]
    others = [name for name in names if name not in HARMLESS]
    if not others:
        what = "tensors and plain values" if names else "plain values"
        return (
            f"{path} holds {what} only and calls nothing else, but it was written in a way that weights_only=True "
            f"does not read (a newer pickle protocol, say), {EXPECTED}. Open it where it was made, and save it "
            f"again by torch.save with its usual protocol. {DONE}"
        )
    return (
        f"{path} was refused: opening it would call {_names(sorted(others))}, and what a file may call can be any "
        "code. Do not open it unless you know who made it; ask them for a file of tensors only (a state_dict, "
        f"safetensors). {DONE}"
    )


def _names_in(path):
    """Return the names that a file of torch.save, or a bare pickle, imports."""
    if not zipfile.is_zipfile(path):
        return _names_in_all(path)
    with zipfile.ZipFile(path) as archive:
        member = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
        with archive.open(member) as file:
            return imported(file)


def _names_in_all(path):
    """Return the names of the pickles one behind another in a file: torch's older format has several."""
    names = []
    with open_plain(path) as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for number in range(5):
            try:
                names += imported(data)
            except ValueError:
                if number:  # after the pickles come the tensors' bytes
                    break
                raise
    return names


def describe(path: str | Path) -> str:
    """Return the sentence for a file that is no whole checkpoint. Raises OSError if it cannot be read."""
    path = Path(path)
    with open_plain(path) as file:
        start = file.read(512)
        file.seek(max(0, path.stat().st_size - 8))
        end = file.read(8)
    try:
        return _describe(path, start, end, path.stat().st_size)
    except Exception as error:  # noqa: BLE001  on damaged bytes zipfile and torch raise a dozen kinds
        if "maximum supported version" in str(error):
            return (
                f"{path} was written in a file format that is newer than this torch {torch.__version__} reads. "
                f"Update torch, or save the file again with an older one. {DONE}"
            )
        return f"{path} is damaged: it begins like one of torch.save and does not open. Take a copy. {DONE}"


def _describe(path, start, end, size):
    if size == 0:
        return (
            f"{path} is empty, {EXPECTED}. Whatever wrote it was cut off at once: delete it and take an older "
            f"checkpoint. {DONE}"
        )
    if start.startswith(b"PK"):
        return _zip(path, size)
    if start[8:9] == b"{" and 2 <= int.from_bytes(start[:8], "little") <= LARGEST_HEADER:
        return _safetensors(path, size)
    if start.startswith(b"\x80"):
        return _pickle(path) if first_value(start) == MAGIC_NUMBER else _bare_pickle(path)
    if what := foreign.by_bytes(path, start, end) or foreign.by_text(start.decode("utf-8", "replace")):
        return f"{path} is {what}; {EXPECTED}. {DONE}"
    if b"\0" not in start and _is_text(start):
        line = next(iter(start.decode("utf-8", "replace").splitlines()), "")[:40]
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
    if what := foreign.by_members(names):
        return f"{path} is {what}; {EXPECTED}. {DONE}"
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


def _bare_pickle(path):
    """Return the sentence for a pickle that torch.save has not written."""
    try:
        names = _names_in(path)
    except ValueError:
        return f"{path} is a pickle that is cut off or damaged, {EXPECTED}. Take another copy. {DONE}"
    if any(name not in HARMLESS for name in names):
        return refused(path)
    return (
        f"{path} is a pickle of plain values, not written by torch.save, {EXPECTED}. It imports nothing, so "
        f"pickle.load(file) opens it without calling code. {DONE}"
    )


def _safetensors(path, size):
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        text = file.read(length)
    if len(text) < length:
        return (
            f"{path} is cut off: a safetensors file of which {size:,} bytes are there, and its header alone has "
            f"{length:,}. Copy it again. {DONE}"
        )
    try:
        header = json.loads(text)
        tensors = {name: entry for name, entry in header.items() if name != "__metadata__"}
        promised = 8 + length + max((entry["data_offsets"][1] for entry in tensors.values()), default=0)
    except (ValueError, AttributeError, LookupError, TypeError):
        return f"{path} begins like a safetensors file, but its header is damaged: take another copy. {DONE}"
    if promised != size:
        what = "cut off" if size < promised else "damaged"
        return (
            f"{path} is {what}: a safetensors file of {size:,} bytes, and by its header it has {promised:,}. Copy "
            f"it again. {DONE}"
        )
    return (
        f"{path} is a safetensors file ({len(tensors)} tensors: {_names(list(tensors))}), {EXPECTED}. Load it with "
        f"model.load_state_dict(safetensors.torch.load_file(path)); it holds no place to resume from. {DONE}"
    )


def _is_text(start):
    """Return whether bytes are UTF-8; the last character may be cut."""
    try:
        start[:-3].decode("utf-8")
    except UnicodeDecodeError:
        return False
    return all(byte >= 32 or byte in b"\t\r\n\f\x1b" for byte in start)


def _names(names, most=3):
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more if names else "none"
