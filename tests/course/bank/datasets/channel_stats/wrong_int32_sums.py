# Sums squares in int32, which overflows for some 33,000 bright pixels.
import torch


def channel_stats(batches):
    count, total, squares = 0, 0, 0
    for batch in batches:
        pixels = batch.to(torch.int32)
        count += pixels.numel() // pixels.shape[1]
        total += pixels.sum(dim=(0, 2, 3), dtype=torch.int32)
        squares += (pixels * pixels).sum(dim=(0, 2, 3), dtype=torch.int32)
    mean = total.double() / count
    std = (squares.double() / count - mean * mean).clamp(min=0).sqrt()
    return (mean / 255).float(), (std / 255).float()
