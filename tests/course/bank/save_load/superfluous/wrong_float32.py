# Looks for the lowest loss in float32, where near losses are equal.
import torch


def superfluous(losses, last):
    if len(losses) == 0:
        return []
    steps = sorted(losses)
    values = torch.tensor([losses[step] for step in steps], dtype=torch.float32)
    best = steps[int(values.argmin())]
    keep = {best, *steps[max(0, len(steps) - last) :]}
    return [step for step in steps if step not in keep]
