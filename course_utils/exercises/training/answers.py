"""Our answers to the questions of chapter 05: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import math

import torch
from torch import nn

from lessonkit.checks.answer import Answer


def train_step(model, optimizer, loss_fn, inputs, targets):
    """Five steps in an order that works; the loss as a plain number."""
    logits = model(inputs)
    loss = loss_fn(logits, targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def never_cleared(model, optimizer, loss_fn, inputs, targets):
    """The gradients of earlier steps are still there when `backward()` adds to them: clear them before it, with
    `optimizer.zero_grad()`, at every step."""
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


def cleared_afterwards(model, optimizer, loss_fn, inputs, targets):
    """Right from the second step on. What lay in `.grad` before the first one still counted: clear *before*
    `backward()`, not after the step."""
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def found_no_gradient(model, optimizer, loss_fn, inputs, targets):
    """The weights never move: when `step()` came, no gradient was there. Either it came before `backward()`, or the
    gradients were cleared in between."""
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()


def stepped_too_early(model, optimizer, loss_fn, inputs, targets):
    """Each step follows the gradient of an earlier batch, and the first of a run has none at all: `step()` must
    come after this batch's `backward()`."""
    loss = loss_fn(model(inputs), targets)
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
    return loss.item()


def set_train_mode(model, optimizer, loss_fn, inputs, targets):
    """The model came out in train mode, whatever it came in as. The mode is the caller's: a part that was put into
    `eval()` on purpose is not to be woken by a step."""
    model.train()
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def kept_the_graph(model, optimizer, loss_fn, inputs, targets):
    """The step is right, but you returned the loss tensor, and with it the whole graph of this batch. Kept in a
    list for an epoch, that fills the memory: return `loss.item()`."""
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def looked_again(model, optimizer, loss_fn, inputs, targets):
    """You returned the loss *after* the step, from a second pass through the model. The one that was
    differentiated is already there, and costs nothing."""
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
        "Forward, loss, clear, backward, step: five lines, all of them in the cell above.",
        "Which of the five must stand directly before which? `backward()` adds, `step()` reads `.grad`.",
        "Return a number, not a tensor: `.item()`. Leave the mode, and what came in, alone.",
    ),
)


def measure(model, loader, loss_fn):
    """Modes noted module by module and put back; sums over examples, divided once."""
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
    """Measure as `measure` does, but for what the arguments say: the mistakes below differ in one each."""
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
    """You never called `eval()`: dropout was at work; BatchNorm used your batches' figures and changed its own."""
    return _careless(model, loader, loss_fn, mode="", afterwards="left")


def left_in_eval(model, loader, loss_fn):
    """The figures are right, but the model came out in eval mode: whoever trains on goes on without dropout."""
    return _careless(model, loader, loss_fn, mode="eval", afterwards="left")


def always_train(model, loader, loss_fn):
    """You ended with `model.train()`: a model, or a part of it, that came in eval mode came out in train mode."""
    return _careless(model, loader, loss_fn, mode="eval", afterwards="train")


def only_the_root(model, loader, loss_fn):
    """A part that stood in `eval()` by itself, a frozen BatchNorm, was woken: `train(mode)` sets all parts below
    as well. Note the mode of each of `model.modules()`, and put it back with `module.training = …`."""
    return _careless(model, loader, loss_fn, mode="eval", afterwards="root")


def graph_recorded(model, loader, loss_fn):
    """The figures are right, but autograd recorded a graph for each batch. `eval()` does not stop that: use
    `torch.no_grad()`."""
    modes = [(module, module.training) for module in model.modules()]
    pair = _careless(model, loader, loss_fn, mode="eval", afterwards="left", grad=True)
    for module, training in modes:
        module.training = training
    return pair


def mean_of_means(model, loader, loss_fn):
    """Each batch counted once, however many examples it holds. Weigh each batch's mean by its examples."""
    modes = [(module, module.training) for module in model.modules()]
    pair = _careless(model, loader, loss_fn, mode="eval", afterwards="left", weigh=False)
    for module, training in modes:
        module.training = training
    return pair


def sums_over_the_wrong_count(model, loader, loss_fn):
    """You added up batch *means* and divided by the number of *examples*: a loss that is far too good. Multiply
    each mean by its examples first."""
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
        "Before the loop: note the mode of each of `model.modules()`, then `model.eval()`.",
        "In the loop, under `torch.no_grad()`: add up mean loss times examples, the hits, and the examples.",
        "After the loop: put every mode back, one module at a time, and divide both sums once.",
    ),
)


def choices():
    """A learns its pictures by heart, B has hardly begun, C takes steps that are too long."""
    return {"A": (4, "more pictures"), "B": (12, "higher rate"), "C": (2, "lower rate")}


def by_the_training_loss():
    """You kept each run's epoch of the lowest *training* loss. That says how well it knows the pictures it has
    seen; keep by the validation loss."""
    return {"A": (12, "more pictures"), "B": (12, "higher rate"), "C": (2, "lower rate")}


def counted_from_zero():
    """The epochs are counted from 0 in your answer; in the picture the first one is number 1."""
    return {"A": (3, "more pictures"), "B": (11, "higher rate"), "C": (1, "lower rate")}


def b_wants_pictures():
    """The epochs are right. But B's training loss is as high as its validation loss: it has not even learned the
    pictures it has, so more of them do not help."""
    return {"A": (4, "more pictures"), "B": (12, "more pictures"), "C": (2, "lower rate")}


def the_rates_exchanged():
    """The epochs are right, and the two rates exchanged: a loss that jumps up wants a lower one, a loss that crawls
    down a higher one."""
    return {"A": (4, "more pictures"), "B": (12, "lower rate"), "C": (2, "higher rate")}


choices = Answer(
    choices,
    mistakes=(by_the_training_loss, counted_from_zero, b_wants_pictures, the_rates_exchanged),
    hints=(
        "The epoch first: where is the *dashed* curve, validation, lowest? Count from 1.",
        "Then the fix. Do the two curves part (it knows its pictures by heart)? Do both crawl (too slow)? Does "
        "the training loss itself jump up (too fast)?",
    ),
)


def stop_epoch(val_losses, patience):
    """Epoch by epoch, as a run meets them: the best so far, and how long it has been waited for a better one."""
    lowest, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, start=1):
        if loss < lowest:
            lowest, best = loss, epoch
        if epoch - best == patience:
            break
    return epoch, best


def from_zero(val_losses, patience):
    """Your epochs are counted from 0; the first one is number 1."""
    last, best = stop_epoch.reference(val_losses, patience)
    return last - 1, best - 1


def one_too_late(val_losses, patience):
    """You waited one epoch longer than `patience`: the run stops *after* the `patience`-th epoch in a row without a
    new lowest loss."""
    return stop_epoch.reference(val_losses, patience + 1)


def looked_ahead(val_losses, patience):
    """Your best epoch is that of the whole list. A run that has stopped never sees the later losses."""
    last, _ = stop_epoch.reference(val_losses, patience)
    finite = [math.inf if math.isnan(loss) else loss for loss in val_losses]
    return last, finite.index(min(finite)) + 1


def never_reset(val_losses, patience):
    """You counted all epochs without a new lowest loss; the count begins anew with each new lowest one."""
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
    """You compared each loss with the epoch before it. Compare it with the lowest so far: after a peak, losses that
    fall are not yet better than the best."""
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
    """A loss *equal* to the lowest so far counted as better. It has to be lower: keep the earlier of two."""
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
        "Go through the losses in order, and keep two things: the lowest so far, and its epoch.",
        "How long have you waited? The present epoch minus the best one. Stop when that is `patience`.",
    ),
)


def diagnose(step):
    """Two modes, each with a gradient left on purpose; what is returned, moved and left is looked at in turn."""
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
    """You said `"right"` of a step with `model.train()` in it. On a model that stands in train mode it changes
    nothing: look at the mode after a step in eval mode as well."""
    return _tried(step, modes=(True,))


def only_in_eval_mode(step):
    """You said `"right"` of a step with `model.eval()` in it. On a model that stands in eval mode it changes
    nothing: look at the mode after a step in train mode as well."""
    return _tried(step, modes=(False,))


def only_one_step(step):
    """You said `"right"` of a step that never clears. Your trial could not show that gradients add up: before the
    first step of a fresh model there are none, and those of the same batch make a move longer without turning it.
    Leave a huge gradient in `.grad` first, and look how far the weights go."""
    return _tried(step, gradient=None)


def only_the_loss(step):
    """A step that moves the weights need not be right: look at the mode afterwards, at the gradient left by an
    earlier step, and at which loss is returned."""
    return "never moves" if _tried(step) == "never moves" else "right"


diagnose = Answer(
    diagnose,
    mistakes=(only_in_train_mode, only_in_eval_mode, only_one_step, only_the_loss),
    hints=(
        "Make a tiny model (`nn.Linear(2, 1)`), an optimizer and a batch; compute the loss before the step.",
        "Never clears: put a huge gradient into `.grad` first. If the step follows it, the weights fly away.",
        "Try the step on a model in train mode and on one in eval mode; look at `model.training` afterwards.",
    ),
)
