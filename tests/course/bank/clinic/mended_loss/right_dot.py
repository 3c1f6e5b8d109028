# A dot product of the difference with itself.
import torch


def mended_loss(predictions, targets):
    a, b = torch.ravel(predictions), torch.ravel(targets)
    if a.shape != b.shape:
        raise ValueError("unequal numbers")
    difference = a - b
    return difference @ difference / difference.shape[0]
