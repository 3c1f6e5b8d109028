# Uses the 10⁻⁶ that the text recommends and never looks at eps.
import torch


def numeric_gradient(f, x, eps):
    eps = 1e-6
    result = torch.zeros_like(x).reshape(-1)
    for i in range(result.numel()):
        up, down = x.clone().reshape(-1), x.clone().reshape(-1)
        up[i] += eps
        down[i] -= eps
        result[i] = (f(up.reshape(x.shape)) - f(down.reshape(x.shape))) / (2 * eps)
    return result.reshape(x.shape)
