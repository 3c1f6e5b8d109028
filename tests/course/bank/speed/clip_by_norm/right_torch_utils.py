# torch's own clipping, on parameters that hold copies.
import torch


def clip_by_norm(gradients, max_norm):
    holders = [torch.nn.Parameter(torch.zeros_like(g)) for g in gradients]
    for holder, g in zip(holders, gradients, strict=True):
        holder.grad = g.detach().clone()
    norm = torch.nn.utils.get_total_norm([h.grad.double() for h in holders]).item() if holders else 0.0
    if norm > max_norm:
        for holder in holders:
            holder.grad.mul_(max_norm / norm)
    return [holder.grad for holder in holders], norm
