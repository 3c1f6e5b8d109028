# NumPy in float64, cast back to each tensor's dtype.
import numpy as np
import torch


def clip_by_norm(gradients, max_norm):
    arrays = [np.asarray(g.tolist(), dtype=np.float64) for g in gradients]
    norm = float(np.sqrt(sum((array**2).sum() for array in arrays)))
    factor = max_norm / norm if norm > max_norm else 1
    shaped = zip(gradients, arrays, strict=True)
    return [torch.from_numpy(np.array(a * factor)).to(g.dtype).reshape(g.shape) for g, a in shaped], norm
