# Both results as the rows of one tensor instead of a pair.
import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad**2
    return torch.stack((parameter - lr * grad / (new.sqrt() + eps), new))
