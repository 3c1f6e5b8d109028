# Divides the gradient, not the rate, and leaves gradients smaller than eps alone.
import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad**2
    root = new.sqrt()
    scaled = torch.where(root > eps, grad / root, torch.zeros_like(grad))
    return parameter - lr * scaled, new
