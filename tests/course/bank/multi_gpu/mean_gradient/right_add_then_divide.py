# Adds up size times gradient into zeros, and divides once.
import torch


def mean_gradient(gradients, sizes):
    result = [torch.zeros_like(tensor) for tensor in gradients[0]]
    for rank, size in enumerate(sizes):
        if size == 0:
            continue
        for into, tensor in zip(result, gradients[rank], strict=True):
            into += tensor * size
    return [tensor / sum(sizes) for tensor in result]
