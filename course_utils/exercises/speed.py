"""Questions of chapter 09: a fair timer, a batch in parts, a norm to clip by, what a profile promises."""

import math
import random
import statistics
import weakref
from collections.abc import Callable

import torch
from torch import nn

from course_utils.checks.exercise import Exercise


class Machine:
    """A clock that only work moves, so that warm-up, drift and noise are planted and not met by chance.

    A first call costs `warm_up` seconds more; each call makes all later ones slower by the share `drift`;
    `noise` is the largest share by which a call is longer than it should be.
    """

    def __init__(self, seed: int, *, warm_up: float = 0.0, drift: float = 0.0, noise: float = 0.0) -> None:
        self.now, self.calls, self.speed, self.chance = 0.0, 0, 1.0, random.Random(seed)
        self.warm_up, self.drift, self.noise = warm_up, drift, noise

    def clock(self) -> float:
        """Return the seconds by this machine's clock."""
        return self.now

    def work(self, seconds: float) -> Callable[[], None]:
        """Make a function that takes that long here."""
        warmed = []

        def run():
            self.now += seconds * self.speed * (1 + self.noise * self.chance.random())
            self.now += 0.0 if warmed else self.warm_up
            self.speed *= 1 + self.drift
            warmed.append(True)

        return run


def machines(seed: int) -> list[tuple]:
    """Return the arguments (before, after, clock, runs) of each case.

    A gain, nothing but noise, a loss, exactly equal, one run, an even number. Then a small gain and a small
    loss, both shown, and one function in both places.
    """
    draw = random.Random(seed)
    kinds = (
        (0.3, 0.15, 7, {"warm_up": 2.0, "drift": 0.05, "noise": 0.3}),
        (0.2, 0.2, 9, {"warm_up": 1.0, "drift": 0.02, "noise": 1.0}),
        (0.1, 0.3, 5, {"warm_up": 0.5, "drift": 0.1, "noise": 0.2}),
        (0.25, 0.25, 3, {}),  # no rounding: every ratio is exactly 1
        (0.4 + draw.random(), 0.3, 1, {"warm_up": 3.0}),
        (0.3, 0.25, 6, {"warm_up": 0.7, "drift": 0.03, "noise": 2.0}),
        (0.206, 0.2, 4, {"warm_up": 0.4, "noise": 0.01}),
        (0.2, 0.206, 5, {"warm_up": 0.4, "noise": 0.01}),
    )
    cases = []
    for number, (one, other, runs, planted) in enumerate(kinds):
        machine = Machine(10 * seed + number, **planted)
        cases.append((machine.work(one), machine.work(other), machine.clock, runs))
    machine = Machine(10 * seed + len(kinds), warm_up=0.5, drift=0.02, noise=0.5)
    work = machine.work(0.1)
    return [*cases, (work, work, machine.clock, 5)]


def fair_ratio(before, after, clock, runs):
    """Alternating pairs, the first of them discarded; the spread decides what may be said."""
    ratios = []
    for run in range(runs + 1):
        seconds = []
        for work in (before, after):
            start = clock()
            work()
            seconds.append(clock() - start)
        if run:
            ratios.append(seconds[0] / seconds[1])
    low, middle, high = min(ratios), statistics.median(ratios), max(ratios)
    verdict = "gain" if low > 1 else "loss" if high < 1 else "not shown"
    return low, middle, high, verdict


def _seconds(work, clock):
    start = clock()
    work()
    return clock() - start


def _summary(ratios, *, middle=statistics.median):
    low, high = min(ratios), max(ratios)
    return low, middle(ratios), high, "gain" if low > 1 else "loss" if high < 1 else "not shown"


def never_warmed_up(before, after, clock, runs):
    """You counted the first pair. First calls allocate, choose kernels and fill caches; run the pair once
    without counting it."""
    return _summary([_seconds(before, clock) / _seconds(after, clock) for _ in range(runs)])


def one_after_the_other(before, after, clock, runs):
    """You timed all of `before`, then all of `after`. A machine that gets slower meanwhile (heat, a neighbour)
    then hits only one of them. Take turns: a ratio from each pair."""
    before()
    after()
    first = [_seconds(before, clock) for _ in range(runs)]
    second = [_seconds(after, clock) for _ in range(runs)]
    return _summary([one / other for one, other in zip(first, second, strict=True)])


def mean_in_the_middle(before, after, clock, runs):
    """The middle one is to be the median. One interrupted run pulls a mean as far as it likes."""
    before()
    after()
    ratios = [_seconds(before, clock) / _seconds(after, clock) for _ in range(runs)]
    return _summary(ratios, middle=statistics.mean)


def upside_down(before, after, clock, runs):
    """Your ratio is after / before: a gain then reads as less than 1. How many times faster is before / after."""
    before()
    after()
    ratios = []
    for _ in range(runs):
        one = _seconds(before, clock)
        ratios.append(_seconds(after, clock) / one)
    return _summary(ratios)


def believed_the_median(before, after, clock, runs):
    """You called it a gain because the median is over 1. Of two equal functions one always looks faster: only
    when the whole spread lies on one side of 1 is anything shown."""
    before()
    after()
    ratios = [_seconds(before, clock) / _seconds(after, clock) for _ in range(runs)]
    low, middle, high, _ = _summary(ratios)
    return low, middle, high, "gain" if middle > 1 else "loss" if middle < 1 else "not shown"


fair_ratio = Exercise(
    fair_ratio,
    inputs=machines,
    mistakes=(never_warmed_up, one_after_the_other, mean_in_the_middle, upside_down, believed_the_median),
    hints=(
        "Flaw 1: the very first calls count. Flaw 2: first all of one, then all of the other. Flaw 3: one number.",
        "One loop over `runs + 1` pairs. In each: time `before`, time `after`, keep the ratio, but not of pair 0.",
        "`statistics.median(ratios)`, `min(ratios)`, `max(ratios)`; lowest and highest decide the verdict.",
    ),
)


def batches_in_parts(seed: int) -> list[tuple]:
    """Return (chunks,): lists of (inputs, targets); unequal parts, a single one, equal ones, a last part of one."""
    draw = torch.Generator().manual_seed(seed)

    def parts(sizes, length=1.0):
        return [
            (length * torch.randn(size, 4, generator=draw), torch.randint(0, 3, (size,), generator=draw))
            for size in sizes
        ]

    return [(parts([8, 8, 4]),), (parts([6]),), (parts([5, 5], 20.0),), (parts([16, 16, 16, 1]),)]


class _Kept:
    """What a graph keeps for its backward pass: one tensor, as long as the graph needs it."""

    def __init__(self, tensor):
        self.tensor = tensor


class WatchedNet(nn.Sequential):
    """Two layers with old gradients and a frozen bias that has none; notes what goes through, and living graphs."""

    def __init__(self) -> None:
        super().__init__(nn.Linear(4, 4), nn.Linear(4, 3))
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.copy_(torch.linspace(-1, 1, parameter.numel()).view_as(parameter))
                parameter.grad = torch.full_like(parameter, 7.0)
        self[0].bias.requires_grad_(False).grad = None
        self.largest, self.most, self.modes, self.graphs = 0, 0, set(), []

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Run the layers, and note the batch, its graph and the mode."""
        kept = weakref.WeakSet()

        def keep(tensor):
            one = _Kept(tensor)
            kept.add(one)
            return one

        with torch.autograd.graph.saved_tensors_hooks(keep, lambda one: one.tensor):
            outputs = super().forward(inputs)
        self.graphs.append((len(inputs), kept))
        self.largest = max(self.largest, len(inputs))
        self.most = max(self.most, sum(size for size, graph in self.graphs if len(graph)))
        self.modes.add("train" if self.training else "eval")
        return outputs


def gradients_of(answer: Callable, chunks: list[tuple[torch.Tensor, torch.Tensor]]) -> dict:
    """Drive an accumulation on one fixed model with old gradients and a frozen bias.

    Return what it left in .grad, the largest batch that the model saw and the most examples whose graphs were
    there at once (sizes up to the largest chunk count as that), and whether it left all else alone.
    """
    fits, model = max(len(targets) for _, targets in chunks), WatchedNet()
    model.train(len(chunks) % 2 == 1)
    state, trained = torch.get_rng_state(), [p.requires_grad for p in model.parameters()]
    weights = [p.detach().clone() for p in model.parameters()]
    returned = answer(model, nn.CrossEntropyLoss(label_smoothing=0.1), chunks)
    model.modes.add("train" if model.training else "eval")
    return {
        "the gradients": [p.grad for p, asked in zip(model.parameters(), trained, strict=True) if asked],
        "the weights are the same": all(map(torch.equal, model.parameters(), weights)),
        "the most examples that went through at once": max(fits, model.largest),
        "the most examples with a graph at once": max(fits, model.most),
        "the modes that the model was in": sorted(model.modes),
        "the frozen bias is as it was": [p.requires_grad for p in model.parameters()] == trained,
        "the state of the random numbers is as it was": torch.equal(state, torch.get_rng_state()),
        "the type of what was returned": type(returned).__name__,
    }


def accumulate(model, loss_fn, chunks):
    """Each part's mean loss counts as its share of all examples."""
    examples = sum(len(targets) for _, targets in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(targets) / examples
        loss.backward()


def never_scaled(model, loss_fn, chunks):
    """The gradients of all parts are added as they are: with four parts the step is about four times too long.
    Each part's mean loss must count as its share."""
    model.zero_grad()
    for inputs, targets in chunks:
        loss_fn(model(inputs), targets).backward()


def divided_by_parts(model, loss_fn, chunks):
    """You divided by the number of parts. That is right only while all have one size: here the last part is
    shorter, and its examples count too much. Weight each part by its share of the examples."""
    model.zero_grad()
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) / len(chunks)).backward()


def cleared_in_the_loop(model, loss_fn, chunks):
    """You cleared the gradients inside the loop: only the last part is left. Clear once, before the first."""
    examples = sum(len(targets) for _, targets in chunks)
    for inputs, targets in chunks:
        model.zero_grad()
        (loss_fn(model(inputs), targets) * len(targets) / examples).backward()


def kept_old_gradients(model, loss_fn, chunks):
    """The model still held the gradients of an earlier step, and yours were added to them. Clear them before
    the first part."""
    examples = sum(len(targets) for _, targets in chunks)
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) * len(targets) / examples).backward()


def one_large_batch(model, loss_fn, chunks):
    """The gradient is right, but you put the parts together again: the large batch is in memory at once, which
    is what accumulation is there to avoid. One forward and one backward pass for each part."""
    model.zero_grad()
    inputs, targets = (torch.cat(parts) for parts in zip(*chunks, strict=True))
    loss_fn(model(inputs), targets).backward()


def graphs_of_all_parts(model, loss_fn, chunks):
    """The gradient is right, but each part's graph is still there when the next part goes through the model, so all
    of them are in memory at once. Call `backward()` for each part, and retain nothing."""
    examples = sum(len(targets) for _, targets in chunks)
    model.zero_grad()
    sum(loss_fn(model(inputs), targets) * len(targets) / examples for inputs, targets in chunks).backward()


accumulate = Exercise(
    accumulate,
    inputs=batches_in_parts,
    mistakes=(
        never_scaled,
        divided_by_parts,
        cleared_in_the_loop,
        kept_old_gradients,
        one_large_batch,
        graphs_of_all_parts,
    ),
    hints=(
        "`backward()` adds to `.grad`: one call for each part, and nothing cleared between them.",
        "The mean over all examples is the sum of (part's mean × part's size), divided by all examples.",
        "Scale the loss before `backward()`: `loss * len(targets) / examples`.",
    ),
    probe=gradients_of,
    rtol=1e-4,
    atol=1e-5,
)


def sets_of_gradients(seed: int) -> list[tuple]:
    """Return (gradients, max_norm): long, short, one number, zeros, one tensor much longer than the others.

    Then a transposed matrix and a tensor without an axis, float64 long and short, and no limit at all.
    """
    draw = torch.Generator().manual_seed(seed)

    def normals(*shape):
        return torch.randn(*shape, generator=draw)

    return [
        ([normals(3, 4) + 2, normals(4) * 3], 1.0),
        ([normals(2, 2) * 0.01, normals(5) * 0.01], 1.0),
        ([normals(1) + 9], 0.5),
        ([torch.zeros(3), torch.zeros(2, 2)], 1.0),
        ([normals(6) * 0.1, normals(2, 3) + 50, normals(4)], 2.5),
        ([normals(4, 3).T + 1, normals(1).squeeze() + 9], 0.5),
        ([normals(3).double() + 4, normals(2, 2).double()], 2.0),
        ([normals(3, 2).T.double()], 100.0),
        ([normals(3) + 20, normals(2, 2)], math.inf),
    ]


def new_tensors(answer: Callable, gradients: list[torch.Tensor], max_norm: float) -> dict:
    """Drive a clipping: what it returned, of which types, and how many of its tensors lie in given memory."""
    clipped, norm = answer(gradients, max_norm)
    given = {gradient.untyped_storage().data_ptr() for gradient in gradients}
    return {
        "the norm before": norm,
        "the gradients after": clipped,
        "the gradients are a": type(clipped).__name__,
        "the norm is a": "float" if isinstance(norm, float) else type(norm).__name__,
        "tensors in the memory of given ones": sum(one.untyped_storage().data_ptr() in given for one in clipped),
    }


def clip_by_norm(gradients, max_norm):
    """One norm over all gradients, one factor for all of them, and never a factor over 1."""
    norm = sum((gradient**2).sum() for gradient in gradients).sqrt()
    factor = (max_norm / norm).clamp(max=1)  # a norm of 0 gives infinity here, and 1 after the clamp
    return [gradient * factor for gradient in gradients], norm.item()


def _norm(gradients):
    return torch.cat([gradient.flatten() for gradient in gradients]).norm()


def each_by_itself(gradients, max_norm):
    """You clipped each tensor by its own norm. That turns the step: long gradients are shortened, short ones
    not. One norm over all of them, one factor for all."""
    clipped = [g * (max_norm / g.norm().clamp(min=1e-12)).clamp(max=1) for g in gradients]
    return clipped, _norm(gradients).item()


def values_clamped(gradients, max_norm):
    """You clamped each number (`clip_grad_value_` does that). The direction changes; clipping by the norm only
    shortens."""
    return [g.clamp(-max_norm, max_norm) for g in gradients], _norm(gradients).item()


def short_ones_lengthened(gradients, max_norm):
    """You scaled every set to exactly `max_norm`, short ones too. Clipping never lengthens: the factor is at
    most 1."""
    norm = _norm(gradients)
    return [g * (max_norm / norm.clamp(min=1e-12)) for g in gradients], norm.item()


def norms_added(gradients, max_norm):
    """You added the norms of the tensors. The norm of all of them together is the root of the sum of their
    squares."""
    norm = sum(g.norm() for g in gradients)
    return [g * (max_norm / norm).clamp(max=1) for g in gradients], norm.item()


def root_forgotten(gradients, max_norm):
    """That is the sum of squares, the norm squared: take its root."""
    norm = sum((g**2).sum() for g in gradients)
    return [g * (max_norm / norm).clamp(max=1) for g in gradients], norm.item()


def norm_after_clipping(gradients, max_norm):
    """The gradients are right, but the norm you returned is the one *after* clipping. The one before is what a
    plot needs: it shows when something went wrong."""
    norm = _norm(gradients)
    return [g * (max_norm / norm).clamp(max=1) for g in gradients], norm.clamp(max=max_norm).item()


clip_by_norm = Exercise(
    clip_by_norm,
    inputs=sets_of_gradients,
    mistakes=(
        each_by_itself,
        values_clamped,
        short_ones_lengthened,
        norms_added,
        root_forgotten,
        norm_after_clipping,
    ),
    hints=(
        "First the norm: square everything, add up over all tensors, one root at the end.",
        "The factor is max_norm / norm, but never over 1: `.clamp(max=1)`. What does it do with a norm of 0?",
        "Return new tensors and the norm before clipping, as `.item()`.",
    ),
    probe=new_tensors,
    rtol=1e-4,
    atol=1e-5,
)


def profiles(seed: int) -> list[tuple]:
    """Return the arguments (rows, needed) of each case.

    A norm that calls a decomposition; a large total with a small self; little and much to save. All of it
    needed, and more; what the needed norm calls; twenty rows with equal times and names that nearly fit, where
    the best one is a caller, and where it is a leaf. Times are halves: their sums have no rounding.
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
        ([("aten::mm", 40 * forward, 40 * forward), ("aten::fill_", 0.5, 0.5)], {"aten::mm"}),
        (mostly, {"aten::mm"}),
        (logged[::-1], training | {"aten::linalg_matrix_norm"}),
    ]


def most_gained(rows, needed):
    """The step is the sum of the selfs; what leaves with an operation is its total."""
    step = sum(self_ms for _, self_ms, _ in rows)
    needless = [(total_ms, name) for name, _, total_ms in rows if name not in needed]
    if not needless:
        return None, 1.0
    total_ms, name = max(needless)
    return name, step / (step - total_ms)


def _step(rows):
    return sum(self_ms for _, self_ms, _ in rows)


def _needless(rows, needed, *, column=2):
    """The row that is not needed with the most self (1) or total (2) time, or None."""
    return max((row for row in rows if row[0] not in needed), key=lambda row: row[column], default=None)


def largest_self(rows, needed):
    """You took the operation with the largest self time. One that only calls has next to no self, but what it calls
    goes with it: look for the largest total."""
    row = _needless(rows, needed, column=1)
    return (row[0], _step(rows) / (_step(rows) - row[2])) if row else (None, 1.0)


def totals_added(rows, needed):
    """You added up the totals to get the step. A total contains those of the operations it calls, so their time
    counts twice. Every moment is in exactly one self: add those."""
    row, step = _needless(rows, needed), sum(total_ms for _, _, total_ms in rows)
    return (row[0], step / (step - row[2])) if row else (None, 1.0)


def only_self_goes(rows, needed):
    """The right operation, but you took away its self time alone. Without it, what it calls is not called: its
    total goes."""
    row = _needless(rows, needed)
    return (row[0], _step(rows) / (_step(rows) - row[1])) if row else (None, 1.0)


def share_of_the_step(rows, needed):
    """That is the share of the step that goes. How many times faster it gets is the time before over the time
    after."""
    row = _needless(rows, needed)
    return (row[0], row[2] / _step(rows)) if row else (None, 1.0)


def upside_down_gain(rows, needed):
    """Your ratio is after / before, which is under 1 for a gain. The time with the operation goes on top."""
    row = _needless(rows, needed)
    return (row[0], (_step(rows) - row[2]) / _step(rows)) if row else (None, 1.0)


def needed_or_not(rows, needed):
    """You took the largest total of all. That one is training itself: leave out those in `needed`."""
    row = _needless(rows, ())
    left = _step(rows) - row[2]
    return row[0], (_step(rows) / left if left else math.inf)


def all_selfs_go(rows, needed):
    """You left out every operation that is not needed. Only one goes, with what it calls, needed elsewhere or
    not."""
    row, gone = _needless(rows, needed), sum(self_ms for name, self_ms, _ in rows if name not in needed)
    return (row[0], _step(rows) / (_step(rows) - gone)) if row else (None, 1.0)


def _pair_with_kinds(answer, rows, needed):
    pair = answer(rows, needed)
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        return pair
    kinds = [type(pair).__name__, *("float" if isinstance(part, float) else type(part).__name__ for part in pair)]
    return {"the operation": pair[0], "before / after": pair[1], "the kinds": kinds}


most_gained = Exercise(
    most_gained,
    inputs=profiles,
    probe=_pair_with_kinds,
    mistakes=(
        largest_self,
        totals_added,
        only_self_goes,
        share_of_the_step,
        upside_down_gain,
        needed_or_not,
        all_selfs_go,
    ),
    hints=(
        "How long does the step take? Each of its moments is in exactly one *self*, and in several totals.",
        "Of the rows whose name is not in `needed`, take the one with the largest *total*; there may be none.",
        "`step = sum(of all selfs)`, and the ratio is `step / (step - total)`.",
    ),
)
