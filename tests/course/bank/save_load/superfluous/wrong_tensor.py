# Returns a tensor of steps instead of a list.
import torch


def superfluous(losses, last):
    steps = sorted(losses)
    keep = {*steps[max(0, len(steps) - last) :], *sorted(steps, key=losses.get)[:1]}
    return torch.tensor([step for step in steps if step not in keep])
