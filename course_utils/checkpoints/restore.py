"""Loading states into several objects so that all of them change, or none does."""

import torch

from course_utils.checkpoints import rng as generators
from course_utils.checkpoints.file_format import CheckpointError
from course_utils.checkpoints.states import misfit, plain

KEPT = "Nothing was loaded."


def shapes(thing):
    """The shapes of what an optimizer trains, one list for each group; None for anything else."""
    if not isinstance(thing, torch.optim.Optimizer):
        return None
    return [[tuple(value.shape) for value in group["params"]] for group in thing.param_groups]


def load_all(path, asked, content, *, rng):
    """Load each part of `content` into the object asked for, then the generators' states; returns notes.

    `asked`: {part: object}. Raises `CheckpointError` when a part does not fit, after putting back what was changed.
    The copies for that are made on the CPU, one of each object.
    """
    for part, thing in asked.items():
        if why := _misfit(part, thing, content):
            raise CheckpointError(f"{path} does not fit: {why} {KEPT}")
    before, undo = generators.capture(), []
    part = "random state"
    try:
        for part, thing in asked.items():
            undo.append((part, _memory(part, thing)))
        generators.restore(before)  # asking a loader for its state may have drawn a number
        for part, thing in asked.items():
            thing.load_state_dict(content[part])
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


def _memory(part, thing):
    """A function that puts an object back into the state it is in now, and returns whether it could."""
    if part == "loader" and hasattr(thing, "next_iter_state"):
        # torchdata's: asking it for its state starts an iterator and workers, and loading sets attributes only.
        attributes = dict(vars(thing))
        return lambda: vars(thing).update(attributes) is None
    state = plain(thing.state_dict(), part, copy=True)

    def put_back():
        try:
            thing.load_state_dict(state)
        except Exception:  # noqa: BLE001  the others must be put back all the same, and the caller is told
            return False
        return True

    return put_back


def _misfit(part, thing, content):
    state = content[part]
    saved, own = content["classes"][part], type(thing).__name__
    if part in ("model", "ema"):  # their keys decide: a class may have been renamed
        return misfit(part, thing, state)
    if saved != own:
        return f"its {part} is of class {saved}, yours is of class {own}. Build the one that was saved."
    if part == "optimizer" and shapes(thing) is not None:
        return _other_parameters(content["shapes"][part], shapes(thing))
    if part == "scheduler":
        saved, own = (len(values.get("base_lrs", ())) for values in (state, thing.state_dict()))
        if saved != own:
            return f"its scheduler drives {saved} parameter groups, yours {own}. Build the groups that were saved."
    if part == "scaler" and state.keys() != thing.state_dict().keys():
        saved = "enabled" if state else "disabled"
        return f"its scaler was {saved}, yours is not. Pass enabled={bool(state)} to GradScaler, or no `scaler=`."
    return None


def _other_parameters(saved, own):
    if [len(group) for group in saved] != [len(group) for group in own]:
        found, expected = ([len(group) for group in groups] for groups in (saved, own))
        return (
            f"its optimizer trains groups of {found} parameters, yours groups of {expected}. Give yours the "
            "parameters of the model that was saved, in the same groups and order."
        )
    for group, (there, here) in enumerate(zip(saved, own, strict=True)):
        for index, (found, expected) in enumerate(zip(there, here, strict=True)):
            if tuple(found) != expected:
                return (
                    f"its optimizer has parameter {index} of group {group} with shape {tuple(found)}, yours with "
                    f"shape {expected}. Build the model, and the order of its parameters, that was saved."
                )
    return None
