# The foreach functions, in float64.
import torch


def clip_by_norm(gradients, max_norm):
    if not gradients:
        return [], 0.0
    norms = torch._foreach_norm([g.double() for g in gradients])
    norm = float(torch.linalg.vector_norm(torch.stack(norms)))
    copies = [g.clone() for g in gradients]
    if norm > max_norm:
        torch._foreach_mul_(copies, max_norm / norm)
    return copies, norm
