# Takes equal numbers for the same memory.
import torch


def honest(replicas):
    for i, one in enumerate(replicas):
        for other in replicas[i + 1 :]:
            if any(a.shape == b.shape and torch.equal(a, b) for a, b in zip(one, other)):
                return False
    return True
