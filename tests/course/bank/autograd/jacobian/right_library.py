# The older function of torch.autograd, which is not in torch.func.
import torch


def jacobian(f, x):
    return torch.autograd.functional.jacobian(f, x)
