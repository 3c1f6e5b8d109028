"""Our answers to the questions of chapter 06: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import copy
import json
import os
import random
import tempfile
from pathlib import Path

import torch
from torch import nn

from course_utils.exercises.save_load import questions as ex  # a reference is pasted where `ex` is the chapter's
from lessonkit.checks.answer import Answer


def load_what_fits(model, state_dict):
    """Collect the tensors that fit under the model's own names. Then `load_state_dict` with `strict=False`
    raises no error."""
    own = model.state_dict()
    fitting = {}
    for name, tensor in state_dict.items():
        name = name.removeprefix("module.")
        if name in own and own[name].shape == tensor.shape:
            fitting[name] = tensor
    model.load_state_dict(fitting, strict=False)
    return [name for name in own if name not in fitting]


def _named(model, state_dict, rename=lambda name: name.removeprefix("module.")):
    own = model.state_dict()
    state = {rename(name): tensor for name, tensor in state_dict.items()}
    fitting = {name: t for name, t in state.items() if name in own and own[name].shape == t.shape}
    return own, state, fitting


def strict_false_alone(model, state_dict):
    """`strict=False` accepts missing and unexpected names, but not other shapes: if a name matches and the shape
    does not, it raises `size mismatch`. It also silently ignores the names that begin with `module.`."""
    return list(model.load_state_dict(state_dict, strict=False).missing_keys)


def shapes_not_compared(model, state_dict):
    """You matched the names but not the shapes. If a shape differs, `load_state_dict` raises `size mismatch`,
    even with `strict=False`. Remove those tensors before you load."""
    own, state, _ = _named(model, state_dict)
    fitting = {name: tensor for name, tensor in state.items() if name in own}
    model.load_state_dict(fitting, strict=False)
    return [name for name in own if name not in fitting]


def prefix_left_on(model, state_dict):
    """You compared the names as they are in the file. The names that a wrapper saved begin with `module.`;
    remove that prefix before you look up the name."""
    own, _, fitting = _named(model, state_dict, rename=str)
    model.load_state_dict(fitting, strict=False)
    return [name for name in own if name not in fitting]


def taken_out_everywhere(model, state_dict):
    """`replace` removes `module.` everywhere, also from `head.module.weight`, which contains the name of a
    layer. Remove it from the start of the name only, with `removeprefix`."""
    own, _, fitting = _named(model, state_dict, rename=lambda name: name.replace("module.", ""))
    model.load_state_dict(fitting, strict=False)
    return [name for name in own if name not in fitting]


def taken_off_twice(model, state_dict):
    """You removed `module.` as often as it occurs at the start. But `module.module.weight` is not the `weight`
    of this model, so remove the prefix only once."""

    def rename(name):
        while name.startswith("module."):
            name = name.removeprefix("module.")
        return name

    own, _, fitting = _named(model, state_dict, rename=rename)
    model.load_state_dict(fitting, strict=False)
    return [name for name in own if name not in fitting]


def renamed_one_by_one(model, state_dict):
    """PyTorch's helper renames inside the dictionary, one name after the other. So `module.module.weight` became
    `module.weight` and overwrote the tensor that had this name. Build a new dictionary."""
    renamed = dict(state_dict)
    nn.modules.utils.consume_prefix_in_state_dict_if_present(renamed, "module.")
    own, _, fitting = _named(model, renamed, rename=str)
    model.load_state_dict(fitting, strict=False)
    return [name for name in own if name not in fitting]


def prefix_off_the_callers_dictionary(model, state_dict):
    """The helper returns None and renames inside the dictionary that it gets, so your caller's `state_dict` now
    has other names. Build a new dictionary."""
    nn.modules.utils.consume_prefix_in_state_dict_if_present(state_dict, "module.")
    own, _, fitting = _named(model, state_dict, rename=str)
    model.load_state_dict(fitting, strict=False)
    return [name for name in own if name not in fitting]


def as_many_numbers(model, state_dict):
    """You compared the number of elements instead of the shape. A transposed matrix has as many elements, in
    another order. Compare `tensor.shape`."""
    own, state, _ = _named(model, state_dict)
    fitting = {
        name: t.view(own[name].shape) for name, t in state.items() if name in own and t.numel() == own[name].numel()
    }
    model.load_state_dict(fitting, strict=False)
    return [name for name in own if name not in fitting]


def copied_where_it_broadcasts(model, state_dict):
    """You relied on `copy_` to refuse what does not fit, but `copy_` broadcasts: it copied a bias with one
    element into every element. Compare the shapes."""
    own, state, _ = _named(model, state_dict)
    done = []
    for name, tensor in state.items():
        try:
            own[name].copy_(tensor)
            done.append(name)
        except (KeyError, RuntimeError):
            pass
    return [name for name in own if name not in done]


def parameters_without_buffers(model, state_dict):
    """You went through the parameters only. A `state_dict` also has buffers, and here BatchNorm's running mean
    was not loaded."""
    _, _, fitting = _named(model, state_dict)
    own = [name for name, _ in model.named_parameters(remove_duplicate=False)]
    model.load_state_dict({name: t for name, t in fitting.items() if name in own}, strict=False)
    return [name for name in model.state_dict() if name not in fitting or name not in own]


def names_nobody_wanted(model, state_dict):
    """You returned the names that only the *file* has. Return the names that only the model has."""
    own, state, fitting = _named(model, state_dict)
    model.load_state_dict(fitting, strict=False)
    return [name for name in state if name not in own]


load_what_fits = Answer(
    load_what_fits,
    mistakes=(
        strict_false_alone,
        shapes_not_compared,
        prefix_left_on,
        taken_out_everywhere,
        taken_off_twice,
        renamed_one_by_one,
        prefix_off_the_callers_dictionary,
        as_many_numbers,
        copied_where_it_broadcasts,
        parameters_without_buffers,
        names_nobody_wanted,
    ),
    hints=(
        "`own = model.state_dict()` has every name and, by `.shape`, every shape. Build a dictionary of the "
        "tensors that fit.",
        "`name.removeprefix('module.')` removes the prefix from the start only, and only once.",
        "A dictionary of fitting tensors alone loads with `strict=False`. Return the names of `own` that this "
        "dictionary lacks.",
    ),
)


class Bookmark:
    """Copy all that changes. Restore the generators last, when nothing is built or loaded any more."""

    def state(self, run):
        parts = {name: getattr(run, name).state_dict() for name in ("model", "optimizer", "scheduler", "average")}
        place = {"order": run.order, "step": run.step, "best": run.best}
        chance = {"own": run.generator.get_state(), "torch": torch.get_rng_state(), "python": random.getstate()}
        return copy.deepcopy({"parts": parts, "place": place, "chance": chance})

    def restore(self, run, state):
        for name, part in state["parts"].items():
            getattr(run, name).load_state_dict(part)
        for name, value in state["place"].items():
            setattr(run, name, value)
        run.generator.set_state(state["chance"]["own"])
        torch.set_rng_state(state["chance"]["torch"])
        random.setstate(state["chance"]["python"])


def _taken(run, *, without=(), copied=True):
    """Return the state of a run, without the parts that are named."""
    parts = {name: getattr(run, name).state_dict() for name in ("model", "optimizer", "scheduler", "average")}
    place = {name: getattr(run, name) for name in ("order", "step", "best")}
    chance = {"own": run.generator.get_state(), "torch": torch.get_rng_state(), "python": random.getstate()}
    state = {"parts": parts, "place": place, "chance": chance}
    state = {kind: {name: value for name, value in of.items() if name not in without} for kind, of in state.items()}
    return copy.deepcopy(state) if copied else state


class _Restored:
    """A bookmark that restores whatever its state contains."""

    def restore(self, run, state):
        for name, part in state["parts"].items():
            getattr(run, name).load_state_dict(part)
        for name, value in state["place"].items():
            setattr(run, name, value)
        for name, value in state["chance"].items():
            {"own": run.generator.set_state, "torch": torch.set_rng_state, "python": random.setstate}[name](value)


class TheUsualThree(_Restored):
    """You restored the model, the optimizer, the scheduler and the step, as most tutorials do. Other things
    change from step to step too: the average, the order, the best loss and three random number generators."""

    def state(self, run):
        return _taken(run, without=("average", "order", "best", "own", "torch", "python"))


class NoGenerators(_Restored):
    """You restored everything except the random number generators, so dropout, the noise and the next order
    differ. There are three generators: PyTorch's, Python's and the run's own."""

    def state(self, run):
        return _taken(run, without=("own", "torch", "python"))


class TheRunsOwnGenerator(_Restored):
    """The run's own `generator` still has the state of its new seed, so the noise differs. Save `get_state()`
    and restore it with `set_state`."""

    def state(self, run):
        return _taken(run, without=("own",))


class PytorchsGenerator(_Restored):
    """Dropout uses PyTorch's global generator, and its state was not restored. Save `torch.get_rng_state()`, and
    restore it with `torch.set_rng_state()`."""

    def state(self, run):
        return _taken(run, without=("torch",))


class PythonsGenerator(_Restored):
    """The next epoch is shuffled by Python's `random`, and its state was not restored. Save `random.getstate()`,
    and restore it with `random.setstate()`."""

    def state(self, run):
        return _taken(run, without=("python",))


class TheOrder(_Restored):
    """`order` is empty or missing after the restore, so the resumed run begins a new epoch in the middle of the
    old one. (If you did save it: it is the run's own list, which the run empties as it continues. Save a copy.)"""

    def state(self, run):
        return _taken(run, without=("order",))


class TheAverage(_Restored):
    """The resumed run takes the same steps, but its `average` does not include the steps before the stop."""

    def state(self, run):
        return _taken(run, without=("average",))


class TheBest(_Restored):
    """`best` was not restored, so the resumed run takes its next loss, however high, for the lowest."""

    def state(self, run):
        return _taken(run, without=("best",))


class Followed(_Restored):
    """Your state changed together with the run, because it was written to the file only after some more steps.
    `state_dict()` returns the model's *own* tensors, and `order` is the run's own list. Copy them with
    `copy.deepcopy`."""

    def state(self, run):
        return _taken(run, copied=False)


class WholeObjects(_Restored):
    """`torch.load` refuses your state: it loads only dictionaries, lists, numbers, strings and tensors. Save
    what the `state_dict()` or `get_state()` of each object returns, and `getstate()` of Python's `random`."""

    def state(self, run):
        return {"model": run.model}


Bookmark = Answer(
    Bookmark,
    mistakes=(
        TheUsualThree,
        NoGenerators,
        TheRunsOwnGenerator,
        PytorchsGenerator,
        PythonsGenerator,
        TheOrder,
        TheAverage,
        TheBest,
        Followed,
        WholeObjects,
    ),
    hints=(
        "Go through the list in the task: four parts have a `state_dict()`, three are plain values, and three "
        "are random number generators.",
        "The run continues before the state is written, so call `copy.deepcopy` on the whole dictionary at the "
        "end.",
        "Save `run.generator.get_state()`, `torch.get_rng_state()` and `random.getstate()`. Each of them has a "
        "function that restores it.",
    ),
)


def tensors_of(content):
    """Read the length and the header. Then, for each name, take its bytes, its dtype and its shape."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        data = bytearray(content[8 + length + begin : 8 + length + end])
        dtype = ex.DTYPES[entry["dtype"]]
        flat = torch.frombuffer(data, dtype=dtype) if data else torch.empty(0, dtype=dtype)
        tensors[name] = flat.view(entry["shape"])
    return tensors


def _read(content, *, start=lambda length: 8 + length, dtype=None, shape=True, first=False):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    tensors, end = {}, 0
    for name, entry in header.items():
        begin, end = (
            (end, end + entry["data_offsets"][1] - entry["data_offsets"][0]) if first else entry["data_offsets"]
        )
        data = bytearray(content[start(length) + begin : start(length) + end])
        kind = dtype or ex.DTYPES[entry["dtype"]]
        flat = torch.frombuffer(data, dtype=kind) if data else torch.empty(0, dtype=kind)
        tensors[name] = flat.view(entry["shape"]) if shape else flat
    return tensors


def counted_from_the_file(content):
    """You counted `data_offsets` from the start of the file. They count from the end of the header, so add `8 +
    length`."""
    return _read(content, start=lambda length: 0)


def the_eight_bytes_forgotten(content):
    """Your offsets are 8 bytes too small, because the length of the header takes the first eight bytes."""
    return _read(content, start=lambda length: length)


def always_float32(content):
    """You read every tensor as float32. The header gives the dtype: `ex.DTYPES[entry["dtype"]]`."""
    return _read(content, dtype=torch.float32)


def left_flat(content):
    """The values are right, but the shape is missing. Call `.view(entry["shape"])`."""
    return _read(content, shape=False)


def one_after_the_other(content):
    """You read the tensors one after the other, in the order of the header. Their positions are given by
    `data_offsets`."""
    return _read(content, first=True)


def metadata_as_a_tensor(content):
    """`__metadata__` is not a tensor, and its entry has no `data_offsets`. Skip it if it is there."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    return {name: (entry["data_offsets"], _read(content))[1][name] for name, entry in header.items()}


def nothing_for_an_empty_one(content):
    """`torch.frombuffer` refuses an empty buffer. Make a tensor of 0 bytes with `torch.empty` instead."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    return {
        name: torch.frombuffer(
            bytearray(content[8 + length + entry["data_offsets"][0] : 8 + length + entry["data_offsets"][1]]),
            dtype=ex.DTYPES[entry["dtype"]],
        ).view(entry["shape"])
        for name, entry in header.items()
    }


tensors_of = Answer(
    tensors_of,
    mistakes=(
        counted_from_the_file,
        the_eight_bytes_forgotten,
        always_float32,
        left_flat,
        one_after_the_other,
        metadata_as_a_tensor,
        nothing_for_an_empty_one,
    ),
    hints=(
        "The cell above reads the length and the header. The data begin at `8 + length`, and `data_offsets` "
        "count from there.",
        "Use `torch.frombuffer(bytearray(part), dtype=ex.DTYPES[...])`, and then `.view(shape)`.",
        "Remove the metadata with `header.pop('__metadata__', None)`. For a part of 0 bytes use "
        "`torch.empty(shape, dtype=...)`.",
    ),
)


def replace_file(path, write):
    """Write a new file to the disk completely before it is renamed, and remove it if writing fails."""
    new = path.with_name(path.name + ".tmp")
    try:
        with new.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    new.replace(path)


def straight_into_it(path, write):
    """You opened `path` itself for writing, which erases the old content. If the disk becomes full half-way, the
    old and the new content are both lost. Write to another file in the same folder, and then rename it."""
    with path.open("wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())


def renamed_whatever_happened(path, write):
    """You rename even if `write` has failed, so an incomplete file replaces a complete one. Rename only after
    the writing has finished."""
    new = path.with_name(path.name + ".tmp")
    try:
        with new.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    finally:
        new.replace(path)


def left_the_half(path, write):
    """If `write` fails, your incomplete file stays in the folder and takes space on a disk that may already be
    full. Remove it, and let the error propagate."""
    new = path.with_name(path.name + ".tmp")
    with new.open("wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def kept_it_quiet(path, write):
    """You caught the error and did not raise it again, so the training continues as if the file had been saved.
    Clean up, and then `raise`."""
    new = path.with_name(path.name + ".tmp")
    try:
        with new.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError:
        new.unlink()


def only_exceptions(path, write):
    """You clean up after an `Exception`. A `KeyboardInterrupt` (Ctrl-C) is not a subclass of `Exception`, so
    your incomplete file stays. Use `except BaseException`."""
    new = path.with_name(path.name + ".tmp")
    try:
        with new.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except Exception:
        new.unlink()
        raise
    new.replace(path)


def another_error(path, write):
    """Your function raises an error of its own. The caller looks for the original `OSError`, which says what
    failed. Let it propagate with a bare `raise`."""
    new = path.with_name(path.name + ".tmp")
    try:
        with new.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException as error:
        new.unlink()
        raise RuntimeError(f"could not save {path.name}") from error
    new.replace(path)


def another_suffix(path, write):
    """`with_suffix(".tmp")` *replaces* the suffix, so if `path` is `last.tmp`, the other file is `path` itself.
    Add to the whole name instead: `path.with_name(path.name + ".tmp")`."""
    new = path.with_suffix(".tmp")
    try:
        with new.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        new.unlink()
        raise
    new.replace(path)


def never_synced(path, write):
    """The rename is right, but nothing waits until the data are on the disk. After a power failure the new name
    can belong to an empty file. Call `file.flush()` and then `os.fsync(file.fileno())` before the rename."""
    new = path.with_name(path.name + ".tmp")
    try:
        with new.open("wb") as file:
            write(file)
        new.replace(path)
    except BaseException:
        new.unlink()
        raise


def old_one_removed_first(path, write):
    """You removed the old file before the new one was complete. If the process ends in between, there is no
    file. `replace` overwrites the old file, so you need not remove it."""
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
    """You wrote the new file in another folder. If that folder is on another disk, the rename becomes a copy,
    which can stop half-way, or it is refused. Write the new file in the same folder: `path.with_name(...)`."""
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


replace_file = Answer(
    replace_file,
    mistakes=(
        straight_into_it,
        renamed_whatever_happened,
        left_the_half,
        kept_it_quiet,
        only_exceptions,
        another_error,
        another_suffix,
        never_synced,
        old_one_removed_first,
        on_another_disk,
    ),
    hints=(
        'Choose another name in the same folder: `path.with_name(path.name + ".tmp")`. Open it for bytes, with '
        '`"wb"`.',
        "Inside the `with` block, call `write(file)`, then `file.flush()` and `os.fsync(file.fileno())`.",
        "Put a `try` around the `with` block. In `except BaseException:` remove the new file and `raise`.",
        "Finally, outside the `try`, call `new.replace(path)`.",
    ),
)
