"""What chapter 09 asks: a fair timer, a scaled step, a batch in parts, what a profile promises, and its use.

The inputs of each question, and how an answer is driven. A submission that is graded sees this file.
"""

import math
import random
import weakref
from collections import Counter
from collections.abc import Callable

import torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from lessonkit.checks.question import Question
from lessonkit.checks.restrictions import no_call


class Machine:
    """A clock that only work moves, so that warm-up, drift and noise are planted and not met by chance.

    A first call costs `warm_up` seconds more; each call makes all later ones slower by the share `drift`;
    `noise` is the largest share by which a call is longer than it should be.
    """

    def __init__(self, seed: int, *, warm_up: float = 0.0, drift: float = 0.0, noise: float = 0.0) -> None:
        self.now, self.speed, self.chance, self.order = 0.0, 1.0, random.Random(seed), []
        self.warm_up, self.drift, self.noise = warm_up, drift, noise

    def clock(self) -> float:
        """Return the seconds by this machine's clock."""
        return self.now

    def work(self, seconds: float | list[float], name: str = "") -> Callable[[], None]:
        """Make a function that takes that long here; of a list each call takes the next, the last one for ever."""
        calls = []

        def run():
            planned = seconds if isinstance(seconds, float) else seconds[min(len(calls), len(seconds) - 1)]
            self.now += planned * self.speed * (1 + self.noise * self.chance.random())
            self.now += 0.0 if calls else self.warm_up
            self.speed *= 1 + self.drift
            calls.append(True)
            self.order.append(name)

        return run


def machines(seed: int) -> list[tuple]:
    """Return the arguments (machine, works, runs, skip) of each case; `works`: (seconds before, seconds after).

    A gain, nothing but noise, a loss, exactly equal, one run, an even number. A small gain and a small loss, both
    shown, and gains of a thousandth and of a billionth; ends that are wrong on one side and left out, or one more
    than is left out; one function in both places.
    """
    draw = random.Random(seed)
    mixed = [5.0, *draw.sample([1.25, 1.5, 1.75, 2.0, 0.75, 0.5, 1.125], 7)]  # two of the seven are under 1
    thousandth = [3.0, 1.001, 1.0015, 1.0012]
    billionth = [3.0, *(1 + n * 2.0**-30 for n in (1, 2, 3))]  # exact on this clock
    kinds = (
        (0.3, 0.15, 7, 0, {"warm_up": 2.0, "drift": 0.05, "noise": 0.3}),
        (0.2, 0.2, 9, 1, {"warm_up": 1.0, "drift": 0.02, "noise": 1.0}),
        (0.1, 0.3, 5, 0, {"warm_up": 0.5, "drift": 0.1, "noise": 0.2}),
        (0.25, 0.25, 3, 1, {}),  # no rounding: every ratio is exactly 1
        (0.4 + draw.random(), 0.3, 1, 0, {"warm_up": 3.0}),
        (0.3, 0.25, 6, 2, {"warm_up": 0.7, "drift": 0.03, "noise": 2.0}),
        (0.206, 0.2, 4, 0, {"warm_up": 0.4, "noise": 0.01}),
        (0.2, 0.206, 5, 1, {"warm_up": 0.4, "noise": 0.01}),
        (mixed, 1.0, 7, 2, {}),  # a gain
        (mixed, 1.0, 7, 1, {}),  # the median over 1, not shown
        (1.0, mixed, 7, 2, {}),  # a loss
        (1.0, mixed, 7, 1, {}),
        (thousandth, 1.0, 3, 0, {}),
        (1.0, thousandth, 3, 0, {}),
        (billionth, 1.0, 3, 0, {}),
        (1.0, billionth, 3, 0, {}),
    )
    return [
        *(
            (Machine(10 * seed + n, **planted), (one, other), *how)
            for n, (one, other, *how, planted) in enumerate(kinds)
        ),
        (Machine(10 * seed + len(kinds), warm_up=0.5, drift=0.02, noise=0.5), (0.1,), 5, 1),
    ]


def _in_words(machine, works, runs, skip):
    said = ["one function in both places"] if len(works) == 1 else []
    said += [f"{runs} run{'s' * (runs > 1)}, {skip} left out at each end"]
    said += [f"{name.replace('_', '-')} {getattr(machine, name)}" for name in ("warm_up", "drift", "noise")]
    return f"{', '.join(said)}."


def on_a_machine(answer: Callable, machine: Machine, works: tuple, runs: int, skip: int) -> object:
    """Drive a timer on a machine: what it returned, by name, and in which order it called the two functions."""
    first = machine.work(works[0], "before")
    last = machine.work(works[1], "after") if len(works) > 1 else first
    found = answer(first, last, machine.clock, runs, skip)
    order = [" ".join(machine.order[i : i + 2]) for i in range(0, len(machine.order), 2)]
    values = found if isinstance(found, (tuple, list)) and len(found) == 4 else [None] * 4
    names = ("the lower end", "the median", "the upper end", "the verdict")
    return {
        "what it returned": "four values" if values is found else f"something else ({type(found).__name__})",
        "the number of pairs that ran": len(machine.order) / 2,
        "the pairs, as they ran": order[0] if len(set(order)) == 1 else "the order changes from pair to pair",
    } | dict(zip(names, values, strict=True))


fair_ratio = Question(
    "fair_ratio",
    inputs=machines,
    probe=on_a_machine,
    describe=_in_words,
)


class Halved(nn.Module):
    """A factor for each number of the last axis, in float16."""

    def __init__(self, weight: nn.Parameter) -> None:
        super().__init__()
        self.weight = weight

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Multiply, round to float16, and go on in float32."""
        return (inputs * self.weight).half().float()


class Branches(nn.Module):
    """Parameters whose gradients leave float16's range one by one; `unused` has none, `frozen` an old one only.

    `first` and `last` go through float16, `middle` does not; `again` has the parameter of `first`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.first = Halved(nn.Parameter(torch.tensor([0.5, -0.25])))
        self.frozen = nn.Parameter(torch.tensor([2.0]), requires_grad=False)
        self.middle = nn.Parameter(torch.tensor([[0.25, 0.5], [0.125, -1.0]]))
        self.again = Halved(self.first.weight)
        self.unused = nn.Parameter(torch.tensor([3.0]))
        self.inner = nn.Sequential(nn.Sequential(Halved(nn.Parameter(torch.tensor(0.75)))))

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return float32 (N, 5) of inputs (N, 2): a column for each number of `first`, of `middle`, of `last`."""
        first = (self.first(inputs) + self.again(inputs)) / 2
        return torch.cat([first, inputs @ self.middle, self.inner(inputs[:, 1:])], dim=1)


GOOD, NOT_A_NUMBER, SMALL = (1.0, 1.0, 1.0, 1.0, 1.0), (1.0, 1.0, math.nan, 1.0, 1.0), (1e-8, 1e-8, 1e-8, 0.0, 0.0)
FIRST, LAST, BOTH = (1.0, 1e4, 1.0, 1.0, 1.0), (1.0, 1.0, 1.0, 1.0, 1e4), (1e4, 1.0, 1.0, 1.0, 1e4)
# float32 ends at 3.4e38: sums and squares of the first leave it, of the second already the gradients themselves.
LARGE, TOO_LARGE = "large", "too large"
_WORDS = {
    GOOD: "good",
    SMALL: "good, with gradients under float16's least and of 0",
    LARGE: "good, with gradients of some 1e38",
    FIRST: "overflow",
    LAST: "overflow",
    BOTH: "overflow",
    TOO_LARGE: "overflow in the division",
    NOT_A_NUMBER: "NaN",
}
_OPTIMIZERS = {
    "SGD": lambda p: torch.optim.SGD(_groups(p), lr=0.1, weight_decay=0.1),
    "momentum": lambda p: torch.optim.SGD(_groups(p), lr=0.1, momentum=0.9),
    "Adam": lambda p: torch.optim.AdamW(_groups(p), lr=0.01),
}


def _groups(parameters):
    return [{"params": parameters[:2]}, {"params": parameters[2:]}]


def _loss(weights):
    def loss_fn(outputs, targets):
        columns, middle = (outputs * targets).mean(dim=0), outputs[:, 2:4]
        nothing = middle - middle.detach()  # the loss is a number, whatever its gradient
        if weights is NOT_A_NUMBER:
            return columns.sum() + 0 * nothing[:, 0].sqrt().sum()  # a root at 0, times 0
        if weights in (LARGE, TOO_LARGE):
            return columns.sum() + (16 if weights is TOO_LARGE else 1) * (2.2e38 * nothing.mean(dim=0).sum())
        return columns @ torch.tensor(weights)

    return loss_fn


def scaled_runs(seed: int) -> list[tuple]:
    """Return (optimizer, state, losses, batches): several steps in a row on one model.

    One good step, one skipped; NaN; a scale doubled after two and after each good step; good steps interrupted by a
    skip; the first or the last parameter alone overflows; scales under 1, one so small that the division overflows;
    gradients whose squares and sums overflow, gradients that only the scale keeps from 0 in float16, and gradients
    of 0; Adam, and momentum, whose step moves weights without a gradient. Batches of one, and strided.
    """
    draw = torch.Generator().manual_seed(seed)

    def batches(count, size=4):
        return [
            (torch.rand(size, 4, generator=draw)[:, ::2] + 0.5, torch.rand(size, 5, generator=draw) + 0.5)
            for _ in range(count)
        ]

    def state(scale, good, every):
        return {"scale": scale, "good": good, "every": every}

    kinds = (
        ("SGD", state(1024.0, 0, 5), [GOOD]),
        ("momentum", state(65536.0, 0, 3), [GOOD, FIRST, GOOD]),
        ("Adam", state(16384.0, 1, 3), [GOOD, LAST, GOOD, GOOD, GOOD, GOOD]),
        ("Adam", state(256.0, 0, 2), [GOOD, GOOD, GOOD, NOT_A_NUMBER, GOOD]),
        ("momentum", state(4.0, 0, 1), [GOOD, GOOD, NOT_A_NUMBER, GOOD]),
        ("momentum", state(2.0**40, 2, 3), [GOOD, BOTH, GOOD]),
        ("SGD", state(0.5, 0, 2), [GOOD, NOT_A_NUMBER, NOT_A_NUMBER, GOOD, GOOD]),
        ("Adam", state(65536.0, 0, 9), [SMALL, SMALL]),
        ("SGD", state(2.0**-6, 0, 5), [GOOD, LARGE]),
        ("SGD", state(2.0**-6, 0, 5), [GOOD, TOO_LARGE]),
        ("SGD", state(1000.0, 0, 1), [GOOD, GOOD]),
    )
    return [
        (kind, how, losses, batches(len(losses), 1 + 3 * (n % 2))) for n, (kind, how, losses) in enumerate(kinds)
    ]


def _steps_in_words(kind, state, losses, batches):
    how = f"{kind}, scale {state['scale']:g}, good {state['good']}, every {state['every']}"
    return f"{how}; steps: {', '.join(_WORDS[one] for one in losses)}"


def after_each_step(answer: Callable, kind: str, state: dict, losses: list, batches: list) -> dict:
    """Drive a scaled step several times on one model; what it returned and left, by step, counted from 1."""
    model = Branches()
    for parameter in model.parameters():
        parameter.grad = torch.full_like(parameter, 7.0)  # of an earlier step
    optimizer, report, state = _OPTIMIZERS[kind](list(model.parameters())), {}, dict(state)
    for number, (weights, (inputs, targets)) in enumerate(zip(losses, batches, strict=True), 1):
        taken = answer(model, optimizer, _loss(weights), inputs, targets, state)
        kind = "a bool" if isinstance(taken, bool) else f"something else ({type(taken).__name__})"
        report[f"what it returned at step {number}"] = kind
        report[f"what it returned says that step {number} was taken"] = taken
        report[f"the state after step {number}"] = dict(state)
        report[f"the weights after step {number}"] = {n: p.detach().clone() for n, p in model.named_parameters()}
        gradients = {n: None if p.grad is None else p.grad.clone() for n, p in model.named_parameters()}
        report[f"the gradients after step {number}"] = gradients
    return report


scaled_step = Question(
    "scaled_step",
    inputs=scaled_runs,
    probe=after_each_step,
    describe=_steps_in_words,
    restrictions=(no_call("GradScaler"),),
)


def batches_in_parts(seed: int) -> list[tuple]:
    """Return (chunks,): lists of (inputs, targets); unequal parts, a single one, equal ones, a last part of one.

    In some lists one example, in the last part, begins with 5: it alone reaches a parameter of the model.
    """
    draw = torch.Generator().manual_seed(seed)

    def parts(sizes, length=1.0, *, five=False):
        chunks = [
            (length * torch.randn(size, 4, generator=draw), torch.randint(0, 3, (size,), generator=draw))
            for size in sizes
        ]
        if five:
            chunks[-1][0][0, 0] = 5
        return chunks

    return [
        (parts([8, 8, 4], five=True),),
        (parts([6]),),
        (parts([5, 5], 20.0),),
        (parts([16, 16, 16, 1], five=True),),
    ]


class _Kept:
    """What a graph keeps for its backward pass: one tensor, as long as the graph needs it."""

    def __init__(self, tensor):
        self.tensor = tensor


class WatchedNet(nn.Sequential):
    """Layers with old gradients, also the frozen bias; notes what goes through, and living graphs.

    Dropout of 0 and BatchNorm have a mode of their own; in eval mode neither does anything to the numbers. The
    last layer but one has the weight of the first. An example that begins with 5 reaches `few`, any other `many`.
    """

    def __init__(self) -> None:
        super().__init__(
            nn.Linear(4, 4),
            nn.Sequential(nn.BatchNorm1d(4).eval(), nn.Dropout(0.0)),
            nn.Linear(4, 4, bias=False),
            nn.Linear(4, 3),
        )
        self[2].weight = self[0].weight
        self.few, self.many = nn.Parameter(torch.empty(3)), nn.Parameter(torch.empty(3))
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.copy_(torch.linspace(-1, 1, parameter.numel()).view_as(parameter))
                parameter.grad = torch.full_like(parameter, 7.0)
        self[0].bias.requires_grad_(False)
        self.largest, self.most, self.graphs = 0, 0, []

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Run the layers, and note the batch and its graph."""
        kept = weakref.WeakSet()

        def keep(tensor):
            one = _Kept(tensor)
            kept.add(one)
            return one

        with torch.autograd.graph.saved_tensors_hooks(keep, lambda one: one.tensor):
            factors = [self.few if first == 5 else self.many for first in inputs[:, 0].tolist()]
            outputs = super().forward(inputs) * torch.stack(factors)
        self.graphs.append((len(inputs), kept))
        self.largest = max(self.largest, len(inputs))
        self.most = max(self.most, sum(size for size, graph in self.graphs if len(graph)))
        self.modes.append([module.training for module in self.modules()])
        return outputs


def gradients_of(answer: Callable, chunks: list[tuple[torch.Tensor, torch.Tensor]]) -> dict:
    """Drive an accumulation on a fixed model with old gradients, a frozen bias, a shared weight.

    One layer is in eval mode. Return what it left in .grad, the largest batch that the model saw and the most
    examples whose graphs were there at once (sizes up to the largest chunk count as that), and whether it left all
    else alone.
    """
    fits, model = max(len(targets) for _, targets in chunks), WatchedNet()
    if len(chunks) % 2 == 0:
        model.eval()
    modes, trained = [module.training for module in model.modules()], [p.requires_grad for p in model.parameters()]
    model.modes = []
    seeds, weights = (torch.initial_seed(), random.getstate()), [p.detach().clone() for p in model.parameters()]
    returned = answer(model, nn.CrossEntropyLoss(label_smoothing=0.1), chunks)
    during, after = model.modes, [module.training for module in model.modules()]
    names = dict(model.named_parameters())
    return {
        "a module ran in another mode than before": any(mode != modes for mode in during),
        "the gradients": {n: p.grad for (n, p), asked in zip(names.items(), trained, strict=True) if asked},
        "the gradient of the frozen bias": names["0.bias"].grad,
        "a gradient carries a graph": any(p.grad is not None and p.grad.requires_grad for p in names.values()),
        "the weights are the same": all(map(torch.equal, names.values(), weights)),
        "the most examples that went through at once": max(fits, model.largest),
        "the most examples with a graph at once": max(fits, model.most),
        "a module is left in another mode than before": after != modes,
        "the frozen bias is frozen, and no other": [p.requires_grad for p in names.values()] == trained,
        "a seed was set": (torch.initial_seed(), random.getstate()) != seeds,
        "the type of what was returned": type(returned).__name__,
    }


accumulate = Question(
    "accumulate",
    inputs=batches_in_parts,
    probe=gradients_of,
    rtol=1e-4,
    atol=1e-5,
)


def profiles(seed: int) -> list[tuple]:
    """Return the arguments (rows, needed) of each case.

    A norm that calls a decomposition; a large total with a small self; little and much to save. All of it
    needed, and more; nothing needed; what the needed norm calls; twenty rows with equal times and names that
    nearly fit, where the best one is a caller, and where it is a leaf. Times are halves: no sum is rounded.
    """
    draw = random.Random(seed)

    def ms(low, high):
        return draw.randint(2 * low, 2 * high) / 2

    forward, backward, wrapper, copies = ms(20, 40), ms(40, 60), ms(1, 3), ms(1, 4)
    inner, outer, norm = ms(30, 50), ms(1, 4), ms(1, 3)
    logged = [
        ("aten::convolution_backward", backward, backward),
        ("aten::_linalg_svd", inner, inner + copies),
        ("aten::mkldnn_convolution", forward, forward),
        ("aten::copy_", copies, copies),
        ("autograd::engine", wrapper, wrapper + backward),
        ("aten::linalg_svd", outer, outer + inner + copies),
        ("aten::linalg_matrix_norm", norm, norm + outer + inner + copies),
    ]
    convolutions = {"aten::convolution_backward", "aten::mkldnn_convolution"}
    training = convolutions | {"autograd::engine", "aten::copy_", "aten::mm"}
    moved, sorting = ms(60, 90), ms(20, 40)
    shuffled = [
        ("aten::sort", sorting, sorting),
        ("aten::to", 0.5, 0.5 + moved),
        ("aten::copy_", moved + 5, moved + 5),
        ("aten::mm", forward, forward),
    ]
    mostly = [("aten::mm", 2.0, 2.0), ("aten::unique", 9 * inner, 9 * inner), ("aten::sort", sorting, sorting)]
    kernels = [(f"aten::kernel_{number}", 1.5, 1.5) for number in range(18)]
    long = [
        ("logger::write", 0.0, inner),  # its name, its namespace and its letters: each in a needed one as well
        ("aten::flatten", inner, inner),
        *kernels,
        ("aten::sum", 2 * inner, 2 * inner),
        ("aten::dot", 4.0, inner),
    ]
    near = {"aten::write", "logger::write_all", "Logger::Write", "logger::writ"}
    # Equal to names of the rows, and other objects.
    near |= {"".join(("aten", end)) for end in ("::flatten", "::sum", "::dot")}
    leaf = [("aten::view", 2.0, 3.0), ("logger::write", outer + 5, outer + 5), ("aten::copy_", 1.0, 1.0), *kernels]
    return [
        (logged, training),
        (long, near | {name for name, *_ in kernels}),
        (leaf, {"aten::write", "aten::copy_"} | {"".join(("aten::ker", f"nel_{number}")) for number in range(30)}),
        (logged[::-1], {name for name, *_ in logged} | {"aten::mm"}),
        (shuffled, {"aten::mm", "aten::copy_"}),
        ([("aten::mm", forward, forward)], {"aten::mm"}),
        (shuffled, set()),
        ([("aten::mm", 40 * forward, 40 * forward), ("aten::fill_", 0.5, 0.5)], {"aten::mm"}),
        (mostly, {"aten::mm"}),
        (logged[::-1], training | {"aten::linalg_matrix_norm"}),
    ]


def _pair_with_kinds(answer, rows, needed):
    pair = answer(rows, needed)
    if pair is None:
        return None
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        many = f"{len(pair)} values" if isinstance(pair, (tuple, list)) else "one value"
        return {"the operation": f"{many}, not a pair", "before / after": None, "the kinds": [type(pair).__name__]}
    kinds = [type(pair).__name__, *("float" if isinstance(part, float) else type(part).__name__ for part in pair)]
    return {"the operation": pair[0], "before / after": pair[1], "the kinds": kinds}


most_gained = Question(
    "most_gained",
    inputs=profiles,
    probe=_pair_with_kinds,
)


_READS = {"item", "tolist", "numpy", "__array__", "__float__", "__int__", "__bool__", "__index__", "__format__"}


class _Operations(TorchDispatchMode):
    """Notes each operation: its name, its largest tensor's size, how many steps had begun, whether the last ended.

    A step begins where the model is called, and ends with that of the optimizer.
    """

    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        super().__init__()
        self.noted, self.begun, self.ended = [], 0, True
        model.register_forward_pre_hook(self._begin)
        optimizer.register_step_post_hook(self._end)

    def _begin(self, *_):
        self.begun, self.ended = self.begun + self.ended, False

    def _end(self, *_):
        self.ended = True

    def __torch_dispatch__(
        self, func: Callable, types: object, args: tuple = (), kwargs: dict | None = None
    ) -> object:
        """Note one operation, and do it."""
        result = func(*args, **(kwargs or {}))
        size = _largest((args, result))
        self.noted.append((func.name().partition(".")[0], size, self.begun, self.ended))
        return result


class _Reads(TorchFunctionMode):
    """Counts how often Python asks a tensor for its numbers, once the first step has begun."""

    def __init__(self, operations: _Operations) -> None:
        super().__init__()
        self.operations, self.count = operations, 0

    def __torch_function__(
        self, func: Callable, types: object, args: tuple = (), kwargs: dict | None = None
    ) -> object:
        """Count one call, and make it."""
        self.count += self.operations.begun > 0 and getattr(func, "__name__", "") in _READS
        return func(*args, **(kwargs or {}))


def _largest(value):
    """Return how many numbers the largest tensor in nested tuples and lists holds."""
    if isinstance(value, torch.Tensor):
        return math.prod(value.shape)
    return max(map(_largest, value), default=0) if isinstance(value, (tuple, list)) else 0


def runs_to_mend(seed: int) -> list[tuple]:
    """Return the arguments (batches, pixels, every) of each case: pictures are bytes, (N, 1, 4, 4).

    Entries at two of four steps; a short batch, and steps after the last entry; an entry at every step, and none;
    one picture in each batch, and a single entry at the end. The batches are brighter than `pixels`.
    """
    draw = torch.Generator().manual_seed(seed)

    def pictures(count, low, high):
        return torch.randint(low, high, (count, 1, 4, 4), generator=draw, dtype=torch.uint8)

    def batches(*sizes):
        return [(pictures(size, 60, 256), torch.randint(0, 3, (size,), generator=draw)) for size in sizes]

    kinds = (
        (batches(3, 3, 3, 3), 2),
        (batches(4, 4, 1, 4, 4), 3),
        (batches(2, 2), 1),
        (batches(3, 3), 5),
        (batches(1, 1, 1), 3),
    )
    return [(parts, pictures(220, 0, 200), every) for parts, every in kinds]


def _run_in_words(batches, pixels, every):
    sizes = ", ".join(str(len(targets)) for _, targets in batches)
    return f"batches of {sizes} pictures, every {every}, gradients of an earlier use"


def _watched(answer, batches, pixels, every):
    """Run an answer on one fixed small net: (what it returned, the net, its optimizer, operations, reads)."""
    model = nn.Sequential(nn.Flatten(), nn.Linear(16, 24, bias=False), nn.ReLU(), nn.Linear(24, 3, bias=False))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.arange(parameter.numel()).mul(0.7).sin().mul(0.5).view_as(parameter))
            parameter.grad = torch.ones_like(parameter)  # of an earlier use: a step begins without them
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    operations = _Operations(model, optimizer)
    with _Reads(operations) as reads, operations:
        log = answer(model, optimizer, batches, pixels, every)
    return log, model, optimizer, operations, reads.count


def _named(names):
    """Put operations into words, those called most often first."""
    most = sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0]))
    said = [f"{name} {count} time{'s' * (count > 1)}" for name, count in most]
    return ", ".join(said[:6]) + f" and {len(said) - 6} more" * (len(said) > 6) if said else "no operation"


def results_and_operations(answer: Callable, batches: list, pixels: torch.Tensor, every: int) -> dict:
    """Drive a run, then one of its first batch alone and one of that batch doubled: results, and operations called.

    Nothing is timed. Operations are those below autograd, with the names that a profile has for them.
    """
    log, model, optimizer, operations, reads = _watched(answer, batches, pixels, every)
    noted, large = operations.noted, sum(p.numel() for p in model.parameters())
    doubled = tuple(torch.cat([part, part]) for part in batches[0])
    once, twice = (
        Counter(name for name, *_ in _watched(answer, [batch], pixels, 1)[3].noted)
        for batch in (batches[0], doubled)
    )
    of_gradient = [
        name
        for name, size, step, ended in noted
        if large <= size < pixels.numel() and step % every and not (ended and step == len(batches))
    ]
    kinds = [
        ["float" if isinstance(part, float) else type(part).__name__ for part in one]
        for one in (log if isinstance(log, (list, tuple)) else ())
        if isinstance(one, (list, tuple))
    ]
    entries = len(batches) // every
    return {
        "the log": log,
        "what an entry of the log is made of": kinds,
        "the weights": {name: p.detach() for name, p in model.named_parameters()},
        "the optimizer's momentum": [optimizer.state[p].get("momentum_buffer") for p in model.parameters()],
        "with twice the pictures in a batch, called more often": _named((twice - once).elements()),
        "on all of `pixels`, once the first batch is in the model": _named(
            name for name, size, step, _ in noted if step and size >= pixels.numel()
        ),
        "on the whole gradient, in steps without an entry": _named(of_gradient),
        "reads of a tensor's numbers in the loop or after it, beyond two an entry": max(0, reads - 2 * entries),
    }


mended = Question(
    "mended",
    inputs=runs_to_mend,
    probe=results_and_operations,
    describe=_run_in_words,
    rtol=2e-5,
    atol=2e-6,
)
