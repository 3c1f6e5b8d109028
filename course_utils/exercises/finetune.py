"""Questions of chapter 07: what moved, two groups of parameters, frozen and quiet, names that differ."""

from collections.abc import Callable

import torch
from torch import nn

from course_utils.checks.exercise import Exercise


def disturbed_models(seed: int) -> list[tuple]:
    """Return the arguments (before, model) of each case.

    An old state and a model in which something moved: buffers, parameters, nothing, a hair. Then where a sum, a
    tolerance, float32 or `>` sees nothing: values that changed places, one number of many, a large counter, a
    digit of float64, NaN. Last a weight with two names. `before` has its own order in some.
    """
    torch.manual_seed(seed)
    cases = []
    kinds = ("statistics", "weight", "nothing", "hair", "all", "places", "one number")
    kinds += ("counter", "digit", "nan", "tied")
    for kind in kinds:
        layers = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Flatten(), nn.Linear(2, 3)
        model = nn.Sequential(*layers)
        if kind == "places":
            model[3].weight.data = torch.randperm(6).float().view(3, 2)  # whole numbers: their sum is exact
        if kind == "counter":
            model[1].num_batches_tracked += 2**24
        if kind == "digit":
            model.double()
        if kind == "tied":
            model.append(nn.Linear(2, 3))
            model[4].weight = model[3].weight
        before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
        with torch.no_grad():
            if kind in ("statistics", "all"):
                model(torch.randn(4, 1, 3, 3))
            if kind in ("weight", "all"):
                model[3].weight += torch.rand(())
                model[3].weight.requires_grad_(False)
            if kind == "hair":
                model[0].bias[1] += 1e-6
            if kind == "places":
                model[3].weight.copy_(model[3].weight.flip(0))
                model[1].bias[0] = 1e-30  # it was 0
            if kind == "one number":
                model[3].weight[0, 1] += 1
            if kind == "counter":
                model[1].num_batches_tracked += 1
            if kind == "digit":
                model[3].bias[2] += 1e-14
            if kind == "nan":
                model[3].bias[0] = torch.nan
            if kind == "tied":
                model[4].weight[1, 1] += 1
        if kind in ("all", "one number", "tied"):
            before = dict(reversed(before.items()))
        cases.append((before, model))
    return cases


def moved(before, model):
    """Parameters and buffers, compared bit for bit: a hair's breadth is a move."""
    return [name for name, tensor in model.state_dict().items() if not torch.equal(tensor, before[name])]


def parameters_only(before, model):
    """You looked at `named_parameters()`: the running mean and variance of a BatchNorm layer are buffers, and stand
    in `state_dict()` only."""
    return [name for name, tensor in model.named_parameters() if not torch.equal(tensor, before[name])]


def those_that_train(before, model):
    """You looked at parameters with `requires_grad` only. What is not meant to move is what you want to
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


moved = Exercise(
    moved,
    inputs=disturbed_models,
    mistakes=(parameters_only, those_that_train, almost_equal, those_that_stayed),
    hints=(
        "`model.state_dict()` has parameters and buffers, in the order of the layers.",
        "`torch.equal(a, b)` is True where every element is the same, to the last bit.",
    ),
)


class Tricky(nn.Module):
    """A net whose names invite mistakes: `fc_norm` and `old_fc` beside the head `fc`."""

    def __init__(self, head: nn.Module) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.bn = nn.BatchNorm2d(2)
        self.drop = nn.Dropout(0.5)
        self.fc_norm = nn.LayerNorm(2)
        self.old_fc = nn.Linear(2, 2)
        self.fc = head


class Nested(nn.Module):
    """A head `fc` that comes first, another `fc` further down, and perhaps a parameter that lies in no child."""

    def __init__(self, head: nn.Module, *, own: bool = False) -> None:
        super().__init__()
        self.fc = head
        if own:
            self.scale = nn.Parameter(torch.ones(()))
        self.block = nn.ModuleDict({"fc": nn.Linear(2, 2), "bn": nn.BatchNorm1d(2)})


def nets_with_heads(seed: int) -> list[tuple]:
    """Return the arguments (model, head, lr) of each case.

    One layer as head, several, a plain stack, a frozen layer in the body, the head first.
    """
    torch.manual_seed(seed)
    draw = torch.Generator().manual_seed(seed)
    rates = (torch.rand(4, generator=draw) + 0.1).tolist()
    deep = nn.Sequential(nn.Linear(2, 4), nn.BatchNorm1d(4), nn.Dropout(0.5), nn.Linear(4, 3))
    stack = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Linear(3, 2))
    part = Tricky(nn.Linear(2, 3))
    part.conv.requires_grad_(False)
    return [
        (Tricky(nn.Linear(2, 5)), "fc", rates[0]),
        (Tricky(deep), "fc", rates[1]),
        (stack, "2", rates[2]),
        (part, "fc", rates[3]),
        (Nested(nn.Linear(2, 3)), "fc", rates[0]),
    ]


def nets_with_groups(seed: int) -> list[tuple]:
    """Return the same, a net with a parameter of its own, a head frozen in part, a weight that two layers share."""
    nets = nets_with_heads(seed)
    half, tied = Nested(nn.Linear(2, 3)), nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3), nn.Linear(3, 2))
    half.fc.bias.requires_grad_(False)
    tied[1].weight = tied[0].weight
    return [*nets, (Nested(nn.Linear(2, 3), own=True), "fc", 0.3), (half, "fc", 0.2), (tied, "2", 0.1)]


def names_in_groups(answer: Callable, model: nn.Module, head: str, lr: float) -> dict:
    """Return what an optimizer would be given: for each group its rate and the names of its parameters."""
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    found, groups = answer(model, head, lr), []
    for group in found if isinstance(found, (list, tuple)) else ():
        given = [p[1] if isinstance(p, tuple) else p for p in group["params"]]  # torch.optim takes pairs too
        groups.append((group["lr"], sorted(names[id(p)] for p in given)))
    trainable = {name: parameter.requires_grad for name, parameter in model.named_parameters()}
    groups = sorted(groups) if isinstance(found, (list, tuple)) else found
    return {"the groups": groups, "requires_grad afterwards": trainable}


def parameter_groups(model, head, lr):
    """Everything below the child `head` at the whole rate, everything else at a tenth of it."""
    body, top = [], []
    for name, parameter in model.named_parameters():
        (top if name.split(".")[0] == head else body).append(parameter)
    return [{"params": body, "lr": lr / 10}, {"params": top, "lr": lr}]


def name_contains(model, head, lr):
    """`head in name` also takes `fc_norm` and `old_fc` for the head `fc`. Compare the first part of the name, up to
    the dot."""
    top = [p for name, p in model.named_parameters() if head in name]
    body = [p for name, p in model.named_parameters() if head not in name]
    return [{"params": body, "lr": lr / 10}, {"params": top, "lr": lr}]


def name_starts(model, head, lr):
    """`startswith(head)` also takes `fc_norm` for the head `fc`: the dot after the name belongs to the test."""
    top = [p for name, p in model.named_parameters() if name.startswith(head)]
    body = [p for name, p in model.named_parameters() if not name.startswith(head)]
    return [{"params": body, "lr": lr / 10}, {"params": top, "lr": lr}]


def head_twice(model, head, lr):
    """The head is in both groups: `model.parameters()` holds it too. An optimizer refuses a parameter that
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
    """You left out what has `requires_grad=False`. The task says every parameter: a layer that is thawed later
    would be in no group."""
    body, top = [], []
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            (top if name.split(".")[0] == head else body).append(parameter)
    return [{"params": body, "lr": lr / 10}, {"params": top, "lr": lr}]


parameter_groups = Exercise(
    parameter_groups,
    inputs=nets_with_groups,
    mistakes=(name_contains, name_starts, head_twice, body_left_out, rates_swapped, frozen_ones_lost),
    hints=(
        "`model.named_parameters()` gives names: `fc.weight`, or `fc.0.weight` for a head of several layers.",
        'The child that a parameter belongs to is `name.split(".")[0]`. Two lists, one loop.',
    ),
    probe=names_in_groups,
)


def switches(answer: Callable, model: nn.Module, head: str, lr: float) -> dict:
    """Say what is trainable, who is in training mode, how layers are set after `model.train()` and the answer."""
    model.requires_grad_(True)
    model.train()
    answer(model, head)
    trainable = {name: p.requires_grad for name, p in model.named_parameters()}
    modes = {name: module.training for name, module in model.named_modules() if name}
    settings = [(getattr(module, "momentum", None), getattr(module, "p", None)) for module in model.modules()]
    return {"requires_grad": trainable, "in training mode": modes, "the layers' own settings": settings}


def freeze(model, head):
    """Every child but the head: no gradients, and evaluation mode, so that its statistics stay."""
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)
            child.eval()


def gradients_only(model, head):
    """No gradients, but still in training mode: BatchNorm goes on averaging and dropout goes on dropping in the
    frozen body."""
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)


def modes_only(model, head):
    """Evaluation mode alone freezes no weight: `eval()` leaves `requires_grad` as it is."""
    for name, child in model.named_children():
        if name != head:
            child.eval()


def everything_in_eval(model, head):
    """`model.eval()` also reaches the head: its own dropout and BatchNorm are off while it learns."""
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)
    model.eval()


def head_frozen_too(model, head):
    """Nothing is left to train: `model.requires_grad_(False)` reaches the head as well."""
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


freeze = Exercise(
    freeze,
    inputs=nets_with_heads,
    mistakes=(gradients_only, modes_only, everything_in_eval, head_frozen_too, batchnorm_only),
    hints=(
        "`model.named_children()` gives the parts of the first level: everything but `head` is body.",
        "Two switches for each of them: `requires_grad_(False)` for the parameters, `eval()` for the behaviour.",
    ),
    probe=switches,
)


def two_name_lists(seed: int) -> list[tuple]:
    """Return (theirs, ours): the same shapes; one swapped; one longer; one missing; equal names; none.

    Then what would fit after `squeeze`, what would broadcast, another dtype, and the same two names crosswise.
    """
    draw = torch.Generator().manual_seed(seed)
    shapes = ((4, 1, 3, 3), (4,), (), (2, 4), (2,))

    def entries(form, some):
        return {form.format(number): torch.randn(shape, generator=draw) for number, shape in enumerate(some)}

    swapped = (*shapes[:3], (4, 2), (2,))  # as many numbers, another shape
    longer = (*shapes[:4], (3,))
    return [
        (entries("_layer{}.w", shapes), entries("blocks.{}.weight", shapes)),
        (entries("_layer{}.w", swapped), entries("blocks.{}.weight", shapes)),
        (entries("_layer{}.w", longer), entries("blocks.{}.weight", shapes)),
        (entries("_layer{}.w", shapes[:-1]), entries("blocks.{}.weight", shapes)),
        (entries("_layer{}.w", shapes), entries("blocks.{}.weight", shapes[:-1])),
        (entries("{}.w", shapes), dict(reversed(entries("{}.w", reversed(shapes)).items()))),
        (entries("_{}", [(2,), (2,), (3,)]), entries("{}.weight", [(2,), (2,), (3,)])),
        (entries("_{}", [(2,), (3,)]), entries("{}.weight", [(3,), (2,)])),
        (entries("_{}", [(2, 3), (2,)]), entries("{}.weight", [(2, 4), (2,)])),
        ({}, {}),
        (entries("_{}", [(1,)]), entries("{}.weight", [()])),
        (entries("_{}", [(2,), (1, 3)]), entries("{}.weight", [(2,), (2, 3)])),
        ({name: one.half() for name, one in entries("_{}", shapes).items()}, entries("{}.weight", shapes)),
        (entries("{}.w", [(2,), (2,)]), dict(reversed(entries("{}.w", [(2,), (2,)]).items()))),
    ]


def names_or_refusal(answer: Callable, theirs: dict[str, torch.Tensor], ours: dict[str, torch.Tensor]) -> dict:
    """Say whether the answer returned or raised, its names in order, its tensors, and whether those are theirs."""
    given = list(theirs.values())
    try:
        found = answer(theirs, ours)
        outcome = (
            "a dictionary" if isinstance(found, dict) else None if found is None else f"a {type(found).__name__}"
        )
    except ValueError:
        found, outcome = None, "a ValueError"
    found = found if isinstance(found, dict) else {}
    return {
        "the outcome": outcome,
        "the names, in order": list(found),
        "the tensors": found,
        "their tensors themselves, no copies": all(any(one is their for their in given) for one in found.values()),
    }


def match_names(theirs, ours):
    """Our names with their tensors, paired by position; a ValueError where the lists do not fit."""
    matched = {}
    for their_name, name in zip(theirs, ours, strict=True):
        if theirs[their_name].shape != ours[name].shape:
            raise ValueError(f"{their_name} {theirs[their_name].shape} for {name} {ours[name].shape}")
        matched[name] = theirs[their_name]
    return matched


def shapes_not_compared(theirs, ours):
    """You paired by position and never compared the shapes. Where one differs the pairing is a guess: refuse
    with a ValueError."""
    return dict(zip(ours, theirs.values(), strict=True))


def shorter_one_wins(theirs, ours):
    """`zip` stops at the shorter list, so an entry that is missing goes unnoticed. Compare the lengths, or give
    `strict=True`."""
    for (_, new), (name, old) in zip(theirs.items(), ours.items(), strict=False):
        if new.shape != old.shape:
            raise ValueError(name)
    return dict(zip(ours, theirs.values(), strict=False))


def sizes_compared(theirs, ours):
    """You compared the number of elements. (4, 2) and (2, 4) have eight each and are not the same weight:
    compare `.shape`."""
    if len(theirs) != len(ours) or any(
        a.numel() != b.numel() for a, b in zip(theirs.values(), ours.values(), strict=True)
    ):
        raise ValueError("they differ")
    return dict(zip(ours, theirs.values(), strict=True))


def our_own_tensors(theirs, ours):
    """Right names, and still the old tensors: what is wanted under each of our names is *their* tensor."""
    if [t.shape for t in theirs.values()] != [t.shape for t in ours.values()]:
        raise ValueError("they differ")
    return dict(ours)


def their_names_kept(theirs, ours):
    """The names are still theirs. `load_state_dict` looks for ours."""
    if [t.shape for t in theirs.values()] != [t.shape for t in ours.values()]:
        raise ValueError("they differ")
    return dict(theirs)


match_names = Exercise(
    match_names,
    inputs=two_name_lists,
    mistakes=(shapes_not_compared, shorter_one_wins, sizes_compared, our_own_tensors, their_names_kept),
    hints=(
        "A dict keeps its order: `zip(theirs, ours, strict=True)` pairs the names, and raises a ValueError where "
        "one list is longer.",
        "Before you use a pair: `theirs[a].shape == ours[b].shape`, or `raise ValueError(...)`.",
    ),
    probe=names_or_refusal,
)
