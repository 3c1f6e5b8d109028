"""Figures that describe how good a model is, right also when the last batch is short."""

import torch


class Mean:
    """The mean over examples of values that come as means over batches.

    `update(value, count)` adds a batch's mean over `count` examples; `value` may be a tensor on any device and
    is not read until `compute()`, so that a training loop never waits for the accelerator.
    """

    def __init__(self):
        self._total, self._count = 0.0, 0

    def update(self, value, count):
        """Add a mean over `count` examples."""
        value = value.detach().double() if _is_cpu(value) else value.detach() if torch.is_tensor(value) else value
        self._total = self._total + value * count
        self._count += count

    def compute(self):
        """The mean so far, a float; raises ValueError where nothing was added."""
        if not self._count:
            raise ValueError("The mean of nothing was asked for: call update(value, count) first.")
        return float(self._total) / self._count


def _is_cpu(value):
    return torch.is_tensor(value) and value.device.type == "cpu"


def accuracy(logits, targets):
    """The share of rows whose largest logit stands at the target.

    `logits`: (N, C), `targets`: (N,) class indices. Returns a 0-dimensional tensor on their device.
    """
    return (logits.argmax(dim=1) == targets).float().mean()


def confusion_matrix(predicted, targets, *, num_classes):
    """How often each class was taken for each other: (C, C) counts, rows the truth, columns the prediction."""
    pairs = targets * num_classes + predicted
    return torch.bincount(pairs, minlength=num_classes**2).reshape(num_classes, num_classes)
