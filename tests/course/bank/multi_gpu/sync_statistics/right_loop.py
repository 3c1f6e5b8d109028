# A loop that adds up; the difference of squares written otherwise.
import torch


def sync_statistics(shares):
    total, squares, count = torch.zeros_like(shares[0][0]), torch.zeros_like(shares[0][0]), 0
    for share in shares:
        total += share.sum(0)
        squares += share.square().sum(0)
        count += len(share)
    deviation = squares - total.square() / count
    return total / count, deviation / count, deviation / (count - 1)
