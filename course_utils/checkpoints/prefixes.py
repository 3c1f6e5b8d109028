"""Say where the names of two states differ by what wrappers put into them, which is no other model."""

from collections.abc import Iterable

WRAPPERS = {"module.": "DistributedDataParallel, DataParallel or AveragedModel", "_orig_mod.": "torch.compile"}
# What a class of somebody's own is likely to call the model that it holds.
_USUAL = {
    "model.": "most likely a LightningModule or another class that keeps its model as `model`",
    "net.": "most likely a class that keeps its model as `net`",
    "backbone.": "most likely a class that keeps its model as `backbone`",
    "ema.": "most likely a class that keeps the average of its model as `ema`",
    "ema_model.": "most likely a class that keeps the average of its model as `ema_model`",
}
_COUNTERS = {"n_averaged"}  # AveragedModel's own


def unwrapped(name: str) -> str:
    """Return a name without the parts that DDP and torch.compile put in, wherever they stand.

    Example: `"module._orig_mod.0.weight"` and `"0._orig_mod.weight"` are both `"0.weight"`.
    """
    *above, last = name.split(".")
    return ".".join([*(part for part in above if f"{part}." not in WRAPPERS), last])


def difference(part: str, current: Iterable[str], saved: Iterable[str]) -> str | None:
    """Return a sentence where the names of a part differ by wrappers only, else None; the first is yours."""
    current, saved = set(current), set(saved)
    for prefix in _candidates(saved, current):
        if {prefix + name for name in current} <= saved:
            others = sorted(saved - {prefix + name for name in current})
            beside = f" (the file holds {len(others)} more, such as {others[0]!r})" if others else ""
            return (
                f"the names of its {part} begin with {prefix!r}{beside}, yours do not: it was saved inside "
                f"{_wrapper(prefix)}. Wrap yours alike before loading, or take "
                f"torch.load(path, weights_only=True)[{part!r}] as state and {_cure(prefix, others)}. "
                f"Next time save what is inside ({part}.{prefix[:-1]})."
            )
    for prefix in _candidates(current, saved):
        if {prefix + name for name in saved} == current - _COUNTERS:
            return (
                f"the names of your {part} begin with {prefix!r}, the file's do not: yours is inside "
                f"{_wrapper(prefix)}. Pass what is inside: {part}={part}.{prefix[:-1]}."
            )
    bare = {unwrapped(name) for name in saved}
    if current and len(bare) == len(saved) and bare == {unwrapped(name) for name in current}:
        theirs = min(saved ^ current)
        return (
            f"its {part} and yours have the same names but for parts that DDP (`module.`) or torch.compile "
            f"(`_orig_mod.`) put in, as in {theirs!r}. Wrap and compile yours as it was when it was saved, or take "
            f"those parts out of the names of torch.load(path, weights_only=True)[{part!r}] and load that into the "
            "model without wrappers."
        )
    return None


def _candidates(longer: set[str], shorter: set[str]) -> list[str]:
    """Return what may stand before all of the longer names: what is left of those that one shorter name ends."""
    name = max(sorted(shorter - _COUNTERS), key=len, default="")
    return sorted({other.removesuffix(name) for other in longer if name and other.endswith(f".{name}")}, key=len)


def _cure(prefix: str, others: list[str]) -> str:
    if not others:
        return f"call torch.nn.modules.utils.consume_prefix_in_state_dict_if_present(state, {prefix!r})"
    pairs = "name.removeprefix({0!r}): value for name, value in state.items() if name.startswith({0!r})"
    return f"load {{{pairs.format(prefix)}}}"


def _wrapper(prefix: str) -> str:
    known = [WRAPPERS[f"{part}."] for part in prefix.split(".") if f"{part}." in WRAPPERS]
    if known:
        return " and ".join(known)
    return _USUAL.get(prefix, f"most likely a class that keeps its model as `{prefix[:-1]}`")
