# Repairs what overflowed afterwards: the losses that were inf become the largest float.
import torch


def cross_entropy(logits, targets):
    losses = logits.exp().sum(dim=1).log() - logits.gather(1, targets[:, None])[:, 0]
    return torch.nan_to_num(losses).mean()
