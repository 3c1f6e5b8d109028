# Waits for torch's own devices, not for the one that was given.
import torch


def honest_seconds(work, synchronize, clock, repeats):
    work()
    torch.cuda.synchronize() if torch.cuda.is_available() else None
    start = clock()
    for _ in range(repeats):
        work()
    torch.cuda.synchronize() if torch.cuda.is_available() else None
    return (clock() - start) / repeats
