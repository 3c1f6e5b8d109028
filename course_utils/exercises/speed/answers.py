"""Our answers to the questions of chapter 09: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import math
import statistics

import torch
import torch.nn.functional as F
from torch import nn

from lessonkit.checks.answer import Answer


def fair_ratio(before, after, clock, runs, skip):
    """Alternating pairs, the first of them discarded; an interval of the median decides what may be said."""
    ratios = []
    for run in range(runs + 1):
        seconds = []
        for work in (before, after):
            start = clock()
            work()
            seconds.append(clock() - start)
        if run:
            ratios.append(seconds[0] / seconds[1])
    ratios.sort()
    low, high = ratios[skip], ratios[-1 - skip]
    verdict = "gain" if low > 1 else "loss" if high < 1 else "not shown"
    return low, statistics.median(ratios), high, verdict


def _seconds(work, clock):
    start = clock()
    work()
    return clock() - start


def _pairs(before, after, clock, pairs):
    return [_seconds(before, clock) / _seconds(after, clock) for _ in range(pairs)]


def _summary(ratios, skip, *, middle=statistics.median):
    ordered = sorted(ratios)
    low, high = ordered[skip], ordered[-1 - skip]
    return low, middle(ratios), high, "gain" if low > 1 else "loss" if high < 1 else "not shown"


def never_warmed_up(before, after, clock, runs, skip):
    """You ran no pair before the counted ones. First calls allocate, choose kernels and fill caches; run one pair
    without counting it."""
    return _summary(_pairs(before, after, clock, runs), skip)


def counted_the_first(before, after, clock, runs, skip):
    """You ran a pair more, and counted the first one all the same. What first calls do once is in its ratio: leave
    it out of the list."""
    return _summary(_pairs(before, after, clock, runs + 1), skip)


def one_after_the_other(before, after, clock, runs, skip):
    """You timed all of `before`, then all of `after`. A machine that gets slower meanwhile (heat, a neighbour)
    then hits only one of them. Take turns: a ratio from each pair."""
    first = [_seconds(before, clock) for _ in range(runs + 1)][1:]
    second = [_seconds(after, clock) for _ in range(runs + 1)][1:]
    return _summary([one / other for one, other in zip(first, second, strict=True)], skip)


def mean_in_the_middle(before, after, clock, runs, skip):
    """The middle one is to be the median. One interrupted run pulls a mean as far as it likes."""
    return _summary(_pairs(before, after, clock, runs + 1)[1:], skip, middle=statistics.mean)


def upside_down(before, after, clock, runs, skip):
    """Your ratio is after / before: a gain then reads as less than 1. How many times faster is before / after."""
    return _summary([1 / ratio for ratio in _pairs(before, after, clock, runs + 1)[1:]], skip)


def nothing_left_out(before, after, clock, runs, skip):
    """You gave the lowest and the highest ratio of all. Leave out `skip` at each end: the interval is one of the
    median, not of all that ever happened."""
    return _summary(_pairs(before, after, clock, runs + 1)[1:], 0)


def believed_the_median(before, after, clock, runs, skip):
    """You judged by the median alone. Of two equal functions one always looks faster: only where both ends lie on
    one side of 1 is anything shown."""
    low, middle, high, _ = _summary(_pairs(before, after, clock, runs + 1)[1:], skip)
    return low, middle, high, "gain" if middle > 1 else "loss" if middle < 1 else "not shown"


fair_ratio = Answer(
    fair_ratio,
    mistakes=(
        never_warmed_up,
        counted_the_first,
        one_after_the_other,
        mean_in_the_middle,
        upside_down,
        nothing_left_out,
        believed_the_median,
    ),
    hints=(
        "Flaw 1: the very first calls count. Flaw 2: first all of one, then all of the other. Flaw 3: one number.",
        "One loop over `runs + 1` pairs. In each: time `before`, time `after`, keep the ratio, but not of pair 0.",
        "Sort the ratios: the ends are `ratios[skip]` and `ratios[-1 - skip]`, and they decide the verdict.",
    ),
)


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    """The loss goes up, the gradients come down again; where one has left the range, nothing moves."""
    model.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    for gradient in gradients:
        gradient /= state["scale"]
    finite = all(bool(gradient.isfinite().all()) for gradient in gradients)
    if finite:
        optimizer.step()
        state["good"] += 1
    else:
        state["scale"] /= 2
        state["good"] = 0
    if state["good"] == state["every"]:
        state["scale"] *= 2
        state["good"] = 0
    return finite


def _scaled_backward(model, loss_fn, inputs, targets, scale, *, clear=True, unscale=True):
    if clear:
        model.zero_grad()
    (loss_fn(model(inputs), targets) * scale).backward()
    gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    for gradient in gradients if unscale else ():
        gradient /= scale
    return gradients


def _finite(gradients):
    return all(bool(gradient.isfinite().all()) for gradient in gradients)


def _count(state, good, *, reset=True, grow=True):
    if good:
        state["good"] += 1
    else:
        state["scale"] /= 2
        state["good"] = 0 if reset else state["good"]
    if grow and state["good"] == state["every"]:
        state["scale"] *= 2
        state["good"] = 0


def gradients_left_scaled(model, optimizer, loss_fn, inputs, targets, state):
    """The step followed the gradients of the scaled loss. Divide each by the scale before the step: the scale is
    there to save small numbers on the way back, not to make the step longer."""
    good = _finite(_scaled_backward(model, loss_fn, inputs, targets, state["scale"], unscale=False))
    if good:
        optimizer.step()
    _count(state, good)
    return good


def looked_at_the_loss(model, optimizer, loss_fn, inputs, targets, state):
    """You asked whether the *loss* is finite. It is, and a gradient is not: the overflow happens on the way back.
    Look at each gradient."""
    _scaled_backward(model, loss_fn, inputs, targets, state["scale"])
    good = bool(loss_fn(model(inputs), targets).isfinite())
    if good:
        optimizer.step()
    _count(state, good)
    return good


def looked_for_infinity_only(model, optimizer, loss_fn, inputs, targets, state):
    """A gradient with NaN passed for a good one. Infinity is not the only thing to look for: `isfinite()` is False
    for both."""
    gradients = _scaled_backward(model, loss_fn, inputs, targets, state["scale"])
    good = not any(bool(gradient.isinf().any()) for gradient in gradients)
    if good:
        optimizer.step()
    _count(state, good)
    return good


def looked_at_the_first(model, optimizer, loss_fn, inputs, targets, state):
    """You looked at the gradient of one parameter only, the first. Any of them may have left the range."""
    good = _finite(_scaled_backward(model, loss_fn, inputs, targets, state["scale"])[:1])
    if good:
        optimizer.step()
    _count(state, good)
    return good


def looked_before_dividing(model, optimizer, loss_fn, inputs, targets, state):
    """You stepped along an infinite gradient: a division by a scale under 1 can overflow. Look at the gradients
    after the division."""
    gradients = _scaled_backward(model, loss_fn, inputs, targets, state["scale"], unscale=False)
    good = _finite(gradients)
    for gradient in gradients:
        gradient /= state["scale"]
    if good:
        optimizer.step()
    _count(state, good)
    return good


def divided_before_a_step_only(model, optimizer, loss_fn, inputs, targets, state):
    """Where the step is skipped you left the gradients scaled. Divide every one first, and look at them then."""
    gradients = _scaled_backward(model, loss_fn, inputs, targets, state["scale"], unscale=False)
    good = _finite(gradients)
    if good:
        for gradient in gradients:
            gradient /= state["scale"]
        optimizer.step()
    _count(state, good)
    return good


def added_them_up(model, optimizer, loss_fn, inputs, targets, state):
    """You skipped a step whose gradients are all finite, and large: their sum and their squares, as in a norm,
    leave the range sooner than they do. Look at the numbers themselves."""
    gradients = _scaled_backward(model, loss_fn, inputs, targets, state["scale"])
    good = bool(sum(gradient.square().sum() for gradient in gradients).isfinite())
    if good:
        optimizer.step()
    _count(state, good)
    return good


def stepped_all_the_same(model, optimizer, loss_fn, inputs, targets, state):
    """The scale is halved, but the step was taken all the same: weights are infinite or NaN now, for good."""
    good = _finite(_scaled_backward(model, loss_fn, inputs, targets, state["scale"]))
    optimizer.step()
    _count(state, good)
    return good


def cleared_and_stepped(model, optimizer, loss_fn, inputs, targets, state):
    """You made a bad gradient 0 and stepped. An optimizer with momentum or weight decay moves the weights all the
    same, and counts a step: leave `step()` out."""
    gradients = _scaled_backward(model, loss_fn, inputs, targets, state["scale"])
    good = _finite(gradients)
    for gradient in () if good else gradients:
        gradient.zero_()
    optimizer.step()
    _count(state, good)
    return good


def good_ones_not_in_a_row(model, optimizer, loss_fn, inputs, targets, state):
    """A skipped step did not set `"good"` back to 0. The scale is doubled after good steps *in a row*."""
    good = _finite(_scaled_backward(model, loss_fn, inputs, targets, state["scale"]))
    if good:
        optimizer.step()
    _count(state, good, reset=False)
    return good


def never_grew(model, optimizer, loss_fn, inputs, targets, state):
    """The scale is halved and never doubled. It ends too small for the small gradients it is there for."""
    good = _finite(_scaled_backward(model, loss_fn, inputs, targets, state["scale"]))
    if good:
        optimizer.step()
    _count(state, good, grow=False)
    return good


def old_gradients_kept(model, optimizer, loss_fn, inputs, targets, state):
    """The gradients of an earlier step were added to yours, and divided by the scale with them. Clear them before
    `backward()`."""
    good = _finite(_scaled_backward(model, loss_fn, inputs, targets, state["scale"], clear=False))
    if good:
        optimizer.step()
    _count(state, good)
    return good


scaled_step = Answer(
    scaled_step,
    mistakes=(
        gradients_left_scaled,
        looked_at_the_loss,
        looked_for_infinity_only,
        looked_at_the_first,
        looked_before_dividing,
        divided_before_a_step_only,
        added_them_up,
        stepped_all_the_same,
        cleared_and_stepped,
        good_ones_not_in_a_row,
        never_grew,
        old_gradients_kept,
    ),
    hints=(
        'Clear, go forward, `(loss * state["scale"]).backward()`; then divide every `.grad` that is there.',
        "One answer for all gradients: `all(... .isfinite().all() for ...)`. If it is True: `optimizer.step()`.",
        'Then the books: halve, and `"good"` 0; or count, and where it has reached `"every"`: double, and 0.',
    ),
)


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


def old_ones_of_frozen_stay(model, loss_fn, chunks):
    """The gradient is right, but a frozen parameter still has the one of an earlier step. Clearing the trained ones
    alone leaves it, and a step would follow it; `model.zero_grad()` clears all."""
    examples = sum(len(targets) for _, targets in chunks)
    for parameter in model.parameters():
        if parameter.requires_grad:
            parameter.grad = None
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


accumulate = Answer(
    accumulate,
    mistakes=(
        never_scaled,
        divided_by_parts,
        cleared_in_the_loop,
        kept_old_gradients,
        old_ones_of_frozen_stay,
        one_large_batch,
        graphs_of_all_parts,
    ),
    hints=(
        "`backward()` adds to `.grad`: one call for each part, and nothing cleared between them.",
        "The mean over all examples is the sum of (part's mean × part's size), divided by all examples.",
        "Scale the loss before `backward()`: `loss * len(targets) / examples`.",
    ),
)


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


def ranked_by_self(rows, needed):
    """You ranked by self time, and took that alone away. One that only calls has next to no self, but what it calls
    goes with it: rank by the total, and take the total away."""
    row = _needless(rows, needed, column=1)
    return (row[0], _step(rows) / (_step(rows) - row[1])) if row else (None, 1.0)


def largest_total_is_the_step(rows, needed):
    """You took the largest total for the whole step. No operation calls all others here: every moment is in exactly
    one self, so the step is their sum."""
    row, step = _needless(rows, needed), max(total_ms for _, _, total_ms in rows)
    return (row[0], step / (step - row[2]) if step > row[2] else math.inf) if row else (None, 1.0)


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


most_gained = Answer(
    most_gained,
    mistakes=(
        largest_self,
        ranked_by_self,
        largest_total_is_the_step,
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


def mended(model, optimizer, batches, pixels, every):
    """What is always the same stands before the loop, what only an entry needs stands where it is made."""
    mean, std = pixels.float().mean(), pixels.float().std()
    log, losses = [], []
    for step, (pictures, targets) in enumerate(batches, 1):
        loss = F.cross_entropy(model((pictures - mean) / std), targets)
        optimizer.zero_grad()
        loss.backward()
        losses.append(loss.detach())
        if step % every == 0:
            gradient = torch.cat([p.grad.flatten() for p in model.parameters()])  # not yet clipped
            log.append((step, torch.stack(losses).mean().item(), gradient.abs().quantile(0.99).item()))
            losses = []
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return log


def _large(model):
    return torch.cat([p.grad.flatten() for p in model.parameters()]).abs().quantile(0.99).item()


def _one_by_one(logits, targets):
    return torch.stack([F.cross_entropy(row, target) for row, target in zip(logits, targets, strict=True)]).mean()


def _statistics(pixels):
    return pixels.float().mean(), pixels.float().std()


def _run(
    model, optimizer, batches, pixels, every, *, given=None, loss_fn=F.cross_entropy, figure="entry", loss_of="mean"
):
    """One run, mended but for what a keyword says: statistics of each step or batch, the loss, both figures."""
    (mean, std), log, total, large = _statistics(pixels), [], 0.0, None
    for step, (pictures, targets) in enumerate(batches, 1):
        if given:
            mean, std = _statistics(pixels if given == "each step" else pictures)
        loss = loss_fn(model((pictures.float() - mean) / std), targets)
        optimizer.zero_grad()
        loss.backward()
        if figure == "each step" or (figure == "entry" and step % every == 0):
            large = _large(model)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item() if loss_of == "each step" else loss.detach()
        if step % every == 0:
            large = _large(model) if figure == "clipped" else large
            log.append((step, loss.item() if loss_of == "last" else float(total / every), large))
            total = 0.0
    return log


def nothing_mended(model, optimizer, batches, pixels, every):
    """The results of `slow_run`, and all of its needless work. Profile it: which rows are called too often, and
    which line calls them?"""
    each = {"given": "each step", "figure": "each step", "loss_of": "each step"}
    return _run(model, optimizer, batches, pixels, every, loss_fn=_one_by_one, **each)


def statistics_at_each_step(model, optimizer, batches, pixels, every):
    """The results are right, but mean and standard deviation of `pixels` are computed anew once training has begun.
    They stay the same: compute them before the loop."""
    return _run(model, optimizer, batches, pixels, every, given="each step")


def picture_by_picture(model, optimizer, batches, pixels, every):
    """The results are right, but the loss is still computed for one picture after the other, and so is its backward
    pass. One call takes the whole batch, and gives its mean."""
    return _run(model, optimizer, batches, pixels, every, loss_fn=_one_by_one)


def figure_at_each_step(model, optimizer, batches, pixels, every):
    """The results are right, but the gradient's quantile is computed, and read, at steps that make no entry, and
    thrown away there."""
    return _run(model, optimizer, batches, pixels, every, figure="each step")


def read_at_each_step(model, optimizer, batches, pixels, every):
    """The results are right, but as many losses are read as there are steps, and at each read Python waits for the
    device. Keep tensors (`detach()`), and read their mean once an entry."""
    return _run(model, optimizer, batches, pixels, every, loss_of="each step")


def only_the_last_loss(model, optimizer, batches, pixels, every):
    """An entry holds the loss of its own step alone. `slow_run` logs the mean since the last entry: keep each
    step's loss, as a tensor, until there is one."""
    return _run(model, optimizer, batches, pixels, every, loss_of="last")


def of_the_clipped_gradient(model, optimizer, batches, pixels, every):
    """The quantile of an entry is that of the clipped gradient: the line came behind `clip_grad_norm_`, which
    alters the gradients in place. Ask before it."""
    return _run(model, optimizer, batches, pixels, every, figure="clipped")


def both_lines_under_the_if(model, optimizer, batches, pixels, every):
    """An entry holds the loss of its own step, where the mean since the last entry belongs, and the quantile of the
    clipped gradient, where that before clipping belongs. Both lines cannot simply move under the `if`."""
    return _run(model, optimizer, batches, pixels, every, loss_of="last", figure="clipped")


def statistics_of_the_batch(model, optimizer, batches, pixels, every):
    """You normalise with mean and standard deviation of the batch. They are to be those of `pixels`, all pictures:
    computed once, before the loop."""
    return _run(model, optimizer, batches, pixels, every, given="batch")


mended = Answer(
    mended,
    mistakes=(
        nothing_mended,
        statistics_at_each_step,
        picture_by_picture,
        figure_at_each_step,
        read_at_each_step,
        only_the_last_loss,
        of_the_clipped_gradient,
        both_lines_under_the_if,
        statistics_of_the_batch,
    ),
    hints=(
        "Rows with 512 calls run once a picture: which line does that? Which others take long, and have no part "
        "in training? One more line takes no time on a CPU, and waits for a GPU (row 7).",
        "Of each such row ask: for what is it needed? What is the same at every step goes before the loop, "
        "what only an entry needs under its `if`, and one `F.cross_entropy` takes a whole batch.",
        "An entry needs all losses since the last one, kept as tensors, and the gradient before it is clipped.",
    ),
)
