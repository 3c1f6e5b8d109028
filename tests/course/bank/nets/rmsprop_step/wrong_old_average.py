# Steps with the old average, and renews it afterwards.
import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    moved = parameter - lr * grad / (average.sqrt() + eps)
    return moved, torch.lerp(grad**2, average, alpha)
