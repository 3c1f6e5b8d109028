"""Questions of chapter 05: the five steps, a fair measurement, three curves, when to stop, which loop is broken."""

import inspect
import math
import random
from collections.abc import Callable, Iterator

import torch
from torch import nn

from lessonkit.checks.exercise import Exercise


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
        "modules that came out in another mode": [name for name in modes if after[name] != modes[name]],
        "the losses returned": dict(zip(("in step 1", "in step 2", "in step 3"), losses, strict=True)),
        "a loss still tied to its graph": any(torch.is_tensor(loss) and loss.requires_grad for loss in losses),
        "the type of a loss": type(losses[0]).__name__,
        "the weight after three steps": model.linear.weight.detach(),
        "the bias after three steps": model.linear.bias.detach(),
        "passes through the model in three steps": len(model.rows),
    }


def train_step(model, optimizer, loss_fn, inputs, targets):
    """Five steps in an order that works; the loss as a plain number."""
    logits = model(inputs)
    loss = loss_fn(logits, targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def never_cleared(model, optimizer, loss_fn, inputs, targets):
    """The gradients of earlier steps are still there when `backward()` adds to them: clear them before it, with
    `optimizer.zero_grad()`, at every step."""
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


def cleared_afterwards(model, optimizer, loss_fn, inputs, targets):
    """Right from the second step on. What lay in `.grad` before the first one still counted: clear *before*
    `backward()`, not after the step."""
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def found_no_gradient(model, optimizer, loss_fn, inputs, targets):
    """The weights never move: when `step()` came, no gradient was there. Either it came before `backward()`, or the
    gradients were cleared in between."""
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()


def stepped_too_early(model, optimizer, loss_fn, inputs, targets):
    """Each step follows the gradient of an earlier batch, and the first of a run has none at all: `step()` must
    come after this batch's `backward()`."""
    loss = loss_fn(model(inputs), targets)
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
    return loss.item()


def set_train_mode(model, optimizer, loss_fn, inputs, targets):
    """The model came out in train mode, whatever it came in as. The mode is the caller's: a part that was put into
    `eval()` on purpose is not to be woken by a step."""
    model.train()
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def kept_the_graph(model, optimizer, loss_fn, inputs, targets):
    """The step is right, but you returned the loss tensor, and with it the whole graph of this batch. Kept in a
    list for an epoch, that fills the memory: return `loss.item()`."""
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def looked_again(model, optimizer, loss_fn, inputs, targets):
    """You returned the loss *after* the step, from a second pass through the model. The one that was
    differentiated is already there, and costs nothing."""
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss_fn(model(inputs), targets).item()


train_step = Exercise(
    train_step,
    inputs=small_problems,
    mistakes=(
        never_cleared,
        cleared_afterwards,
        found_no_gradient,
        stepped_too_early,
        set_train_mode,
        kept_the_graph,
        looked_again,
    ),
    hints=(
        "Forward, loss, clear, backward, step: five lines, all of them in the cell above.",
        "Which of the five must stand directly before which? `backward()` adds, `step()` reads `.grad`.",
        "Return a number, not a tensor: `.item()`. Leave the mode, and what came in, alone.",
    ),
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
        "modules that came out in another mode": [name for name in modes if after[name] != modes[name]],
        "tensors of the model that changed": [
            name for name, value in model.state_dict().items() if not torch.equal(value, buffers[name])
        ],
        "weights frozen or thawed": [
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


def measure(model, loader, loss_fn):
    """Modes noted module by module and put back; sums over examples, divided once."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    loss_sum, correct, count = 0.0, 0, 0
    with torch.no_grad():
        for inputs, targets in loader:
            logits = model(inputs)
            loss_sum += loss_fn(logits, targets).item() * len(targets)
            correct += (logits.argmax(dim=1) == targets).sum().item()
            count += len(targets)
    for module, training in modes:
        module.training = training
    return loss_sum / count, correct / count


def _careless(model, loader, loss_fn, *, mode, afterwards, grad=False, weigh=True):
    """Measure as `measure` does, but for what the arguments say: the mistakes below differ in one each."""
    before = model.training
    if mode == "eval":
        model.eval()
    losses, shares, sizes = [], [], []
    with torch.set_grad_enabled(grad):
        for inputs, targets in loader:
            logits = model(inputs)
            losses.append(loss_fn(logits, targets).item())
            shares.append((logits.argmax(dim=1) == targets).float().mean().item())
            sizes.append(len(targets) if weigh else 1)
    if afterwards != "left":
        model.train(before if afterwards == "root" else True)
    weights = torch.tensor(sizes).double() / sum(sizes)
    return tuple((torch.tensor(part).double() * weights).sum().item() for part in (losses, shares))


def in_whatever_mode(model, loader, loss_fn):
    """You never called `eval()`: dropout was at work; BatchNorm used your batches' figures and changed its own."""
    return _careless(model, loader, loss_fn, mode="", afterwards="left")


def left_in_eval(model, loader, loss_fn):
    """The figures are right, but the model came out in eval mode: whoever trains on goes on without dropout."""
    return _careless(model, loader, loss_fn, mode="eval", afterwards="left")


def always_train(model, loader, loss_fn):
    """You ended with `model.train()`: a model, or a part of it, that came in eval mode came out in train mode."""
    return _careless(model, loader, loss_fn, mode="eval", afterwards="train")


def only_the_root(model, loader, loss_fn):
    """A part that stood in `eval()` by itself, a frozen BatchNorm, was woken: `train(mode)` sets all parts below
    as well. Note the mode of each of `model.modules()`, and put it back with `module.training = …`."""
    return _careless(model, loader, loss_fn, mode="eval", afterwards="root")


def graph_recorded(model, loader, loss_fn):
    """The figures are right, but autograd recorded a graph for each batch. `eval()` does not stop that: use
    `torch.no_grad()`."""
    modes = [(module, module.training) for module in model.modules()]
    pair = _careless(model, loader, loss_fn, mode="eval", afterwards="left", grad=True)
    for module, training in modes:
        module.training = training
    return pair


def mean_of_means(model, loader, loss_fn):
    """Each batch counted once, however many examples it holds. Weigh each batch's mean by its examples."""
    modes = [(module, module.training) for module in model.modules()]
    pair = _careless(model, loader, loss_fn, mode="eval", afterwards="left", weigh=False)
    for module, training in modes:
        module.training = training
    return pair


def sums_over_the_wrong_count(model, loader, loss_fn):
    """You added up batch *means* and divided by the number of *examples*: a loss that is far too good. Multiply
    each mean by its examples first."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    loss_sum, correct, count = 0.0, 0, 0
    with torch.no_grad():
        for inputs, targets in loader:
            logits = model(inputs)
            loss_sum += loss_fn(logits, targets).item()
            correct += (logits.argmax(dim=1) == targets).sum().item()
            count += len(targets)
    for module, training in modes:
        module.training = training
    return loss_sum / count, correct / count


measure = Exercise(
    measure,
    inputs=sets_of_batches,
    mistakes=(
        in_whatever_mode,
        left_in_eval,
        always_train,
        only_the_root,
        graph_recorded,
        mean_of_means,
        sums_over_the_wrong_count,
    ),
    hints=(
        "Before the loop: note the mode of each of `model.modules()`, then `model.eval()`.",
        "In the loop, under `torch.no_grad()`: add up mean loss times examples, the hits, and the examples.",
        "After the loop: put every mode back, one module at a time, and divide both sums once.",
    ),
    probe=measured_and_left,
    rtol=1e-5,
    atol=1e-6,
)


def choices():
    """A learns its pictures by heart, B has hardly begun, C takes steps that are too long."""
    return {"A": (4, "more pictures"), "B": (12, "higher rate"), "C": (2, "lower rate")}


def by_the_training_loss():
    """You kept each run's epoch of the lowest *training* loss. That says how well it knows the pictures it has
    seen; keep by the validation loss."""
    return {"A": (12, "more pictures"), "B": (12, "higher rate"), "C": (2, "lower rate")}


def counted_from_zero():
    """The epochs are counted from 0 in your answer; in the picture the first one is number 1."""
    return {"A": (3, "more pictures"), "B": (11, "higher rate"), "C": (1, "lower rate")}


def b_wants_pictures():
    """The epochs are right. But B's training loss is as high as its validation loss: it has not even learned the
    pictures it has, so more of them do not help."""
    return {"A": (4, "more pictures"), "B": (12, "more pictures"), "C": (2, "lower rate")}


def the_rates_exchanged():
    """The epochs are right, and the two rates exchanged: a loss that jumps up wants a lower one, a loss that crawls
    down a higher one."""
    return {"A": (4, "more pictures"), "B": (12, "lower rate"), "C": (2, "higher rate")}


choices = Exercise(
    choices,
    mistakes=(by_the_training_loss, counted_from_zero, b_wants_pictures, the_rates_exchanged),
    asks='a dict with "A", "B" and "C", each an epoch and one of the three cures.',
    hints=(
        "The epoch first: where is the *dashed* curve, validation, lowest? Count from 1.",
        "Then the cure. Do the two curves part (it knows its pictures by heart)? Do both crawl (too slow)? Does "
        "the training loss itself jump up (too fast)?",
    ),
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


def stop_epoch(val_losses, patience):
    """Epoch by epoch, as a run meets them: the best so far, and how long it has been waited for a better one."""
    lowest, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, start=1):
        if loss < lowest:
            lowest, best = loss, epoch
        if epoch - best == patience:
            break
    return epoch, best


def _watched(val_losses, patience):
    lowest, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, start=1):
        if loss < lowest:
            lowest, best = loss, epoch
        if epoch - best == patience:
            return epoch, best
    return len(val_losses), best


def from_zero(val_losses, patience):
    """Your epochs are counted from 0; the first one is number 1."""
    last, best = _watched(val_losses, patience)
    return last - 1, best - 1


def one_too_late(val_losses, patience):
    """You waited one epoch longer than `patience`: the run stops *after* the `patience`-th epoch in a row without a
    new lowest loss."""
    return _watched(val_losses, patience + 1)


def looked_ahead(val_losses, patience):
    """Your best epoch is that of the whole list. A run that has stopped never sees the later losses."""
    last, _ = _watched(val_losses, patience)
    finite = [math.inf if math.isnan(loss) else loss for loss in val_losses]
    return last, finite.index(min(finite)) + 1


def never_reset(val_losses, patience):
    """You counted all epochs without a new lowest loss; the count begins anew with each new lowest one."""
    lowest, best, bad = val_losses[0], 1, 0
    for epoch, loss in enumerate(val_losses, start=1):
        if loss < lowest:
            lowest, best = loss, epoch
        elif epoch > 1:
            bad += 1
        if bad == patience:
            break
    return epoch, best


def against_the_last(val_losses, patience):
    """You compared each loss with the epoch before it. Compare it with the lowest so far: after a peak, losses that
    fall are not yet better than the best."""
    best, bad = 1, 0
    for epoch, loss in enumerate(val_losses, start=1):
        if epoch > 1 and loss < val_losses[epoch - 2]:
            best, bad = epoch, 0
        elif epoch > 1:
            bad += 1
        if bad == patience:
            break
    return epoch, best


def equal_is_better(val_losses, patience):
    """A loss *equal* to the lowest so far counted as better. It has to be lower: keep the earlier of two."""
    lowest, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, start=1):
        if loss <= lowest:
            lowest, best = loss, epoch
        if epoch - best == patience:
            break
    return epoch, best


stop_epoch = Exercise(
    stop_epoch,
    inputs=runs_of_losses,
    mistakes=(from_zero, one_too_late, looked_ahead, never_reset, against_the_last, equal_is_better),
    hints=(
        "Go through the losses in order, and keep two things: the lowest so far, and its epoch.",
        "How long have you waited? The present epoch minus the best one. Stop when that is `patience`.",
    ),
    probe=two_numbers,
)


ORDERS = {  # what a step does, by its bug's name and what tells it from others with that bug
    "never moves": ("loss", "clear", "`backward()`"),
    "never moves, cleared in between": ("loss", "`backward()`", "clear", "`step()`"),
    "never moves, stepped first": ("loss", "clear", "`step()`", "`backward()`"),
    "right": ("loss", "clear", "`backward()`", "`step()`"),
    "right, cleared first": ("clear", "loss", "`backward()`", "`step()`"),
    "right, by the model": ("loss", "`model.zero_grad()`", "`backward()`", "`step()`"),
    "right, to zeros": ("loss", "`zero_grad(set_to_none=False)`", "`backward()`", "`step()`"),
    "right, to and fro": ("another mode", "back", "loss", "clear", "`backward()`", "`step()`"),
    "never clears": ("loss", "`backward()`", "`step()`"),
    "changes the mode, train": ("`train()`", "loss", "clear", "`backward()`", "`step()`"),
    "changes the mode, eval": ("`eval()`", "loss", "clear", "`backward()`", "`step()`"),
    "changes the mode, at the end": ("loss", "clear", "`backward()`", "`step()`", "`eval()`"),
    "changes the mode, the other": ("loss", "clear", "`backward()`", "`step()`", "another mode"),
    "loss after the step": ("loss", "clear", "`backward()`", "`step()`", "the loss to return"),
}


def make_step(kind: str) -> Callable:
    """Return a training step with one bug, or none, that does what ORDERS says of this kind."""

    def step(model, optimizer, loss_fn, inputs, targets):
        modes = [(module, module.training) for module in model.modules()]
        for action in ORDERS[kind]:
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
    return f"a step that does {', '.join(ORDERS[inspect.getclosurevars(step).nonlocals['kind']])}"


def unknown_steps(seed: int) -> list[tuple]:
    """Return the argument (step,) of each case: a right one as the example, then all kinds in another order."""
    order = torch.randperm(len(ORDERS), generator=torch.Generator().manual_seed(seed))
    kinds = list(ORDERS)
    return [(make_step("right"),), *((make_step(kinds[index]),) for index in order.tolist())]


def diagnose(step):
    """Two modes, each with a gradient left on purpose; what is returned, moved and left is looked at in turn."""
    inputs, targets, loss_fn = torch.ones(4, 2), torch.zeros(4, 1), nn.MSELoss()
    for training in (True, False):
        model = nn.Linear(2, 1).train(training)
        nn.init.ones_(model.weight)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        expected = loss_fn(model(inputs), targets).item()
        model.weight.grad = torch.full((1, 2), 1000.0)
        found = step(model, optimizer, loss_fn, inputs, targets)
        moved = (model.weight - 1).abs().max()
        if model.training != training:
            return "changes the mode"
        if moved == 0:
            return "never moves"
        if moved > 50:
            return "never clears"
        if abs(found - expected) > 1e-4:
            return "loss after the step"
    return "right"


def _tried(step, modes=(True, False), gradient=1000.0):
    inputs, targets, loss_fn = torch.ones(4, 2), torch.zeros(4, 1), nn.MSELoss()
    for training in modes:
        model = nn.Linear(2, 1).train(training)
        nn.init.ones_(model.weight)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        expected = loss_fn(model(inputs), targets).item()
        model.weight.grad = None if gradient is None else torch.full((1, 2), gradient)
        found = step(model, optimizer, loss_fn, inputs, targets)
        moved = (model.weight - 1).abs().max()
        if model.training != training:
            return "changes the mode"
        if moved == 0 or moved > 50:
            return "never clears" if moved else "never moves"
        if abs(found - expected) > 1e-4:
            return "loss after the step"
    return "right"


def only_in_train_mode(step):
    """You said `"right"` of a step with `model.train()` in it. On a model that stands in train mode it changes
    nothing: look at the mode after a step in eval mode as well."""
    return _tried(step, modes=(True,))


def only_in_eval_mode(step):
    """You said `"right"` of a step with `model.eval()` in it. On a model that stands in eval mode it changes
    nothing: look at the mode after a step in train mode as well."""
    return _tried(step, modes=(False,))


def only_one_step(step):
    """You said `"right"` of a step that never clears. Your trial could not show that gradients add up: before the
    first step of a fresh model there are none, and those of the same batch make a move longer without turning it.
    Leave a huge gradient in `.grad` first, and look how far the weights go."""
    return _tried(step, gradient=None)


def only_the_loss(step):
    """A step that moves the weights need not be right: look at the mode afterwards, at the gradient left by an
    earlier step, and at which loss is returned."""
    return "never moves" if _tried(step) == "never moves" else "right"


diagnose = Exercise(
    diagnose,
    inputs=unknown_steps,
    describe=in_words,
    mistakes=(only_in_train_mode, only_in_eval_mode, only_one_step, only_the_loss),
    hints=(
        "Make a tiny model (`nn.Linear(2, 1)`), an optimizer and a batch; compute the loss before the step.",
        "Never clears: put a huge gradient into `.grad` first. If the step follows it, the weights fly away.",
        "Try the step on a model in train mode and on one in eval mode; look at `model.training` afterwards.",
    ),
)
