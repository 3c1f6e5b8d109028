"""Our answers to the questions of chapter 12: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import numpy as np
import torch

from lessonkit.checks.answer import Answer


def mended_loss(predictions, targets):
    """Both as one list of numbers; unequal lengths are refused instead of repeated."""
    if predictions.numel() != targets.numel():
        raise ValueError(f"{predictions.numel()} predictions for {targets.numel()} targets")
    return (predictions.flatten() - targets.flatten()).square().mean()


def _refuse(predictions, targets):
    if len(predictions) != len(targets):
        raise ValueError


def as_it_was(predictions, targets):
    """That is the loss as it was: (N, 1) minus (N,) gives N x N differences, each prediction with each target."""
    _refuse(predictions, targets)
    return (predictions - targets).square().mean()


def one_side_only(predictions, targets):
    """You took the second axis off the predictions only. The other way round, (N,) against (N, 1), it still
    broadcasts: bring *both* to one shape."""
    _refuse(predictions, targets)
    return (predictions.flatten() - targets).square().mean()


def column_always(predictions, targets):
    """You turned the targets into a column. That is right for predictions of (N, 1); predictions of (N,) now meet
    (N, 1) and broadcast."""
    _refuse(predictions, targets)
    return (predictions - targets.reshape(-1, 1)).square().mean()


def repeats_one(predictions, targets):
    """The shapes are right, but a single target against four predictions still broadcasts: it is repeated. Compare
    the lengths first, and raise a ValueError if they differ."""
    return (predictions.flatten() - targets.flatten()).square().mean()


def summed(predictions, targets):
    """You summed the squares. The task asks for the mean, because the sum grows with the size of the batch."""
    _refuse(predictions, targets)
    return (predictions.flatten() - targets.flatten()).square().sum()


def without_a_graph(predictions, targets):
    """The number is right, but no gradient leads from it to the predictions: `.item()`, `detach` or a new tensor
    has cut the graph, and training would stand still."""
    _refuse(predictions, targets)
    return (predictions.flatten() - targets.flatten()).square().mean().detach()


mended_loss = Answer(
    mended_loss,
    mistakes=(as_it_was, one_side_only, column_always, repeats_one, summed, without_a_graph),
    hints=(
        "`x.flatten()` turns (N, 1) and (N,) into (N,). Do it to both.",
        "One number is repeated without a word: `if predictions.numel() != targets.numel(): raise ValueError`.",
    ),
)


def which_mistake(log):
    """From the top: what the first loss says, then all of them, what moves, and the two losses known beforehand."""
    losses, classes = log["train_loss"], log["classes"]
    guessing, floor = np.log(classes), np.log(np.e + classes - 1) - 1
    if np.isnan(losses[0]):
        return "bad data"
    if not np.isfinite(losses).all():
        return "rate too high"
    if not any(log["grad_norm"]):
        return "graph cut"
    if not any(log["lr"]):
        return "rate zero"
    if all(abs(loss - guessing) < 0.05 * guessing for loss in losses):
        return "labels shuffled"
    if min(losses) > floor and losses[-1] < 1.02 * floor:
        return "softmax twice"
    if all(10 * val < loss for val, loss in zip(log["val_loss"], losses, strict=True)):
        return "mean divided again"
    return None


def _read(log, *, bad=None, wild=None, still=all, guessing=None, near=all, floor=None, last=None):
    """The same with one part of it exchanged."""
    losses, classes = log["train_loss"], log["classes"]
    guessing = guessing or np.log(classes)
    floor = floor or np.log(np.e + classes - 1) - 1
    rows = {
        "bad data": np.isnan(losses[0]) if bad is None else bad(losses),
        "rate too high": not np.isfinite(losses).all() if wild is None else wild(losses),
        "graph cut": still(norm == 0 for norm in log["grad_norm"]),
        "rate zero": still(lr == 0 for lr in log["lr"]),
        "labels shuffled": near(abs(loss - guessing) < 0.05 * guessing for loss in losses),
        "softmax twice": min(losses) > floor and (losses[-1] if last is None else last(losses)) < 1.02 * floor,
        "mean divided again": all(10 * val < loss for val, loss in zip(log["val_loss"], losses, strict=True)),
    }
    return next((name for name, true in rows.items() if true), None)


def nan_by_equals(log):
    """A NaN was not seen: it equals nothing, not even itself, so `== float("nan")` is never true, and `in` finds
    only the very same object. Ask `np.isnan`."""
    return _read(log, bad=lambda losses: False, wild=lambda losses: any(abs(loss) == np.inf for loss in losses))


def nan_anywhere(log):
    """A NaN that comes later was taken for one in the first epoch. Data that are bad are so from the start; a loss
    that turns NaN after a while has run away."""
    return _read(log, bad=lambda losses: np.isnan(losses).any())


def one_zero_is_enough(log):
    """A single 0 among `grad_norm` or `lr` was enough. A schedule begins or ends at 0, and that is no mistake: the
    table says *every*."""
    return _read(log, still=any)


def always_ten(log):
    """The loss of guessing was taken for ten classes, whatever the log says: it is log(C), 0.69 for two."""
    return _read(log, guessing=np.log(10), floor=np.log(np.e + 9) - 1)


def other_logarithm(log):
    """The loss of guessing is not what you compared with: the logarithm of a cross-entropy is the natural one."""
    return _read(log, guessing=np.log2(log["classes"]))


def last_epoch_alone(log):
    """You looked at one epoch where the table says *every* `train_loss`: a training that has come near the loss of
    guessing, or left it, in one epoch is not one that guesses all the time."""
    return _read(log, near=lambda rows: list(rows)[-1])


def first_floor(log):
    """A floor is where the loss *ends*: you took the lowest loss instead of the last one. One that came near the
    floor and left it again has met no floor."""
    return _read(log, last=min)


which_mistake = Answer(
    which_mistake,
    mistakes=(
        nan_by_equals,
        nan_anywhere,
        one_zero_is_enough,
        always_ten,
        other_logarithm,
        last_epoch_alone,
        first_floor,
    ),
    hints=(
        "One `if` with a `return` for each row, in the table's order; `np.isfinite` takes a list, too.",
        "The loss of guessing among C classes is log(C). Two softmaxes: the best first one is (1, 0, …, 0), and "
        "the second makes e / (e + C - 1) of the 1. The loss is minus the logarithm of that.",
        "*Every*: `all(... for loss in log['train_loss'])`. For two lists at a time `zip(..., strict=True)`.",
    ),
)


def asleep(model, optimizer):
    """Awake is what stands in a group with a rate and asks for a gradient; `id`, since == compares numbers."""
    moved = {id(p) for group in optimizer.param_groups if group["lr"] > 0 for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) not in moved or not p.requires_grad]


def _held(optimizer):
    return {id(p) for group in optimizer.param_groups for p in group["params"]}


def only_rate_zero(model, optimizer):
    """You looked for groups with rate 0. A parameter that is in *no* group never moves either: a layer forgotten,
    or one that was replaced after the optimizer had been made."""
    still = {id(p) for group in optimizer.param_groups if group["lr"] == 0 for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) in still or not p.requires_grad]


def only_left_out(model, optimizer):
    """You looked for parameters that the optimizer does not hold. It may hold one in a group whose rate is 0."""
    held = _held(optimizer)
    return [name for name, p in model.named_parameters() if id(p) not in held or not p.requires_grad]


def forgot_frozen(model, optimizer):
    """You asked the optimizer only. A parameter with requires_grad=False gets no gradient from a backward pass, and
    after `zero_grad()` there is no old one either: the step passes over it."""
    moved = {id(p) for group in optimizer.param_groups if group["lr"] > 0 for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) not in moved]


def only_frozen(model, optimizer):
    """You asked the model only. What does not move is decided by the optimizer as well: its groups and their
    rates."""
    return [name for name, p in model.named_parameters() if not p.requires_grad]


def the_awake(model, optimizer):
    """These are the parameters that change. The task asks for the ones that do not."""
    moved = {id(p) for group in optimizer.param_groups if group["lr"] > 0 for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) in moved and p.requires_grad]


def with_buffers(model, optimizer):
    """You went through `state_dict()`, which holds buffers, too, such as BatchNorm's running mean. No optimizer
    moves those: `named_parameters()`."""
    moved = {
        id(p) for group in optimizer.param_groups if group["lr"] > 0 for p in group["params"] if p.requires_grad
    }
    return [name for name, p in model.state_dict(keep_vars=True).items() if id(p) not in moved]


asleep = Answer(
    asleep,
    mistakes=(only_rate_zero, only_left_out, forgot_frozen, only_frozen, the_awake, with_buffers),
    hints=(
        "Three reasons: not in any group, in a group with `lr` 0, `requires_grad` False.",
        "`p in list_of_parameters` compares numbers and raises; collect `id(p)` in a set.",
        '`optimizer.param_groups`: dicts with "params" and "lr"; `model.named_parameters()` gives the names.',
    ),
)


def first_nan(model, inputs):
    """Children finish before what holds them, so the first hook that sees a NaN names the layer that made it."""
    found, handles = [], []

    def watch(name):
        def hook(module, args, output):  # no `return`: what a forward hook returns replaces the output
            if output.isnan().any():
                found.append(name)

        return hook

    try:
        for name, module in model.named_modules():
            handles.append(module.register_forward_hook(watch(name)))
        model(inputs)
    finally:
        for handle in handles:
            handle.remove()
    return found[0] if found else None


def _watched(model, inputs, sick, *, choose=lambda names: names[0], modules=None):
    found, handles = [], []
    for name, module in modules or model.named_modules():
        hook = lambda m, args, output, name=name: found.append(name) if sick(output) else None  # noqa: E731
        handles.append(module.register_forward_hook(hook))
    try:
        model(inputs)
    finally:
        for handle in handles:
            handle.remove()
    return choose(found) if found else None


def never_removed(model, inputs):
    """The name is right, but your hooks are still on the model and will run at every later call: keep the handles
    and `remove()` each."""
    found = []
    for name, module in model.named_modules():
        module.register_forward_hook(
            lambda m, args, out, name=name: found.append(name) if out.isnan().any() else None
        )
    model(inputs)
    return found[0] if found else None


def the_last_one(model, inputs):
    """That is the last module with a NaN: the whole model, to which the NaN has spread. The first one made it."""
    return _watched(model, inputs, lambda output: output.isnan().any(), choose=lambda names: names[-1])


def order_of_definition(model, inputs):
    """You took the first in the order in which the modules were defined. They may run in another: take the order in
    which the hooks are called."""
    names = [name for name, _ in model.named_modules()]
    chosen = lambda found: min(found, key=lambda name: (name == "", names.index(name)))  # noqa: E731
    return _watched(model, inputs, lambda output: output.isnan().any(), choose=chosen)


def infinity_too(model, inputs):
    """You counted infinity. It is not a NaN yet, and many nets live with one: `isnan`, not `isfinite`."""
    return _watched(model, inputs, lambda output: not output.isfinite().all())


def only_children(model, inputs):
    """You watched `model.children()` only. A NaN made deep inside is then reported as its whole block:
    `named_modules()` goes all the way down."""
    children = list(model.named_children())
    return _watched(model, inputs, lambda output: output.isnan().any(), modules=children)


def compared_with_equals(model, inputs):
    """You compared with `==`. A NaN equals nothing, not even itself, so nothing is ever found: `isnan()`."""
    return _watched(model, inputs, lambda output: (output == float("nan")).any())


def replaces_outputs(model, inputs):
    """Your hook returns something. What a forward hook returns, unless it is None, *replaces* the module's output:
    `output.isnan().any() and ...` gives tensor(False) to the next layer where all is well. Write a `def` with an
    `if`, without a `return`."""
    found, handles = [], []
    for name, module in model.named_modules():
        hook = lambda m, args, output, name=name: output.isnan().any() and found.append(name)  # noqa: E731
        handles.append(module.register_forward_hook(hook))
    try:
        model(inputs)
    finally:
        for handle in handles:
            handle.remove()
    return found[0] if found else None


def left_after_an_error(model, inputs):
    """Where the model raises, your hooks stay: the line that removes them is never reached. `try: model(inputs)`,
    `finally:` and the removal."""
    found, handles = [], []
    for name, module in model.named_modules():
        hook = lambda m, args, output, name=name: found.append(name) if output.isnan().any() else None  # noqa: E731
        handles.append(module.register_forward_hook(hook))
    model(inputs)
    for handle in handles:
        handle.remove()
    return found[0] if found else None


def seen_too_late(model, inputs):
    """You looked at the outputs after the run. By then a later layer may have written into one in place: a NaN has
    gone, or has come. Look when the module finishes, inside the hook."""
    kept, handles = [], []
    for name, module in model.named_modules():
        hook = lambda m, args, output, name=name: kept.append((name, output))  # noqa: E731
        handles.append(module.register_forward_hook(hook))
    try:
        model(inputs)
    finally:
        for handle in handles:
            handle.remove()
    return next((name for name, output in kept if output.isnan().any()), None)


first_nan = Answer(
    first_nan,
    mistakes=(
        *(never_removed, the_last_one, order_of_definition, infinity_too, only_children, compared_with_equals),
        *(replaces_outputs, left_after_an_error, seen_too_late),
    ),
    hints=(
        "`module.register_forward_hook(hook)` calls `hook(module, args, output)` after each forward; it returns a "
        "handle with `remove()`.",
        "For each `name, module` of `model.named_modules()` a hook that appends `name` to a list if the output has "
        "a NaN. A function that makes the hook keeps its own `name`.",
        "Run the model in a `try`, remove all handles in its `finally`, return the first entry or None.",
    ),
)


def reseed(info):
    """info.seed differs by worker and by epoch; the innermost data set is the one that draws."""
    dataset = info.dataset
    while hasattr(dataset, "dataset"):
        dataset = dataset.dataset
    dataset.rng = np.random.default_rng(info.seed)


def _innermost(dataset):
    return _innermost(dataset.dataset) if hasattr(dataset, "dataset") else dataset


def only_outside(info):
    """You gave the generator to `info.dataset` as it comes. Where that is a wrapper, nobody asks it: the data set
    inside, at `.dataset`, still draws from the copy."""
    info.dataset.rng = np.random.default_rng(info.seed)


def only_one_wrapper(info):
    """You looked into one wrapper at most. There may be two and more: go on while there is a `.dataset`."""
    getattr(info.dataset, "dataset", info.dataset).rng = np.random.default_rng(info.seed)


def by_id(info):
    """You seeded with the worker's number: workers now differ, but worker 0 draws in epoch 2 what it drew in
    epoch 1. `info.seed` is new in each epoch."""
    _innermost(info.dataset).rng = np.random.default_rng(info.id)


def global_seed(info):
    """The data set that draws still has the generator it had, with its old state. Neither a seed for NumPy's global
    generator nor a new one that is only made or returned reaches it: assign to its `rng`."""
    np.random.seed(info.seed % 2**32)


def constant_seed(info):
    """A fixed seed is what made them alike. Each worker needs another one, in each epoch: `info.seed`."""
    _innermost(info.dataset).rng = np.random.default_rng(0)


def same_in_all(info):
    """You took the worker's number off again: all workers of an epoch now share one seed. `info.seed` holds the
    number already, and that is what makes them differ."""
    _innermost(info.dataset).rng = np.random.default_rng(info.seed - info.id)


def subsets_only(info):
    """You unwrapped every `Subset`, and stopped at a wrapper of another class. What a wrapper is tells its
    `.dataset`, not its class."""
    dataset = info.dataset
    while isinstance(dataset, torch.utils.data.Subset):
        dataset = dataset.dataset
    dataset.rng = np.random.default_rng(info.seed)


def first_with_rng(info):
    """You stopped at the first level that has an `rng`. A wrapper may have one of its own, and the innermost none:
    go down by `.dataset` alone."""
    dataset = info.dataset
    while hasattr(dataset, "dataset") and not hasattr(dataset, "rng"):
        dataset = dataset.dataset
    dataset.rng = np.random.default_rng(info.seed)


reseed = Answer(
    reseed,
    mistakes=(
        *(only_outside, only_one_wrapper, by_id, global_seed, constant_seed, same_in_all),
        *(subsets_only, first_with_rng),
    ),
    hints=(
        "The generator that draws is the `rng` of the innermost data set: go down while there is a `.dataset`.",
        "`np.random.default_rng(number)` makes one; the number must differ by worker and by epoch.",
    ),
)
