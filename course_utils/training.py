"""The training loop that chapter 05 builds up, ready made."""

import time
from dataclasses import dataclass, field

import torch

from course_utils.metrics import Mean, accuracy
from course_utils.system.progress import progress


@dataclass
class History:
    """What `fit` saw, one entry an epoch.

    Losses are means over examples, `val_accuracy` a share between 0 and 1, `lr` the first group's rate at the
    end of the epoch, `seconds` the time of training without evaluation.
    """

    train_loss: list = field(default_factory=list)
    val_loss: list = field(default_factory=list)
    val_accuracy: list = field(default_factory=list)
    lr: list = field(default_factory=list)
    seconds: list = field(default_factory=list)


def train_one_epoch(model, train_loader, *, loss_fn, optimizer, device, scheduler=None):
    """One pass over the loader; returns the mean training loss over its examples.

    `train_loader`: an iterable of (inputs, targets). `scheduler`: stepped after every batch, if given.
    """
    model.train()
    mean = Mean()
    for inputs, targets in train_loader:
        inputs, targets = inputs.to(device, non_blocking=True), targets.to(device, non_blocking=True)
        loss = loss_fn(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        mean.update(loss, len(targets))
    return mean.compute()


@torch.no_grad()
def evaluate(model, loader, *, loss_fn, device):
    """Mean loss and accuracy over the examples of a loader: (float, float). Leaves the model in its mode."""
    training = model.training
    model.eval()
    losses, hits = Mean(), Mean()
    for inputs, targets in loader:
        inputs, targets = inputs.to(device, non_blocking=True), targets.to(device, non_blocking=True)
        logits = model(inputs)
        losses.update(loss_fn(logits, targets), len(targets))
        hits.update(accuracy(logits, targets), len(targets))
    model.train(training)
    return losses.compute(), hits.compute()


def fit(
    model,
    train_loader,
    val_loader,
    *,
    loss_fn,
    optimizer,
    num_epochs,
    device,
    scheduler=None,
    schedule_by="epoch",
):
    """Train for some epochs, evaluating after each; returns a History.

    `schedule_by`: whether `scheduler` steps after every "epoch" or every "batch". Raises ValueError for another
    word, and FloatingPointError when the training loss is no longer a finite number.
    """
    if schedule_by not in ("epoch", "batch"):
        raise ValueError(f'schedule_by is {schedule_by!r}, expected "epoch" or "batch".')
    history = History()
    bar = progress(range(num_epochs), desc="epochs", unit="epoch")
    for epoch in bar:
        start = time.perf_counter()
        train_loss = train_one_epoch(
            model,
            train_loader,
            loss_fn=loss_fn,
            optimizer=optimizer,
            device=device,
            scheduler=scheduler if schedule_by == "batch" else None,
        )
        seconds = time.perf_counter() - start  # reading the loss above waited for the device
        if not train_loss < float("inf"):
            raise FloatingPointError(
                f"The training loss is {train_loss} in epoch {epoch + 1}: the rate is too high, or the data hold "
                "NaN. Try a tenth of the learning rate, and one batch first."
            )
        if scheduler is not None and schedule_by == "epoch":
            scheduler.step()
        val_loss, val_accuracy = evaluate(model, val_loader, loss_fn=loss_fn, device=device)
        history.train_loss.append(train_loss)
        history.val_loss.append(val_loss)
        history.val_accuracy.append(val_accuracy)
        history.lr.append(optimizer.param_groups[0]["lr"])
        history.seconds.append(seconds)
        bar.set_postfix(loss=f"{train_loss:.4f}", val_accuracy=f"{val_accuracy:.2%}")
    return history
