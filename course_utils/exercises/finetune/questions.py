"""What chapter 07 asks: what moved, two groups of parameters, frozen and quiet, a low-rank update.

The inputs of each question, and how an answer is driven. A submission that is graded sees this file.
"""

import copy
import math
import random
from collections import Counter, OrderedDict
from collections.abc import Callable

import torch
from torch import nn

from lessonkit.checks.question import Question

# ---- moved


def _disturb(model, kind):
    """Move what the kind says."""
    with torch.no_grad():
        if kind in ("statistics", "all"):
            model(torch.randn(4, 1, 3, 3))
        if kind in ("weight", "all"):
            model[3].weight += torch.rand(())
            model[3].weight.requires_grad_(False)
        if kind == "hair":
            model[0].bias[1] += 1e-6
        if kind == "sign":
            model[1].bias.neg_()  # 0 and -0 are equal
        if kind == "places":
            model[3].weight.copy_(model[3].weight.flip(0))
            model[1].bias[0] = 1e-30  # it was 0
        if kind == "one number":
            model[3].weight[0, 1] -= 1  # less than before, nowhere more
        if kind == "counter":
            model[1].num_batches_tracked += 1
        if kind == "digit":
            model[3].bias[2] += 1e-14
            model[1].bias[1] = 5e-324  # it was 0, and its square still is
        if kind == "nan":
            model[3].bias[0] = torch.nan
        if kind == "nan for 0":
            model[1].running_mean[1] = torch.nan
        if kind == "masks":
            model[5].seen[2] = True
        if kind == "infinity":
            model[5].far[0] = math.inf  # it was the largest number
        if kind == "dtypes":
            model[5].coarse[1] += 2**-7
            model[5].turn[0] += 1j
        if kind == "deep":
            model.scale -= 0.5
            model[4][0][0].bias[1] -= 1
        if kind == "strides":
            model[0].bias[0] += 1
            model[3].weight.data = model[3].weight.t().contiguous().t()  # the same numbers
        if kind == "tied":
            model[4].weight[1, 1] += 1


class _Masks(nn.Module):
    """Buffers as attention has them: minus infinity, the largest number, booleans; one without elements.

    Then bfloat16, complex numbers, and one that `state_dict()` leaves out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mask", torch.full((2, 2), -math.inf).triu(1))
        self.register_buffer("far", torch.tensor([torch.finfo(torch.float32).max, math.inf]))
        self.register_buffer("seen", torch.tensor([True, False, False]))
        self.register_buffer("none", torch.empty(0, 2))
        self.register_buffer("coarse", torch.ones(3, dtype=torch.bfloat16))
        self.register_buffer("turn", torch.tensor([1 + 1j, 2.0]))
        self.register_buffer("scratch", torch.ones(2), persistent=False)


def disturbed_models(seed: int) -> list[tuple]:
    """Return the arguments (before, model) of each case.

    An old state and a model in which something moved: buffers, parameters, nothing, a hair. Then where a sum, a
    tolerance, float32, a difference or `>` sees nothing or too much: values that changed places, one number of
    many, a counter over 2**53, a digit of float64, NaN (also where a 0 was), infinities and booleans that stayed,
    an infinity that is new, the sign of a 0, bfloat16 and an imaginary part. Last a weight with two names, modules
    three deep beside a parameter of the model's own, other strides. `before` has its own order in some. Then nets
    of which some entries are drawn.
    """
    torch.manual_seed(seed)
    dice = random.Random(seed)
    cases = []
    kinds = ("statistics", "weight", "nothing", "hair", "all", "places", "one number")
    kinds += ("counter", "digit", "nan", "nan for 0", "masks", "infinity", "tied")
    kinds += ("sign", "dtypes", "deep", "strides")
    for kind in kinds:
        layers = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Flatten(), nn.Linear(2, 3)
        model = nn.Sequential(*layers)
        if kind == "places":
            model[3].weight.data = torch.randperm(6).float().view(3, 2)  # whole numbers: their sum is exact
        if kind == "counter":
            model[1].num_batches_tracked += 2**53
        if kind == "digit":
            model.double()
        if kind in ("masks", "infinity", "dtypes"):
            model.append(nn.Identity()).append(_Masks())
        if kind == "tied":
            model.append(nn.Linear(2, 3))
            model[4].weight = model[3].weight
        if kind == "deep":
            model.register_parameter("scale", nn.Parameter(torch.ones(())))
            model.append(nn.Sequential(nn.Sequential(nn.Linear(2, 2))))
        before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
        _disturb(model, kind)
        if kind in ("all", "one number", "tied", "masks", "deep"):
            before = dict(reversed(before.items()))
        cases.append((before, model))
    for _ in range(3):
        layers = [(nn.Linear(3, 3), nn.BatchNorm1d(3)) for _ in range(dice.randint(2, 4))]
        model = nn.Sequential(*(layer for pair in layers for layer in pair))
        state = model.state_dict()
        cases.append(({name: tensor.clone() for name, tensor in state.items()}, model))
        for name in dice.sample(list(state), dice.randint(2, 5)):
            state[name].view(-1)[0] += 1
    return cases


def what_moved(before: dict, model: nn.Module) -> str:
    """Say of the first two entries that moved which number went from where to where."""
    said, signs = [], []
    for name, tensor in model.state_dict().items():
        if not tensor.is_complex() and (tensor.signbit() != before[name].signbit()).any():
            signs.append(f"`{name}` from 0 to -0")
        if (apart := (tensor != before[name]).nonzero()).numel() or (tensor.ndim == 0 and tensor != before[name]):
            place = tuple(apart[0].tolist()) if tensor.ndim else ()
            one, other = before[name][place].item(), tensor[place].item()
            short, longer = ([f"{x:{form}}" for x in (one, other)] for form in (".6g", ".17g"))
            one, other = short if short[0] != short[1] else longer
            said.append(f"`{name}` went from {one} to {other}" + (f" at {list(place)}" if place else ""))
    return " and ".join([*said[:2], *(["more"] if len(said) > 2 else [])]) or _nothing(signs)


def _nothing(signs):
    return f"no number moved, but {signs[0]}, which are equal" if signs else "nothing moved"


moved = Question(
    "moved",
    inputs=disturbed_models,
    describe=what_moved,
)


# ---- parameter_groups


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


def drawn_nets(seed: int) -> list[tuple]:
    """Return the same, with names and numbers of children that are drawn, and a head that is any of them."""
    dice, nets = random.Random(seed), []
    for _ in range(3):
        names = dice.sample(["stem", "body", "neck", "fc", "fc_2", "head", "old_head", "top"], dice.randint(3, 6))
        layers = [nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2), nn.Dropout(0.5)), nn.Linear(2, 2)]
        children = {name: copy.deepcopy(dice.choice(layers)) for name in names}
        nets.append((nn.Sequential(OrderedDict(children)), dice.choice(names), dice.uniform(0.1, 1)))
    return nets


class _Alike(nn.Module):
    """A bias of zeros that equals the head's, two parameters without elements, one of them the head's."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(3)
        self.scale = nn.Parameter(torch.empty(0))
        self.head = nn.Linear(2, 3)
        self.head.register_parameter("extra", nn.Parameter(torch.empty(0)))
        self.body = nn.Linear(3, 3)
        self.last = nn.Linear(3, 2)
        nn.init.zeros_(self.body.bias), nn.init.zeros_(self.head.bias)


def nets_with_groups(seed: int) -> list[tuple]:
    """Return the same, a net with a parameter of its own, a head frozen in part, a weight that two layers share.

    Then parameters that equal one of the head's, or have no elements; body and head several levels deep; a layer
    that is there twice, and a weight that two layers of the head share; nothing to learn in the head, in the body.
    Then some that are drawn.
    """
    nets = nets_with_heads(seed)
    half, tied = Nested(nn.Linear(2, 3)), nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3), nn.Linear(3, 2))
    half.fc.bias.requires_grad_(False)
    tied[1].weight = tied[0].weight
    nets += [(Nested(nn.Linear(2, 3), own=True), "fc", 0.3), (half, "fc", 0.2), (tied, "2", 0.1)]
    layer, top = nn.Linear(3, 3), nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    top[1].weight = top[0].weight
    twice = nn.Sequential(OrderedDict(first=layer, head=top, again=layer))
    bare = nn.Sequential(OrderedDict(body=nn.Linear(2, 2), flat=nn.Flatten()))
    nets += [(_Alike(), "head", 1e-4), (_Deep(), "classifier", 1.234567e-7), (twice, "head", 1)]
    return [*nets, (bare, "flat", 0.2), (copy.deepcopy(bare), "body", 0.2), *drawn_nets(seed)]


def _group_of(group, lr):
    """Say which of the two groups this is, by its rate."""
    if not isinstance(group, dict):
        return f"a {type(group).__name__} instead of a dict"
    if not {"params", "lr"} <= set(group):
        return f"a group without {' and '.join(repr(key) for key in ('params', 'lr') if key not in group)}"
    rates = {"lr / 10": lr / 10, "lr": lr}
    names = [name for name, rate in rates.items() if math.isclose(group["lr"], rate, rel_tol=1e-6)]
    return f"the group at {names[0]}" if names else f"a group at {group['lr'] / lr:.4g} times lr"


def names_in_groups(answer: Callable, model: nn.Module, head: str, lr: float) -> object:
    """Return where an optimizer would find each parameter, and what became of the model."""
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    order = list(model.state_dict())
    found = answer(model, head, lr)
    if found is None:
        return None
    if not isinstance(found, (list, tuple)):
        return {"what it returned": f"a {type(found).__name__}, no list"}
    places = {name: Counter() for name in names.values()}
    for group in found:
        given = group.get("params", ()) if isinstance(group, dict) else ()
        for p in [given] if isinstance(given, torch.Tensor) else given:
            name = names.get(id(p[1] if isinstance(p, tuple) else p))  # torch.optim takes pairs too
            places.setdefault(name or "an object that is no parameter", Counter())[_group_of(group, lr)] += 1
    said = {"what it returned": "a list", "the number of groups": len(found)}
    for name, counts in places.items():
        several = " and ".join(place if n == 1 else f"{place}, {n} times" for place, n in sorted(counts.items()))
        said[f"where `{name}` is"] = several or "in no group"
    sets = [group for group in found if isinstance(group, dict) and isinstance(group.get("params"), set)]
    said["`params` is a set, which no optimizer takes"] = bool(sets)
    said["the groups"] = sorted(_group_of(group, lr) for group in found)
    said["what has requires_grad afterwards"] = {name: p.requires_grad for name, p in model.named_parameters()}
    return said | {"the names of its state_dict() in the order they had": list(model.state_dict()) == order}


parameter_groups = Question(
    "parameter_groups",
    inputs=nets_with_groups,
    probe=names_in_groups,
)


# ---- freeze


class _Deep(nn.Module):
    """A body five levels deep, with names other than `weight` and `bias`; the head is neither first nor last."""

    def __init__(self) -> None:
        super().__init__()
        block = nn.Sequential(nn.Conv2d(2, 2, 1), nn.Sequential(nn.BatchNorm2d(2), nn.Dropout(0.1)))
        stage = nn.Sequential(OrderedDict(scale=nn.PReLU(), block=nn.Sequential(block, nn.ReLU())))
        self.body = nn.ModuleDict({"stage": stage, "read": nn.LSTM(2, 2), "look": nn.MultiheadAttention(2, 1)})
        self.classifier = nn.Sequential(
            OrderedDict(drop=nn.Dropout(0.5), deep=nn.Sequential(nn.Sequential(nn.BatchNorm1d(2), nn.Linear(2, 2))))
        )
        self.aside = nn.ModuleList([nn.ParameterList([torch.ones(2)]), nn.Identity()])


def nets_to_freeze(seed: int) -> list[tuple]:
    """Return the arguments (model, head) of each case: heads, a deep one, a body without parameters, drawn ones.

    Each has run before: its statistics are not those of a new one.
    """
    bare = nn.Sequential(OrderedDict(drop=nn.Dropout(0.2), flat=nn.Flatten(), out=nn.Linear(2, 2 + seed % 50)))
    nets = [(model, head) for model, head, _ in nets_with_heads(seed)]
    nets += [(_Deep(), "classifier"), (bare, "out"), *((model, head) for model, head, _ in drawn_nets(seed))]
    for model, _ in nets:
        for buffer in model.buffers():
            buffer.fill_(3)
    return nets


def switches(answer: Callable, model: nn.Module, head: str) -> dict:
    """Say what is trainable, who is in training mode, how layers are set after `model.train()` and the answer."""
    model.requires_grad_(True)
    model.train()
    names, before = list(model.state_dict()), dict(model.named_parameters())
    for parameter in before.values():
        parameter.grad = torch.ones_like(parameter)
    answer(model, head)
    said = {f"requires_grad of `{name}`": p.requires_grad for name, p in model.named_parameters()}
    modes = {True: "in training mode", False: "in evaluation mode"}
    said |= {f"`{name}` is": modes.get(m.training, m.training) for name, m in model.named_modules() if name}
    settings = [(getattr(module, "momentum", None), getattr(module, "p", None)) for module in model.modules()]
    said["the layers' own settings"] = settings
    now = dict(model.named_parameters())
    said["each parameter is the object that it was"] = all(now.get(name) is p for name, p in before.items())
    said["each parameter's `.grad` is as it was"] = all(
        p.grad is not None and bool((p.grad == 1).all()) for p in now.values()
    )
    return said | {"the names of its state_dict() as before": list(model.state_dict()) == names}


freeze = Question(
    "freeze",
    inputs=nets_to_freeze,
    probe=switches,
)


# ---- QVLoRA


def fused_layers(seed: int) -> list[tuple]:
    """Return the arguments (qkv, rank, alpha, x) of each case.

    The example: 2 examples of 3 tokens. Then no bias and another width inside than outside, one vector, no rows,
    float64, d of 1, a rank above every size, every second row of a table, far numbers, alpha below the rank, a
    layer frozen before. Last a layer that is not on the CPU: on `meta`, which every machine has.
    """
    draw = torch.Generator().manual_seed(seed)
    kinds = [  # in_features, d, rank, alpha, shape of x
        (4, 4, 2, 4, (2, 3, 4)),
        (5, 3, 1, 8, (4, 5)),
        (3, 2, 2, 3, (3,)),
        (4, 4, 2, 4, (0, 4)),
        (4, 6, 3, 6.0, (2, 4)),
        (2, 1, 1, 2, (3, 2)),
        (3, 2, 5, 1, (2, 3)),
        (6, 4, 4, 2, (5, 6)),
        (4, 4, 2, 16, (1, 1, 2, 4)),
        (3, 3, 3, 0.5, (2, 3)),
    ]
    cases = []
    for number, (width, d, rank, alpha, shape) in enumerate(kinds):
        qkv = nn.Linear(width, 3 * d, bias=number != 1)
        with torch.no_grad():
            for parameter in qkv.parameters():
                parameter.copy_(torch.randn(parameter.shape, generator=draw))
        cases.append((qkv, rank, alpha, torch.randn(shape, generator=draw)))
    cases[4] = (cases[4][0].double(), 3, 6.0, cases[4][3].double())
    cases[7] = (*cases[7][:3], torch.randn(10, 12, generator=draw)[::2, ::2])
    cases[8] = (cases[8][0].double(), 2, 16, 1e4 * cases[8][3].double())
    cases[9][0].requires_grad_(False)
    return [*cases, (nn.Linear(4, 6, device="meta"), 2, 4, torch.empty(3, 4, device="meta"))]


_NAMES = ("q_A", "q_B", "v_A", "v_B")
_LOOKED_AT = (  # in this order; what an answer does not get to is not looked at
    "what QVLoRA(…) makes",
    "its parameters and their shapes",
    "requires_grad of its parameters",
    "its attribute `qkv` is the layer it was given",
    "on which device its parameters and those of merge() are",
    "`q_B` and `v_B` begin with zeros",
    "`q_A` and `v_A` begin with numbers other than 0",
    "`q_A` and `v_A` are random: other numbers in each of them, and in a second wrapper",
    "its output at first",
    "its output, with numbers set in A and B",
    *(f"the gradient of `{name}`" for name in _NAMES),
    "the gradient of its input",
    "what merge() returns",
    "the merged layer's sizes, and whether it has a bias",
    "the merged layer's output",
    "a tensor of the merged layer that is also the wrapper's",
    "the merged layer's tensors are part of a graph",
    "the output of a second merge(), after another step",
    "the output of the first merged layer, after the second merge()",
    "its parameters and their requires_grad, after both",
    "it is in training mode as before, after both",
    "its own output in eval mode, after both",
    "the weights of `qkv` are unchanged",
)


def _waves(made):
    """Give the four of the update fixed values, so that outputs can be compared."""
    with torch.no_grad():
        for number, name in enumerate(_NAMES):
            parameter = getattr(made, name)
            parameter.copy_(torch.cos(1.3 * torch.arange(parameter.numel()) + number).view_as(parameter))


def _merged(made, x):
    """Return the layer that `merge()` gives, and what is to be said of it: kind, output, whose memory it is."""
    merged = made.merge()
    if merged is None:
        return None, {"what merge() returns": None}
    if type(merged) is not nn.Linear:
        kind = type(merged).__name__
        return None, {"what merge() returns": f"a {kind}, not nn.Linear itself"}
    theirs = {tensor.untyped_storage().data_ptr() for tensor in (*made.parameters(), *made.buffers())}
    found = (
        "an nn.Linear itself",
        (merged.in_features, merged.out_features, merged.bias is not None),
        merged(x).detach(),
        any(p.untyped_storage().data_ptr() in theirs for p in merged.parameters()),
        any(p.grad_fn is not None for p in merged.parameters()),
    )
    at = _LOOKED_AT.index("what merge() returns")
    return merged, dict(zip(_LOOKED_AT[at : at + len(found)], found, strict=True))


def wrapped(answer: Callable, qkv: nn.Linear, rank: int, alpha: float, x: torch.Tensor) -> dict:
    """Wrap a copy of `qkv`, look at the parameters, run it before and after an update, merge it twice."""
    given = copy.deepcopy(qkv)  # to freeze it is the task
    said = dict.fromkeys(_LOOKED_AT, "not looked at")
    made = answer(given, rank, alpha)
    second = answer(copy.deepcopy(qkv), rank, alpha) if isinstance(made, nn.Module) else None
    for phrase, found in _seen(made, second, given, rank, x):
        said[phrase] = found
    if not qkv.weight.is_meta:
        said[_LOOKED_AT[-1]] = all(map(torch.equal, given.parameters(), qkv.parameters()))
    return said


def _seen(made, second, given, rank, x):
    """Yield what is looked at and what is found, as far as one can look."""
    if not isinstance(made, nn.Module):
        yield _LOOKED_AT[0], f"a {type(made).__name__}, not an nn.Module"
        return
    yield _LOOKED_AT[0], "an nn.Module"
    shapes = {name: tuple(p.shape) for name, p in made.named_parameters()}
    yield _LOOKED_AT[1], shapes
    trainable = {name: p.requires_grad for name, p in made.named_parameters()}
    yield _LOOKED_AT[2], trainable
    yield _LOOKED_AT[3], getattr(made, "qkv", None) is given
    width, d = given.in_features, given.out_features // 3
    if any(shapes.get(name) != ((rank, width) if name.endswith("A") else (d, rank)) for name in _NAMES):
        return
    if x.is_meta:  # tensors that have a place and no numbers
        yield _LOOKED_AT[4], _places(made)
        return
    yield _LOOKED_AT[5], not (made.q_B.any() or made.v_B.any())
    yield _LOOKED_AT[6], bool(made.q_A.any() and made.v_A.any())
    yield _LOOKED_AT[7], _random(made, second)
    yield _LOOKED_AT[8], made(x).detach()
    _waves(made)
    inputs = x.clone().requires_grad_()
    output = made(inputs)
    yield _LOOKED_AT[9], output.detach()
    if output.requires_grad:
        output.square().mul(0.5 if x.numel() == 0 else 1 / x.abs().max()).sum().backward()
    for name in _NAMES:
        yield f"the gradient of `{name}`", getattr(made, name).grad
    yield "the gradient of its input", inputs.grad
    merged, found = _merged(made, x)
    yield from found.items()
    with torch.no_grad():
        made.v_B.add_(1)
    yield _LOOKED_AT[-6], _merged(made, x)[1].get("the merged layer's output")
    yield _LOOKED_AT[-5], merged(x).detach() if merged else "not looked at"
    yield _LOOKED_AT[-4], {name: p.requires_grad for name, p in made.named_parameters()} == trainable
    yield _LOOKED_AT[-3], made.training
    yield _LOOKED_AT[-2], made.eval()(x).detach()


def _places(made):
    """Say on which devices parameters are; merging is not tried where they are on several."""
    devices = {str(p.device) for p in made.parameters()}
    if len(devices) == 1 and isinstance(merged := made.merge(), nn.Module):
        devices |= {str(p.device) for p in merged.parameters()}
    return f"on {' and on '.join(sorted(devices))}"


def _random(made, second):
    """Say whether the numbers in A may have been drawn: few ones can be alike by chance."""
    if made.q_A.numel() < 8:
        return True
    ours, theirs = (made.q_A, made.v_A), (second.q_A, second.v_A)
    drawn = all(bool(one.isfinite().all() and one.unique().numel() > 1) for one in ours)
    return drawn and not any(map(torch.equal, ours, theirs)) and not torch.equal(*ours)


QVLoRA = Question(
    "QVLoRA",
    inputs=fused_layers,
    probe=wrapped,
    rtol=1e-4,
    atol=1e-3,
)
