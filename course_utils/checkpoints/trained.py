"""Which parameters an optimizer trains: recorded by name when it is saved, and compared when it is loaded.

`Optimizer.load_state_dict` goes by position alone. Where shapes are alike, the momenta and the learning rate of one
layer go to another one without an error.
"""

from collections import Counter
from itertools import chain
from typing import Any

import torch

from course_utils.checkpoints.prefixes import unwrapped
from course_utils.checkpoints.state_dicts import Stateful

Names = list[list[str | None]]  # one list for each parameter group; None where a name is not known
_DO = "Build the groups and the order that were saved."


def shapes(obj: Stateful) -> list[list[tuple[int, ...]]] | None:
    """Return the shapes of what an optimizer trains, one list for each parameter group; None for anything else."""
    if not isinstance(obj, torch.optim.Optimizer):
        return None
    return [[tuple(value.shape) for value in group["params"]] for group in obj.param_groups]


def names(optimizer: Stateful, model: Stateful | None) -> Names | None:
    """Return the names of what an optimizer trains: the model's, else those that it was built with (torch 2.6).

    Names are without the parts that wrappers put in. None for what is no optimizer.
    """
    if not isinstance(optimizer, torch.optim.Optimizer):
        return None
    own = model.named_parameters() if isinstance(model, torch.nn.Module) else ()
    known = {id(value): unwrapped(name) for name, value in own}
    found = []
    for group in optimizer.param_groups:
        given = group.get("param_names") or [None] * len(group["params"])
        pairs = zip(group["params"], given, strict=True)
        found.append([known.get(id(value), name and unwrapped(name)) for value, name in pairs])
    return found


def saved_names(content: dict[str, Any]) -> Names | None:
    """Return the names that a checkpoint holds of its optimizer's parameters, None where it holds none."""
    recorded = content.get("names")
    if isinstance(recorded, dict) and _are_names(recorded.get("optimizer")):
        return recorded["optimizer"]
    groups = content["optimizer"].get("param_groups", ()) if isinstance(content["optimizer"], dict) else ()
    found = [group.get("param_names") for group in groups if isinstance(group, dict)]
    return [[unwrapped(name) for name in group] for group in found] if _are_names(found) and all(found) else None


def mismatch(content: dict[str, Any], optimizer: Stateful, model: Stateful | None) -> str | None:
    """Return a sentence where the saved optimizer trains other parameters, as far as shapes and names show it."""
    saved, current = content["shapes"]["optimizer"], shapes(optimizer)
    if [len(group) for group in saved] != [len(group) for group in current]:
        found, expected = ([len(group) for group in groups] for groups in (saved, current))
        return (
            f"its optimizer trains groups of {found} parameters, yours groups of {expected}. Give yours the "
            "parameters of the model that was saved, in the same groups and order."
        )
    for group, pair in enumerate(zip(saved, current, strict=True)):
        for index, (found, expected) in enumerate(zip(*pair, strict=True)):
            if tuple(found) != expected:
                return (
                    f"its optimizer has parameter {index} of group {group} with shape {tuple(found)}, yours with "
                    f"shape {expected}. Build the model, and the order of its parameters, that was saved."
                )
    theirs, ours = saved_names(content), names(optimizer, model)
    for group, pair in enumerate(zip(theirs or (), ours, strict=False)):
        for index, (found, expected) in enumerate(zip(*pair, strict=False)):
            if found and expected and found != expected:
                return (
                    f"its optimizer has {found!r} as parameter {index} of group {group}, yours has {expected!r} "
                    "there, of the same shape: loading would give one the momenta and the learning rate of the "
                    f"other. {_DO}"
                )
    return None


def not_compared(content: dict[str, Any], optimizer: Stateful, model: Stateful | None) -> str | None:
    """Return a sentence where shapes alone cannot tell parameters apart and names were not there to compare."""
    theirs, ours = (
        [*chain.from_iterable(found or ())] for found in (saved_names(content), names(optimizer, model))
    )
    if theirs and None not in theirs and None not in ours:
        return None
    shape, alike = Counter(chain.from_iterable(shapes(optimizer))).most_common(1)[0] if ours else ((), 0)
    if alike < 2:
        return None
    if not theirs or None in theirs:
        which = "the file does not name all the parameters that its optimizer trains"
    elif isinstance(model, torch.nn.Module):
        which = "yours trains parameters that are not in your model"
    else:
        which = "yours does not name its parameters (pass model= as well)"
    return (
        f"The optimizer was compared by order and shape alone, because {which}. {alike} parameters have the shape "
        f"{shape}: whether they stood in this order and in these groups when the file was saved cannot be seen."
    )


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(group, list) and all(name is None or isinstance(name, str) for name in group) for group in value
    )
