"""Our answers to the questions of chapter 05: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import math

import torch
from torch import nn

from lessonkit.checks.answer import Answer


def train_step(model, optimizer, loss_fn, inputs, targets):
    """Five steps in an order that works. The loss is returned as a Python number."""
    logits = model(inputs)
    loss = loss_fn(logits, targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def never_cleared(model, optimizer, loss_fn, inputs, targets):
    """`backward()` adds to the gradients of earlier steps, which are still in `.grad`. Clear them before it with
    `optimizer.zero_grad()`, at every step."""
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


def cleared_afterwards(model, optimizer, loss_fn, inputs, targets):
    """Your step is right from the second call on, but the first call also uses what was in `.grad` before it.
    Clear the gradients *before* `backward()`, not after the step."""
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def found_no_gradient(model, optimizer, loss_fn, inputs, targets):
    """The weights never change, because `step()` found no gradient. Either `step()` ran before `backward()`, or
    the gradients were cleared in between."""
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()


def stepped_too_early(model, optimizer, loss_fn, inputs, targets):
    """Each step uses the gradient of an earlier batch, and the first step has no gradient at all. Call `step()`
    after this batch's `backward()`."""
    loss = loss_fn(model(inputs), targets)
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
    return loss.item()


def set_train_mode(model, optimizer, loss_fn, inputs, targets):
    """The model is in train mode after your step, whatever its mode was before. The caller chooses the mode: a
    step must not switch a part back to train mode that was put into `eval()` on purpose."""
    model.train()
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def kept_the_graph(model, optimizer, loss_fn, inputs, targets):
    """The step is right, but you returned the loss as a tensor, which keeps the graph of this batch alive. If
    such losses are collected for an epoch, they fill the memory. Return `loss.item()`."""
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def looked_again(model, optimizer, loss_fn, inputs, targets):
    """You returned the loss *after* the step, from a second forward pass. Return the loss that you
    differentiated; it needs no further pass."""
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss_fn(model(inputs), targets).item()


train_step = Answer(
    train_step,
    mistakes=(
        never_cleared,
        cleared_afterwards,
        found_no_gradient,
        stepped_too_early,
        set_train_mode,
        kept_the_graph,
        looked_again,
    ),
    hints=(
        "The five steps are forward pass, loss, clear, backward pass and step. All five lines are in the cell "
        "above.",
        "Which of the five must come directly before which? `backward()` adds to `.grad`, and `step()` reads it.",
        "Return a number, not a tensor: `loss.item()`. Do not change the mode of the model or its inputs.",
    ),
)


def measure(model, loader, loss_fn):
    """The mode of each module is stored and restored. The sums run over examples and are divided once."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    loss_sum, correct, count = 0.0, 0, 0
    with torch.no_grad():
        for inputs, targets in loader:
            logits = model(inputs)
            loss_sum += loss_fn(logits, targets).item() * len(targets)
            correct += (logits.argmax(dim=1) == targets).sum().item()
            count += len(targets)
    for module, training in modes:
        module.training = training
    return loss_sum / count, correct / count


def _careless(model, loader, loss_fn, *, mode, afterwards, grad=False, weigh=True):
    """Measure as `measure` does, except for what the arguments say: each of the mistakes below differs in one of
    them."""
    before = model.training
    if mode == "eval":
        model.eval()
    losses, shares, sizes = [], [], []
    with torch.set_grad_enabled(grad):
        for inputs, targets in loader:
            logits = model(inputs)
            losses.append(loss_fn(logits, targets).item())
            shares.append((logits.argmax(dim=1) == targets).float().mean().item())
            sizes.append(len(targets) if weigh else 1)
    if afterwards != "left":
        model.train(before if afterwards == "root" else True)
    weights = torch.tensor(sizes).double() / sum(sizes)
    return tuple((torch.tensor(part).double() * weights).sum().item() for part in (losses, shares))


def in_whatever_mode(model, loader, loss_fn):
    """You did not call `eval()`, so dropout was active, and BatchNorm used the statistics of your batches and
    changed its running statistics."""
    return _careless(model, loader, loss_fn, mode="", afterwards="left")


def left_in_eval(model, loader, loss_fn):
    """The results are right, but the model is left in eval mode, so further training would run without dropout."""
    return _careless(model, loader, loss_fn, mode="eval", afterwards="left")


def always_train(model, loader, loss_fn):
    """You ended with `model.train()`, so a model, or a part of it, that was in eval mode before is in train mode
    now."""
    return _careless(model, loader, loss_fn, mode="eval", afterwards="train")


def only_the_root(model, loader, loss_fn):
    """A submodule that was in eval mode by itself, a frozen BatchNorm, is in train mode now, because
    `train(mode)` sets all submodules as well. Store the mode of each of `model.modules()`, and restore it with
    `module.training = …`."""
    return _careless(model, loader, loss_fn, mode="eval", afterwards="root")


def graph_recorded(model, loader, loss_fn):
    """The results are right, but autograd recorded a graph for each batch. `eval()` does not prevent that. Use
    `torch.no_grad()`."""
    modes = [(module, module.training) for module in model.modules()]
    pair = _careless(model, loader, loss_fn, mode="eval", afterwards="left", grad=True)
    for module, training in modes:
        module.training = training
    return pair


def mean_of_means(model, loader, loss_fn):
    """Each batch has the same weight in your mean, however many examples it holds. Weight the mean of each batch
    by its number of examples."""
    modes = [(module, module.training) for module in model.modules()]
    pair = _careless(model, loader, loss_fn, mode="eval", afterwards="left", weigh=False)
    for module, training in modes:
        module.training = training
    return pair


def sums_over_the_wrong_count(model, loader, loss_fn):
    """You added up the *means* of the batches and divided by the number of *examples*, so the loss is far too
    small. Multiply each mean by its number of examples first."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    loss_sum, correct, count = 0.0, 0, 0
    with torch.no_grad():
        for inputs, targets in loader:
            logits = model(inputs)
            loss_sum += loss_fn(logits, targets).item()
            correct += (logits.argmax(dim=1) == targets).sum().item()
            count += len(targets)
    for module, training in modes:
        module.training = training
    return loss_sum / count, correct / count


measure = Answer(
    measure,
    mistakes=(
        in_whatever_mode,
        left_in_eval,
        always_train,
        only_the_root,
        graph_recorded,
        mean_of_means,
        sums_over_the_wrong_count,
    ),
    hints=(
        "Before the loop, store the mode of each of `model.modules()`, and then call `model.eval()`.",
        "In the loop, under `torch.no_grad()`, add up three sums: mean loss times number of examples, correct "
        "predictions, and examples.",
        "After the loop, restore every mode, one module at a time, and divide both sums once.",
    ),
)


def choices():
    """A overfits its few pictures, B has hardly begun to learn, and C takes steps that are too long."""
    return {"A": (4, "more pictures"), "B": (12, "higher rate"), "C": (2, "lower rate")}


def by_the_training_loss():
    """For each run you chose the epoch with the lowest *training* loss, which measures only the pictures that
    the model has trained on. Choose by the validation loss."""
    return {"A": (12, "more pictures"), "B": (12, "higher rate"), "C": (2, "lower rate")}


def counted_from_zero():
    """Your epochs are counted from 0. In the picture the first epoch is number 1."""
    return {"A": (3, "more pictures"), "B": (11, "higher rate"), "C": (1, "lower rate")}


def b_wants_pictures():
    """The epochs are right. But the training loss of B is as high as its validation loss: it has not even
    learned the pictures that it has, so more of them do not help."""
    return {"A": (4, "more pictures"), "B": (12, "more pictures"), "C": (2, "lower rate")}


def the_rates_exchanged():
    """The epochs are right, but the two learning rates are swapped. A loss that jumps up needs a lower learning
    rate, and a loss that falls too slowly needs a higher one."""
    return {"A": (4, "more pictures"), "B": (12, "lower rate"), "C": (2, "higher rate")}


choices = Answer(
    choices,
    mistakes=(by_the_training_loss, counted_from_zero, b_wants_pictures, the_rates_exchanged),
    hints=(
        "Find the epoch first: where is the *dashed* validation curve lowest? Count from 1.",
        "Then find the fix. Do the two curves move apart (overfitting)? Do both fall too slowly (low learning "
        "rate)? Does the training loss itself jump up (high learning rate)?",
    ),
)


def stop_epoch(val_losses, patience):
    """Go through the epochs in order, and keep the lowest loss so far and its epoch."""
    lowest, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, start=1):
        if loss < lowest:
            lowest, best = loss, epoch
        if epoch - best == patience:
            break
    return epoch, best


def from_zero(val_losses, patience):
    """Your epochs are counted from 0. The first epoch is number 1."""
    last, best = stop_epoch.reference(val_losses, patience)
    return last - 1, best - 1


def one_too_late(val_losses, patience):
    """You waited one epoch longer than `patience`. The run must stop *after* the `patience`-th epoch in a row
    without a new lowest loss."""
    return stop_epoch.reference(val_losses, patience + 1)


def looked_ahead(val_losses, patience):
    """You chose the best epoch of the whole list. A run that has stopped never computes the later losses."""
    last, _ = stop_epoch.reference(val_losses, patience)
    finite = [math.inf if math.isnan(loss) else loss for loss in val_losses]
    return last, finite.index(min(finite)) + 1


def never_reset(val_losses, patience):
    """You counted all epochs without a new lowest loss. The count must begin again at 0 with each new lowest
    loss."""
    lowest, best, bad = val_losses[0], 1, 0
    for epoch, loss in enumerate(val_losses, start=1):
        if loss < lowest:
            lowest, best = loss, epoch
        elif epoch > 1:
            bad += 1
        if bad == patience:
            break
    return epoch, best


def against_the_last(val_losses, patience):
    """You compared each loss with that of the epoch before it. Compare it with the lowest loss so far: a loss
    can be lower than the one before and still not be the lowest."""
    best, bad = 1, 0
    for epoch, loss in enumerate(val_losses, start=1):
        if epoch > 1 and loss < val_losses[epoch - 2]:
            best, bad = epoch, 0
        elif epoch > 1:
            bad += 1
        if bad == patience:
            break
    return epoch, best


def equal_is_better(val_losses, patience):
    """A loss *equal* to the lowest so far counted as better. It must be lower, so that the earlier of two equal
    epochs is kept."""
    lowest, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, start=1):
        if loss <= lowest:
            lowest, best = loss, epoch
        if epoch - best == patience:
            break
    return epoch, best


stop_epoch = Answer(
    stop_epoch,
    mistakes=(from_zero, one_too_late, looked_ahead, never_reset, against_the_last, equal_is_better),
    hints=(
        "Go through the losses in order, and keep two values: the lowest loss so far, and its epoch.",
        "How long have you waited? The number is the current epoch minus the best one. Stop when it equals "
        "`patience`.",
    ),
)


def diagnose(step):
    """Try the step in both modes with a large gradient left; then check mode, weights and loss in turn."""
    inputs, targets, loss_fn = torch.ones(4, 2), torch.zeros(4, 1), nn.MSELoss()
    for training in (True, False):
        model = nn.Linear(2, 1).train(training)
        nn.init.ones_(model.weight)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        expected = loss_fn(model(inputs), targets).item()
        model.weight.grad = torch.full((1, 2), 1000.0)
        found = step(model, optimizer, loss_fn, inputs, targets)
        moved = (model.weight - 1).abs().max()
        if model.training != training:
            return "changes the mode"
        if moved == 0:
            return "never moves"
        if moved > 50:
            return "never clears"
        if abs(found - expected) > 1e-4:
            return "loss after the step"
    return "right"


def _tried(step, modes=(True, False), gradient=1000.0):
    inputs, targets, loss_fn = torch.ones(4, 2), torch.zeros(4, 1), nn.MSELoss()
    for training in modes:
        model = nn.Linear(2, 1).train(training)
        nn.init.ones_(model.weight)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        expected = loss_fn(model(inputs), targets).item()
        model.weight.grad = None if gradient is None else torch.full((1, 2), gradient)
        found = step(model, optimizer, loss_fn, inputs, targets)
        moved = (model.weight - 1).abs().max()
        if model.training != training:
            return "changes the mode"
        if moved == 0 or moved > 50:
            return "never clears" if moved else "never moves"
        if abs(found - expected) > 1e-4:
            return "loss after the step"
    return "right"


def only_in_train_mode(step):
    """You returned `"right"` for a step that calls `model.train()`. On a model that is already in train mode,
    that call changes nothing. Check the mode after a step in eval mode as well."""
    return _tried(step, modes=(True,))


def only_in_eval_mode(step):
    """You returned `"right"` for a step that calls `model.eval()`. On a model that is already in eval mode, that
    call changes nothing. Check the mode after a step in train mode as well."""
    return _tried(step, modes=(False,))


def only_one_step(step):
    """You returned `"right"` for a step that never clears the gradients. Your trial could not show that they
    accumulate: before the first step of a new model there are none, and a second gradient of the same batch
    makes the update longer but keeps its direction. Leave a huge gradient in `.grad` first, and check how far
    the weights move."""
    return _tried(step, gradient=None)


def only_the_loss(step):
    """A step that changes the weights can still be wrong. Check the mode afterwards, what the step does with a
    gradient that an earlier step left, and which loss it returns."""
    return "never moves" if _tried(step) == "never moves" else "right"


diagnose = Answer(
    diagnose,
    mistakes=(only_in_train_mode, only_in_eval_mode, only_one_step, only_the_loss),
    hints=(
        "Make a tiny model (`nn.Linear(2, 1)`), an optimizer and a batch. Compute the loss before the step.",
        "To find a step that never clears, put a huge gradient into `.grad` first. If the step uses it, the "
        "weights change a lot.",
        "Try the step on a model in train mode and on one in eval mode. Check `model.training` afterwards.",
    ),
)
