"""Our answers to the questions of chapter 12: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import numpy as np
import torch

from lessonkit.checks.answer import Answer


def mended_loss(predictions, targets):
    """Both tensors are flattened. Different lengths raise an error, so that nothing is broadcast."""
    if predictions.numel() != targets.numel():
        raise ValueError(f"{predictions.numel()} predictions for {targets.numel()} targets")
    return (predictions.flatten() - targets.flatten()).square().mean()


def _refuse(predictions, targets):
    if len(predictions) != len(targets):
        raise ValueError


def as_it_was(predictions, targets):
    """That is the loss as it was. (N, 1) minus (N,) broadcasts to N x N differences, of each prediction with
    each target."""
    _refuse(predictions, targets)
    return (predictions - targets).square().mean()


def one_side_only(predictions, targets):
    """You removed the second axis of the predictions only. With predictions of shape (N,) and targets of shape
    (N, 1), the difference still broadcasts. Bring *both* to one shape."""
    _refuse(predictions, targets)
    return (predictions.flatten() - targets).square().mean()


def column_always(predictions, targets):
    """You turned the targets into a column. That is right for predictions of shape (N, 1), but predictions of
    shape (N,) now broadcast with (N, 1)."""
    _refuse(predictions, targets)
    return (predictions - targets.reshape(-1, 1)).square().mean()


def repeats_one(predictions, targets):
    """The shapes are right, but a single target still broadcasts to all four predictions. Compare the lengths
    first, and raise a ValueError if they differ."""
    return (predictions.flatten() - targets.flatten()).square().mean()


def summed(predictions, targets):
    """You summed the squares. The task asks for the mean, because the sum grows with the size of the batch."""
    _refuse(predictions, targets)
    return (predictions.flatten() - targets.flatten()).square().sum()


def without_a_graph(predictions, targets):
    """The value is right, but it is detached from the graph, by `.item()`, `detach` or a new tensor. So the
    predictions get no gradient, and the model would not train."""
    _refuse(predictions, targets)
    return (predictions.flatten() - targets.flatten()).square().mean().detach()


mended_loss = Answer(
    mended_loss,
    mistakes=(as_it_was, one_side_only, column_always, repeats_one, summed, without_a_graph),
    hints=(
        "`x.flatten()` turns (N, 1) and (N,) into (N,). Call it on both.",
        "A tensor with one element broadcasts without an error, so check: `if predictions.numel() != "
        "targets.numel(): raise ValueError`.",
    ),
)


def which_mistake(log):
    """Go through the table from the top: first loss, all losses, what changes, and the two known losses."""
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
    """The same, with one part of it replaced."""
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
    """You missed a NaN. A NaN is not equal to anything, not even to itself, so `== float("nan")` is never true,
    and `in` finds only the very same object. Use `np.isnan`."""
    return _read(log, bad=lambda losses: False, wild=lambda losses: any(abs(loss) == np.inf for loss in losses))


def nan_anywhere(log):
    """You took a NaN that appears later for one in the first epoch. Bad data give NaN from the start. A loss
    that becomes NaN after some epochs has diverged."""
    return _read(log, bad=lambda losses: np.isnan(losses).any())


def one_zero_is_enough(log):
    """A single 0 in `grad_norm` or `lr` was enough for you. A schedule can begin or end at 0, which is no
    mistake. The table says *every*."""
    return _read(log, still=any)


def always_ten(log):
    """You used the loss of guessing among ten classes, whatever the log says. It is log(C), which is 0.69 for
    two classes."""
    return _read(log, guessing=np.log(10), floor=np.log(np.e + 9) - 1)


def other_logarithm(log):
    """You compared with a wrong value for the loss of guessing. Cross-entropy uses the natural logarithm."""
    return _read(log, guessing=np.log2(log["classes"]))


def last_epoch_alone(log):
    """You checked one epoch, but the table says *every* `train_loss`. A run whose loss is near the loss of
    guessing in one epoch only does not guess all the time."""
    return _read(log, near=lambda rows: list(rows)[-1])


def first_floor(log):
    """A floor is where the loss *ends*, but you took the lowest loss instead of the last one. A run that came
    near the floor and left it again has no floor."""
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
        "Write one `if` with a `return` for each row, in the order of the table. `np.isfinite` also takes a list.",
        "The loss of guessing among C classes is log(C). With two softmaxes, the best first output is (1, 0, …, "
        "0), and the second turns its 1 into e / (e + C - 1). The loss is minus the logarithm of that.",
        "For *every*, use `all(... for loss in log['train_loss'])`. For two lists at once, use `zip(..., "
        "strict=True)`.",
    ),
)


def asleep(model, optimizer):
    """A parameter is awake if it is in a group with a learning rate above 0 and requires a gradient. The set
    holds `id`s, because `==` compares elements."""
    moved = {id(p) for group in optimizer.param_groups if group["lr"] > 0 for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) not in moved or not p.requires_grad]


def _held(optimizer):
    return {id(p) for group in optimizer.param_groups for p in group["params"]}


def only_rate_zero(model, optimizer):
    """You looked for groups with learning rate 0. A parameter in *no* group does not change either, for example
    of a layer that was forgotten, or replaced after the optimizer was made."""
    still = {id(p) for group in optimizer.param_groups if group["lr"] == 0 for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) in still or not p.requires_grad]


def only_left_out(model, optimizer):
    """You looked for parameters that the optimizer does not have. It can also have a parameter in a group with
    learning rate 0."""
    held = _held(optimizer)
    return [name for name, p in model.named_parameters() if id(p) not in held or not p.requires_grad]


def forgot_frozen(model, optimizer):
    """You checked the optimizer only. A parameter with requires_grad=False gets no gradient from the backward
    pass, and after `zero_grad()` it has no old one either, so the step skips it."""
    moved = {id(p) for group in optimizer.param_groups if group["lr"] > 0 for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) not in moved]


def only_frozen(model, optimizer):
    """You checked the model only. The optimizer decides too, by its groups and their learning rates."""
    return [name for name, p in model.named_parameters() if not p.requires_grad]


def the_awake(model, optimizer):
    """These are the parameters that change. Return those that do not."""
    moved = {id(p) for group in optimizer.param_groups if group["lr"] > 0 for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) in moved and p.requires_grad]


def with_buffers(model, optimizer):
    """You used `state_dict()`, which also contains buffers such as BatchNorm's running mean. An optimizer never
    changes buffers. Use `named_parameters()`."""
    moved = {
        id(p) for group in optimizer.param_groups if group["lr"] > 0 for p in group["params"] if p.requires_grad
    }
    return [name for name, p in model.state_dict(keep_vars=True).items() if id(p) not in moved]


asleep = Answer(
    asleep,
    mistakes=(only_rate_zero, only_left_out, forgot_frozen, only_frozen, the_awake, with_buffers),
    hints=(
        "There are three reasons: the parameter is in no group, it is in a group with `lr` 0, or its "
        "`requires_grad` is False.",
        "`p in list_of_parameters` compares elements and raises an error. Collect `id(p)` in a set instead.",
        '`optimizer.param_groups` is a list of dicts with "params" and "lr". `model.named_parameters()` gives '
        "the names.",
    ),
)


def first_nan(model, inputs):
    """The hooks of children run before that of the module that contains them, so the first hook that finds a NaN
    names the layer that produced it."""
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
    """The name is right, but your hooks are still on the model and would run at every later call. Keep the
    handles, and call `remove()` on each."""
    found = []
    for name, module in model.named_modules():
        module.register_forward_hook(
            lambda m, args, out, name=name: found.append(name) if out.isnan().any() else None
        )
    model(inputs)
    return found[0] if found else None


def the_last_one(model, inputs):
    """That is the last module with a NaN in its output: the whole model, which the NaN has reached. Return the
    first module whose output has a NaN."""
    return _watched(model, inputs, lambda output: output.isnan().any(), choose=lambda names: names[-1])


def order_of_definition(model, inputs):
    """You took the first module in the order in which they were defined. They can run in another order, so use
    the order in which the hooks are called."""
    names = [name for name, _ in model.named_modules()]
    chosen = lambda found: min(found, key=lambda name: (name == "", names.index(name)))  # noqa: E731
    return _watched(model, inputs, lambda output: output.isnan().any(), choose=chosen)


def infinity_too(model, inputs):
    """You counted infinity too. It is not a NaN, and some layers use it on purpose, for example in masks. Use
    `isnan`, not `isfinite`."""
    return _watched(model, inputs, lambda output: not output.isfinite().all())


def only_children(model, inputs):
    """You put hooks on `model.children()` only. Then a NaN from deep inside is reported under the name of its
    whole block. `named_modules()` has all levels."""
    children = list(model.named_children())
    return _watched(model, inputs, lambda output: output.isnan().any(), modules=children)


def compared_with_equals(model, inputs):
    """You compared with `==`. A NaN is not equal to anything, not even to itself, so nothing is ever found. Use
    `isnan()`."""
    return _watched(model, inputs, lambda output: (output == float("nan")).any())


def replaces_outputs(model, inputs):
    """Your hook returns a value. Unless it is None, that value *replaces* the module's output: where no NaN is
    found, `output.isnan().any() and ...` passes tensor(False) to the next layer. Write a `def` with an `if` and
    without a `return`."""
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
    """If the model raises an error, your hooks stay on it, because the line that removes them is not reached.
    Put `model(inputs)` into a `try`, and remove the hooks in its `finally`."""
    found, handles = [], []
    for name, module in model.named_modules():
        hook = lambda m, args, output, name=name: found.append(name) if output.isnan().any() else None  # noqa: E731
        handles.append(module.register_forward_hook(hook))
    model(inputs)
    for handle in handles:
        handle.remove()
    return found[0] if found else None


def seen_too_late(model, inputs):
    """You checked the outputs after the forward pass. By then a later layer may have changed one in place, so a
    NaN can be gone or be new. Check when the module finishes, inside the hook."""
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
        "`module.register_forward_hook(hook)` calls `hook(module, args, output)` after each forward. It returns "
        "a handle with `remove()`.",
        "For each `name, module` of `model.named_modules()`, register a hook that appends `name` to a list if "
        "the output has a NaN. Make the hook in a function, so that each hook keeps its own `name`.",
        "Run the model in a `try`, remove all handles in its `finally`, and return the first entry or None.",
    ),
)


def reseed(info):
    """info.seed differs by worker and by epoch. The innermost data set draws the random numbers."""
    dataset = info.dataset
    while hasattr(dataset, "dataset"):
        dataset = dataset.dataset
    dataset.rng = np.random.default_rng(info.seed)


def _innermost(dataset):
    return _innermost(dataset.dataset) if hasattr(dataset, "dataset") else dataset


def only_outside(info):
    """You gave the generator to `info.dataset` itself. If that is a wrapper, its generator is not used: the data
    set inside, at `.dataset`, still draws from the copy."""
    info.dataset.rng = np.random.default_rng(info.seed)


def only_one_wrapper(info):
    """You looked inside one wrapper at most. There can be more, so go on while there is a `.dataset`."""
    getattr(info.dataset, "dataset", info.dataset).rng = np.random.default_rng(info.seed)


def by_id(info):
    """You seeded with the number of the worker. Now the workers differ, but worker 0 draws the same numbers in
    epoch 2 as in epoch 1. `info.seed` differs in each epoch."""
    _innermost(info.dataset).rng = np.random.default_rng(info.id)


def global_seed(info):
    """The data set that draws still has its old generator, with its old state. Seeding NumPy's global generator
    does not change it, and neither does a new generator that is only made or returned. Assign the new one to its
    `rng`."""
    np.random.seed(info.seed % 2**32)


def constant_seed(info):
    """You used a constant seed, which makes the workers alike. Each worker needs another seed in each epoch:
    `info.seed`."""
    _innermost(info.dataset).rng = np.random.default_rng(0)


def same_in_all(info):
    """You subtracted the number of the worker, so that all workers of an epoch have the same seed. `info.seed`
    already includes that number, so that the workers differ."""
    _innermost(info.dataset).rng = np.random.default_rng(info.seed - info.id)


def subsets_only(info):
    """You unwrapped every `Subset`, but stopped at a wrapper of another class. Recognise a wrapper by its
    `.dataset`, not by its class."""
    dataset = info.dataset
    while isinstance(dataset, torch.utils.data.Subset):
        dataset = dataset.dataset
    dataset.rng = np.random.default_rng(info.seed)


def first_with_rng(info):
    """You stopped at the first level that has an `rng`. A wrapper can have one of its own, and the innermost
    data set need not have one. Follow `.dataset` only."""
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
        "The generator is the `rng` of the innermost data set. Go inwards while there is a `.dataset`.",
        "`np.random.default_rng(number)` makes a generator. The number must differ by worker and by epoch.",
    ),
)
