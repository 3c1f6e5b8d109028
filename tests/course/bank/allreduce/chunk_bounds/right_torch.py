# torch's tensor_split says the sizes.
import torch


def chunk_bounds(length, world_size):
    bounds, start = [], 0
    for part in torch.empty(length).tensor_split(world_size):
        bounds.append((start, start + len(part)))
        start += len(part)
    return bounds
