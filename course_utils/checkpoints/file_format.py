"""The file format of a checkpoint: what `torch.save` writes, a header that is read alone, and a checksum.

`torch.load` does not compare the checksums of a zip file, so a flipped bit in a tensor goes unseen. Ours is the
SHA-256 of all bytes before it, kept where a zip file has its comment: `torch.load(path, weights_only=True)` opens
the file as if it had none. It finds accidents; whoever alters a file on purpose can compute it anew. So the header
is checked too: what must stand in it, and that it has an end.
"""

import errno
import hashlib
import json
import os
import pickle
import shutil
import zipfile
from pathlib import Path
from typing import Any

import torch

from course_utils.checkpoints import file_kinds
from lessonkit.system.atomic import atomic_write, make_folder
from lessonkit.system.plain_file import open_plain

FORMAT = 1
HEADER = "course_checkpoint.json"  # the name of its member in the zip file
FACTS = {"epoch": int, "step": int, "metrics": dict, "versions": dict, "holds": list}  # in every header
LARGEST_HEADER = 64 << 20  # bytes; the metrics of a million steps have some 20 MB
MARK = b"sha256:"
CHECKSUM_SIZE = len(MARK) + 64  # bytes: the mark and 64 hexadecimal digits
FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


class CheckpointError(Exception):
    """A checkpoint that was not saved, not loaded or not listed: what was found, and what to do."""


def write(path: str | Path, content: dict[str, Any], *, header: dict[str, Any]) -> None:
    """Save a dict atomically, with a header that can be read alone and a checksum; make the folder.

    `content`: plain values and CPU tensors. `header`: what JSON can hold; its "format" is `FORMAT` unless it names
    another. Raises `CheckpointError` where the disk is full or the folder may not be written; an older file of that
    name is then still whole.
    """
    path = Path(path)
    try:
        make_folder(path.parent)
        with atomic_write(path) as file:
            _write(file, content, json.dumps({"format": FORMAT} | header))
    except (OSError, RuntimeError) as error:
        # Where a write fails, torch's zip writer raises a RuntimeError of its own; the OSError that says why is its
        # `__context__`.
        cause = error if isinstance(error, OSError) else error.__context__
        if not isinstance(cause, OSError):
            raise
        raise CheckpointError(_not_saved(path, cause)) from error


def _write(file, content, header):
    torch.save(content, file)
    with zipfile.ZipFile(file, "a") as archive:
        folder = archive.namelist()[0].split("/")[0]  # torch.load wants all members in one folder
        archive.writestr(f"{folder}/{HEADER}", header)
        archive.comment = bytes(CHECKSUM_SIZE)
    checksum = _digest(file)
    file.seek(-CHECKSUM_SIZE, os.SEEK_END)
    file.write(checksum)


def _last(file):
    """Return the bytes at the end of an open file where its checksum stands, if it has one."""
    file.seek(max(0, file.seek(0, os.SEEK_END) - CHECKSUM_SIZE))
    return file.read()


def _digest(file):
    """Return the mark and the SHA-256 of all bytes of an open file before its last CHECKSUM_SIZE."""
    left = file.seek(0, os.SEEK_END) - CHECKSUM_SIZE
    file.seek(0)
    digest = hashlib.sha256()
    while left > 0 and (block := file.read(min(left, 1 << 20))):
        digest.update(block)
        left -= len(block)
    return MARK + digest.hexdigest().encode()


def _not_saved(path, error):
    old = f"the older {path.name} is untouched" if path.exists() else "no file was left behind"
    if error.errno in FULL:
        free = shutil.disk_usage(path.parent).free
        return (
            f"Could not save {path}: the disk is full or a limit reached ({error.strerror}; {free:,} bytes free); "
            f"{old}. Delete checkpoints (`keep` does), or save elsewhere."
        )
    return f"Could not save {path}: {error.strerror or error}; {old}. Check the folder, and who may write to it."


def read_header(path: str | Path) -> dict[str, Any]:
    """Return the header of a checkpoint, without reading its tensors.

    Raises `CheckpointError` for a file that cannot be read, or that `write` has not written in this format.
    """
    path = Path(path)
    try:
        with open_plain(path) as file:
            return _header(path, file)
    except OSError as error:
        raise CheckpointError(_unreadable(path, error)) from error


def verify(path: str | Path) -> None:
    """Read the whole file once; raise `CheckpointError` if one bit differs from what was saved."""
    path = Path(path)
    try:
        with open_plain(path) as file:
            _header(path, file)
            _verify(path, file)
    except OSError as error:
        raise CheckpointError(_unreadable(path, error)) from error


def read(path: str | Path) -> dict[str, Any]:
    """Return the content that `write` was given, tensors on the CPU, after comparing the checksum.

    Runs no code from the file. Raises `CheckpointError` for a file that is missing, damaged, or not of `write`.
    """
    path = Path(path)
    try:
        with open_plain(path) as file:  # one open file: a save that replaces it meanwhile does no harm
            header = _header(path, file)
            _verify(path, file)
            file.seek(0)
            content = _loaded(path, file)
    except pickle.UnpicklingError as error:
        raise CheckpointError(file_kinds.refused(path)) from error
    except OSError as error:
        raise CheckpointError(_unreadable(path, error)) from error
    wanted = {*header["holds"], *FACTS, "classes", "shapes", "rng"}
    if not isinstance(content, dict) or not wanted <= set(content) or content["holds"] != header["holds"]:
        raise CheckpointError(file_kinds.not_ours(path, "its header and its content do not say the same"))
    return content


def _loaded(path, file):
    """Load a file whose checksum is right. It may still not be a file of `save_checkpoint`."""
    try:
        return torch.load(file, weights_only=True, map_location="cpu")
    except (pickle.UnpicklingError, OSError):
        raise
    except Exception as error:  # a dozen kinds, for what save_checkpoint never writes
        raise CheckpointError(file_kinds.not_ours(path, f"{type(error).__name__}: {error}"[:200])) from error


def _header(path, file):
    has_checksum = _last(file).startswith(MARK)
    try:
        with zipfile.ZipFile(file) as archive:
            names = [name for name in archive.namelist() if name.endswith("/" + HEADER)]
            header = json.loads(_member(archive, names[0])) if names else None
        found = None if header is None else header["format"]
    except Exception as error:  # zipfile meets a flipped bit with a dozen of them
        raise CheckpointError(_damaged(path) if has_checksum else file_kinds.describe(path)) from error
    if header is None and not has_checksum:
        raise CheckpointError(file_kinds.describe(path))
    if header is not None and found != FORMAT:
        raise CheckpointError(
            f"{path} was saved in format {found} of course_utils' checkpoints; this version reads format {FORMAT}. "
            "Update the course (`git pull`), or take an older checkpoint. Nothing was loaded."
        )
    if header is None or not has_checksum:
        raise CheckpointError(_damaged(path))
    if odd := _odd(header):
        raise CheckpointError(file_kinds.not_ours(path, odd))
    return header


def _member(archive, name):
    """Return a member's bytes. Raises ValueError for one larger than any header: a few bytes may unpack to all."""
    with archive.open(name) as file:
        data = file.read(LARGEST_HEADER + 1)
    if len(data) > LARGEST_HEADER:
        raise ValueError("a header without an end")
    return data


def _odd(header):
    """Return what in a header is not what `save_checkpoint` writes, in words; None where all is."""
    for name, kind in FACTS.items():
        if type(header.get(name)) is not kind:
            return f"{name!r} in its header is {str(header.get(name))[:40]!r}"
    if not all(isinstance(part, str) for part in header["holds"]):
        return "'holds' in its header names no parts"
    return None


def _verify(path, file):
    if _last(file) != _digest(file):
        raise CheckpointError(_damaged(path))


def _damaged(path):
    return (
        f"{path} is damaged: its bytes are not those that were saved (the SHA-256 differs). Take an older "
        "checkpoint; `list_checkpoints` says which there are. Nothing was loaded."
    )


def _unreadable(path, error):
    if isinstance(error, FileNotFoundError):
        return file_kinds.missing(path)
    if path.is_dir():
        return file_kinds.folder(path)
    return f"{path} could not be read: {error.strerror or error}. Check who may read it. Nothing was loaded."
