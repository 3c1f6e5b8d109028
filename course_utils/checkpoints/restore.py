"""Load states into several objects so that either all of them change or none does."""

from pathlib import Path
from typing import Any

from course_utils.checkpoints import rng as generators
from course_utils.checkpoints import trained
from course_utils.checkpoints.file_format import CheckpointError
from course_utils.checkpoints.state_dicts import Stateful, mismatch, plain_copy

KEPT = "Nothing was loaded."


def load_all(path: Path, objects: dict[str, Stateful], content: dict[str, Any], *, rng: bool) -> list[str]:
    """Load each object's state_dict, then the generator states; return a sentence for each generator not set.

    `objects`: by the name of the part. `content`: what `file_format.read` returned. `rng`: whether to set the
    generators. Raises `CheckpointError` when a state_dict does not fit, after putting back what was changed; the
    copies for that are made on the CPU, one of each object.
    """
    for part, obj in objects.items():
        if why := _mismatch(part, obj, content, objects.get("model")):
            raise CheckpointError(f"{path} does not fit: {why} {KEPT}")
    before, undo = generators.capture(), []
    part = "random state"
    try:
        for part, obj in objects.items():
            undo.append((part, _undo(part, obj)))
        generators.restore(before)  # asking a loader for its state may have drawn a number
        for part, obj in objects.items():
            obj.load_state_dict(content[part])
        part = "random state"
        return generators.restore(content["rng"]) if rng else []
    except BaseException as error:
        lost = [name for name, put_back in undo if not put_back()]
        generators.restore(before)
        if not isinstance(error, Exception):
            raise  # an interrupt stays one
        end = f"Your {lost[0]} refused its former state too: build it anew." if lost else KEPT
        raise CheckpointError(
            f"{path} does not fit: your {part} refused its saved state with {type(error).__name__}: {error}. "
            f"Build the {part} as it was when the file was saved. {end}"
        ) from error


def _undo(part, obj):
    """Return a function that puts an object back into the state it is in now, and returns whether it could."""
    if part == "loader" and hasattr(obj, "next_iter_state"):
        # torchdata's: asking it for its state starts an iterator and workers, and loading sets attributes only.
        attributes = dict(vars(obj))
        return lambda: vars(obj).update(attributes) is None
    state = plain_copy(obj.state_dict(), part, copy=True)

    def put_back():
        try:
            obj.load_state_dict(state)
        except Exception:  # noqa: BLE001  the others must be put back all the same, and the caller is told
            return False
        return True

    return put_back


def _mismatch(part, obj, content, model):
    state = content[part]
    saved, current = content["classes"][part], type(obj).__name__
    if part in ("model", "ema"):  # their keys decide: a class may have been renamed
        return mismatch(part, obj, state)
    if saved != current:
        return f"its {part} is of class {saved}, yours is of class {current}. Build the one that was saved."
    if part == "optimizer" and trained.shapes(obj) is not None:
        return trained.mismatch(content, obj, model)
    if part == "scheduler":
        saved, current = (len(values.get("base_lrs", ())) for values in (state, obj.state_dict()))
        if saved != current:
            return (
                f"its scheduler drives {saved} parameter groups, yours {current}. Build the groups that were saved."
            )
    if part == "scaler" and state.keys() != obj.state_dict().keys():
        was = "enabled" if state else "disabled"
        return f"its scaler was {was}, yours is not. Pass enabled={bool(state)} to GradScaler, or no `scaler=`."
    return None
