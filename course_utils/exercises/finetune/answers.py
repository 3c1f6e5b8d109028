"""Our answers to the questions of chapter 07: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import copy

import torch
from torch import nn

from lessonkit.checks.answer import Answer


def moved(before, model):
    """Parameters and buffers, compared exactly: a hair's breadth is a move."""
    return [name for name, tensor in model.state_dict().items() if not torch.equal(tensor, before[name])]


def parameters_only(before, model):
    """Parameters only, as in `named_parameters()`: the running mean and variance of a BatchNorm layer are buffers,
    and stand in `state_dict()` only."""
    return [name for name, tensor in model.named_parameters() if not torch.equal(tensor, before[name])]


def those_that_train(before, model):
    """Parameters with `requires_grad` only. What is not meant to move is what you want to
    catch, and buffers have no gradient at all."""
    learning = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    return [name for name, tensor in learning if not torch.equal(tensor, before[name])]


def almost_equal(before, model):
    """`allclose` forgives small differences: a weight that moved by a millionth moved. Use `torch.equal`."""
    return [
        name
        for name, tensor in model.state_dict().items()
        if not torch.allclose(tensor.float(), before[name].float(), atol=1e-5)
    ]


def those_that_stayed(before, model):
    """These are the names that stayed. The question is for those that differ."""
    return [name for name, tensor in model.state_dict().items() if torch.equal(tensor, before[name])]


moved = Answer(
    moved,
    mistakes=(parameters_only, those_that_train, almost_equal, those_that_stayed),
    hints=(
        "`model.state_dict()` has parameters and buffers, in the order of the layers.",
        "`torch.equal(a, b)` is True where all elements are equal. A NaN equals nothing, not even itself.",
    ),
)


def parameter_groups(model, head, lr):
    """Everything below the child `head` at the whole rate, everything else at a tenth of it."""
    body, top = [], []
    for name, parameter in model.named_parameters():
        (top if name.split(".")[0] == head else body).append(parameter)
    return [{"params": body, "lr": lr / 10}, {"params": top, "lr": lr}]


def name_contains(model, head, lr):
    """The head's group also holds `fc_norm` and `old_fc`, whose names contain `fc`, and what is called `fc` further
    down. Compare the first part of the name, up to the dot."""
    top = [p for name, p in model.named_parameters() if head in name]
    body = [p for name, p in model.named_parameters() if head not in name]
    return [{"params": body, "lr": lr / 10}, {"params": top, "lr": lr}]


def name_starts(model, head, lr):
    """The head's group also holds `fc_norm`, whose name begins with `fc`: the dot after the name belongs to the
    test."""
    top = [p for name, p in model.named_parameters() if name.startswith(head)]
    body = [p for name, p in model.named_parameters() if not name.startswith(head)]
    return [{"params": body, "lr": lr / 10}, {"params": top, "lr": lr}]


def head_twice(model, head, lr):
    """The head is in both groups, as `model.parameters()` holds it too. An optimizer refuses a parameter that
    comes twice."""
    return [
        {"params": list(model.parameters()), "lr": lr / 10},
        {"params": list(getattr(model, head).parameters()), "lr": lr},
    ]


def body_left_out(model, head, lr):
    """The body is missing: a parameter in no group never moves, whatever its gradient says."""
    return [{"params": list(getattr(model, head).parameters()), "lr": lr}]


def rates_swapped(model, head, lr):
    """The rates are swapped: the body has learned already and goes slowly, the head is new."""
    body, top = [], []
    for name, parameter in model.named_parameters():
        (top if name.split(".")[0] == head else body).append(parameter)
    return [{"params": body, "lr": lr}, {"params": top, "lr": lr / 10}]


def frozen_ones_lost(model, head, lr):
    """What has `requires_grad=False` is in no group. The task says every parameter: a layer that is thawed later
    would be in no group."""
    body, top = [], []
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            (top if name.split(".")[0] == head else body).append(parameter)
    return [{"params": body, "lr": lr / 10}, {"params": top, "lr": lr}]


parameter_groups = Answer(
    parameter_groups,
    mistakes=(name_contains, name_starts, head_twice, body_left_out, rates_swapped, frozen_ones_lost),
    hints=(
        "`model.named_parameters()` gives names: `fc.weight`, or `fc.0.weight` for a head of several layers.",
        'The child that a parameter belongs to is `name.split(".")[0]`. Two lists, one loop.',
    ),
)


def freeze(model, head):
    """Every child but the head: no gradients, and evaluation mode, so that its statistics stay."""
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)
            child.eval()


def gradients_only(model, head):
    """No gradients, but the body is still in training mode: in it BatchNorm goes on averaging, and dropout goes on
    dropping."""
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)


def modes_only(model, head):
    """The body is in evaluation mode, and all its parameters still require a gradient: `eval()` leaves that as it
    is. The method `child.requires_grad_(False)` reaches them."""
    for name, child in model.named_children():
        if name != head:
            child.eval()


def attribute_of_a_module(model, head):
    """`child.requires_grad = False` gives a module a new attribute of that name, which nothing reads: its
    parameters still require a gradient. The method reaches them, with `_` at its end:
    `child.requires_grad_(False)`."""
    for name, child in model.named_children():
        if name != head:
            child.requires_grad = False
            child.eval()


def everything_in_eval(model, head):
    """The head is in evaluation mode too, as after `model.eval()`: while it learns, its own dropout drops nothing,
    and its own BatchNorm uses running statistics instead of the batch's."""
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)
    model.eval()


def head_frozen_too(model, head):
    """Nothing is left to train: the head is frozen too, as by `model.requires_grad_(False)`."""
    model.requires_grad_(False)
    for name, child in model.named_children():
        if name != head:
            child.eval()


def batchnorm_only(model, head):
    """Only BatchNorm is in evaluation mode, wherever it stands. The task is the whole body, dropout included, and
    not the head."""
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)
    for module in model.modules():
        if isinstance(module, nn.modules.batchnorm._BatchNorm):
            module.eval()


def two_levels(model, head):
    """Evaluation mode stops two levels down: the modules further inside are still in training mode. `child.eval()`
    walks all the way."""
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)
            for module in (child, *child.children()):
                module.training = False


freeze = Answer(
    freeze,
    mistakes=(
        gradients_only,
        modes_only,
        attribute_of_a_module,
        everything_in_eval,
        head_frozen_too,
        batchnorm_only,
        two_levels,
    ),
    hints=(
        "`model.named_children()` gives the parts of the first level: everything but `head` is body.",
        "Two switches for each of them: `requires_grad_(False)` for the parameters, `eval()` for the behaviour.",
    ),
)


class QVLoRA(nn.Module):
    """The fused layer, frozen, plus low-rank updates of its first and its last third."""

    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        d, like = qkv.out_features // 3, {"dtype": qkv.weight.dtype, "device": qkv.weight.device}
        self.scale = alpha / rank
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **like))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **like))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **like))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **like))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q + self.scale * (x @ self.q_A.T) @ self.q_B.T
        v = v + self.scale * (x @ self.v_A.T) @ self.v_B.T
        return torch.cat((q, k, v), dim=-1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = merged.out_features // 3
        merged.weight[:d] += self.scale * self.q_B @ self.q_A
        merged.weight[-d:] += self.scale * self.v_B @ self.v_A
        return merged


class _Parts(nn.Module):
    """The same in parts: a mistake below changes one of them."""

    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv, self.scale = qkv.requires_grad_(False), alpha / rank
        d, like = qkv.out_features // 3, {"dtype": qkv.weight.dtype, "device": qkv.weight.device}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **like))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **like))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **like))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **like))

    def update(self):
        query, value = self.q_B @ self.q_A, self.v_B @ self.v_A
        return self.scale * torch.cat([query, torch.zeros_like(query), value])

    def forward(self, x):
        return self.qkv(x) + x @ self.update().T

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        merged.weight += self.update()
        return merged


class OnTheKey(_Parts):
    """The second update lands on the key. The order is query, key, value: d outputs each, so the value is the
    *last* third."""

    def update(self):
        query, nothing, value = super().update().chunk(3)
        return torch.cat([query, value, nothing])


class NoScale(_Parts):
    """The update is not scaled. It counts `alpha / rank` times, in the output as in the merged weight."""

    def __init__(self, qkv, rank, alpha):
        super().__init__(qkv, rank, alpha)
        self.scale = 1.0


class AlphaAlone(_Parts):
    """You scaled by `alpha`. It is `alpha / rank`, so that a higher rank does not make the update larger by
    itself."""

    def __init__(self, qkv, rank, alpha):
        super().__init__(qkv, rank, alpha)
        self.scale = alpha


class BothZero(_Parts):
    """A and B both begin at zero: the gradient of each is a product with the other, so neither ever moves. Draw
    A at random."""

    def __init__(self, qkv, rank, alpha):
        super().__init__(qkv, rank, alpha)
        nn.init.zeros_(self.q_A), nn.init.zeros_(self.v_A)


class BaseTrainable(_Parts):
    """The wrapped layer still requires a gradient: its weight and its bias (where it has one) would be trained
    too."""

    def __init__(self, qkv, rank, alpha):
        before = [parameter.requires_grad for parameter in qkv.parameters()]
        super().__init__(qkv, rank, alpha)
        for parameter, trainable in zip(qkv.parameters(), before, strict=True):
            parameter.requires_grad_(trainable)


class MergedInPlace(_Parts):
    """`merge()` added the update to the wrapped layer's own weight: from then on the wrapper counts it twice. Build
    a new layer."""

    @torch.no_grad()
    def merge(self):
        self.qkv.weight += self.update()
        return copy.deepcopy(self.qkv)


class MergedWithoutScale(_Parts):
    """The merged weight lacks the factor: `merge()` adds `alpha / rank` times B @ A."""

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        merged.weight += self.update() / self.scale
        return merged


QVLoRA = Answer(
    QVLoRA,
    mistakes=(
        OnTheKey,
        NoScale,
        AlphaAlone,
        BothZero,
        BaseTrainable,
        MergedInPlace,
        MergedWithoutScale,
    ),
    hints=(
        "`self.qkv(x).chunk(3, dim=-1)` gives query, key and value; `torch.cat` puts them together again.",
        "x is (…, in_features), A is (rank, in_features), B is (d, rank): `x @ A.T @ B.T` is (…, d).",
        "`merge()`: a deep copy of the layer; under `torch.no_grad()` add `scale * B @ A` to the first d rows of "
        "its weight, and the other one to the last d.",
    ),
)
