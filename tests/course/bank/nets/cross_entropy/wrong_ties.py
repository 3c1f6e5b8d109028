# Counts the largest logit once, also where several classes share it.
import torch


def cross_entropy(logits, targets):
    largest = logits.amax(dim=1, keepdim=True)
    shifted = logits - largest
    others = torch.where(shifted < 0, shifted.exp(), 0.0).sum(dim=1)
    return (torch.log1p(others) - shifted.gather(1, targets[:, None])[:, 0]).mean()
