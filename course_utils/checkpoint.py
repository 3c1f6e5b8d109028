"""Checkpoints from which a run resumes exactly: saved atomically, loaded completely or not at all."""

import json
import warnings
from pathlib import Path
from typing import Any

from course_utils.checkpoints import file_format, listing
from course_utils.checkpoints.file_format import CheckpointError
from course_utils.checkpoints.restore import load_all
from course_utils.checkpoints.rng import capture
from course_utils.checkpoints.state_dicts import Stateful, plain_copy, tensors
from course_utils.checkpoints.trained import names, not_compared, shapes
from lessonkit.system.hidden import is_hidden
from lessonkit.system.versions import versions

PARTS = ("model", "optimizer", "scheduler", "scaler", "ema", "loader")


def save_checkpoint(
    path: str | Path,
    *,
    model: Stateful,
    optimizer: Stateful | None = None,
    scheduler: Stateful | None = None,
    scaler: Stateful | None = None,
    ema: Stateful | None = None,
    loader: Stateful | None = None,
    epoch: int = 0,
    step: int = 0,
    metrics: dict[str, Any] | None = None,
) -> Path:
    """Save a run, with the states of all random number generators and the versions; return the path.

    `path` must end in ".pt"; its folder is made. All parts except `model` are optional; each may be anything with a
    `state_dict()`. `epoch` and `step` say how many are done. `metrics` holds numbers, strings and lists of them,
    which `list_checkpoints` shows. Tensors are saved on the CPU. Raises `CheckpointError` if the disk is full, or
    if a state_dict holds more than tensors, numbers and strings. An older file of that name is then intact.

    >>> import torch
    >>> model = torch.nn.Linear(2, 1)
    >>> save_checkpoint("run/epoch3.pt", model=model, epoch=3, metrics={"val_loss": 0.5}).name
    'epoch3.pt'
    """
    path = Path(path)
    if path.suffix != ".pt":
        raise CheckpointError(
            f"{path.name!r} ends in {path.suffix!r}, expected '.pt': only those are listed and kept."
        )
    states = capture()  # first, because torchdata's loaders draw a random number in their state_dict()
    objects = zip(PARTS, (model, optimizer, scheduler, scaler, ema, loader), strict=True)
    objects = {part: obj for part, obj in objects if obj is not None}
    try:
        facts = _facts(epoch, step, {} if metrics is None else metrics) | {"holds": list(objects)}
        seen = {}
        content = {part: plain_copy(obj.state_dict(), part, seen=seen) for part, obj in objects.items()}
    except TypeError as error:
        raise CheckpointError(f"Nothing was saved: {error}") from error
    about = {
        "format": file_format.FORMAT,
        "classes": {part: type(obj).__name__ for part, obj in objects.items()},
        "shapes": {part: shapes(obj) for part, obj in objects.items() if shapes(obj) is not None},
        "names": {"optimizer": names(optimizer, model)},
        "rng": states,
    }
    file_format.write(path, about | facts | content, header=facts)
    return path


def load_checkpoint(
    path: str | Path,
    *,
    model: Stateful | None = None,
    optimizer: Stateful | None = None,
    scheduler: Stateful | None = None,
    scaler: Stateful | None = None,
    ema: Stateful | None = None,
    loader: Stateful | None = None,
    rng: bool = True,
) -> dict[str, Any]:
    """Load all parts that are asked for, or none; return a dict of facts.

    Keys: "epoch", "step", "metrics", "versions", and "loaded" and "not_loaded" with the names of the parts that the
    file holds. "rng_notes" has a sentence for each random number generator that this machine could not set.
    "optimizer_note" is None, or a sentence that says that parameters of equal shape could not be told apart because
    the file has no names. Both kinds of sentences are also warned.

    `rng` says whether to set the random number generators. Tensors are moved from the CPU to the device of the
    object. No code from the file is run. Raises `CheckpointError` for a file that is missing, damaged, newer or of
    another kind, and for a part that the file does not hold or that does not fit. Every object and generator is
    then as it was.

    >>> import torch
    >>> model = torch.nn.Linear(2, 1)
    >>> path = save_checkpoint("run/epoch4.pt", model=model, epoch=4)
    >>> facts = load_checkpoint(path, model=torch.nn.Linear(2, 1))
    >>> facts["epoch"], facts["loaded"]
    (4, ['model'])
    """
    content = file_format.read(path)
    objects = zip(PARTS, (model, optimizer, scheduler, scaler, ema, loader), strict=True)
    objects = {part: obj for part, obj in objects if obj is not None}
    absent = [part for part in objects if part not in content["holds"]]
    if absent:
        raise CheckpointError(
            f"{path} holds no {absent[0]}, only {', '.join(content['holds'])}. Leave `{absent[0]}=` out if the "
            "run may go on without it, or take another checkpoint. Nothing was loaded."
        )
    unseen = (
        not_compared(content, optimizer, model) if shapes(optimizer) else None
    )  # before the optimizer takes the file's state
    notes = load_all(path, objects, content, rng=rng)
    for note in [*notes, *filter(None, [unseen])]:
        warnings.warn(note, stacklevel=2)
    facts = {key: content[key] for key in ("epoch", "step", "metrics", "versions")}
    not_loaded = [part for part in content["holds"] if part not in objects]
    return facts | {
        "loaded": list(objects),
        "not_loaded": not_loaded,
        "rng_notes": notes,
        "optimizer_note": unseen,
    }


def list_checkpoints(folder: str | Path) -> list[dict[str, Any]]:
    """Return one dict for each file `*.pt` of a folder, in the order of epoch and step, without reading tensors.

    Keys: "path", "bytes", "epoch", "step", "metrics", "versions", "holds" (names of the parts) and "problem".
    "problem" is None, or a sentence that says why the file is not a readable checkpoint. Then the five keys before
    it are None, and the dict comes last. A flipped bit inside a tensor is found only by `load_checkpoint`, which
    reads it. Raises `CheckpointError` if there is no such folder.

    >>> import torch
    >>> for epoch in (1, 2):
    ...     path = save_checkpoint(f"runs/{epoch}.pt", model=torch.nn.Linear(2, 1), epoch=epoch)
    >>> [(row["path"].name, row["epoch"]) for row in list_checkpoints("runs")]
    [('1.pt', 1), ('2.pt', 2)]
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise CheckpointError(
            f"There is no folder {folder} to list; expected one with checkpoints. Check the path."
        )
    rows = [listing.row(path) for path in sorted(path for path in folder.glob("*.pt") if not is_hidden(path.name))]
    return sorted(rows, key=lambda row: (1, 0, 0) if row["problem"] else (0, row["epoch"], row["step"]))


def keep(folder: str | Path, *, last: int, best: str | None = None, mode: str = "min") -> list[Path]:
    """Delete all checkpoints of a folder except the last ones and the best one; return the paths deleted.

    `last`: how many of the latest (by epoch, then step) stay, at least 1. `best`: the name of a metric. The
    checkpoint with its lowest value (`mode="min"`) or highest value (`mode="max"`) stays too. Those that stay are
    first read and compared with their checksum, and a damaged one does not count. Damaged files, and files of
    another kind, are never deleted. Raises ValueError for another `mode` or `last`, and `CheckpointError` if no
    checkpoint has that metric.

    >>> import torch
    >>> for epoch in (1, 2, 3):
    ...     path = save_checkpoint(f"many/{epoch}.pt", model=torch.nn.Linear(2, 1), epoch=epoch)
    >>> sorted(path.name for path in keep("many", last=1))
    ['1.pt', '2.pt']
    """
    if mode not in ("min", "max") or last < 1:
        raise ValueError(f'last={last!r}, mode={mode!r}; expected at least 1, and "min" or "max".')
    rows = [row for row in list_checkpoints(folder) if row["problem"] is None]
    stay, damaged = listing.intact(reversed(rows), last)
    if best is not None and rows:
        ranked = listing.ranked(rows, best, mode=mode)
        if not ranked:
            raise CheckpointError(
                f"No checkpoint in {folder} has a number as its metric {best!r}; the latest has "
                f"{sorted(rows[-1]['metrics'])}. Nothing was deleted."
            )
        best_one, more = listing.intact(ranked, 1)
        stay, damaged = stay + best_one, damaged + more
    if not stay:
        return []  # if none can be loaded, the others must stay
    gone = [row["path"] for row in rows if row["path"] not in stay + damaged]
    for path in gone:
        path.unlink()
    return gone


def _facts(epoch, step, metrics):
    """Return what the header says of the run. Raises TypeError for values that a header cannot hold."""
    facts = {"epoch": epoch, "step": step, "metrics": metrics}
    facts = {name: plain_copy(value, name) for name, value in facts.items()}
    if found := tensors(facts):
        raise TypeError(f"{next(iter(found))} is a tensor, expected a number: call .item() on it.")
    for name in ("epoch", "step"):
        if type(facts[name]) is not int:
            raise TypeError(f"{name} is {facts[name]!r}, expected an int: how many are done.")
    json.dumps(facts)
    return facts | {"versions": versions("python", "torch", "numpy")}  # NumPy may be missing
