# Leaves what is done as it is.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(sizes.shape, dtype=torch.int64)
    todo = sizes.clone()
    while bool((todo > 1).any()):
        steps.add_((todo > 1).long())
        todo = torch.where(todo > 1, todo * 0.5, todo)
    return steps
