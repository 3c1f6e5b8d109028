"""What chapter 06 asks: weights that fit in part, a run's whole state, a file replaced safely, a format read.

The inputs of each question, and how an answer is driven. A submission that is graded sees this file.
"""

import copy
import errno
import io
import json
import math
import os
import pickle
import random
import stat
import tempfile
from collections import OrderedDict
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

import torch
from torch import nn

from lessonkit.checks.question import Question
from lessonkit.checks.restrictions import no_call
from lessonkit.checks.time_limit import OutOfTime

# ---- load_what_fits


class _Inside(nn.Module):
    """A layer under an attribute that is itself called `module`."""

    def __init__(self) -> None:
        super().__init__()
        self.module = nn.Linear(3, 2)


class _Small(nn.Module):
    """Tensors without a dimension, of one number, of none; one named `module`; a buffer no state_dict has."""

    def __init__(self) -> None:
        super().__init__()
        for name, shape in dict(scale=(), module=(1,), row=(1, 1), none=(0, 3), modules_=(2,)).items():
            self.register_parameter(name, nn.Parameter(torch.ones(shape, dtype=torch.float64)))
        self.register_parameter("bias", None)
        self.register_buffer("count", torch.tensor(3))
        self.register_buffer("limit", torch.tensor(4))
        self.register_buffer("table", torch.zeros(2), persistent=False)


def _net(*, classes=2, tied=False):
    layers = OrderedDict(
        conv=nn.Conv1d(2, 3, 2), norm=nn.BatchNorm1d(3), flat=nn.Flatten(), head=nn.Linear(6, classes)
    )
    if tied:
        layers = OrderedDict(encode=nn.Linear(4, 4), decode=nn.Linear(4, 4))
        layers["decode"].weight = layers["encode"].weight
    return nn.Sequential(layers)


def _saved(model, draw, *, prefix="module.", dtype=None):
    """A state_dict as the model's file would hold it, with other values."""
    state = {}
    for name, tensor in model.state_dict().items():
        values = torch.rand(tensor.shape, generator=draw) + 1
        if dtype is not None and tensor.is_floating_point():
            values = values.to(dtype)
        state[prefix + name] = values if tensor.is_floating_point() else torch.full_like(tensor, 7)
    return state


def files_and_models(seed: int) -> list[tuple]:
    """Return the arguments (model, state_dict) of each case.

    All names behind a prefix, another head, prefix here and there. Then shapes that broadcast or hold as many
    numbers, a file without some buffers, `module` inside a name, a prefix twice, nothing, another dtype and a
    frozen model in eval mode, tied weights of which the file has one name, a model without tensors; none and one
    dimension, far numbers over NaN and infinity, a buffer that the model does not save, a layer with two names.
    """
    draw = torch.Generator().manual_seed(seed)

    def file(model, **options):
        return _saved(model, draw, **options)

    other_head = file(_net(classes=5)) | {"n_averaged": torch.tensor(3)}
    here_and_there = {
        name.removeprefix("module.") if "weight" in name else name: t for name, t in file(_net()).items()
    }
    spread = file(_net(), prefix="")
    spread |= {"head.bias": spread["head.bias"][:1].clone(), "head.weight": spread["head.weight"].T.contiguous()}
    spread["conv.weight"] = spread["conv.weight"].view(3, 4)
    fewer = {name: t for name, t in file(_net()).items() if "running_var" not in name and "bias" not in name}
    inside = nn.Sequential(OrderedDict(head=_Inside(), modules_=nn.Linear(2, 2)))
    near = {"modules.head.module.bias": torch.ones(2), "module_bias": torch.ones(2)}
    twice = {"module.module.weight": torch.full((2, 3), 5.0), "module.weight": torch.full((2, 3), 6.0)}
    twice |= {"module.module.bias": torch.full((2,), 7.0), "Module.bias": torch.full((2,), 8.0)}
    frozen = _net().eval()
    frozen.conv.requires_grad_(False)
    wide = {
        name: t.mT.contiguous().mT if t.ndim > 1 else t for name, t in file(_net(), dtype=torch.float64).items()
    }
    half = file(_net(), prefix="", dtype=torch.bfloat16)
    one_name = {"module.decode.weight": torch.rand(4, 4, generator=draw)}
    other = {
        "scale": torch.full((1,), 2.0),
        "module.module": torch.tensor(2.0),
        "module.row": torch.full((1,), 2.0),
    }
    other |= {"none": torch.ones(1, 3), "module.modules_": torch.ones(1, 2), "count": torch.tensor([2])}
    other |= {"module.table": torch.ones(2), "limit": torch.tensor([[2]]), "bias": torch.ones(2)}
    far = {"module.scale": torch.tensor(1e-200, dtype=torch.float64), "module": torch.full((1,), math.inf)}
    far |= {"row": torch.full((1, 1), 1 + 2**-30, dtype=torch.float64), "none": torch.ones(0, 3)}
    far |= {"module.limit": torch.tensor(2**53 + 1), "modules_": torch.tensor([math.nan, -1.0])}
    layer = nn.Linear(2, 2)
    deep = nn.Sequential(
        OrderedDict(b=nn.Sequential(OrderedDict(c=layer)), d=layer, e=nn.ParameterList([layer.bias]))
    )
    deep = nn.Sequential(OrderedDict(a=deep))
    second = {"module.a.d.weight": torch.rand(2, 2, generator=draw), "a.e.0": torch.rand(2, generator=draw)}
    cases = [
        (_net(), file(_net())),
        (_net(), other_head),
        (_net(), here_and_there),
        (_net(), spread),
        (_net(), fewer),
        (inside, file(inside) | near),
        (nn.Linear(3, 2), twice),
        (nn.Linear(3, 2), {}),  # no BatchNorm: loading gives it a `num_batches_tracked` that a file lacks
        (frozen, wide),
        (_net().double(), half),
        (_net(tied=True), one_name),
        (_net(tied=True), file(_net(tied=True), prefix="")),
        (nn.Sequential(nn.ReLU()), {"module.weight": torch.ones(2)}),
        (_Small(), other),
        (_Small(), far),
        (deep, second),
    ]
    with torch.no_grad():
        for parameter in (p for model, _ in cases for p in model.parameters()):  # the same for the same seed
            parameter.copy_(torch.rand(parameter.shape, generator=draw))
        before = cases[-2][0]
        before.scale.fill_(1e300), before.row.fill_(math.nan), before.modules_.fill_(math.inf)
    return cases


def loaded(answer: Callable, model: nn.Module, state_dict: dict[str, torch.Tensor]) -> dict:
    """Say what the answer returned, and what became of the model and of the state_dict."""
    model = copy.deepcopy(model)  # to alter it is the task, and no fault of the answer
    objects = dict(model.named_parameters())
    switches = [(p.requires_grad, p.dtype, p.is_leaf) for p in objects.values()]
    modes, given = [m.training for m in model.modules()], dict(state_dict)
    hooks, saved = _hooks(model), set(model.state_dict())
    for parameter in objects.values():
        parameter.grad = torch.full_like(parameter, 0.5)
    found = answer(model, state_dict)
    now = dict(model.named_parameters())
    unsaved = {name: t.clone() for name, t in model.named_buffers() if name not in saved}
    gradients = [p.grad is not None and bool((p.grad == 0.5).all()) for p in now.values()]
    same_file = list(state_dict) == list(given) and all(state_dict[name] is given[name] for name in given)
    return {
        "the list returned": found,
        "the model's tensors": {name: t.detach().clone() for name, t in model.state_dict().items()},
        "buffers that are not in its state_dict": unsaved,
        "the parameters are the same objects": [id(p) for p in now.values()] == [id(p) for p in objects.values()],
        "the gradients of the parameters as before": all(gradients),
        "memory shared with state_dict": bool(_memory(model.state_dict()) & _memory(given)),
        "requires_grad, dtype": [(p.requires_grad, p.dtype, p.is_leaf) for p in now.values()] == switches,
        "the mode of every part as before": [m.training for m in model.modules()] == modes,
        "a hook or method left on the model": _hooks(model) != hooks,
        "state_dict has its names and tensors": same_file,
    }


def _memory(tensors):
    """Where the numbers of these tensors lie."""
    return {t.untyped_storage().data_ptr() for t in tensors.values() if t.numel()}


def _hooks(model):
    """How many hooks a model and its parts have, and the names of what was put on each part."""
    parts = [vars(part) for part in model.modules()]
    return [(sorted(part), *(len(v) for k, v in sorted(part.items()) if k.endswith("_hooks"))) for part in parts]


load_what_fits = Question(
    "load_what_fits",
    inputs=files_and_models,
    probe=loaded,
)

# ---- Bookmark


class Trial:
    """A small run in which everything changes: what `Bookmark` takes down, and puts back.

    Its parts with a `state_dict()`: `model` (BatchNorm, dropout), `optimizer`, `scheduler`, `average`. Further
    `generator` (its own: noise on the inputs), `order` (rows still to come in this epoch), `step`, and `best`, a
    dict of the lowest loss and the weights at that moment. PyTorch's own generator draws the dropout, Python's
    `random` shuffles the order.
    """

    def __init__(self, seed: int) -> None:
        torch.default_generator.manual_seed(seed)
        random.seed(seed)
        self.generator = torch.Generator().manual_seed(seed)
        layers = nn.Linear(4, 3), nn.BatchNorm1d(3), nn.Dropout(0.5)
        self.model = nn.Sequential(*layers).double()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=5, gamma=0.5)
        self.average = torch.optim.swa_utils.AveragedModel(self.model)
        self.order, self.step, self.best = [], 0, {"loss": math.inf, "weights": None}

    def train(self, steps: int) -> list[float]:
        """Train for so many steps of three rows, four steps an epoch; return their losses."""
        losses = []
        for _ in range(steps):
            if not self.order:
                self.order = list(range(12))
                random.shuffle(self.order)
            rows = torch.tensor([[self.order.pop() / 12] for _ in range(3)], dtype=torch.float64)
            noise = torch.randn(3, 4, generator=self.generator, dtype=torch.float64)
            loss = (self.model(rows + noise) - rows).square().mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
            self.average.update_parameters(self.model)
            self.step += 1
            losses.append(loss.item())
            if losses[-1] < self.best["loss"]:
                self.best = {"loss": losses[-1], "weights": copy.deepcopy(self.model.state_dict())}
        return losses


def trials(seed: int) -> list[tuple]:
    """Return the arguments (seed of the run, steps before the stop, steps after it) of each case.

    In the middle of an epoch, and on until the rate has fallen once more; at the very beginning; late, between two
    epochs, when the rate has fallen twice.
    """
    first = 100 * seed
    return [(first, 6, 5), (first + 1, 0, 2), (first + 2, 12, 2)]


def _draws(run):
    """What each of the three generators draws next, of each kind of number."""
    own = torch.randn(1, generator=run.generator).item(), torch.rand(1, generator=run.generator).item()
    return [*own, torch.randn(1).item(), torch.rand(1).item(), random.gauss(0, 1), random.random()]


def _end(run):
    """Where a run stands at the end, besides its losses."""
    best = run.best["weights"]
    return {
        "weights at the end": {name: t.clone() for name, t in run.model.state_dict().items()},
        "average at the end": {name: t.clone() for name, t in run.average.state_dict().items()},
        "learning rate at the end": run.optimizer.param_groups[0]["lr"],
        "step at the end": run.step,
        "weights of the lowest loss at the end": best and {name: t.clone() for name, t in best.items()},
        "the next draws": _draws(run),
    }


def broken_off(answer: Callable, seed: int, stop: int, more: int) -> dict:
    """Break a run off, let it go on, write its state to a file only then; say how a resumed run goes on."""
    run = Trial(seed)
    _draws(run)  # no generator stands where its seed put it
    run.train(stop)
    torch.randn(1, generator=run.generator), torch.randn(1), random.gauss(0, 1)  # the second of a pair is still due
    state = answer().state(run)
    onward = run.train(more)
    first = {f"{name}, of the first run": value for name, value in _end(run).items()}
    first |= {
        "losses of the first run after `state`": onward,
        "`state` returns a dictionary": isinstance(state, dict),
    }
    file = io.BytesIO()
    torch.save(state, file)
    file.seek(0)
    try:
        state = torch.load(file)
    except pickle.UnpicklingError:
        return {"torch.load": "refuses the state"} | first
    again = Trial(seed + 50)
    answer().state(again)  # all that is kept of the first run is in its dictionary, none elsewhere
    answer().restore(again, state)
    best = again.best["weights"]
    result = {
        "torch.load": "opens the state",
        "step after `restore`": again.step,
        "lowest loss after `restore`": again.best["loss"],
        "weights of the lowest loss": best and {name: t.clone() for name, t in best.items()},
        "losses after `restore`": again.train(more),
    }
    return result | _end(again) | first


Bookmark = Question(
    "Bookmark",
    inputs=trials,
    probe=broken_off,
)

# ---- tensors_of

DTYPES = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I64": torch.int64,
    "U8": torch.uint8,
    "BOOL": torch.bool,
}


def _safetensors(tensors, metadata=None, *, separators=(",", ":")):
    """The bytes of a safetensors file; `separators` as of `json.dumps`. The data lie in another order than the
    names."""
    header, data = {"__metadata__": metadata} if metadata else {}, b""
    names = {dtype: name for name, dtype in DTYPES.items()}
    for name, tensor in tensors.items():
        own = bytes(tensor.contiguous().view(-1).view(torch.uint8).tolist()) if tensor.numel() else b""
        place = [len(data), len(data) + len(own)]
        header[name] = {"dtype": names[tensor.dtype], "shape": list(tensor.shape), "data_offsets": place}
        data += own
    text = json.dumps(dict(sorted(header.items())), separators=separators, ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)  # as the library does: the data start at a multiple of 8
    return len(text).to_bytes(8, "little") + text + data


def small_files(seed: int) -> list[tuple]:
    """Return the arguments (content,) of each case.

    Two tensors, metadata, other dtypes, a single number, empty tensors, no tensors at all, many. Then names that
    begin with underscores or are not English, metadata that come last, and a very long header. Numbers at the
    edge of each dtype, names of every sort, metadata that look like a tensor's entry, a tensor of many numbers.
    """
    draw = torch.Generator().manual_seed(seed)
    rows, columns, many = torch.randint(2, 9, (3,), generator=draw).tolist()

    def some(*shape, dtype=torch.float32):
        if dtype.is_floating_point:
            return torch.randn(shape, generator=draw).to(dtype)
        return torch.randint(2 if dtype is torch.bool else 100, shape, generator=draw).to(dtype)

    layer = {"weight": some(rows, columns), "bias": some(rows)}
    mixed = {"half": some(columns, 3, dtype=torch.bfloat16), "coarse": some(many, dtype=torch.float16)}
    mixed |= {"steps": some(dtype=torch.int64), "mask": some(rows, 3, dtype=torch.bool)}
    mixed |= {"codes": some(many, dtype=torch.uint8), "fine": some(1, rows, 1, dtype=torch.float64)}
    named = {"größe.層": some(columns), "_scale": some(rows), "__shift": some(rows)}
    empty = {"none": some(0, columns), "left": some(rows), "hollow": some(3, 0, dtype=torch.int64)}
    big = {
        "ends": torch.tensor([math.inf, -math.inf, math.nan, 3e38, 1e-42]),
        "long": torch.tensor([2**62 + 1, -1]),
    }
    big |= {"exact": torch.tensor([2**53 + 1, -(2**63)]), "byte": torch.tensor([255, 128], dtype=torch.uint8)}
    big |= {"tiny": torch.tensor([1e-300, 1e300, 1 / 3, -0.0], dtype=torch.float64)}
    big |= {
        "brain": torch.tensor([3e38, -math.inf], dtype=torch.bfloat16),
        "h": torch.tensor([65504.0, 6e-8]).half(),
    }
    odd = ("", " a ", 'b"}}c', "B", "__metadata", "__metadata__.weight", "metadata", "data_offsets", "e\n\\u00e9")
    entry = {"dtype": "F32", "shape": "[1]", "data_offsets": "[0, 4]"}
    return [
        (_safetensors(layer, separators=(", ", ": ")),),
        (_safetensors(layer, {"format": "pt", "epoch": str(many)}),),
        (_safetensors(mixed, {"format": "pt", "dtype": "mixed"}),),
        (_safetensors(empty),),
        (_safetensors({}),),
        (_safetensors({"only": some(dtype=torch.float32)}, {"format": "pt"}),),
        (_safetensors({f"layer{n}.weight": some(n, 2) for n in range(1, 14)}),),
        (_safetensors(named, {"format": "pt"}),),
        (_safetensors({"0.weight": some(rows, 2), "0.bias": some(rows)}, {"format": "pt"}),),
        (_safetensors(layer, {"history": f"{many} " * 40_000}),),
        (_safetensors(big),),
        (_safetensors({name: some(2) for name in odd}, entry),),
        (_safetensors({"blanks": torch.tensor([32, 32, many], dtype=torch.uint8)}, {"format": "pt"}),),
        (_safetensors({"long": some(1100, 2, dtype=torch.uint8), "deep": some(2, 1, 3, 1, 2), "end": some(0)}),),
    ]


tensors_of = Question(
    "tensors_of",
    inputs=small_files,
    restrictions=(no_call("safetensors", "safetensors.torch", "safetensors.numpy", "safe_open", "deserialize"),),
)

# ---- replace_file


def saves(seed: int) -> list[tuple]:
    """Return the arguments (old, chunks, fails_after, ...) of each case.

    A new file over an old one, full disk early and late, no old one, nothing. Then a user's Ctrl-C, a path with
    a suffix of temporary files, and a `write` that goes back to the start. Errors of other kinds, a path without
    a suffix, and (an empty `name`) the name that the answer itself gave its other file, which then is free.
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
        (some(50), chunks, 1, SystemExit),
        (some(50), chunks, 3, Stopped),
        (None, chunks, 1, Stopped, "last"),
        (some(50), chunks, None, OSError, ""),
        (some(50), chunks, 2, OSError, ""),
    ]


class Stopped(BaseException):
    """An error of which nobody has heard."""


def _place(file, path):
    """Where the bytes go that are written to `file`, in words."""
    if isinstance(file, (io.BytesIO, tempfile.SpooledTemporaryFile)):  # not asked for its number: it would get one
        return "memory"
    others = [other for other in path.parent.iterdir() if other.is_file() and other != path]
    try:
        about = os.fstat(file.fileno())
    except (AttributeError, OSError):  # a wrapper of the learner's own
        return "a file next to `path`" if others else "something else"
    if path.exists() and os.path.samestat(about, path.stat()):
        return "`path` itself"
    beside = any(os.path.samestat(about, other.stat()) for other in others)
    return "a file next to `path`" if beside else "a file elsewhere"


def _watch(stack, answer, function, watcher):
    """Replace a function of `os`, also where the cell has imported it by its own name."""
    stack.enter_context(mock.patch.object(os, function.__name__, watcher))
    space = getattr(answer, "__globals__", {})
    names = {name: watcher for name, value in space.items() if value is function}
    stack.enter_context(mock.patch.dict(space, names))


def _rehearsal(answer):
    """The name that the answer gives its other file."""
    names = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "last.pt"
        answer(path, lambda file: names.extend(sorted(other.name for other in Path(folder).iterdir())))
    return next((name for name in names if name != "last.pt"), "last.pt")


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
    name, raised = name or _rehearsal(answer), []
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
                    raised.append(problem(errno.ENOSPC, "No space left on device"))
                    raise raised[-1]
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

        error, watchers = "none", {"fsync": fsync, "replace": replace, "rename": rename}
        with ExitStack() as stack:
            if place is not None and os.name == "posix":  # while it is open, no new file gets the old one's number
                stack.enter_context(path.open("rb"))
            for function, watcher in watchers.items():
                _watch(stack, answer, getattr(os, function), watcher)
            try:
                answer(path, write)
            except (OutOfTime, NotImplementedError):
                raise
            except BaseException as caught:
                if fails_after is None or len(unchanged) <= fails_after:
                    raise  # an error of the answer's own, before `write` raised anything
                error = errno.errorcode.get(getattr(caught, "errno", None), type(caught).__name__)
                error += "" if caught is raised[-1] else ", not the one that `write` raised"
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
            "`os.fsync` of the new file": waits if fails_after is None else "not reached",
            "the new file closed before the rename": all(closed),
        }


replace_file = Question(
    "replace_file",
    inputs=saves,
    probe=watched,
)
