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
    """Gather what fits under the model's own names; `strict=False` then finds nothing to object to."""
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
    """`strict=False` forgives names, not shapes: where a name agrees and the shape does not, it raises
    `size mismatch`. And names behind `module.` it leaves out without a word."""
    return list(model.load_state_dict(state_dict, strict=False).missing_keys)


def shapes_not_compared(model, state_dict):
    """The names are right. Where the shapes differ `load_state_dict` raises `size mismatch`, also with
    `strict=False`: leave those tensors out before you load."""
    own, state, _ = _named(model, state_dict)
    fitting = {name: tensor for name, tensor in state.items() if name in own}
    model.load_state_dict(fitting, strict=False)
    return [name for name in own if name not in fitting]


def prefix_left_on(model, state_dict):
    """You compared the names as they stand in the file. What a wrapper saved begins with `module.`: take it off
    before you look for the name."""
    own, _, fitting = _named(model, state_dict, rename=str)
    model.load_state_dict(fitting, strict=False)
    return [name for name in own if name not in fitting]


def taken_out_everywhere(model, state_dict):
    """`replace` takes `module.` out wherever it stands, also of `head.module.weight`, whose layer is called so.
    Only the start of a name is meant: `removeprefix`."""
    own, _, fitting = _named(model, state_dict, rename=lambda name: name.replace("module.", ""))
    model.load_state_dict(fitting, strict=False)
    return [name for name in own if name not in fitting]


def taken_off_twice(model, state_dict):
    """You took `module.` off as often as it came: `module.module.weight` is not the `weight` of this model.
    Once."""

    def rename(name):
        while name.startswith("module."):
            name = name.removeprefix("module.")
        return name

    own, _, fitting = _named(model, state_dict, rename=rename)
    model.load_state_dict(fitting, strict=False)
    return [name for name in own if name not in fitting]


def renamed_one_by_one(model, state_dict):
    """PyTorch's helper renames inside the dictionary, name after name: `module.module.weight` became
    `module.weight` and overwrote the tensor that had this name. Build a new dictionary."""
    renamed = dict(state_dict)
    nn.modules.utils.consume_prefix_in_state_dict_if_present(renamed, "module.")
    own, _, fitting = _named(model, renamed, rename=str)
    model.load_state_dict(fitting, strict=False)
    return [name for name in own if name not in fitting]


def prefix_off_the_callers_dictionary(model, state_dict):
    """The helper returns None and renames in the dictionary that it is given: your caller's `state_dict` has other
    names now. Work on a new one."""
    nn.modules.utils.consume_prefix_in_state_dict_if_present(state_dict, "module.")
    own, _, fitting = _named(model, state_dict, rename=str)
    model.load_state_dict(fitting, strict=False)
    return [name for name in own if name not in fitting]


def as_many_numbers(model, state_dict):
    """You compared how many numbers there are, not the shape: a transposed matrix has as many, in another order.
    Compare `tensor.shape`."""
    own, state, _ = _named(model, state_dict)
    fitting = {
        name: t.view(own[name].shape) for name, t in state.items() if name in own and t.numel() == own[name].numel()
    }
    model.load_state_dict(fitting, strict=False)
    return [name for name in own if name not in fitting]


def copied_where_it_broadcasts(model, state_dict):
    """You left it to `copy_` to refuse what does not fit. It broadcasts: a bias of one number went into all places.
    Compare the shapes."""
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
    """You went through the parameters. A `state_dict` has buffers too: BatchNorm's running mean stayed as it
    was."""
    _, _, fitting = _named(model, state_dict)
    own = [name for name, _ in model.named_parameters(remove_duplicate=False)]
    model.load_state_dict({name: t for name, t in fitting.items() if name in own}, strict=False)
    return [name for name in model.state_dict() if name not in fitting or name not in own]


def names_nobody_wanted(model, state_dict):
    """You returned the names that only the *file* has. The task asks for the reverse: the names that only the
    model has."""
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
        "`own = model.state_dict()` has every name and, by `.shape`, every shape. Build a dictionary of what fits.",
        "`name.removeprefix('module.')` looks at the start only, once.",
        "A dictionary of fitting tensors alone loads with `strict=False`. Return the names of `own` that it lacks.",
    ),
)


class Bookmark:
    """Copies of all that changes; the generators last, when nothing is built or loaded any more."""

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
    """The state of a run, without what is named."""
    parts = {name: getattr(run, name).state_dict() for name in ("model", "optimizer", "scheduler", "average")}
    place = {name: getattr(run, name) for name in ("order", "step", "best")}
    chance = {"own": run.generator.get_state(), "torch": torch.get_rng_state(), "python": random.getstate()}
    state = {"parts": parts, "place": place, "chance": chance}
    state = {kind: {name: value for name, value in of.items() if name not in without} for kind, of in state.items()}
    return copy.deepcopy(state) if copied else state


class _Restored:
    """A bookmark that puts back whatever its state holds."""

    def restore(self, run, state):
        for name, part in state["parts"].items():
            getattr(run, name).load_state_dict(part)
        for name, value in state["place"].items():
            setattr(run, name, value)
        for name, value in state["chance"].items():
            {"own": run.generator.set_state, "torch": torch.set_rng_state, "python": random.setstate}[name](value)


class TheUsualThree(_Restored):
    """Model, optimizer, scheduler and step came back, as in most tutorials. What else changes from step to step:
    the average, the order and the best; and three generators."""

    def state(self, run):
        return _taken(run, without=("average", "order", "best", "own", "torch", "python"))


class NoGenerators(_Restored):
    """All parts came back, no generator did: dropout, noise and the next order are drawn anew. There are three:
    PyTorch's, Python's and the run's own."""

    def state(self, run):
        return _taken(run, without=("own", "torch", "python"))


class TheRunsOwnGenerator(_Restored):
    """The run's own `generator` stands where its new seed put it: the noise is another. It has `get_state` and
    `set_state`."""

    def state(self, run):
        return _taken(run, without=("own",))


class PytorchsGenerator(_Restored):
    """Dropout draws from PyTorch's own generator, and that one did not go on where it was: `torch.get_rng_state()`
    into the state, `torch.set_rng_state()` back."""

    def state(self, run):
        return _taken(run, without=("torch",))


class PythonsGenerator(_Restored):
    """The next epoch is shuffled by Python's `random`, and that one did not go on where it was: `random.getstate()`
    into the state, `random.setstate()` back."""

    def state(self, run):
        return _taken(run, without=("python",))


class TheOrder(_Restored):
    """`order` came back empty or not at all: the resumed run begins a new epoch where the old one stood in the
    middle. (If you did save it: it is the run's own list, which the run goes on to empty. Copy it.)"""

    def state(self, run):
        return _taken(run, without=("order",))


class TheAverage(_Restored):
    """The run goes on alike, but its `average` has forgotten the steps before the stop."""

    def state(self, run):
        return _taken(run, without=("average",))


class TheBest(_Restored):
    """`best` did not come back: the next loss, however high, is the lowest that the resumed run has seen."""

    def state(self, run):
        return _taken(run, without=("best",))


class Followed(_Restored):
    """Your state went on with the run: it was written only after some more steps. What `state_dict()` returns *is*
    the model's tensors, and `order` is the run's own list: copy, `copy.deepcopy`."""

    def state(self, run):
        return _taken(run, copied=False)


class WholeObjects(_Restored):
    """`torch.load` refuses your state: it opens dictionaries, lists, numbers, text and tensors. Of every object
    take what its `state_dict()`, its `get_state()` or, of Python's `random`, `getstate()` returns."""

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
        "Go through the list in the task: four parts have a `state_dict()`, three things are plain values, and "
        "three generators draw.",
        "The run trains on before the state is written: `copy.deepcopy` the whole dictionary at the end.",
        "`run.generator.get_state()`, `torch.get_rng_state()`, `random.getstate()`: each has one that sets it.",
    ),
)


def tensors_of(content):
    """The length, the header, then for each name the bytes of its place, its dtype and its shape."""
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
    """You counted `data_offsets` from the start of the file. They count from the end of the header: add `8 +
    length`."""
    return _read(content, start=lambda length: 0)


def the_eight_bytes_forgotten(content):
    """Your places are 8 bytes too early: before the header stands its length, in eight bytes."""
    return _read(content, start=lambda length: length)


def always_float32(content):
    """You read every tensor as float32. The header says the type: `ex.DTYPES[entry["dtype"]]`."""
    return _read(content, dtype=torch.float32)


def left_flat(content):
    """The numbers are right, the shape is missing: `.view(entry["shape"])`."""
    return _read(content, shape=False)


def one_after_the_other(content):
    """You laid the tensors one after the other in the order of the header. They lie where `data_offsets` says."""
    return _read(content, first=True)


def metadata_as_a_tensor(content):
    """`__metadata__` is no tensor: its entry has no `data_offsets`. Leave it out, where there is one."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    return {name: (entry["data_offsets"], _read(content))[1][name] for name, entry in header.items()}


def nothing_for_an_empty_one(content):
    """`torch.frombuffer` refuses an empty buffer. A tensor of 0 bytes needs a way of its own: `torch.empty`."""
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
        "The cell above reads length and header. The data begin at `8 + length`; `data_offsets` count from there.",
        "`torch.frombuffer(bytearray(part), dtype=ex.DTYPES[...])`, then `.view(shape)`.",
        "No metadata: `header.pop('__metadata__', None)`. And a part of 0 bytes: `torch.empty(shape, dtype=...)`.",
    ),
)


def replace_file(path, write):
    """A new file beside the old one, complete and on the disk before it takes the name; removed if it fails."""
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


def only_exceptions(path, write):
    """You clean up after an `Exception`. A `KeyboardInterrupt` (somebody pressed Ctrl-C) is none: your
    half-written file stays. `except BaseException`."""
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
    """The error that comes out is one of yours. Whoever calls you looks for the `OSError` that says which: a bare
    `raise` lets it go on."""
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
    """`with_suffix(".tmp")` *replaces* the suffix: where `path` is `last.tmp`, the other file is `path` itself.
    Add to the whole name: `path.with_name(path.name + ".tmp")`."""
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
        'Another name in the same folder: `path.with_name(path.name + ".tmp")`. Open it with `"wb"`, bytes.',
        "Inside `with`: `write(file)`, then `file.flush()` and `os.fsync(file.fileno())`.",
        "Around the `with`: `try`, and `except BaseException:` remove the new file and `raise`.",
        "Last of all, outside of the `try`: `new.replace(path)`.",
    ),
)
