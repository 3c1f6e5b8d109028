"""Our answers to the questions of chapter 07: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import copy

import torch
from torch import nn

from lessonkit.checks.answer import Answer


def moved(before, model):
    """Compare parameters and buffers exactly, because even the smallest difference is a change."""
    return [name for name, tensor in model.state_dict().items() if not torch.equal(tensor, before[name])]


def parameters_only(before, model):
    """You compared parameters only, as in `named_parameters()`. The running mean and variance of a BatchNorm
    layer are buffers, which only `state_dict()` has."""
    return [name for name, tensor in model.named_parameters() if not torch.equal(tensor, before[name])]


def those_that_train(before, model):
    """You compared only parameters with `requires_grad`. The question is also about tensors that should not
    change, and buffers never require a gradient."""
    learning = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    return [name for name, tensor in learning if not torch.equal(tensor, before[name])]


def almost_equal(before, model):
    """`allclose` tolerates small differences, but a weight that changed by a millionth has changed. Use
    `torch.equal`."""
    return [
        name
        for name, tensor in model.state_dict().items()
        if not torch.allclose(tensor.float(), before[name].float(), atol=1e-5)
    ]


def those_that_stayed(before, model):
    """These are the names of the tensors that are equal. Return the names of those that differ."""
    return [name for name, tensor in model.state_dict().items() if torch.equal(tensor, before[name])]


moved = Answer(
    moved,
    mistakes=(parameters_only, those_that_train, almost_equal, those_that_stayed),
    hints=(
        "`model.state_dict()` has the parameters and the buffers, in the order of the layers.",
        "`torch.equal(a, b)` is True if all elements are equal. A NaN is not equal to anything, not even to "
        "itself.",
    ),
)


def parameter_groups(model, head, lr):
    """All parameters of the child `head` get the full learning rate, and all others get a tenth of it."""
    body, top = [], []
    for name, parameter in model.named_parameters():
        (top if name.split(".")[0] == head else body).append(parameter)
    return [{"params": body, "lr": lr / 10}, {"params": top, "lr": lr}]


def name_contains(model, head, lr):
    """The head's group also contains `fc_norm` and `old_fc`, whose names contain `fc`, and modules further
    inside that are called `fc`. Compare the first part of the name, up to the first dot."""
    top = [p for name, p in model.named_parameters() if head in name]
    body = [p for name, p in model.named_parameters() if head not in name]
    return [{"params": body, "lr": lr / 10}, {"params": top, "lr": lr}]


def name_starts(model, head, lr):
    """The head's group also contains `fc_norm`, whose name begins with `fc`. Include the dot after the name in
    the comparison."""
    top = [p for name, p in model.named_parameters() if name.startswith(head)]
    body = [p for name, p in model.named_parameters() if not name.startswith(head)]
    return [{"params": body, "lr": lr / 10}, {"params": top, "lr": lr}]


def head_twice(model, head, lr):
    """The head's parameters are in both groups, because `model.parameters()` returns them too. An optimizer
    refuses a parameter that occurs twice."""
    return [
        {"params": list(model.parameters()), "lr": lr / 10},
        {"params": list(getattr(model, head).parameters()), "lr": lr},
    ]


def body_left_out(model, head, lr):
    """The body's parameters are in no group, so the optimizer never updates them, even if they have a gradient."""
    return [{"params": list(getattr(model, head).parameters()), "lr": lr}]


def rates_swapped(model, head, lr):
    """The learning rates are swapped. The body is pretrained and needs the lower one; the head is new."""
    body, top = [], []
    for name, parameter in model.named_parameters():
        (top if name.split(".")[0] == head else body).append(parameter)
    return [{"params": body, "lr": lr}, {"params": top, "lr": lr / 10}]


def frozen_ones_lost(model, head, lr):
    """Parameters with `requires_grad=False` are in no group. The task asks for every parameter: otherwise a
    layer that is unfrozen later would be in no group."""
    body, top = [], []
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            (top if name.split(".")[0] == head else body).append(parameter)
    return [{"params": body, "lr": lr / 10}, {"params": top, "lr": lr}]


parameter_groups = Answer(
    parameter_groups,
    mistakes=(name_contains, name_starts, head_twice, body_left_out, rates_swapped, frozen_ones_lost),
    hints=(
        "`model.named_parameters()` gives names such as `fc.weight`, or `fc.0.weight` for a head of several "
        "layers.",
        'A parameter belongs to the child `name.split(".")[0]`. Fill two lists in one loop.',
    ),
)


def freeze(model, head):
    """Every child except the head requires no gradient and is in evaluation mode, so that its running statistics
    stay as they are."""
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)
            child.eval()


def gradients_only(model, head):
    """No parameter of the body requires a gradient, but the body is still in training mode: BatchNorm updates
    its running statistics, and dropout is active."""
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)


def modes_only(model, head):
    """The body is in evaluation mode, but all its parameters still require a gradient, because `eval()` does not
    change that. Call `child.requires_grad_(False)`."""
    for name, child in model.named_children():
        if name != head:
            child.eval()


def attribute_of_a_module(model, head):
    """`child.requires_grad = False` gives the module a new attribute of that name, which nothing reads, so its
    parameters still require a gradient. Call the method, whose name ends in `_`: `child.requires_grad_(False)`."""
    for name, child in model.named_children():
        if name != head:
            child.requires_grad = False
            child.eval()


def everything_in_eval(model, head):
    """The head is in evaluation mode too, as after `model.eval()`. Then its dropout is inactive while it trains,
    and its BatchNorm uses running statistics instead of those of the batch."""
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)
    model.eval()


def head_frozen_too(model, head):
    """No parameter is left to train, because the head is frozen too, as after `model.requires_grad_(False)`."""
    model.requires_grad_(False)
    for name, child in model.named_children():
        if name != head:
            child.eval()


def batchnorm_only(model, head):
    """Only BatchNorm layers are in evaluation mode, wherever they are. The whole body must be, including
    dropout, but not the head."""
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)
    for module in model.modules():
        if isinstance(module, nn.modules.batchnorm._BatchNorm):
            module.eval()


def two_levels(model, head):
    """Evaluation mode reaches only two levels down, and modules further inside are still in training mode.
    `child.eval()` sets all levels."""
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
        "`model.named_children()` gives the modules of the first level. All of them except `head` are the body.",
        "Call two methods for each of them: `requires_grad_(False)` for the parameters, and `eval()` for the mode.",
    ),
)


class QVLoRA(nn.Module):
    """The frozen fused layer, plus low-rank updates of the first and the last third of its output."""

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
    """The same layer in parts: each mistake below changes one of them."""

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
    """The second update is added to the key. The order is query, key, value, with d outputs each, so the value
    is the *last* third."""

    def update(self):
        query, nothing, value = super().update().chunk(3)
        return torch.cat([query, value, nothing])


class NoScale(_Parts):
    """The update is not scaled. Multiply it by `alpha / rank`, in the output and in the merged weight."""

    def __init__(self, qkv, rank, alpha):
        super().__init__(qkv, rank, alpha)
        self.scale = 1.0


class AlphaAlone(_Parts):
    """You scaled by `alpha`. Scale by `alpha / rank`, so that a higher rank does not by itself make the update
    larger."""

    def __init__(self, qkv, rank, alpha):
        super().__init__(qkv, rank, alpha)
        self.scale = alpha


class BothZero(_Parts):
    """A and B are both initialised with zeros. The gradient of each is a product with the other, so neither ever
    changes. Initialise A at random."""

    def __init__(self, qkv, rank, alpha):
        super().__init__(qkv, rank, alpha)
        nn.init.zeros_(self.q_A), nn.init.zeros_(self.v_A)


class BaseTrainable(_Parts):
    """The wrapped layer still requires a gradient, so its weight (and its bias, if it has one) would be trained
    too."""

    def __init__(self, qkv, rank, alpha):
        before = [parameter.requires_grad for parameter in qkv.parameters()]
        super().__init__(qkv, rank, alpha)
        for parameter, trainable in zip(qkv.parameters(), before, strict=True):
            parameter.requires_grad_(trainable)


class MergedInPlace(_Parts):
    """`merge()` added the update to the wrapped layer's own weight, so from then on the wrapper counts it twice.
    Build a new layer."""

    @torch.no_grad()
    def merge(self):
        self.qkv.weight += self.update()
        return copy.deepcopy(self.qkv)


class MergedWithoutScale(_Parts):
    """The update in the merged weight is not scaled. `merge()` must add `alpha / rank` times B @ A."""

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
        "`self.qkv(x).chunk(3, dim=-1)` gives query, key and value. `torch.cat` joins them again.",
        "x is (…, in_features), A is (rank, in_features) and B is (d, rank), so `x @ A.T @ B.T` is (…, d).",
        "`merge()` returns a deep copy of the layer. Under `torch.no_grad()`, add `scale * B @ A` to the first d "
        "rows of its weight, and the other update to the last d rows.",
    ),
)
