"""Chapter 06's helpers: the loader and loss of the interrupted run, and whether two states are equal."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import nn


class Batches:
    """Shuffled batches whose order follows from a seed and the epoch's number, as chapter 03 builds them.

    Its state is two numbers: `epoch`, counted from 0, and how many batches of it are `done`. A loop that is left in
    the middle of an epoch goes on there when it is entered again.
    """

    def __init__(self, images: torch.Tensor, targets: torch.Tensor, *, batch_size: int, seed: int) -> None:
        self.images, self.targets, self.batch_size, self.seed = images, targets, batch_size, seed
        self.epoch = self.done = 0

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        chance = torch.Generator().manual_seed(1_000_003 * self.seed + self.epoch)
        order = torch.randperm(len(self.images), generator=chance)
        for rows in order.split(self.batch_size)[self.done :]:
            self.done += 1  # nobody reads ahead here, so a batch counts when it is handed out
            yield self.images[rows], self.targets[rows]
        self.epoch, self.done = self.epoch + 1, 0

    def state_dict(self) -> dict[str, int]:
        """Return the place: the epoch, and how many of its batches are done."""
        return {"epoch": self.epoch, "done": self.done}

    def load_state_dict(self, state_dict: dict[str, int]) -> None:
        """Go to a place that `state_dict` returned."""
        self.epoch, self.done = state_dict["epoch"], state_dict["done"]


def val_loss(model: nn.Module, data: dict[str, torch.Tensor]) -> float:
    """Return the mean loss on `data["val_images"]` and `data["val_targets"]`; the model keeps its mode."""
    mode = model.training
    model.eval()
    with torch.no_grad():
        loss = nn.functional.cross_entropy(model(data["val_images"]), data["val_targets"])
    model.train(mode)
    return loss.item()


def same(one: Any, other: Any) -> bool:
    """Say whether two states (nested dicts, lists, tensors, numbers) are equal to the last bit, on any device."""
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return one.dtype == other.dtype and torch.equal(one.cpu(), other.cpu())
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other
