# Pattern matching, with generators and map.
import torch


def move_to(batch, device):
    again = lambda value: move_to(value, device)  # noqa: E731
    match batch:
        case torch.Tensor():
            return torch.Tensor.to(batch, device)
        case dict():
            return dict(zip(batch.keys(), map(again, batch.values()), strict=True))
        case list():
            return list(map(again, batch))
        case tuple():
            return tuple(map(again, batch))
    return batch
