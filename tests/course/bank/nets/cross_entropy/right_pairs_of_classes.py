# Adds up the classes by logaddexp, after the shift, and masks the right one.
from functools import reduce

import torch


def cross_entropy(logits, targets):
    shifted = logits - logits.amax(dim=1, keepdim=True)
    log_sums = reduce(torch.logaddexp, shifted.unbind(dim=1))
    mask = targets[:, None] == torch.arange(logits.shape[1])
    return log_sums.mean() - shifted[mask].mean()
