"""The training loop that chapter 05 builds step by step, for the chapters after it."""

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from course_utils.metrics import Mean, accuracy
from course_utils.progress_bar import progress

Loader = Iterable[tuple[Tensor, Tensor]]  # batches of (inputs, targets), from the first one in every pass
LossFn = Callable[[Tensor, Tensor], Tensor]  # (logits, targets) to the mean over a batch


@dataclass
class History:
    """The results of `fit`, with one entry per epoch.

    Losses are means over examples, and `val_accuracy` is between 0 and 1. `lr` is the learning rate of the first
    parameter group at the end of the epoch. `seconds` is the time of training without evaluation.

    >>> history = History(val_accuracy=[0.91, 0.97, 0.96])
    >>> max(history.val_accuracy), history.lr
    (0.97, [])
    """

    train_loss: list[float] = field(default_factory=list)
    val_loss: list[float] = field(default_factory=list)
    val_accuracy: list[float] = field(default_factory=list)
    lr: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def train_one_epoch(
    model: nn.Module,
    train_loader: Loader,
    *,
    loss_fn: LossFn,
    optimizer: Optimizer,
    device: torch.device | str,
    scheduler: LRScheduler | None = None,
    on_step: Callable[[Tensor], object] | None = None,
) -> float:
    """Train for one pass over the loader; return the mean loss over its examples.

    `scheduler`: its `step()` is called after every batch. `on_step`: called after every batch with its loss, a
    0-dimensional tensor on `device` without a graph; the `append` of a list keeps them all. Raises ValueError for a
    loader without a batch.

    >>> model = nn.Linear(2, 2)
    >>> loader = [(torch.randn(8, 2), torch.randint(0, 2, (8,)))]  # one batch; usually a DataLoader
    >>> sgd = torch.optim.SGD(model.parameters(), lr=0.1)
    >>> loss = train_one_epoch(model, loader, loss_fn=nn.CrossEntropyLoss(), optimizer=sgd, device="cpu")
    >>> loss > 0
    True
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
        if on_step is not None:
            on_step(loss.detach())
    return mean.compute()


@torch.no_grad()
def evaluate(
    model: nn.Module, loader: Loader, *, loss_fn: LossFn, device: torch.device | str
) -> tuple[float, float]:
    """Return the mean loss and the accuracy over the examples of a loader; restore the mode of each module.

    Raises ValueError for a loader without a batch.

    >>> model = nn.Linear(2, 2)
    >>> loader = [(torch.randn(8, 2), torch.randint(0, 2, (8,)))]
    >>> loss, accuracy = evaluate(model, loader, loss_fn=nn.CrossEntropyLoss(), device="cpu")
    >>> 0 <= accuracy <= 1
    True
    """
    modes = [(module, module.training) for module in model.modules()]  # a frozen part may be in eval mode
    model.eval()
    losses, hits = Mean(), Mean()
    for inputs, targets in loader:
        inputs, targets = inputs.to(device, non_blocking=True), targets.to(device, non_blocking=True)
        logits = model(inputs)
        losses.update(loss_fn(logits, targets), len(targets))
        hits.update(accuracy(logits, targets), len(targets))
    for module, training in modes:
        module.training = training
    return losses.compute(), hits.compute()


def fit(
    model: nn.Module,
    train_loader: Loader,
    val_loader: Loader,
    *,
    loss_fn: LossFn,
    optimizer: Optimizer,
    num_epochs: int,
    device: torch.device | str,
    scheduler: LRScheduler | None = None,
    schedule_by: str = "epoch",
) -> History:
    """Train for some epochs and evaluate after each; return a History.

    `schedule_by`: whether `scheduler` steps after every "epoch" or every "batch". Raises ValueError for another
    word, and FloatingPointError if the training loss is no longer finite.

    >>> model = nn.Linear(2, 2)
    >>> loader = [(torch.randn(8, 2), torch.randint(0, 2, (8,)))]
    >>> sgd = torch.optim.SGD(model.parameters(), lr=0.1)
    >>> how = {"loss_fn": nn.CrossEntropyLoss(), "optimizer": sgd, "num_epochs": 3, "device": "cpu"}
    >>> history = fit(model, loader, loader, **how)
    >>> len(history.val_accuracy), history.lr
    (3, [0.1, 0.1, 0.1])
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
        if not math.isfinite(train_loss):
            raise FloatingPointError(
                f"The training loss is {train_loss} in epoch {epoch + 1}. Either the learning rate is too "
                "high, or the data contain NaN. Try a tenth of the learning rate, and one batch first."
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
