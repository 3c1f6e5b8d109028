# Returns the ratio as a tensor of no dimensions instead of a float.
import torch


def most_gained(rows, needed):
    extra = [row for row in rows if row[0] not in needed]
    if not extra:
        return None, 1.0
    own = torch.tensor([row[1] for row in rows], dtype=torch.float64)
    totals = torch.tensor([row[2] for row in extra], dtype=torch.float64)
    at = totals.argmax()
    return extra[int(at)][0], own.sum() / (own.sum() - totals[at])
