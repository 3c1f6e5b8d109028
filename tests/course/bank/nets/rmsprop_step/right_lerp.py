# lerp for the average, float_power for the root.
import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = torch.lerp(average, grad.square(), 1 - alpha)
    return torch.sub(parameter, torch.div(grad, new.pow(0.5) + eps), alpha=lr), new
