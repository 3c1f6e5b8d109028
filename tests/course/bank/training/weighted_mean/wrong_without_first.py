# The loop begins with the second batch.
import torch


def weighted_mean(values, sizes):
    total, count = torch.zeros(()), 0
    for i in range(1, len(values)):
        total = total + values[i] * sizes[i]
        count += int(sizes[i])
    return total / max(count, 1)
