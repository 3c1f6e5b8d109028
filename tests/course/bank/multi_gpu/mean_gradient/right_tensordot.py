# tensordot over a stacked axis, in float64.
import torch


def mean_gradient(gradients, sizes):
    there = [rank for rank, size in enumerate(sizes) if size]
    weights = torch.tensor([sizes[rank] for rank in there], dtype=torch.float64)
    weights /= weights.sum()
    out = []
    for parts in zip(*(gradients[rank] for rank in there)):
        stacked = torch.stack(parts)
        out.append(torch.tensordot(weights, stacked.double(), dims=1).to(stacked.dtype))
    return out
