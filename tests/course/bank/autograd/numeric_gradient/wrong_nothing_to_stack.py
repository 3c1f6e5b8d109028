# Stacks a list that is empty for an x without elements, and fails.
import torch


def numeric_gradient(f, x, eps):
    slopes = []
    for i in range(x.numel()):
        sides = []
        for sign in (1, -1):
            moved = x.reshape(-1).clone()
            moved[i] += sign * eps
            sides.append(f(moved.reshape(x.shape)))
        slopes.append((sides[0] - sides[1]) / (2 * eps))
    return torch.stack(slopes).reshape(x.shape)
