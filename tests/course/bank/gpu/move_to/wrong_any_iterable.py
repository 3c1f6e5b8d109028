# Every iterable but a string becomes a list: sets, ranges and bytes are not handed on.
from collections.abc import Iterable, Mapping

import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, Mapping):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, Iterable) and not isinstance(batch, str):
        moved = [move_to(value, device) for value in batch]
        return tuple(moved) if isinstance(batch, tuple) else moved
    return batch
