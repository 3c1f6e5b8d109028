"""Find out whether an answer changed its arguments: their values, and a model's mode, hooks and attributes."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import torch
from torch import nn

from lessonkit.checks.compare import difference
from lessonkit.checks.wording import number, short

_OF_EVERY_MODULE = set(vars(nn.Module()))
_PLAIN = (bool, int, float, str, tuple, type(None))


@dataclass(frozen=True)
class Alteration:
    """One thing that is not as it was: of which argument (counted from 0), of what kind, and in words.

    `words` stand after the argument's name: `images` "was altered: …".
    """

    argument: int
    kind: str
    words: str = field(compare=False)


def alterations(after: tuple, before: tuple) -> frozenset[Alteration]:
    """Return what became of the arguments, the first of each kind for each argument."""
    found = {}
    for place, (now, once) in enumerate(zip(after, before, strict=True)):
        try:
            changes = list(_changes(now, once))
        except Exception:  # noqa: BLE001 - an answer may leave anything in an argument, also what refuses to be read
            changes = [("values", "was changed so much that it cannot be compared")]
        for kind, words in changes:
            found.setdefault((place, kind), Alteration(place, kind, words))
    return frozenset(found.values())


def _changes(now, once) -> Iterator[tuple[str, str]]:
    if isinstance(once, nn.Module):
        yield from _module(now, once) if isinstance(now, nn.Module) else [("values", "is no longer a module")]
    elif isinstance(once, (list, tuple)) and any(isinstance(one, nn.Module) for one in once):
        for one, other in zip(now, once, strict=False):
            yield from _changes(one, other)
    elif isinstance(once, dict) and any(isinstance(one, nn.Module) for one in once.values()):
        for key in once.keys() & now.keys():
            yield from _changes(now[key], once[key])
    elif isinstance(once, (torch.Tensor, int, float, str, tuple, list, dict, set, frozenset)) and difference(
        now, once, rtol=0, atol=0
    ):
        yield "values", _became(now, once)
    # functions, generators, data sets: nothing to compare


def _became(now, once):
    """Say in words what a tensor or container was and is."""
    if isinstance(once, torch.Tensor) and isinstance(now, torch.Tensor):
        if now.shape != once.shape:
            return f"had the shape {tuple(once.shape)} and now has {tuple(now.shape)}"
        if now.dtype != once.dtype or now.requires_grad != once.requires_grad:
            name = "dtype" if now.dtype != once.dtype else "requires_grad"
            return f"had {name} {getattr(once, name)} and now has {getattr(now, name)}"
        apart = ~torch.isclose(now.detach(), once.detach(), rtol=0, atol=0, equal_nan=True)
        index = apart.nonzero()[0].tolist()
        here, there = (number(x[tuple(index)].item()) for x in (once, now))
        return f"was changed: element {index} was {here} and is now {there}"
    if isinstance(once, dict) and isinstance(now, dict):
        for key in once:
            if key not in now:
                return f"has lost its key {key!r}"
            if difference(now[key], once[key], rtol=0, atol=0):
                return f"was changed: its value of {key!r} is different"
        return f"has the new key {next(key for key in now if key not in once)!r}"
    if isinstance(once, (list, set)) and len(now) != len(once):
        return f"had {len(once)} elements and now has {len(now)}"
    one, other = short(once), short(now)
    return f"was {one} and is now {other}" if one and other and one != other else "was changed"


def _module(now, once):
    here = dict(now.named_modules(remove_duplicate=False))
    for name, was in once.named_modules(remove_duplicate=False):
        part, of = here.get(name), f" in its part `{name}`" if name else ""
        if part is None or type(part) is not type(was):
            yield "parts", f"has other parts than before{of}"
            continue
        if part.training != was.training:
            words = ("training", "evaluation") if part.training else ("evaluation", "training")
            yield "mode", f"is now in {words[0]} mode{of}; it was in {words[1]} mode"
        yield from ((kind, words + of) for kind, words in _attributes(part, was))
    yield from _tensors(now, once)


def _attributes(part, was):
    hooks = [name for name in _OF_EVERY_MODULE if name.endswith("_hooks")]
    if any(len(vars(part).get(name, ())) > len(vars(was).get(name, ())) for name in hooks):
        yield "hooks", "has a new hook"
    if any(len(vars(part).get(name, ())) < len(vars(was).get(name, ())) for name in hooks):
        yield "hooks", "has lost a hook"
    own, old = ({n: v for n, v in vars(x).items() if n not in _OF_EVERY_MODULE} for x in (part, was))
    for name in own.keys() ^ old.keys():
        yield "attributes", f"has the new attribute `{name}`" if name in own else f"has lost its `{name}`"
    if type(was).__module__.startswith("torch."):  # a class of the question's own may count its calls
        for name in own.keys() & old.keys():
            if isinstance(old[name], _PLAIN) and own[name] != old[name]:
                yield "attributes", f"has a changed `{name}`: it was {old[name]!r} and is now {own[name]!r}"


def _tensors(now, once):
    here = dict(now.named_parameters(remove_duplicate=False))
    for name, was in once.named_parameters(remove_duplicate=False):
        if name in here and here[name].requires_grad != was.requires_grad:
            yield "requires_grad", f"now has `{name}.requires_grad = {here[name].requires_grad}`"
    after, before = now.state_dict(), once.state_dict()
    for name in (name for name in before if name in after):
        if difference(after[name], before[name], rtol=0, atol=0):
            yield "values", f"was changed: its `{name}` now has other values"
            return
    if after.keys() != before.keys():
        yield "values", f"has other tensors than before: {short(sorted(after.keys() ^ before.keys())) or 'several'}"
