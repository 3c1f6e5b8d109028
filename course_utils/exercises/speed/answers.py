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
    """Time alternating pairs, and discard the first. The verdict depends on an interval for the median."""
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
    """You ran no pair before the ones that you count. First calls allocate memory, choose kernels and fill
    caches, so run one pair without counting it."""
    return _summary(_pairs(before, after, clock, runs), skip)


def counted_the_first(before, after, clock, runs, skip):
    """You ran one pair more, but you counted the first one too, so its ratio includes what first calls do only
    once. Leave it out of the list."""
    return _summary(_pairs(before, after, clock, runs + 1), skip)


def one_after_the_other(before, after, clock, runs, skip):
    """You timed all calls of `before`, and then all of `after`. If the machine becomes slower meanwhile (heat,
    other programs), that affects only one of them. Alternate, and take a ratio from each pair."""
    first = [_seconds(before, clock) for _ in range(runs + 1)][1:]
    second = [_seconds(after, clock) for _ in range(runs + 1)][1:]
    return _summary([one / other for one, other in zip(first, second, strict=True)], skip)


def mean_in_the_middle(before, after, clock, runs, skip):
    """The middle value must be the median. A single interrupted run can change a mean by any amount."""
    return _summary(_pairs(before, after, clock, runs + 1)[1:], skip, middle=statistics.mean)


def upside_down(before, after, clock, runs, skip):
    """Your ratio is after / before, so a gain gives less than 1. The task asks how many times faster `after` is:
    before / after."""
    return _summary([1 / ratio for ratio in _pairs(before, after, clock, runs + 1)[1:]], skip)


def nothing_left_out(before, after, clock, runs, skip):
    """You returned the lowest and the highest ratio of all. Leave out `skip` ratios at each end, because the
    interval is meant for the median."""
    return _summary(_pairs(before, after, clock, runs + 1)[1:], 0)


def believed_the_median(before, after, clock, runs, skip):
    """You decided by the median alone. Of two equally fast functions one always looks faster. There is a
    difference only if both ends of the interval are on the same side of 1."""
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
        "There are three flaws. The very first calls count, one function is timed only after the other, and one "
        "number is all that decides.",
        "Write one loop over `runs + 1` pairs. In each, time `before`, time `after`, and keep the ratio, except "
        "that of pair 0.",
        "Sort the ratios. The ends of the interval are `ratios[skip]` and `ratios[-1 - skip]`, and they decide "
        "the verdict.",
    ),
)


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    """Multiply the loss by the scale, and divide the gradients by it. If a gradient is not finite, skip the
    step."""
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
    """The step used the gradients of the scaled loss. Divide each gradient by the scale before the step: the
    scale only keeps small values from becoming 0 in the backward pass, and must not make the step larger."""
    good = _finite(_scaled_backward(model, loss_fn, inputs, targets, state["scale"], unscale=False))
    if good:
        optimizer.step()
    _count(state, good)
    return good


def looked_at_the_loss(model, optimizer, loss_fn, inputs, targets, state):
    """You checked whether the *loss* is finite. It is, but a gradient is not, because the overflow happens in
    the backward pass. Check every gradient."""
    _scaled_backward(model, loss_fn, inputs, targets, state["scale"])
    good = bool(loss_fn(model(inputs), targets).isfinite())
    if good:
        optimizer.step()
    _count(state, good)
    return good


def looked_for_infinity_only(model, optimizer, loss_fn, inputs, targets, state):
    """You accepted a gradient that contains NaN. `isfinite()` is False for infinity and for NaN."""
    gradients = _scaled_backward(model, loss_fn, inputs, targets, state["scale"])
    good = not any(bool(gradient.isinf().any()) for gradient in gradients)
    if good:
        optimizer.step()
    _count(state, good)
    return good


def looked_at_the_first(model, optimizer, loss_fn, inputs, targets, state):
    """You checked the gradient of the first parameter only. Any gradient can overflow."""
    good = _finite(_scaled_backward(model, loss_fn, inputs, targets, state["scale"])[:1])
    if good:
        optimizer.step()
    _count(state, good)
    return good


def looked_before_dividing(model, optimizer, loss_fn, inputs, targets, state):
    """You took a step with an infinite gradient, because a division by a scale below 1 can overflow. Check the
    gradients after the division."""
    gradients = _scaled_backward(model, loss_fn, inputs, targets, state["scale"], unscale=False)
    good = _finite(gradients)
    for gradient in gradients:
        gradient /= state["scale"]
    if good:
        optimizer.step()
    _count(state, good)
    return good


def divided_before_a_step_only(model, optimizer, loss_fn, inputs, targets, state):
    """If the step is skipped, your gradients are still scaled. Divide all of them first, and then check them."""
    gradients = _scaled_backward(model, loss_fn, inputs, targets, state["scale"], unscale=False)
    good = _finite(gradients)
    if good:
        for gradient in gradients:
            gradient /= state["scale"]
        optimizer.step()
    _count(state, good)
    return good


def added_them_up(model, optimizer, loss_fn, inputs, targets, state):
    """You skipped a step although all its gradients are finite. They are large, and their sum or their squares,
    as in a norm, overflow earlier than they do. Check the elements themselves."""
    gradients = _scaled_backward(model, loss_fn, inputs, targets, state["scale"])
    good = bool(sum(gradient.square().sum() for gradient in gradients).isfinite())
    if good:
        optimizer.step()
    _count(state, good)
    return good


def stepped_all_the_same(model, optimizer, loss_fn, inputs, targets, state):
    """You halved the scale, but you took the step too. Now weights are infinite or NaN, and no later step can
    repair them."""
    good = _finite(_scaled_backward(model, loss_fn, inputs, targets, state["scale"]))
    optimizer.step()
    _count(state, good)
    return good


def cleared_and_stepped(model, optimizer, loss_fn, inputs, targets, state):
    """You set a bad gradient to 0 and took the step. An optimizer with momentum or weight decay still changes
    the weights, and it counts a step. Do not call `step()`."""
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
    """You halve the scale but never double it. In the end it is too small to keep small gradients from becoming
    0."""
    good = _finite(_scaled_backward(model, loss_fn, inputs, targets, state["scale"]))
    if good:
        optimizer.step()
    _count(state, good, grow=False)
    return good


def old_gradients_kept(model, optimizer, loss_fn, inputs, targets, state):
    """Your gradients were added to those of an earlier step, and all were divided by the scale. Clear them
    before `backward()`."""
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
        'Clear the gradients, run the forward pass, and call `(loss * state["scale"]).backward()`. Then divide '
        "every `.grad` that is not None.",
        "Check all gradients at once: `all(... .isfinite().all() for ...)`. If the result is True, call "
        "`optimizer.step()`.",
        'Then update the state. After a skipped step, halve the scale and set `"good"` to 0. After a good one, '
        'count it; if the count reaches `"every"`, double the scale and set the count to 0.',
    ),
)


def accumulate(model, loss_fn, chunks):
    """The mean loss of each part is weighted by its share of all examples."""
    examples = sum(len(targets) for _, targets in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(targets) / examples
        loss.backward()


def never_scaled(model, loss_fn, chunks):
    """You added the gradients of all parts without weights, so with four parts the step is about four times too
    large. Weight the mean loss of each part by its share of the examples."""
    model.zero_grad()
    for inputs, targets in chunks:
        loss_fn(model(inputs), targets).backward()


def divided_by_parts(model, loss_fn, chunks):
    """You divided by the number of parts, which is right only if all parts have the same size. Here the last
    part is shorter, so its examples count too much. Weight each part by its share of the examples."""
    model.zero_grad()
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) / len(chunks)).backward()


def cleared_in_the_loop(model, loss_fn, chunks):
    """You cleared the gradients inside the loop, so only those of the last part are left. Clear them once,
    before the first part."""
    examples = sum(len(targets) for _, targets in chunks)
    for inputs, targets in chunks:
        model.zero_grad()
        (loss_fn(model(inputs), targets) * len(targets) / examples).backward()


def kept_old_gradients(model, loss_fn, chunks):
    """Your gradients were added to those of an earlier step, which the model still held. Clear them before the
    first part."""
    examples = sum(len(targets) for _, targets in chunks)
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) * len(targets) / examples).backward()


def old_ones_of_frozen_stay(model, loss_fn, chunks):
    """The gradients are right, but a frozen parameter still has the gradient of an earlier step, which a step
    would use. You cleared only the gradients of trained parameters; `model.zero_grad()` clears all."""
    examples = sum(len(targets) for _, targets in chunks)
    for parameter in model.parameters():
        if parameter.requires_grad:
            parameter.grad = None
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) * len(targets) / examples).backward()


def one_large_batch(model, loss_fn, chunks):
    """The gradient is right, but you joined the parts again, so the large batch is in memory at once.
    Accumulation is meant to avoid that. Make one forward and one backward pass for each part."""
    model.zero_grad()
    inputs, targets = (torch.cat(parts) for parts in zip(*chunks, strict=True))
    loss_fn(model(inputs), targets).backward()


def graphs_of_all_parts(model, loss_fn, chunks):
    """The gradient is right, but the graph of each part still exists when the next part goes through the model,
    so all graphs are in memory at once. Call `backward()` for each part, and do not retain its graph."""
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
        "`backward()` adds to `.grad`. Call it once for each part, and do not clear the gradients in between.",
        "The mean over all examples is the sum of (mean of the part × size of the part), divided by the number "
        "of all examples.",
        "Scale the loss before `backward()`: `loss * len(targets) / examples`.",
    ),
)


def most_gained(rows, needed):
    """The time of the step is the sum of all self times. Removing an operation saves its total time."""
    step = sum(self_ms for _, self_ms, _ in rows)
    needless = [(total_ms, name) for name, _, total_ms in rows if name not in needed]
    if not needless:
        return None, 1.0
    total_ms, name = max(needless)
    return name, step / (step - total_ms)


def _step(rows):
    return sum(self_ms for _, self_ms, _ in rows)


def _needless(rows, needed, *, column=2):
    """The row that is not needed with the largest self (1) or total (2) time, or None."""
    return max((row for row in rows if row[0] not in needed), key=lambda row: row[column], default=None)


def largest_self(rows, needed):
    """You chose the operation with the largest self time. An operation that mostly calls others has little self
    time, but what it calls disappears with it. Choose the largest total time."""
    row = _needless(rows, needed, column=1)
    return (row[0], _step(rows) / (_step(rows) - row[2])) if row else (None, 1.0)


def ranked_by_self(rows, needed):
    """You ranked by self time and removed only that. An operation that mostly calls others has little self time,
    but what it calls disappears with it. Rank by total time, and subtract the total time."""
    row = _needless(rows, needed, column=1)
    return (row[0], _step(rows) / (_step(rows) - row[1])) if row else (None, 1.0)


def largest_total_is_the_step(rows, needed):
    """You took the largest total time as the time of the whole step, but no operation calls all others here.
    Every moment is in exactly one self time, so the step is the sum of the self times."""
    row, step = _needless(rows, needed), max(total_ms for _, _, total_ms in rows)
    return (row[0], step / (step - row[2]) if step > row[2] else math.inf) if row else (None, 1.0)


def totals_added(rows, needed):
    """You added the total times to get the step. A total contains the time of the operations that it calls, so
    their time counts twice. Add the self times: every moment is in exactly one of them."""
    row, step = _needless(rows, needed), sum(total_ms for _, _, total_ms in rows)
    return (row[0], step / (step - row[2])) if row else (None, 1.0)


def only_self_goes(rows, needed):
    """You chose the right operation but subtracted only its self time. Without it, the operations that it calls
    do not run either. Subtract its total time."""
    row = _needless(rows, needed)
    return (row[0], _step(rows) / (_step(rows) - row[1])) if row else (None, 1.0)


def share_of_the_step(rows, needed):
    """That is the fraction of the step that disappears. How many times faster the step becomes is the old time
    divided by the new time."""
    row = _needless(rows, needed)
    return (row[0], row[2] / _step(rows)) if row else (None, 1.0)


def upside_down_gain(rows, needed):
    """Your ratio is after / before, which is below 1 for a gain. Divide the old time by the new one."""
    row = _needless(rows, needed)
    return (row[0], (_step(rows) - row[2]) / _step(rows)) if row else (None, 1.0)


def needed_or_not(rows, needed):
    """You chose the largest total time of all operations, and that one is part of the training itself. Leave out
    those in `needed`."""
    row = _needless(rows, ())
    left = _step(rows) - row[2]
    return row[0], (_step(rows) / left if left else math.inf)


def all_selfs_go(rows, needed):
    """You removed every operation that is not needed. Remove only one, together with what it calls, whether that
    is needed elsewhere or not."""
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
        "How long does the step take? Each of its moments is in exactly one *self* time, and in several totals.",
        "Of the rows whose name is not in `needed`, take the one with the largest *total* time. There may be none.",
        "`step` is the sum of all self times, and the ratio is `step / (step - total)`.",
    ),
)


def mended(model, optimizer, batches, pixels, every):
    """What is the same at every step is computed before the loop. What only an entry needs is computed where the
    entry is made."""
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
    """One run, corrected except for what a keyword says: statistics of each step or batch, the loss, both
    figures."""
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
    """Your function returns the results of `slow_run`, and it still does all of the needless work. Profile it:
    which rows are called too often, and which line calls them?"""
    each = {"given": "each step", "figure": "each step", "loss_of": "each step"}
    return _run(model, optimizer, batches, pixels, every, loss_fn=_one_by_one, **each)


def statistics_at_each_step(model, optimizer, batches, pixels, every):
    """The results are right, but mean and standard deviation of `pixels` are computed again after training has
    begun. They do not change, so compute them before the loop."""
    return _run(model, optimizer, batches, pixels, every, given="each step")


def picture_by_picture(model, optimizer, batches, pixels, every):
    """The results are right, but the loss and its backward pass are still computed for one picture after the
    other. One call takes the whole batch and returns its mean."""
    return _run(model, optimizer, batches, pixels, every, loss_fn=_one_by_one)


def figure_at_each_step(model, optimizer, batches, pixels, every):
    """The results are right, but the gradient's quantile is also computed and read at steps that make no entry,
    where it is not used."""
    return _run(model, optimizer, batches, pixels, every, figure="each step")


def read_at_each_step(model, optimizer, batches, pixels, every):
    """The results are right, but as many losses are read as there are steps, and at each read Python waits for
    the device. Keep the losses as tensors (`detach()`), and read their mean once per entry."""
    return _run(model, optimizer, batches, pixels, every, loss_of="each step")


def only_the_last_loss(model, optimizer, batches, pixels, every):
    """Your entry contains only the loss of its own step. `slow_run` logs the mean since the last entry, so keep
    the loss of each step, as a tensor, until the next entry."""
    return _run(model, optimizer, batches, pixels, every, loss_of="last")


def of_the_clipped_gradient(model, optimizer, batches, pixels, every):
    """The quantile in your entry is that of the clipped gradient, because `clip_grad_norm_` changes the
    gradients in place. Compute the quantile before you clip."""
    return _run(model, optimizer, batches, pixels, every, figure="clipped")


def both_lines_under_the_if(model, optimizer, batches, pixels, every):
    """Your entry contains the loss of its own step and the quantile of the clipped gradient. It must contain the
    mean loss since the last entry, and the quantile before clipping. So you cannot simply move both lines under
    the `if`."""
    return _run(model, optimizer, batches, pixels, every, loss_of="last", figure="clipped")


def statistics_of_the_batch(model, optimizer, batches, pixels, every):
    """You normalise with the mean and standard deviation of the batch. Use those of `pixels`, which has all
    pictures, and compute them once, before the loop."""
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
        "Operations with 512 calls run once per picture. Which line calls them? Which other operations take long "
        "and are not part of the training? One more line takes no time on a CPU but waits for a GPU (row 7).",
        "For each such operation, find out what it is needed for. Move what is the same at every step before the "
        "loop, and what only an entry needs under its `if`. One `F.cross_entropy` takes a whole batch.",
        "An entry needs all losses since the last entry, kept as tensors, and the gradient before clipping.",
    ),
)
