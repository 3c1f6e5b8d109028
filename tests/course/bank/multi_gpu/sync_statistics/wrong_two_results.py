# Forgets the one for evaluation.
import torch


def sync_statistics(shares):
    whole = torch.cat(shares)
    return whole.mean(0), whole.var(0, unbiased=False)
