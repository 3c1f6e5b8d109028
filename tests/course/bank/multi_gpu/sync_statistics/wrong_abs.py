# Mean absolute deviation.
import torch


def sync_statistics(shares):
    whole = torch.cat(shares)
    spread = (whole - whole.mean(0)).abs().mean(0)
    return whole.mean(0), spread, spread * len(whole) / (len(whole) - 1)
