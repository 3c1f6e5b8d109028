"""What chapter 05 asks: the five steps, a fair measurement, three curves, when to stop, which loop is broken.

The inputs of each question, and how an answer is driven. A submission that is graded sees this file.
"""

import inspect
import math
import random
from collections.abc import Callable, Iterator

import torch
from torch import nn

from lessonkit.checks.question import Question


class Notes(list):
    """A list that a deep copy of its owner shares."""

    def __deepcopy__(self, memo: dict) -> "Notes":
        return self


class Watched(nn.Module):
    """A small model with fixed weights that notes each pass: how many rows, and whether a graph was recorded.

    A copy of it notes in the same lists. `norm`: "moving", a BatchNorm like the rest; "frozen", one in eval mode
    with fixed weights; "deep", a frozen one in a box in a box.
    """

    def __init__(self, features: int, outputs: int, *, dropout: float = 0.0, norm: str = "") -> None:
        super().__init__()
        inner = nn.BatchNorm1d(features) if norm else nn.Identity()
        self.norm = nn.Sequential(nn.Sequential(inner)) if norm == "deep" else inner
        self.dropout, self.linear = nn.Dropout(dropout), nn.Linear(features, outputs)
        self.rows, self.graphs = Notes(), Notes()
        with torch.no_grad():
            self.linear.weight.copy_(torch.linspace(-1, 1, outputs * features).view(outputs, features))
            self.linear.bias.copy_(torch.linspace(-0.2, 0.1, outputs))
            if norm:
                inner.running_mean.fill_(0.5)
        if norm in ("frozen", "deep"):
            inner.eval().requires_grad_(False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Note the pass, and run the layers."""
        self.rows.append(len(x))
        outputs = self.linear(self.dropout(self.norm(x)))
        self.graphs.append(outputs.requires_grad)
        return outputs

    def modes(self) -> dict:
        """Return the mode of every module by name."""
        return {
            name or "the whole": "train" if module.training else "eval" for name, module in self.named_modules()
        }


class Words(Watched):
    """The same for numbers of words: their vectors first."""

    def __init__(self, features: int, outputs: int) -> None:
        super().__init__(features, outputs)
        self.table = nn.Embedding.from_pretrained(torch.linspace(-1, 1, 7 * features).view(7, features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Look the vectors up, and go on."""
        return super().forward(self.table(x))


def small_problems(seed: int) -> list[tuple]:
    """Return the arguments (inputs, targets, setting) of each case.

    Ordinary, a single example, one feature and momentum, a large batch and another loss, dropout, gradients of
    an earlier batch, a model in eval mode, one with a frozen part, a regression in float64, numbers of words; a
    steep place, a loss near 0, columns in memory; a part frozen deep inside, one part awake in a model in eval
    mode, gradients of a million, 300 examples; infinite gradients of an earlier batch, a loss beyond float32.
    """
    draw = torch.Generator().manual_seed(seed)
    sizes = ((8, 4), (1, 4), (5, 1), (64, 3), (16, 6), (8, 3), (9, 4), (9, 4))
    settings = ({}, {}, {"momentum": 0.9}, {"label_smoothing": 0.3}, {"dropout": 0.5}, {"gradients left": 1.0})
    settings += ({"dropout": 0.5, "norm": "moving", "eval": True}, {"dropout": 0.5, "norm": "frozen"})
    cases = [
        (torch.randn(n, features, generator=draw), torch.randint(0, 3, (n,), generator=draw), setting)
        for (n, features), setting in zip(sizes, settings, strict=True)
    ]
    numbers = torch.randn(6, 4, generator=draw).double()
    return [
        *cases,
        (numbers, numbers[:, :3] ** 2 + 0.123456789, {"mse": True}),
        (torch.randint(0, 7, (5,), generator=draw), torch.randint(0, 3, (5,), generator=draw), {"words": 4}),
        (torch.tensor([[5.0, 5.0]]), torch.tensor([0]), {}),
        (torch.tensor([[3.0, 3.0]]), torch.tensor([2]), {}),
        (torch.randn(4, 7, generator=draw).T, torch.randint(0, 3, (7,), generator=draw), {}),
        (*cases[-1][:2], {"dropout": 0.3, "norm": "deep"}),
        (*cases[-1][:2], {"dropout": 0.3, "norm": "moving", "eval": True, "awake": "norm"}),
        (torch.tensor([[1e6, 2e6], [-1e6, 3e6]]), torch.tensor([0, 2]), {}),
        (torch.randn(300, 2, generator=draw), torch.randint(0, 3, (300,), generator=draw), {"momentum": 0.5}),
        (*cases[0][:2], {"gradients left": math.inf}),
        (numbers, numbers[:, :3] * 1e30, {"mse": True}),
    ]


def three_steps(answer: Callable, inputs: torch.Tensor, targets: torch.Tensor, setting: dict) -> dict:
    """Drive a training step three times on one fixed small model: what it returned and where the weights went."""
    parts = {name: setting[name] for name in ("dropout", "norm") if name in setting}
    model = Words(setting["words"], 3) if "words" in setting else Watched(inputs.shape[1], 3, **parts)
    model = model.to(inputs.dtype) if inputs.dtype.is_floating_point else model
    if "eval" in setting:
        model.eval()
    if "awake" in setting:
        model.get_submodule(setting["awake"]).train()
    modes = model.modes()
    groups = [{"params": [p]} for p in model.parameters() if p.requires_grad]  # no group may be forgotten
    optimizer = torch.optim.SGD(groups, lr=0.5, momentum=setting.get("momentum", 0.0))
    loss_fn = nn.CrossEntropyLoss(label_smoothing=setting.get("label_smoothing", 0.0))
    if "gradients left" in setting:
        for parameter in model.parameters():
            parameter.grad = torch.full_like(parameter, setting["gradients left"])
    loss_fn = nn.MSELoss() if "mse" in setting else loss_fn
    losses = [answer(model, optimizer, loss_fn, inputs, targets) for _ in range(3)]
    after = model.modes()
    return {
        "modules whose mode changed": [name for name in modes if after[name] != modes[name]],
        "the losses returned": dict(zip(("in step 1", "in step 2", "in step 3"), losses, strict=True)),
        "a loss is still part of its graph": any(torch.is_tensor(loss) and loss.requires_grad for loss in losses),
        "the type of a loss": type(losses[0]).__name__,
        "the weight after three steps": model.linear.weight.detach(),
        "the bias after three steps": model.linear.bias.detach(),
        "passes through the model in three steps": len(model.rows),
    }


train_step = Question(
    "train_step",
    inputs=small_problems,
    probe=three_steps,
    rtol=1e-4,
    atol=1e-5,
)


def sets_of_batches(seed: int) -> list[tuple]:
    """Return the arguments (inputs, targets, sizes, setting) of each case: one set, cut into batches of `sizes`.

    A short last batch, dropout in train mode, a BatchNorm frozen inside a model that trains, a model in eval
    mode; a batch of one, a single batch, the same size twice, the short one first, another loss, float64, columns
    in memory, gradients that lie there; a BatchNorm frozen deep inside, one awake in a model in eval mode, a whole
    in eval mode whose parts train; more than 256 examples, logits far from 0.
    """
    draw = torch.Generator().manual_seed(seed)
    plan = [
        ([8, 8, 3], {}),
        ([6, 6, 2], {"dropout": 0.5}),
        ([5, 4], {"norm": "frozen", "dropout": 0.3}),
        ([5, 4], {"norm": "moving", "eval": True}),
        ([7, 7, 1], {"norm": "moving"}),
        ([12], {}),
        ([4, 4], {}),
        ([1, 9, 9], {"label_smoothing": 0.3}),
        ([6, 2], {"double": True}),
        ([6, 3], {"columns": True}),
        ([6, 3], {"gradients left": 1.0}),
        ([5, 4], {"norm": "deep", "dropout": 0.3}),
        ([6, 3], {"norm": "deep", "eval": True, "awake": "norm.0.0"}),
        ([6, 3], {"dropout": 0.5, "norm": "moving", "root": False}),
        ([600, 900, 7], {}),
        ([3, 1], {"far": True}),
    ]
    cases = []
    for sizes, setting in plan:
        inputs = torch.randn(sum(sizes), 4, generator=draw)
        inputs[-sizes[-1] :] *= 3  # the last batch is another kind, and so its loss
        targets = torch.randint(0, 3, (sum(sizes),), generator=draw)
        if "far" in setting:  # one row each with logits far above 0, far below, and the largest first
            inputs = torch.tensor([[-50.0, 0, 0, 100], [1e4, 0, 0, -5e3], [100, 0, 0, -200], [-5e3, 0, 0, 1e4]])
            targets = torch.tensor([2, 2, 0, 2])
        inputs = inputs.double() if "double" in setting else inputs
        inputs = inputs.T.contiguous().T if "columns" in setting else inputs
        cases.append((inputs, targets, sizes, setting))
    return cases


def measured_and_left(
    answer: Callable, inputs: torch.Tensor, targets: torch.Tensor, sizes: list[int], setting: dict
) -> dict:
    """Measure a small model on a loader that can be read once: what was returned, what became of the model."""
    parts = {name: setting[name] for name in ("dropout", "norm") if name in setting}
    model = Watched(4, 3, **parts).to(inputs.dtype)
    if "eval" in setting:
        model.eval()
    if "awake" in setting:
        model.get_submodule(setting["awake"]).train()
    model.training = setting.get("root", model.training)
    for parameter in model.parameters():
        parameter.grad = torch.full_like(parameter, 1.0) if "gradients left" in setting else None
    modes, buffers = model.modes(), {name: value.clone() for name, value in model.state_dict().items()}
    trained = {name: parameter.requires_grad for name, parameter in model.named_parameters()}
    loss_fn = nn.CrossEntropyLoss(label_smoothing=setting.get("label_smoothing", 0.0))

    def loader() -> Iterator:
        yield from zip(inputs.split(sizes), targets.split(sizes), strict=True)

    try:
        returned = answer(model, loader(), loss_fn)
        recording = torch.is_grad_enabled()
    finally:
        torch.set_grad_enabled(True)
    after, pair = model.modes(), isinstance(returned, (tuple, list)) and len(returned) == 2
    loss, accuracy = returned if pair else (None, None)
    return {
        "two values": pair or type(returned).__name__,
        "the loss": loss,
        "the accuracy": accuracy,
        "the types": [type(value).__name__ for value in (loss, accuracy)],
        "modules whose mode changed": [name for name in modes if after[name] != modes[name]],
        "tensors of the model that changed": [
            name for name, value in model.state_dict().items() if not torch.equal(value, buffers[name])
        ],
        "weights whose requires_grad changed": [
            name for name, parameter in model.named_parameters() if parameter.requires_grad != trained[name]
        ],
        "gradients that changed": any(
            (p.grad is None) == ("gradients left" in setting) or (p.grad is not None and bool((p.grad != 1).any()))
            for p in model.parameters()
        ),
        "a graph was recorded": any(model.graphs),
        "autograd records afterwards": recording,
        "rows that passed through the model once more": max(0, sum(model.rows) - len(inputs)),
    }


measure = Question(
    "measure",
    inputs=sets_of_batches,
    probe=measured_and_left,
    rtol=1e-5,
    atol=1e-6,
)


choices = Question(
    "choices",
    asks='a dict with "A", "B" and "C", each an epoch and one of the three fixes.',
)


def runs_of_losses(seed: int) -> list[tuple]:
    """Return the arguments (val_losses, patience) of each case.

    A turn, one that comes back in time, one that comes back too late; never a turn, one epoch, patience 1, equal
    losses, a NaN and an infinity on the way, tiny gains, large numbers, negative ones, lower after the end; minus
    infinity, the two zeros, the smallest numbers, more NaN than epochs left, hundreds of epochs. Then some drawn.
    """
    draw, dice = torch.Generator().manual_seed(seed), random.Random(seed)
    fall = (2.0 - 0.1 * torch.arange(6) - 0.05 * torch.rand(6, generator=draw)).tolist()
    rise = (1.6 + 0.1 * torch.arange(6) + 0.05 * torch.rand(6, generator=draw)).tolist()
    return [
        (fall + rise, 3),
        ([1.0, 0.8, 0.9, 0.85, 0.7, 0.75, 0.8, 0.9], 3),
        ([1.0, 0.8, 0.9, 0.85, 0.7, 0.6, 0.5], 2),
        (fall, 2),
        (fall[:1], 1),
        ([1.0, 1.1, 0.5], 1),
        ([0.5, 0.5, 0.5, 0.5, 0.4], 3),
        ([0.9, math.nan, math.nan, 0.8, math.nan, 0.85, 0.95, 0.1], 3),
        ([0.9, math.inf, 0.8, math.inf, math.inf, 0.1], 2),
        ([1.0, 1.0 - 1e-12, 1.0 - 2e-12, 1.0, 1.0, 1.0], 2),
        ([3e38, 2e38, 2.5e38, 2.5e38, 1.0], 2),
        ([-1.0, -2.0, -1.5, -1.9, -3.0], 2),
        ([0.5, 0.6, 0.4, 0.45, 0.45, 0.3, 0.35], 10),
        (rise + fall, 6),
        ([math.inf, 0.7, 0.8], 2),
        ([math.inf, math.inf, math.inf, 0.5], 2),
        ([0.5, -math.inf, -math.inf, math.nan, 0.1], 3),
        ([0.0, -0.0, -0.0, -1.0], 2),
        ([1e-165, 5e-166, 1e-300, 5e-324, 0.0, 5e-324, 0.0, -5e-324], 2),
        ([0.5, math.nan, math.nan], 5),
        ([0.5, 0.4, math.nan, math.nan, 0.3], 2),
        ([2.0**53, 2.0**53 - 1, 2.0**53, 2.0**53 - 1], 2),
        ([1.0 / epoch for epoch in range(1, 301)] + [1.0] * 300, 290),
        *(([dice.randint(20, 40) / 40 for _ in range(dice.randint(6, 12))], dice.randint(1, 4)) for _ in range(6)),
    ]


def two_numbers(answer: Callable, val_losses: list[float], patience: int) -> dict:
    """Return the last epoch and the best one by name."""
    returned = answer(val_losses, patience)
    if not isinstance(returned, (tuple, list)) or len(returned) != 2:
        return {"two values": type(returned).__name__, "the last epoch": None, "the best epoch": None}
    return {"two values": True, "the last epoch": returned[0], "the best epoch": returned[1]}


stop_epoch = Question(
    "stop_epoch",
    inputs=runs_of_losses,
    probe=two_numbers,
)


# What each unknown step does. No bug is named here: a step holds its actions, and an answer can read what it holds.
ORDERS = (
    ("loss", "clear", "`backward()`"),
    ("loss", "`backward()`", "clear", "`step()`"),
    ("loss", "clear", "`step()`", "`backward()`"),
    ("loss", "clear", "`backward()`", "`step()`"),
    ("clear", "loss", "`backward()`", "`step()`"),
    ("loss", "`model.zero_grad()`", "`backward()`", "`step()`"),
    ("loss", "`zero_grad(set_to_none=False)`", "`backward()`", "`step()`"),
    ("another mode", "back", "loss", "clear", "`backward()`", "`step()`"),
    ("loss", "`backward()`", "`step()`"),
    ("`train()`", "loss", "clear", "`backward()`", "`step()`"),
    ("`eval()`", "loss", "clear", "`backward()`", "`step()`"),
    ("loss", "clear", "`backward()`", "`step()`", "`eval()`"),
    ("loss", "clear", "`backward()`", "`step()`", "another mode"),
    ("loss", "clear", "`backward()`", "`step()`", "the loss to return"),
)


def make_step(actions: tuple[str, ...]) -> Callable:
    """Return a training step with one bug, or none, that does these actions of ORDERS one after the other."""

    def step(model, optimizer, loss_fn, inputs, targets):
        modes = [(module, module.training) for module in model.modules()]
        for action in actions:
            match action:
                case "loss":
                    loss = loss_fn(model(inputs), targets)
                case "the loss to return":
                    with torch.no_grad():
                        loss = loss_fn(model(inputs), targets)
                case "clear":
                    optimizer.zero_grad()
                case "`zero_grad(set_to_none=False)`":
                    optimizer.zero_grad(set_to_none=False)
                case "`model.zero_grad()`":
                    model.zero_grad()
                case "`backward()`":
                    loss.backward()
                case "`step()`":
                    optimizer.step()
                case "`train()`" | "`eval()`":
                    model.train(action == "`train()`")
                case "another mode":
                    model.train(not model.training)
                case "back":
                    for module, training in modes:
                        module.training = training
        return loss.item()

    return step


def in_words(step: Callable) -> str:
    """Return what a step of `make_step` does, in its order."""
    return f"a step that does {', '.join(inspect.getclosurevars(step).nonlocals['actions'])}"


def unknown_steps(seed: int) -> list[tuple]:
    """Return the argument (step,) of each case: a right one as the example, then all in another order."""
    order = torch.randperm(len(ORDERS), generator=torch.Generator().manual_seed(seed))
    right = ("loss", "clear", "`backward()`", "`step()`")
    return [(make_step(right),), *((make_step(ORDERS[index]),) for index in order.tolist())]


diagnose = Question(
    "diagnose",
    inputs=unknown_steps,
    describe=in_words,
)
