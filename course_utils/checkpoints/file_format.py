"""The file of a checkpoint: what `torch.save` writes, a record that can be read alone, and a seal over all of it.

`torch.load` does not compare the checksums of a zip file, so a flipped bit in a tensor goes unseen. The seal is the
SHA-256 of all bytes before it, kept where a zip file has its comment: `torch.load(path, weights_only=True)` opens
the file as if it were not there. It finds accidents; whoever alters a file on purpose can seal it again.
"""

import errno
import json
import pickle
import shutil
import zipfile
from pathlib import Path

import torch

from course_utils.checkpoints import checksum, file_kinds
from course_utils.system.atomic import atomic_write

FORMAT = 1
RECORD = "course_checkpoint.json"
FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


class CheckpointError(Exception):
    """A checkpoint that was not saved, not loaded or not listed: what was found, and what to do."""


def write(path, content, record):
    """Save `content` (plain values and tensors) with `record` (a dict for JSON) beside it, atomically and sealed.

    Raises `CheckpointError` where the disk is full or the folder not ours; an older file there is then still whole.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as file:
            _write(file, content, json.dumps({"format": FORMAT} | record))
    except (OSError, RuntimeError) as error:
        # torch's writer reports its own surprise, and the system's reason as the context of it
        cause = error if isinstance(error, OSError) else error.__context__
        if not isinstance(cause, OSError):
            raise
        raise CheckpointError(_not_saved(path, cause)) from error


def _write(file, content, record):
    torch.save(content, file)
    with zipfile.ZipFile(file, "a") as archive:
        folder = archive.namelist()[0].split("/")[0]  # torch.load wants all members in one folder
        archive.writestr(f"{folder}/{RECORD}", record)
        archive.comment = bytes(checksum.SIZE)
    checksum.write(file)


def _not_saved(path, error):
    old = f"the older {path.name} is untouched" if path.exists() else "no file was left behind"
    if error.errno in FULL:
        free = shutil.disk_usage(path.parent).free
        return (
            f"Could not save {path}: the disk is full or a limit reached ({error.strerror}; {free:,} bytes free); "
            f"{old}. Delete checkpoints (`keep` does), or save elsewhere."
        )
    return f"Could not save {path}: {error.strerror or error}; {old}. Check the folder, and who may write to it."


def read_record(path):
    """The record of a checkpoint, read without its tensors. Raises `CheckpointError` unless it is one of ours."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            return _record(path, file)
    except OSError as error:
        raise CheckpointError(_unreadable(path, error)) from error


def check_seal(path):
    """Read the whole file once; raises `CheckpointError` if one bit differs from what was saved."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            _record(path, file)
            _check_seal(path, file)
    except OSError as error:
        raise CheckpointError(_unreadable(path, error)) from error


def read(path):
    """What `write` was given, tensors on the CPU, after comparing the seal; runs no code from the file."""
    path = Path(path)
    try:
        with path.open("rb") as file:  # one open file: a save that replaces it meanwhile does no harm
            _record(path, file)
            _check_seal(path, file)
            file.seek(0)
            return torch.load(file, weights_only=True, map_location="cpu")
    except pickle.UnpicklingError as error:
        raise CheckpointError(file_kinds.refused(path)) from error
    except OSError as error:
        raise CheckpointError(_unreadable(path, error)) from error


def _record(path, file):
    sealed = checksum.has_seal(file)
    try:
        with zipfile.ZipFile(file) as archive:
            names = [name for name in archive.namelist() if name.endswith("/" + RECORD)]
            record = json.loads(archive.read(names[0])) if names else None
        found = record and record["format"]
    except Exception as error:  # zipfile meets a flipped bit with a dozen of them
        raise CheckpointError(_damaged(path) if sealed else file_kinds.describe(path)) from error
    if record is None and not sealed:
        raise CheckpointError(file_kinds.describe(path))
    if record is not None and found != FORMAT:
        raise CheckpointError(
            f"{path} was saved in format {found} of course_utils' checkpoints; this version reads format {FORMAT}. "
            "Update the course (`git pull`), or take an older checkpoint. Nothing was loaded."
        )
    if record is None or not sealed:
        raise CheckpointError(_damaged(path))
    return record


def _check_seal(path, file):
    if not checksum.is_intact(file):
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
