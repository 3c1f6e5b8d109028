"""What chapter 12 asks: a loss that refuses to broadcast, which mistake left a log, who sleeps, seeds, a NaN.

The inputs of each question, and how an answer is driven. A submission that is graded sees this file.
"""

import copy
import random
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from lessonkit.checks.question import Question
from lessonkit.checks.variants import strided, transposed


def pairs_of_columns(seed: int) -> list[tuple]:
    """Return the arguments (predictions, targets) of each case.

    (N, 1) against (N,), the other way round, alike, one sample, unequal lengths; with gaps in memory, in float64,
    large numbers close together, also as only float64 tells them apart, infinite and NaN, alike, float16.
    """
    torch.manual_seed(seed)

    def pair(one, other):
        return torch.randn(one), torch.randn(other)

    shapes = [((4, 1), (4,)), ((6,), (6, 1)), ((5,), (5,)), ((3, 1), (3, 1)), ((1, 1), (1,))]
    large = 20_000 + 100 * torch.rand(50)
    infinite, unknown = torch.randn(3, 1), torch.randn(3)
    infinite[1], unknown[2] = torch.inf, torch.nan
    return [
        *(pair(*both) for both in shapes),
        *(pair(*both) for both in (((4, 1), (1,)), ((2, 1), (3,)), ((1,), (5, 1)))),
        (strided(torch.randn(5, 1)), transposed(torch.randn(5, 1))),
        (torch.randn(4, 1).double(), strided(torch.randn(4).double())),
        ((large + 0.1)[:, None], large),
        (infinite, torch.randn(3)),
        (torch.randn(3, 1), unknown),
        (infinite.clone(), infinite.flatten()),
        ((1e9 * large.double() + 0.25)[:4], 1e9 * large.double()[:4, None]),
        (unknown[:2, None].clone(), unknown[:2].clone()),
        (torch.tensor([1.5, -2.0, 4.0]).half(), torch.tensor([[1.0], [2.0], [4.0]]).half()),
        *(pair(*both) for both in (((1,), (1, 1)), ((1,), (1,)), ((1, 1), (4, 1)), ((3,), (1,)), ((2,), (4, 1)))),
    ]


def _with_slope(answer, predictions, targets):
    predictions = predictions.detach().requires_grad_()
    loss = answer(predictions, targets)
    if not isinstance(loss, torch.Tensor):
        return {"the loss": loss}
    (slope,) = torch.autograd.grad(loss.sum(), predictions, allow_unused=True) if loss.requires_grad else (None,)
    return {"the loss": loss.detach(), "the gradient of the predictions": slope}


mended_loss = Question(
    "mended_loss",
    inputs=pairs_of_columns,
    probe=_with_slope,
)


def training_logs(seed: int) -> list[tuple]:
    """Return the arguments (log,) of each case.

    Sound ones, each mistake, two at once, one epoch; two classes and many; a 0, a NaN, an infinity, a loss near
    guessing in some epochs only. Then some that are drawn.
    """
    draw = random.Random(seed)

    def log(losses, *, classes=10, val=None, norm=None, lr=None):
        epochs = len(losses)
        norm = norm or [draw.uniform(0.5, 2) for _ in range(epochs)]
        lr = lr or [0.1] * epochs
        val = val or [loss * draw.uniform(1.01, 1.2) for loss in losses]
        return ({"classes": classes, "lr": lr, "grad_norm": norm, "train_loss": losses, "val_loss": val},)

    def near(value, epochs, share=0.03):
        return [value * draw.uniform(1 - share, 1 + share) for _ in range(epochs)]

    def falling(epochs=5, start=2.2, end=0.2):
        return [start * (end / start) ** (i / max(1, epochs - 1)) * draw.uniform(0.98, 1) for i in range(epochs)]

    def stuck(classes, epochs):  # on the floor of two softmaxes, from above
        floor = float(np.log(np.e + classes - 1) - 1)
        first = float(np.log(classes))
        return [floor + (first - floor) * 0.15**i for i in range(epochs - 1)] + [floor * draw.uniform(1.003, 1.015)]

    nan, inf, many = float("nan"), float("inf"), draw.randint(20, 900)
    ten, two, lots = (float(np.log(classes)) for classes in (10, 2, many))
    sound, shuffled, floor = falling(), near(ten, 5), float(np.log(np.e + 9) - 1)
    divided = falling(4)
    cases = [
        log(sound),
        log([nan] * 3, norm=[nan] * 3),
        log([2.1, 3.9, inf, nan], norm=[1.0, 30.0, inf, nan]),
        log(near(ten, 4, 0.001), norm=[0.0] * 4),
        log([2.5] * 4, lr=[0.0] * 4),
        log(shuffled),
        log(stuck(10, 5)),
        log(divided, val=[loss / 64 for loss in divided]),
        log([nan, 2.0, 1.5]),
        log([2.2, 1.9, nan]),
        log([inf, 2.0]),
        log([1.0, 0.5, inf]),
        log([nan], norm=[0.0], lr=[0.0]),
        log([inf, nan], norm=[0.0, 0.0]),
        log([ten] * 3, norm=[0.0] * 3, lr=[0.0] * 3),
        log([ten] * 3, lr=[0.0] * 3),
        log([*sound[:2], 0.0, *sound[2:]], norm=[0.0, 1.0, 2.0, 0.0, 1.0, nan]),
        log(sound, lr=[0.0, 0.05, 0.1, 0.05, 0.0]),
        log(near(two, 3), classes=2),
        log(near(lots, 6), classes=many),
        log(stuck(2, 4), classes=2),
        log(stuck(many, 6), classes=many),
        log(stuck(many, 6), classes=many, val=[0.01] * 6),
        log(near(ten, 1)),
        log([floor * 1.01]),
        log([1.2], val=[0.02]),
        log([0.7]),
        log([*near(ten, 4), 0.9 * ten]),
        log([1.1 * ten, *near(ten, 4)]),
        log([*near(ten, 2), 40.0, *near(ten, 2)]),
        log(near(ten, 5), val=[0.03] * 5),
        log([2.2, 1.8, 1.1 * floor]),
        log([2.2, 1.8, 1.3 * floor, floor * 1.005, 1.6 * floor]),
        log([2.2, 0.9 * floor, 1.01 * floor]),
        log([*stuck(10, 4), 2.1 * floor]),
        log(stuck(10, 4), classes=100),
        log(divided, val=[loss / 10.6 for loss in divided]),
        log(divided, val=[loss / 9.4 for loss in divided]),
        log(divided, val=[*(loss / 64 for loss in divided[:3]), divided[3]]),
        log(divided, val=[divided[0], *(loss / 64 for loss in divided[1:])]),
        log(divided, val=[nan, *(loss / 64 for loss in divided[1:])]),
        log([0.0, 0.0], val=[0.0, 0.0]),
        log([1e30, 1e28], val=[1e30, 1e29]),
        log([1e308, 1e308], val=[1.2e307, 1.2e307]),
        log([2.1, 1.9], norm=[inf, 1.0], val=[inf, 2.0]),
        log([2.1, 1.9, 1.8], norm=[1e-12] * 3),
        log([2.1, 1.9, 1.8], norm=[1e-50] * 3),
        log([2.1, 1.9, 1.8], lr=[1e-12] * 3),
        log([2.1, 1.9, 1.8], lr=[1e-50] * 3),
        log([2.1, 1.9, 1.8], norm=[0.0, nan, 0.0]),
        log([*near(ten, 2), 1.0513 * ten]),  # within 5 % of itself
        log([0.9505 * ten, *near(ten, 2)]),
        log([2.2, 1.8, 0.99 * floor]),
        log([0.99 * floor, 1.8, 1.01 * floor]),
        log([0.6, 0.4, 1.04 * float(np.log(np.e + 1) - 1)], classes=2),
        log([6.9, 6.2, 1.018 * float(np.log(np.e + 999) - 1)], classes=1000),
        log([14.68], classes=5_000_000),  # both near guessing and on the floor
    ]
    kinds = (
        lambda epochs: log(falling(epochs)),
        lambda epochs: log([nan, *falling(epochs)]),
        lambda epochs: log([*falling(epochs), inf]),
        lambda epochs: log(falling(epochs), norm=[0.0] * epochs),
        lambda epochs: log(falling(epochs), lr=[0.0] * epochs),
        lambda epochs: log(near(ten, epochs)),
        lambda epochs: log(stuck(10, epochs)),
        lambda epochs: log(losses := falling(epochs), val=[loss / 64 for loss in losses]),
    )
    return cases + [draw.choice(kinds)(draw.randint(4, 7)) for _ in range(10)]


which_mistake = Question(
    "which_mistake",
    inputs=training_logs,
    describe=lambda log: "; ".join(f"{name} {_few(value)}" for name, value in log.items()),
)


def _few(value):
    return value if isinstance(value, int) else "[" + ", ".join(f"{number:.4g}" for number in value) + "]"


class Empty(nn.Module):
    """Two parameters without a number: told apart by nothing that they hold."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Parameter(torch.empty(0)), nn.Parameter(torch.empty(0))


def sleepers(seed: int) -> list[tuple]:
    """Return the arguments (model, optimizer) of each case.

    Rate 0, layers left out, frozen, a head replaced late, all awake, all asleep, twins, buffers, tied weights,
    three deep, gradients left over, empty; a tiny rate, tied and frozen weights, a layer that stands there twice,
    one that has two reasons, a model of one layer, one without parameters. Then some that are drawn.
    """
    torch.manual_seed(seed)
    width, dice = 2 + seed % 3, random.Random(seed)

    def net(*layers):
        return nn.Sequential(*(layers or (nn.Linear(3, width), nn.Linear(width, width), nn.Linear(width, 2))))

    def sgd(*groups):
        return torch.optim.SGD([{"params": list(params), "lr": lr} for params, lr in groups])

    def drawn():
        model = net(*(nn.Linear(2, 2) for _ in range(dice.randint(2, 4))))
        places = {place: [] for place in ("held", "still", "left out")}
        for parameter in model.parameters():
            places[dice.choice(list(places))].append(parameter)
            parameter.requires_grad_(dice.random() < 0.8)
        return model, sgd((places["held"], 0.1), (places["still"], 0.0))

    first, left_out, frozen, replaced, asleep, order, deep = (net() for _ in range(7))
    awake = net().double()
    block = net(nn.Linear(width, width), nn.Linear(width, width))
    block[1].load_state_dict(block[0].state_dict())  # equal numbers, two layers
    twins, empty = net(nn.Linear(3, width), block, nn.Linear(width, 2)), Empty()
    normed = net(nn.Linear(3, width), nn.BatchNorm1d(width))
    frozen[1].requires_grad_(False)
    frozen[2].bias.requires_grad_(False)
    frozen[1].weight.grad = torch.ones(width, width)  # of a step before it was frozen
    old_head = sgd((replaced.parameters(), 0.1))
    replaced[2] = nn.Linear(width, 2)
    tied = net(nn.Linear(3, 3), nn.Linear(3, 3))
    tied[1].weight = tied[0].weight
    deep[1] = net(net(nn.Linear(width, width), nn.ReLU()), nn.Dropout(0.5)).eval()
    tiny, still, reasons, single = net(), net(nn.Linear(3, 3), nn.Linear(3, 3)), net(), nn.Linear(3, width)
    still[1].weight = still[0].weight.requires_grad_(False)
    layer = nn.Linear(3, 3)
    twice = net(nn.Linear(3, 3), layer, nn.ReLU(), layer)
    reasons[0].requires_grad_(False)
    reasons[1].requires_grad_(False)
    return [
        (first, sgd((first[0].parameters(), 0.0), ([*first[1].parameters(), *first[2].parameters()], 0.1))),
        (order, sgd((order[0].parameters(), 0.0), (order[2].parameters(), 0.1))),
        (left_out, sgd((left_out[1].parameters(), 0.0), (left_out[2].parameters(), 0.01))),
        (frozen, torch.optim.Adam(frozen.parameters(), lr=0.1)),
        (replaced, old_head),
        (awake, sgd((awake[0].parameters(), 0.1), (awake[1:].parameters(), 1e-9))),
        (asleep, sgd((asleep.parameters(), 0.0))),
        (twins, sgd((twins[2].parameters(), 0.0), (block[1].parameters(), 0.1), (block[0].parameters(), 0.0))),
        (normed, sgd((normed.parameters(), 0.1))),
        (tied, sgd(([tied[0].weight, tied[1].bias], 0.1), ([tied[0].bias], 0.0))),
        (deep, sgd((deep[1].parameters(), 0.0), (deep[2].parameters(), 0.1), (deep[0].parameters(), 0.2))),
        (empty, sgd(([empty.first], 0.1), ([empty.second], 0.0))),
        (tiny, sgd((tiny[0].parameters(), 1e-30), (tiny[1].parameters(), 0.0), (tiny[2].parameters(), 1e-9))),
        (still, sgd((still.parameters(), 0.1))),
        (twice, sgd((layer.parameters(), 0.0), (twice[0].parameters(), 0.1))),
        (reasons, sgd((reasons[0].parameters(), 0), ([], 0.1), (reasons[2].parameters(), 0.1))),
        (single, sgd(([single.weight], 0.1), ([single.bias], 0.0))),
        (net(nn.ReLU()), sgd((nn.Linear(2, 2).parameters(), 0.1))),
        *(drawn() for _ in range(4)),
    ]


def _left_alone(answer, model, optimizer):
    def state():
        rates = [(group["lr"], [*map(id, group["params"])], sorted(group)) for group in optimizer.param_groups]
        grads = [None if p.grad is None else p.grad.tolist() for p in model.parameters()]
        return rates, grads, len(optimizer.state)

    before = state()
    names = answer(model, optimizer)
    return {"the names": names, "the optimizer and all gradients are as they were": state() == before}


asleep = Question(
    "asleep",
    inputs=sleepers,
    probe=_left_alone,
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


class Refusal(nn.Module):
    """A layer that raises an error of this kind."""

    def __init__(self, kind: type[Exception] = RuntimeError) -> None:
        super().__init__()
        self.kind = kind

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Raise the error."""
        raise self.kind(f"no layer for {tuple(x.shape)}")


class InPlace(nn.Module):
    """A layer that fills what comes in with a number, in place: its input is then its output."""

    def __init__(self, number: float) -> None:
        super().__init__()
        self.number = number

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the input, filled."""
        return x.detach().fill_(self.number)


class Twice(nn.Module):
    """A model that runs one layer twice: on 0, and then on 1."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Run the layer on zeros and on ones; only the second result goes on."""
        self.layer(torch.zeros_like(x))
        return self.layer(torch.ones_like(x))


class Both(nn.Module):
    """A layer whose output holds both infinities, whatever comes in."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return infinities of both signs."""
        return torch.where(torch.arange(x.shape[-1]) % 2 == 0, torch.inf, -torch.inf).expand_as(x)


def sick_models(seed: int) -> list[tuple]:
    """Return the arguments (model, inputs) of each case.

    NaN in the middle, none, run crosswise, infinity, nested, from the start, last, its own; in training mode with
    BatchNorm and Dropout, both infinities, a layer that raises, after a NaN and without one; a NaN that a later
    layer overwrites, or writes into the output of an earlier one; a layer run twice, one that stands there twice;
    one layer alone; a batch of nothing. Then some that are drawn.
    """
    torch.manual_seed(seed)
    dice = random.Random(seed)
    zeros, numbers = torch.zeros(2, 3), torch.rand(2, 3) + 1
    poisoned = numbers.clone()
    poisoned[1, seed % 3] = float("nan")

    def body(*layers):
        return nn.Sequential(*layers)

    def drawn():
        layers = [dice.choice((nn.Identity, nn.Tanh, nn.ReLU))() for _ in range(dice.randint(3, 8))]
        layers.insert(dice.randint(0, len(layers)), Divide(0.0))
        inside = dice.randint(1, len(layers) - 1)
        return body(*layers[:inside], body(*layers[inside:])), zeros

    again = Divide(0.0)
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
        (body(Both(), nn.Identity()), numbers),
        (body(Divide(0.0), nn.BatchNorm1d(3), nn.Identity()), numbers),
        (body(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Dropout(0.5)), numbers),
        (body(nn.Identity(), nn.Dropout(0.5), Divide(1.0)).eval(), numbers),
        (body(nn.Linear(3, 3), body(Refusal())), numbers),
        (body(Divide(0.0), nn.Tanh(), Refusal()), zeros),
        (body(nn.Linear(3, 3), Refusal(ValueError)), numbers),
        (body(nn.Identity(), Divide(0.0), InPlace(1.0), nn.Tanh()), zeros),
        (body(Divide(1.0), InPlace(torch.nan), nn.Tanh()), numbers),
        (body(nn.Identity(), Twice(Divide(0.0))), numbers),
        (body(nn.Identity(), again, nn.Tanh(), again), zeros),
        (Divide(0.0), zeros),
        (body(nn.Linear(3, 3), nn.ReLU()), numbers[:0]),
        *(drawn() for _ in range(6)),
    ]


def _hooks_for_all():
    """PyTorch's own lists of hooks that are called for every module."""
    lists = vars(torch.nn.modules.module)
    return [lists[name] for name in sorted(lists) if name.startswith("_global_") and isinstance(lists[name], dict)]


def _with_hooks_left(answer, model, inputs):
    runs, said, shared = [], {}, [dict(hooks) for hooks in _hooks_for_all()]
    handles = [
        model.register_forward_hook(lambda *_: None),  # somebody else's, which must stay
        model.register_forward_pre_hook(lambda *_: runs.append(1)),
    ]
    try:
        said["the name"] = answer(model, inputs)
    except (RuntimeError, ValueError) as error:
        if not str(error).startswith("no layer for"):
            raise
        said["the name"] = "none: the model's own error came out"
    left = sum(len(module._forward_hooks) for module in model.modules())
    for hooks, before in zip(_hooks_for_all(), shared, strict=True):
        left += len(hooks) - len(before)
        hooks.clear()
        hooks.update(before)
    for handle in handles:
        handle.remove()
    gone = all(len(module._forward_hooks) + len(module._forward_pre_hooks) == 0 for module in model.modules())
    return said | {
        "forward hooks afterwards, of which one is not yours": left,
        "runs of the model": len(runs),
        "a hook that was there before is removed by its own handle": gone or left > 1,
    }


first_nan = Question(
    "first_nan",
    inputs=sick_models,
    probe=_with_hooks_left,
)


@dataclass
class Info:
    """What `get_worker_info()` returns, as far as it is asked for here."""

    id: int
    num_workers: int
    seed: int
    dataset: object


class Jitter:
    """A stand-in for a data set with a generator of its own, as a worker's copy of it."""

    def __init__(self, *, rng: bool) -> None:
        if rng:
            self.rng = np.random.default_rng(977)  # the number of no worker

    def __len__(self) -> int:
        return 0


class Repeated:
    """A wrapper that is no Subset; `rng`: its generator, if it has one."""

    def __init__(self, dataset: object, *, rng: np.random.Generator | None = None) -> None:
        self.dataset = dataset
        if rng is not None:
            self.rng = rng

    def __len__(self) -> int:
        return 2 * len(self.dataset)


def base_seeds(seed: int) -> list[tuple]:
    """Return the arguments (seeds, workers, wrappers, drawing) of each case.

    The seed torch draws for each epoch; how many workers; what is around the data set, the innermost first; whether
    that has an `rng` already. S: Subset; R: a wrapper; D: one with an `rng`; G: one whose `rng` is the data set's.
    Some are drawn.
    """
    draw = random.Random(seed)
    cases = [(2, 2, "", True), (1, 3, "", False), (3, 1, "S", True), (2, 2, "SS", True), (1, 2, "R", True)]
    cases += [(1, 2, "SR", True), (1, 2, "D", False), (2, 1, "SDSR", True), (1, 1, "RRRR", False)]
    cases = [([draw.randrange(10**6, 10**9) for _ in range(n)], *others) for n, *others in cases]
    deep = ([draw.randrange(10**6, 10**9)], 2, "SR" * 6, True)
    return [
        *cases,
        ([2**63 - 1 - draw.randrange(10**6)], 2, "S", True),
        ([5], 2, "RG", True),
        ([0], 2, "R", True),
        deep,
        *(
            (
                [draw.randrange(10**6, 10**9) for _ in range(draw.randint(1, 3))],
                draw.randint(1, 4),
                "".join(draw.choices("SRD", k=draw.randint(0, 4))),
                draw.random() < 0.5,
            )
            for _ in range(3)
        ),
    ]


def _wrapped(wrappers, drawing):
    dataset = innermost = Jitter(rng=drawing)
    for kind in wrappers:
        if kind == "S":
            dataset = torch.utils.data.Subset(dataset, [0])
        else:
            own = {"D": np.random.default_rng(978), "G": innermost.rng if kind == "G" else None}
            dataset = Repeated(dataset, rng=own.get(kind))
    return dataset


def _levels(dataset):
    yield dataset
    while "dataset" in vars(dataset):
        dataset = vars(dataset)["dataset"]
        yield dataset


def _seeded_with(rng, info, base):
    """Which seed a generator was made from, in words."""
    known = {
        "info.seed": info.seed,
        "the worker's number": info.id,
        "the epoch's base seed, without the number": base,
        "what it had before": 977,
        "seed 0": 0,
    }
    if not isinstance(rng, np.random.Generator):
        return "no generator" if rng is None else f"a {type(rng).__name__}, and no generator of NumPy's"
    state = rng.bit_generator.state
    return next(
        (name for name, seed in known.items() if np.random.default_rng(seed).bit_generator.state == state),
        "another seed, or a generator that has drawn already",
    )


def _epochs(answer, seeds, workers, wrappers, drawing):
    """From which seed each worker draws in each epoch, from a fresh copy of the data set each time."""
    said, kept, silent = {}, True, True
    dataset = _wrapped(wrappers, drawing)
    for epoch, base in enumerate(seeds, start=1):
        for number in range(workers):
            mine = copy.deepcopy(dataset)
            levels = list(_levels(mine))
            info = Info(id=number, num_workers=workers, seed=base + number, dataset=mine)
            rngs = [vars(one).get("rng") for one in levels[:-1]]
            states = [rng and rng.bit_generator.state for rng in rngs]
            silent = answer(info) is None and silent
            drawn = _seeded_with(vars(levels[-1]).get("rng"), info, base)
            said[f"worker {number} draws in epoch {epoch} from"] = drawn
            before = [sorted(vars(one)) for one in _levels(copy.deepcopy(dataset))][:-1]
            same = info.dataset is mine and [sorted(vars(one)) for one in levels[:-1]] == before
            after = [vars(one).get("rng") for one in levels[:-1]]
            kept = (
                kept
                and same
                and list(map(id, _levels(mine))) == list(map(id, levels))
                and list(map(id, after)) == list(map(id, rngs))
                and [rng and rng.bit_generator.state for rng in after] == states
            )
    return said | {"every wrapper is as it was, its generator too": kept, "nothing is returned": silent}


reseed = Question(
    "reseed",
    inputs=base_seeds,
    probe=_epochs,
)
