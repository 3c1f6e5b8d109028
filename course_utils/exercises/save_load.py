"""Questions of chapter 06: a header read, a prefix taken off, checkpoints that may go, a file replaced safely."""

import errno
import io
import json
import math
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import torch

from course_utils.checks.exercise import Exercise

_BYTES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "U8": 1, "BOOL": 1, "C64": 8}


def _safetensors(tensors, metadata=None, *, separators=(",", ":")):
    """The bytes of a safetensors file: `tensors` maps names to (dtype, shape); `separators` as of `json.dumps`."""
    header, end = {"__metadata__": metadata} if metadata else {}, 0
    for name, (dtype, shape) in tensors.items():
        begin, end = end, end + _BYTES[dtype] * math.prod(shape)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}
    header = dict(sorted(header.items()))  # the order of names need not be the order of the data
    text = json.dumps(header, separators=separators, ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)  # as the library does: the data start at a multiple of 8
    data = (b"}" + bytes(4)) * (end // 5 + 1)  # a number may hold the byte of a brace
    return len(text).to_bytes(8, "little") + text + data[:end]


def small_files(seed: int) -> list[tuple]:
    """Return the arguments (content,) of each case.

    Two tensors, metadata, other dtypes, a single number, an empty tensor, no tensors at all, many. Then names
    that begin with underscores or are not English, metadata that come last, and a very long header.
    """
    draw = torch.Generator().manual_seed(seed)
    rows, columns, many = torch.randint(2, 40, (3,), generator=draw).tolist()
    layer = {"weight": ("F32", [rows, columns]), "bias": ("F32", [rows])}
    mixed = {"codes": ("U8", [many]), "half": ("BF16", [columns, 3]), "steps": ("I64", [])}
    mixed |= {"mask": ("BOOL", [rows]), "waves": ("C64", [2]), "coarse": ("F16", [columns])}
    named = {"_scale": ("F32", [rows]), "__shift": ("F64", [rows]), "größe.層": ("F32", [columns])}
    stack = {"0.weight": ("F32", [rows, columns]), "0.bias": ("F32", [rows])}
    return [
        (_safetensors(layer, separators=(", ", ": ")),),
        (_safetensors(layer, {"format": "pt", "epoch": str(many)}),),
        (_safetensors(mixed, {"format": "pt", "dtype": "mixed"}),),
        (_safetensors({"none": ("F32", [0, columns]), "exact": ("F64", [rows])}),),
        (_safetensors({}),),
        (_safetensors({f"layer{n}.weight": ("F32", [n, rows]) for n in range(1, 30)}),),
        (_safetensors(named, {"format": "pt"}),),
        (_safetensors(stack, {"format": "pt"}),),  # sorted, digits come before "__metadata__"
        (_safetensors(layer, {"history": f"{many} " * 40_000}),),
    ]


def _header(content):
    return json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])


def tensor_bytes(content):
    """First the length, then the JSON; every entry but `__metadata__` is a tensor from `begin` to `end`."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    sizes = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        sizes[name] = end - begin
    return sizes


def the_ends_alone(content):
    """You gave where each tensor ends. Only the first begins at 0: subtract `begin`."""
    return {n: e["data_offsets"][1] for n, e in _header(content).items() if n != "__metadata__"}


def the_beginnings_alone(content):
    """You gave where each tensor begins: its place in the data, not its size. Subtract: `end - begin`."""
    return {n: e["data_offsets"][0] for n, e in _header(content).items() if n != "__metadata__"}


def elements_instead_of_bytes(content):
    """You multiplied the shape: that counts elements, and a float32 element has four bytes. The header has the
    places in bytes: `data_offsets`."""
    return {n: math.prod(e["shape"]) for n, e in _header(content).items() if n != "__metadata__"}


def four_bytes_each(content):
    """You took four bytes for every element. That is right for F32 and wrong for BF16, F64, I64 and U8; the
    difference of the `data_offsets` is right for all."""
    return {n: 4 * math.prod(e["shape"]) for n, e in _header(content).items() if n != "__metadata__"}


def metadata_as_a_tensor(content):
    """You listed `__metadata__` among the tensors. It is the one entry that is none: a place for notes."""
    entries = {n: e.get("data_offsets", (0, 0)) for n, e in _header(content).items()}
    return {name: end - begin for name, (begin, end) in entries.items()}


tensor_bytes = Exercise(
    tensor_bytes,
    inputs=small_files,
    mistakes=(
        the_ends_alone,
        the_beginnings_alone,
        elements_instead_of_bytes,
        four_bytes_each,
        metadata_as_a_tensor,
    ),
    hints=(
        "The first two lines stand in the cell above: the length from eight bytes, then `json.loads`.",
        "Each entry has `data_offsets`, a pair (begin, end), in bytes.",
        "Leave out the entry `__metadata__`, if there is one: `header.pop('__metadata__', None)`.",
    ),
)


def prefixed(seed: int) -> list[tuple]:
    """Return the arguments (state_dict, prefix) of each case.

    All prefixed, inside a name, twice, some without, another prefix, none, a near miss. Then nothing to take
    off, and a transposed matrix and a counter.
    """
    draw = torch.Generator().manual_seed(seed)

    def tensors(*names):
        return {name: torch.randn(2, generator=draw) for name in names}

    return [
        (tensors("module.conv1.weight", "module.conv1.bias"), "module."),
        (tensors("module.model.weight", "model.module.weight"), "module."),
        (tensors("module.module.weight", "module.head.module.bias"), "module."),
        (tensors("module.linear.weight", "n_averaged"), "module."),
        (tensors("_orig_mod.0.weight", "_orig_mod.0.bias"), "_orig_mod."),
        ({}, "module."),
        (tensors("modules.weight", "module_bias", "module.bias"), "module."),
        (tensors("weight", "bias"), "module."),
        (
            {
                "module.weight": torch.randn(3, 2, generator=draw).T,
                "module.bn.num_batches_tracked": torch.randint(9, (), generator=draw),
            },
            "module.",
        ),
    ]


def whose_tensors(answer: Callable, state_dict: dict[str, torch.Tensor], prefix: str) -> dict:
    """Say what the answer returned, and whether that is a new dictionary of the very tensors it was given."""
    given = list(state_dict.values())
    found = answer(state_dict, prefix)
    returned = list(found.values()) if isinstance(found, dict) else []
    return {
        "the dictionary": found,
        "a dictionary of its own": found is not state_dict,
        "the tensors themselves, no copies": all(any(one is tensor for tensor in given) for one in returned),
    }


def without_prefix(state_dict, prefix):
    """`removeprefix` takes the prefix off at the start, once, and leaves a name without it as it is."""
    renamed = {}
    for name, tensor in state_dict.items():
        renamed[name.removeprefix(prefix)] = tensor
    return renamed


def replaced_everywhere(state_dict, prefix):
    """`replace` takes the prefix out wherever it stands: `model.module.weight` became `model.weight`. Only the
    start of a name is meant."""
    return {name.replace(prefix, ""): tensor for name, tensor in state_dict.items()}


def stripped_letters(state_dict, prefix):
    """`lstrip` takes off *letters*, any of those in the prefix, in any order: `module.model.weight` lost its
    `model.` as well. For a whole word there is `removeprefix`."""
    return {name.lstrip(prefix): tensor for name, tensor in state_dict.items()}


def always_cut(state_dict, prefix):
    """You cut the same number of characters off every name, also off those that do not start with the prefix: look
    what became of `n_averaged`."""
    return {name[len(prefix) :]: tensor for name, tensor in state_dict.items()}


def only_the_prefixed(state_dict, prefix):
    """You left out the entries without the prefix. They keep their name, and they stay."""
    return {name.removeprefix(prefix): tensor for name, tensor in state_dict.items() if name.startswith(prefix)}


def more_than_once(state_dict, prefix):
    """You took the prefix off as often as it came: `module.module.weight` was wrapped once and has a part that is
    itself called `module`. Take it off once."""
    renamed = {}
    for name, tensor in state_dict.items():
        while name.startswith(prefix):
            name = name.removeprefix(prefix)
        renamed[name] = tensor
    return renamed


without_prefix = Exercise(
    without_prefix,
    inputs=prefixed,
    probe=whose_tensors,
    mistakes=(replaced_everywhere, stripped_letters, always_cut, only_the_prefixed, more_than_once),
    hints=(
        "A new dictionary: the same tensors, other names. A loop over `state_dict.items()`.",
        "Strings have a method for it that looks only at the start and only once: `removeprefix`.",
    ),
)


def checkpoints_on_disk(seed: int) -> list[tuple]:
    """Return the arguments (losses, last) of each case.

    Unordered, none kept by age, best among the last, all kept, a tie, nothing there, one. Then step 0 the best,
    losses that float32 cannot tell apart, none that is finite, and steps far and near.
    """
    draw = torch.Generator().manual_seed(seed)
    steps = torch.randperm(40, generator=draw)[:9].tolist()
    losses = {100 * step: round(torch.rand((), generator=draw).item(), 3) for step in steps}
    newest, oldest = max(losses), min(losses)
    return [
        (losses, 3),
        (losses, 0),
        ({**losses, newest: 0.0}, 2),
        ({**losses, oldest: 0.0}, 2),
        (losses, 20),
        (losses, len(losses) + 3),
        ({40: 0.5, 30: 0.2, 10: 0.2, 20: 0.9, 50: 0.7}, 1),
        ({}, 2),
        ({7: 1.5}, 0),
        ({10: 0.5, 0: 0.2, 20: 0.4}, 1),
        ({10: 0.3000000001, 20: 0.3, 30: 0.7}, 0),
        ({20: math.inf, 10: math.inf, 30: math.inf}, 1),
        ({10: 0.5, 20: 0.2, 100: 0.3, 110: 0.6, 115: 0.9}, 3),
    ]


def superfluous(losses, last):
    """What is neither among the `last` highest steps nor the best."""
    kept = sorted(losses, reverse=True)[:last]
    if losses:
        kept.append(min(sorted(losses), key=losses.get))
    return [step for step in sorted(losses) if step not in kept]


def minus_zero(losses, last):
    """With `last = 0` you delete nothing: `[-0:]` is `[0:]`, the whole list. Sort from high to low and take
    `[:last]`."""
    kept = sorted(losses)[-last:]
    best = min(sorted(losses), key=losses.get) if losses else None
    return [step for step in sorted(losses) if step not in kept and step != best]


def best_deleted(losses, last):
    """You keep the last ones and delete the best: the file that you trained for."""
    return [step for step in sorted(losses) if step not in sorted(losses, reverse=True)[:last]]


def highest_loss_kept(losses, last):
    """You kept the checkpoint with the *highest* loss: that is the worst. For a loss, smaller is better."""
    kept = sorted(losses, reverse=True)[:last]
    best = max(sorted(losses), key=losses.get) if losses else None
    return [step for step in sorted(losses) if step not in kept and step != best]


def last_of_the_dictionary(losses, last):
    """You took the last entries of the dictionary. A folder lists its files in no useful order: sort the steps."""
    kept = list(losses)[len(losses) - min(last, len(losses)) :]
    best = min(sorted(losses), key=losses.get) if losses else None
    return [step for step in sorted(losses) if step not in kept and step != best]


def the_kept_ones(losses, last):
    """You returned the steps that stay. Asked for are those that may go."""
    kept = set(sorted(losses, reverse=True)[:last])
    if losses:
        kept.add(min(sorted(losses), key=losses.get))
    return sorted(kept)


def best_counted_among_the_last(losses, last):
    """You made room for the best by keeping one of the last fewer. Keep `last` of them, *and* the best."""
    best = min(sorted(losses), key=losses.get) if losses else None
    kept = sorted(losses, reverse=True)[: max(0, last - 1)]
    return [step for step in sorted(losses) if step not in kept and step != best]


superfluous = Exercise(
    superfluous,
    inputs=checkpoints_on_disk,
    mistakes=(
        minus_zero,
        best_deleted,
        highest_loss_kept,
        last_of_the_dictionary,
        the_kept_ones,
        best_counted_among_the_last,
    ),
    hints=(
        "Collect what stays, then return the others.",
        "`sorted(losses, reverse=True)[:last]`: the highest steps, also for `last = 0`.",
        "`min(sorted(losses), key=losses.get)`: the step with the lowest loss, the earliest of equals. An empty "
        "dictionary has no minimum.",
    ),
)


def saves(seed: int) -> list[tuple]:
    """Return the arguments (old, chunks, fails_after, ...) of each case.

    A new file over an old one, full disk early and late, no old one, nothing. Then a user's Ctrl-C, a path with
    a suffix of temporary files, and a `write` that goes back to the start.
    """
    draw = torch.Generator().manual_seed(seed)

    def some(count):
        return bytes(torch.randint(256, (count,), generator=draw, dtype=torch.uint8).tolist())

    chunks = tuple(some(n) for n in (100, 1, 300))
    return [
        (some(50), chunks, None),
        (some(50), chunks, 2),
        (some(50), chunks, 2, RuntimeError),
        (some(600), chunks, 0),
        (None, chunks, None),
        (None, chunks, 1),
        (some(5), (), None),
        (some(50), chunks, 1, KeyboardInterrupt),
        (some(50), chunks, None, OSError, "last.tmp"),
        (some(50), chunks, None, OSError, "last.pt", True),
    ]


def _place(file, path):
    """Where the bytes go that are written to `file`, in words."""
    if isinstance(file, (io.BytesIO, tempfile.SpooledTemporaryFile)):  # not asked for its number: it would get one
        return "memory"
    others = [other for other in path.parent.rglob("*") if other.is_file() and other != path]
    try:
        about = os.fstat(file.fileno())
    except (AttributeError, OSError):  # a wrapper of the learner's own
        return "a file beside `path`" if others else "something else"
    if path.exists() and os.path.samestat(about, path.stat()):
        return "`path` itself"
    beside = any(os.path.samestat(about, other.stat()) for other in others)
    return "a file beside `path`" if beside else "a file elsewhere"


def watched(
    answer: Callable,
    old: bytes | None,
    chunks: list[bytes],
    fails_after: int | None,
    problem: type[BaseException] = OSError,
    name: str = "last.pt",
    goes_back: bool = False,
) -> dict:
    """Save `chunks` in a folder of its own, where writing fails after some of them; say what a watcher saw."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        if old is not None:
            path.write_bytes(old)
        place = path.stat().st_ino if old is not None else None
        filled, unchanged, closed, synced = [], [], [], ["never"]

        def look():
            now = path.read_bytes() if path.exists() else None
            unchanged.append(now == old)

        def write(file):
            filled.append((file, _place(file, path)))
            for number, chunk in enumerate((*chunks, None)):
                look()
                if number == fails_after:
                    raise problem(errno.ENOSPC, "No space left on device")
                if chunk is not None:
                    file.write(chunk)
            if goes_back:
                file.seek(0)
                file.write(chunks[-1][:8])

        def fsync(file, real=os.fsync):
            number = file if isinstance(file, int) else file.fileno()
            about = os.fstat(number)
            taken = path.exists() and os.path.samestat(about, path.stat())  # too late: it has the name already
            if not stat.S_ISREG(about.st_mode):
                synced.append("of the folder only")
            elif taken:
                synced.append("only when it had the name already")
            elif about.st_size < sum(map(len, chunks)):
                synced.append("before all bytes had left Python's buffer")
            else:
                synced.append("in time")
            real(number)

        def renamed(*names, real, **places):
            look()
            closed.extend(getattr(file, "closed", True) for file, _ in filled)
            return real(*names, **places)

        def replace(*names, real=os.replace, **places):
            return renamed(*names, real=real, **places)

        def rename(*names, real=os.rename, **places):
            return renamed(*names, real=real, **places)

        error = "none"
        with mock.patch("os.fsync", fsync), mock.patch("os.replace", replace), mock.patch("os.rename", rename):
            try:
                answer(path, write)
            except (OSError, problem) as caught:
                error = errno.errorcode.get(getattr(caught, "errno", None), type(caught).__name__)
        left = sum(other != path for other in Path(folder).iterdir())
        content = list(path.read_bytes()) if path.exists() else []
        written_into = fails_after is None and place is not None and path.exists() and path.stat().st_ino == place
        waits = "in time" if "in time" in synced else synced[-1]
        return {
            "what `write` filled": ", then ".join(place for _, place in filled),
            "`path` as it was, until the rename": all(unchanged),
            "the old file itself overwritten": written_into,
            "the error that comes out": error,
            "other files left behind": left,
            "the content of `path`": content,
            "os.fsync of the new file": waits if fails_after is None else "not reached",
            "closed before the rename": all(closed),
        }


def replace_file(path, write):
    """A new file beside the old one, complete and on the disk before it takes the name; removed if it fails."""
    new = path.with_name(path.name + ".tmp")
    try:
        with new.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        new.unlink()
        raise
    new.replace(path)


def straight_into_it(path, write):
    """You opened `path` itself for writing: from that moment the old content is gone, and when the disk is full
    half-way, both are. Write into another file of the same folder, then rename it."""
    with path.open("wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())


def renamed_whatever_happened(path, write):
    """You rename even when `write` has failed: half a file takes the place of a whole one. Rename only after
    the last line of the writing."""
    new = path.with_name(path.name + ".tmp")
    try:
        with new.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    finally:
        new.replace(path)


def left_the_half(path, write):
    """When `write` fails, your half-written file stays in the folder: on a disk that is full already. Remove it,
    and let the error go on."""
    new = path.with_name(path.name + ".tmp")
    with new.open("wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def kept_it_quiet(path, write):
    """You caught the error and said nothing: the training goes on for a week and believes that it was saved. Clean
    up, then `raise`."""
    new = path.with_name(path.name + ".tmp")
    try:
        with new.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError:
        new.unlink()


def never_synced(path, write):
    """The rename is right, but nothing waits for the disk: after a power cut the new name can stand for an empty
    file. `file.flush()`, then `os.fsync(file.fileno())`, before the rename."""
    new = path.with_name(path.name + ".tmp")
    try:
        with new.open("wb") as file:
            write(file)
        new.replace(path)
    except BaseException:
        new.unlink()
        raise


def old_one_removed_first(path, write):
    """You removed the old file before the new one was complete: if the process dies between, there is none.
    `replace` overwrites; nothing needs to be removed before."""
    new = path.with_name(path.name + ".tmp")
    try:
        path.unlink(missing_ok=True)
        with new.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        new.unlink()
        raise
    new.replace(path)


def on_another_disk(path, write):
    """You wrote the new file in another folder. If that is on another disk, the rename becomes a copy, which can
    stop half-way (or is refused). Put it beside the old one: `path.with_name(...)`."""
    new = Path(tempfile.mkdtemp(dir=path.parent.parent)) / path.name
    try:
        with new.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
        new.parent.rmdir()


replace_file = Exercise(
    replace_file,
    inputs=saves,
    probe=watched,
    mistakes=(
        straight_into_it,
        renamed_whatever_happened,
        left_the_half,
        kept_it_quiet,
        never_synced,
        old_one_removed_first,
        on_another_disk,
    ),
    hints=(
        'Another name in the same folder: `path.with_name(path.name + ".tmp")`. Open it with `"wb"`, bytes.',
        "Inside `with`: `write(file)`, then `file.flush()` and `os.fsync(file.fileno())`.",
        "Around the `with`: `try`, and `except BaseException:` remove the new file and `raise`.",
        "Last of all, outside of the `try`: `new.replace(path)`.",
    ),
)
