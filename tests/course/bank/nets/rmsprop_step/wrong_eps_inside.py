# Adds eps under the root.
import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad.square()
    return parameter - lr * grad / torch.sqrt(new + eps), new
