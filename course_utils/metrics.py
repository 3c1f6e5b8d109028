"""Metrics of a model that stay right if the last batch is short."""

import torch
from torch import Tensor


class Mean:
    """The mean over examples of values that are means over batches.

    `update(value, count)` adds the mean of a batch of `count` examples. `value` may be a tensor on any device. It
    is read only by `compute()`, so a training loop never waits for the accelerator.

    >>> mean = Mean()
    >>> mean.update(0.5, 64)
    >>> mean.update(0.2, 16)  # a short last batch counts less
    >>> round(mean.compute(), 2)
    0.44
    """

    def __init__(self) -> None:
        self._total, self._count = 0.0, 0

    def update(self, value: float | Tensor, count: int) -> None:
        """Add a mean over `count` examples."""
        value = value.detach().double() if _is_cpu(value) else value.detach() if torch.is_tensor(value) else value
        self._total = self._total + value * count
        self._count += count

    def compute(self) -> float:
        """Return the mean so far. Raises ValueError if nothing was added."""
        if not self._count:
            raise ValueError("There is no mean, because nothing was added. Call update(value, count) first.")
        return float(self._total) / self._count


def _is_cpu(value):
    return torch.is_tensor(value) and value.device.type == "cpu"


def accuracy(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the fraction of rows whose largest logit is that of the target, between 0 and 1.

    `logits`: (N, C), `targets`: (N,) class indices. The result is a 0-dimensional float32 tensor on their device.

    >>> accuracy(torch.tensor([[2.0, 1.0], [0.0, 3.0], [1.0, 0.0]]), torch.tensor([0, 1, 1]))
    tensor(0.6667)
    """
    return (logits.argmax(dim=1) == targets).float().mean()


def confusion_matrix(predicted: Tensor, targets: Tensor, *, num_classes: int) -> Tensor:
    """Count how often each class was predicted as each other: rows are the true classes, columns the predictions.

    `predicted`, `targets`: (N,) int64 class indices from 0 to `num_classes` - 1, on one device. Returns int64
    counts of shape (num_classes, num_classes) on that device.

    >>> confusion_matrix(torch.tensor([0, 1, 1]), torch.tensor([0, 1, 0]), num_classes=2)
    tensor([[1, 1],
            [0, 1]])
    """
    pairs = targets * num_classes + predicted
    return torch.bincount(pairs, minlength=num_classes**2).reshape(num_classes, num_classes)
