# NumPy in float64 in between, cast back to the dtypes that came in.
import numpy as np
import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    p, g, s = (t.detach().numpy().astype(np.float64) for t in (parameter, grad, average))
    s = s + (1 - alpha) * (np.square(g) - s)
    p = p - lr / (np.sqrt(s) + eps) * g
    return torch.as_tensor(p).to(parameter.dtype), torch.as_tensor(s).to(average.dtype)
