"""Questions of chapter 12: read a message, a loss that refuses to broadcast, who sleeps, the first NaN, seeds."""

import copy
import random
import re
from types import SimpleNamespace

import numpy as np
import torch
from torch import nn

from course_utils.checks.exercise import Exercise


def messages(seed: int) -> list[tuple]:
    """Return the arguments (text,) of each case.

    Messages of Linear layers, alone and inside tracebacks with other numbers before and after.
    """
    draw = random.Random(seed)
    shapes = [(64, 1024, 512, 10), (1, 7, 8, 1)]
    shapes += [tuple(draw.sample(range(2, 3000), 4)) for _ in range(3)]
    shapes.append(tuple(draw.sample(range(10_000, 10**6), 4)))
    lines = [f"mat1 and mat2 shapes cannot be multiplied ({a}x{b} and {c}x{d})" for a, b, c, d in shapes]
    trace = 'Traceback (most recent call last):\n  File "train_28x28.py", line 12\n    model(x)  # (64x3)\n'
    rest = "[rank1] ended with code 1, 2 of 4 workers left\n"
    ends = ("", "", "\n", "\n", f"\n{rest}", f"\n{rest}")
    return [(line if i < 2 else f"{trace}RuntimeError: {line}{ends[i]}",) for i, line in enumerate(lines)]


def read_mm(text):
    """The batch stands outside on the left; the two in the middle had to be equal."""
    shapes = re.search(r"cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)", text)
    batch, arrives, expected, outputs = (int(number) for number in shapes.groups())
    return {"batch": batch, "arrives": arrives, "in_features": expected, "out_features": outputs}


def _with_kinds(answer, text):
    found = answer(text)  # 64.0 equals 64, and is no int
    return found, {name: type(value).__name__ for name, value in found.items()} if isinstance(found, dict) else None


def _named(numbers, *names):
    return dict(zip(names, map(int, numbers), strict=False))


def outer_numbers(text):
    """You took the outer numbers of the second pair the wrong way round. A weight is kept as (out, in), but the
    message shows it as it is multiplied, (in x out): the number next to the word `and` is in_features."""
    numbers = re.search(r"cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)", text).groups()
    return _named(numbers, "batch", "arrives", "out_features", "in_features")


def features_first(text):
    """You read the first pair as (features x batch). A batch is rows: batch first, then the features of a row."""
    numbers = re.search(r"cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)", text).groups()
    return _named(numbers, "arrives", "batch", "in_features", "out_features")


def every_number(text):
    """You took the first four numbers of the text. `mat1` and `mat2` hold digits too, and a traceback has line
    numbers: look for the brackets after `cannot be multiplied`."""
    return _named(re.findall(r"\d+", text), "batch", "arrives", "in_features", "out_features")


def first_brackets(text):
    """You took the first two pairs that look like a shape. The learner's own line, quoted in a traceback, may hold
    one as well: look for the brackets after `cannot be multiplied`."""
    pairs = re.findall(r"(\d+)x(\d+)", text)[:2]
    return _named([number for pair in pairs for number in pair], "batch", "arrives", "in_features", "out_features")


def left_as_text(text):
    """The numbers are right, but they are strings. Turn each into an int, or nobody can compare them."""
    numbers = re.search(r"cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)", text).groups()
    return dict(zip(("batch", "arrives", "in_features", "out_features"), numbers, strict=True))


read_mm = Exercise(
    read_mm,
    inputs=messages,
    probe=_with_kinds,
    mistakes=(outer_numbers, features_first, every_number, first_brackets, left_as_text),
    hints=(
        "The four numbers stand in brackets after the words `cannot be multiplied`.",
        r"`re.search(r'cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)', text).groups()` gives four strings.",
        "Their order: batch, what arrives, in_features, out_features. Each as an `int`.",
    ),
)


def pairs_of_columns(seed: int) -> list[tuple]:
    """Return the arguments (predictions, targets) of each case.

    (N, 1) against (N,), the other way round, alike, one sample, unequal lengths.
    """
    torch.manual_seed(seed)

    def pair(one, other):
        return torch.randn(one), torch.randn(other)

    shapes = [((4, 1), (4,)), ((6,), (6, 1)), ((5,), (5,)), ((3, 1), (3, 1)), ((1, 1), (1,))]
    return [*(pair(*both) for both in shapes), pair((4, 1), (1,)), pair((2, 1), (3,)), pair((1,), (5, 1))]


def mended_loss(predictions, targets):
    """Both as one list of numbers; unequal lengths are refused instead of repeated."""
    if predictions.numel() != targets.numel():
        raise ValueError(f"{predictions.numel()} predictions for {targets.numel()} targets")
    return (predictions.flatten() - targets.flatten()).square().mean()


def _refuse(predictions, targets):
    if len(predictions) != len(targets):
        raise ValueError


def as_it_was(predictions, targets):
    """That is the loss as it was: (N, 1) minus (N,) gives N x N differences, each prediction with each target."""
    _refuse(predictions, targets)
    return (predictions - targets).square().mean()


def one_side_only(predictions, targets):
    """You took the second axis off the predictions only. The other way round, (N,) against (N, 1), it still
    broadcasts: bring *both* to one shape."""
    _refuse(predictions, targets)
    return (predictions.flatten() - targets).square().mean()


def column_always(predictions, targets):
    """You turned the targets into a column. That is right for predictions of (N, 1); predictions of (N,) now meet
    (N, 1) and broadcast."""
    _refuse(predictions, targets)
    return (predictions - targets.reshape(-1, 1)).square().mean()


def repeats_one(predictions, targets):
    """The shapes are right, but a single target against four predictions still broadcasts: it is repeated. Compare
    the lengths first, and raise a ValueError if they differ."""
    return (predictions.flatten() - targets.flatten()).square().mean()


def summed(predictions, targets):
    """You summed the squares. The mean was asked for, so that the size of a batch does not change the rate."""
    _refuse(predictions, targets)
    return (predictions.flatten() - targets.flatten()).square().sum()


def without_a_graph(predictions, targets):
    """The number is right, but no gradient leads from it to the predictions: `.item()`, `detach` or a new tensor
    has cut the graph, and training would stand still."""
    _refuse(predictions, targets)
    return (predictions.flatten() - targets.flatten()).square().mean().detach()


def _with_slope(answer, predictions, targets):
    predictions = predictions.clone().requires_grad_()
    loss = answer(predictions, targets)
    if not isinstance(loss, torch.Tensor):
        return loss, None
    (slope,) = torch.autograd.grad(loss, predictions, allow_unused=True) if loss.grad_fn else (None,)
    return loss.detach(), slope


mended_loss = Exercise(
    mended_loss,
    inputs=pairs_of_columns,
    probe=_with_slope,
    mistakes=(as_it_was, one_side_only, column_always, repeats_one, summed, without_a_graph),
    hints=(
        "`x.flatten()` turns (N, 1) and (N,) into (N,). Do it to both.",
        "One number is repeated without a word: `if predictions.numel() != targets.numel(): raise ValueError`.",
    ),
)


def sleepers(seed: int) -> list[tuple]:
    """Return the arguments (model, optimizer) of each case.

    Rate 0, a layer left out, frozen, a head replaced late, all awake, all asleep, twins.
    """
    torch.manual_seed(seed)
    width = 2 + seed % 3

    def net():
        return nn.Sequential(nn.Linear(3, width), nn.Linear(width, width), nn.Linear(width, 2))

    def sgd(*groups):  # all that is asked of an optimizer here, without the seconds its import takes
        return SimpleNamespace(param_groups=[{"params": list(params), "lr": lr} for params, lr in groups])

    models = [net() for _ in range(6)]
    first, left_out, frozen, replaced, awake, asleep = models
    block = nn.Sequential(nn.Linear(width, width), nn.Linear(width, width))
    block[1].load_state_dict(block[0].state_dict())  # equal numbers, two layers
    twins = nn.Sequential(nn.Linear(3, width), block, nn.Linear(width, 2))
    models.append(twins)
    frozen[1].requires_grad_(False)
    frozen[2].bias.requires_grad_(False)
    old_head = sgd((replaced.parameters(), 0.1))
    replaced[2] = nn.Linear(width, 2)
    optimizers = [
        sgd((first[0].parameters(), 0.0), ([*first[1].parameters(), *first[2].parameters()], 0.1)),
        sgd((left_out[1].parameters(), 0.0), (left_out[2].parameters(), 0.01)),
        sgd((frozen.parameters(), 0.1)),
        old_head,
        sgd((awake[0].parameters(), 0.1), (awake[1:].parameters(), 1e-9)),
        sgd((asleep.parameters(), 0.0)),
        sgd((twins[2].parameters(), 0.0), (block[1].parameters(), 0.1), (block[0].parameters(), 0.0)),
    ]
    return list(zip(models, optimizers, strict=True))


def asleep(model, optimizer):
    """Awake is what stands in a group with a rate and asks for a gradient; `id`, since == compares numbers."""
    moved = {id(p) for group in optimizer.param_groups if group["lr"] > 0 for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) not in moved or not p.requires_grad]


def _held(optimizer):
    return {id(p) for group in optimizer.param_groups for p in group["params"]}


def only_rate_zero(model, optimizer):
    """You looked for groups with rate 0. A parameter that is in *no* group never moves either: a layer forgotten,
    or one that was replaced after the optimizer had been made."""
    still = {id(p) for group in optimizer.param_groups if group["lr"] == 0 for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) in still or not p.requires_grad]


def only_left_out(model, optimizer):
    """You looked for parameters that the optimizer does not hold. It may hold one in a group whose rate is 0."""
    held = _held(optimizer)
    return [name for name, p in model.named_parameters() if id(p) not in held or not p.requires_grad]


def forgot_frozen(model, optimizer):
    """You asked the optimizer only. A parameter with requires_grad=False gets no gradient, and a step passes over
    it."""
    moved = {id(p) for group in optimizer.param_groups if group["lr"] > 0 for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) not in moved]


def only_frozen(model, optimizer):
    """You asked the model only. What does not move is decided by the optimizer as well: its groups and their
    rates."""
    return [name for name, p in model.named_parameters() if not p.requires_grad]


def the_awake(model, optimizer):
    """These are the ones that move. The others were asked for."""
    moved = {id(p) for group in optimizer.param_groups if group["lr"] > 0 for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) in moved and p.requires_grad]


asleep = Exercise(
    asleep,
    inputs=sleepers,
    mistakes=(only_rate_zero, only_left_out, forgot_frozen, only_frozen, the_awake),
    hints=(
        "Three reasons: not in any group, in a group with `lr` 0, `requires_grad` False.",
        "`p in list_of_parameters` compares numbers and raises; collect `id(p)` in a set.",
        '`optimizer.param_groups`: dicts with "params" and "lr"; `model.named_parameters()` gives the names.',
    ),
)


class Divide(nn.Module):
    """x / d: with d = 0 infinity, or NaN where x is 0 too."""

    def __init__(self, d: float) -> None:
        super().__init__()
        self.d = d

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return x / d."""
        return x / self.d


class Crossed(nn.Module):
    """A model that runs its second layer before its first one: not in the order of definition."""

    def __init__(self, first: nn.Module, second: nn.Module) -> None:
        super().__init__()
        self.first, self.second = first, second

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Run the second layer, then the first."""
        return self.first(self.second(x))


class Mean(nn.Module):
    """A model that divides, outside its layer, by how many inputs are not 0: a NaN of its own where none is."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the layer's sum, multiplied and divided by how many inputs are not 0."""
        return self.layer(x).sum() * (x != 0).sum() / (x != 0).sum()


def sick_models(seed: int) -> list[tuple]:
    """Return the arguments (model, inputs) of each case.

    NaN in the middle, none, run crosswise, infinity, nested, from the start, last, its own.
    """
    torch.manual_seed(seed)
    zeros, numbers = torch.zeros(2, 3), torch.rand(2, 3) + 1
    poisoned = numbers.clone()
    poisoned[1, seed % 3] = float("nan")

    def body(*layers):
        return nn.Sequential(*layers)

    return [
        (body(nn.Linear(3, 3), nn.ReLU(), Divide(0.0), nn.ReLU()).eval(), zeros - 100 * torch.eye(3)[:2]),
        (body(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)), numbers),
        (Crossed(nn.Linear(3, 3), Divide(0.0)), zeros),
        (body(Divide(0.0), nn.Identity()), numbers),
        (body(nn.Identity(), body(nn.Tanh(), body(Divide(0.0), nn.Tanh()))), zeros),
        (body(nn.Linear(3, 3), nn.ReLU()), poisoned),
        (body(nn.Identity(), nn.Tanh(), Divide(0.0)), zeros),
        (Mean(nn.Linear(3, 1)), zeros),
        (body(nn.Identity(), Mean(nn.Linear(3, 1))), zeros),
    ]


def first_nan(model, inputs):
    """Children finish before what holds them, so the first hook that sees a NaN names the layer that made it."""
    found, handles = [], []

    def watch(name):
        def hook(module, args, output):
            if output.isnan().any():
                found.append(name)

        return hook

    for name, module in model.named_modules():
        handles.append(module.register_forward_hook(watch(name)))
    model(inputs)
    for handle in handles:
        handle.remove()
    return found[0] if found else None


def _watched(model, inputs, sick, *, choose=lambda names: names[0], modules=None):
    found, handles = [], []
    for name, module in modules or model.named_modules():
        hook = lambda m, args, output, name=name: found.append(name) if sick(output) else None  # noqa: E731
        handles.append(module.register_forward_hook(hook))
    model(inputs)
    for handle in handles:
        handle.remove()
    return choose(found) if found else None


def never_removed(model, inputs):
    """The name is right, but your hooks are still on the model and will run at every later call: keep the handles
    and `remove()` each."""
    found = []
    for name, module in model.named_modules():
        module.register_forward_hook(
            lambda m, args, out, name=name: found.append(name) if out.isnan().any() else None
        )
    model(inputs)
    return found[0] if found else None


def the_last_one(model, inputs):
    """That is the last module with a NaN: the whole model, to which the NaN has spread. The first one made it."""
    return _watched(model, inputs, lambda output: output.isnan().any(), choose=lambda names: names[-1])


def order_of_definition(model, inputs):
    """You took the first in the order in which the modules were defined. They may run in another: take the order in
    which the hooks are called."""
    names = [name for name, _ in model.named_modules()]
    chosen = lambda found: min(found, key=lambda name: (name == "", names.index(name)))  # noqa: E731
    return _watched(model, inputs, lambda output: output.isnan().any(), choose=chosen)


def infinity_too(model, inputs):
    """You counted infinity. It is not a NaN yet, and many nets live with one: `isnan`, not `isfinite`."""
    return _watched(model, inputs, lambda output: not output.isfinite().all())


def only_children(model, inputs):
    """You watched `model.children()` only. A NaN made deep inside is then reported as its whole block:
    `named_modules()` goes all the way down."""
    children = list(model.named_children())
    return _watched(model, inputs, lambda output: output.isnan().any(), modules=children)


def compared_with_equals(model, inputs):
    """You compared with `==`. A NaN equals nothing, not even itself, so nothing is ever found: `isnan()`."""
    return _watched(model, inputs, lambda output: (output == float("nan")).any())


def _with_hooks_left(answer, model, inputs):
    runs = []
    handles = [
        model.register_forward_hook(lambda *_: None),  # somebody else's, which must stay
        model.register_forward_pre_hook(lambda *_: runs.append(1)),
    ]
    name = answer(model, inputs)
    left = sum(len(module._forward_hooks) for module in model.modules())
    for handle in handles:
        handle.remove()
    return {"name": name, "hooks": left, "runs": len(runs)}


first_nan = Exercise(
    first_nan,
    inputs=sick_models,
    probe=_with_hooks_left,
    mistakes=(never_removed, the_last_one, order_of_definition, infinity_too, only_children, compared_with_equals),
    hints=(
        "`module.register_forward_hook(hook)` calls `hook(module, args, output)` after each forward; it returns a "
        "handle with `remove()`.",
        "For each `name, module` of `model.named_modules()` a hook that appends `name` to a list if the output has "
        "a NaN. A function that makes the hook keeps its own `name`.",
        "Run the model, remove all handles, return the first entry or None.",
    ),
)


class Jitter:
    """A stand-in for a data set with a generator of its own, as a worker's copy of it."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(1)


def base_seeds(seed: int) -> list[tuple]:
    """Return the arguments (seeds, workers, wrapped) of each case.

    The seed torch draws for each epoch; how many workers; how many Subsets around.
    """
    draw = random.Random(seed)
    cases = ((2, 2, 0), (1, 3, 0), (3, 1, 1), (2, 2, 2))
    return [([draw.randrange(10**6, 10**9) for _ in range(n)], workers, wrapped) for n, workers, wrapped in cases]


def reseed(info):
    """info.seed differs by worker and by epoch; the innermost data set is the one that draws."""
    dataset = info.dataset
    while hasattr(dataset, "dataset"):
        dataset = dataset.dataset
    dataset.rng = np.random.default_rng(info.seed)


def _innermost(dataset):
    return _innermost(dataset.dataset) if hasattr(dataset, "dataset") else dataset


def only_outside(info):
    """You gave the generator to `info.dataset` as it comes. Where that is a `Subset`, nobody asks it: the data set
    inside, at `.dataset`, still draws from the copy."""
    info.dataset.rng = np.random.default_rng(info.seed)


def only_one_wrapper(info):
    """You looked into one wrapper. A Subset of a Subset has two: go on while there is a `.dataset`."""
    getattr(info.dataset, "dataset", info.dataset).rng = np.random.default_rng(info.seed)


def by_id(info):
    """You seeded with the worker's number: workers now differ, but worker 0 draws in epoch 2 what it drew in
    epoch 1. `info.seed` is new in each epoch."""
    _innermost(info.dataset).rng = np.random.default_rng(info.id)


def global_seed(info):
    """The data set that draws still has the generator it had, with its old state. Neither a seed for NumPy's global
    generator nor a new one that is only made or returned reaches it: assign to its `rng`."""
    np.random.seed(info.seed % 2**32)


def constant_seed(info):
    """A fixed seed is what made them alike. Each worker needs another one, in each epoch: `info.seed`."""
    _innermost(info.dataset).rng = np.random.default_rng(0)


def same_in_all(info):
    """You took the worker's number off again: all workers of an epoch now share one seed. `info.seed` holds the
    number already, and that is what makes them differ."""
    _innermost(info.dataset).rng = np.random.default_rng(info.seed - info.id)


def _epochs(answer, seeds, workers, wrapped):
    """What each worker draws in each epoch, from a fresh copy of the data set each time."""
    inner, drawn = Jitter(), []
    dataset = inner
    for _ in range(wrapped):
        dataset = SimpleNamespace(dataset=dataset, indices=[0])
    for base in seeds:
        for number in range(workers):
            mine = copy.deepcopy(dataset)
            info = SimpleNamespace(id=number, num_workers=workers, seed=base + number, dataset=mine)
            answer(info)
            drawn.append((_innermost(mine).rng.random(2).tolist(), info.dataset is mine))
    return drawn


reseed = Exercise(
    reseed,
    inputs=base_seeds,
    probe=_epochs,
    mistakes=(only_outside, only_one_wrapper, by_id, global_seed, constant_seed, same_in_all),
    hints=(
        "The generator that draws is the `rng` of the innermost data set: go down while there is a `.dataset`.",
        "`np.random.default_rng(number)` makes one; the number must differ by worker and by epoch.",
    ),
)
