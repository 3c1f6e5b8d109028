# %% right_foreach: The foreach functions, in float64.
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


# %% right_hypot: math.hypot over the norms, and clones where nothing is to do.
import math

import torch


def clip_by_norm(gradients, max_norm):
    norm = math.hypot(*(float(torch.linalg.vector_norm(g, dtype=torch.float64)) for g in gradients))
    if not norm > max_norm:
        return [torch.clone(g) for g in gradients], norm
    return [torch.mul(g, max_norm / norm) for g in gradients], norm


# %% right_norm_of_norms: The norm of the norms, stacked.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.stack([g.norm() for g in gradients]).norm().item()
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], norm


# %% right_numpy: NumPy in float64, cast back to each tensor's dtype.
import numpy as np
import torch


def clip_by_norm(gradients, max_norm):
    arrays = [np.asarray(g.tolist(), dtype=np.float64) for g in gradients]
    norm = float(np.sqrt(sum((array**2).sum() for array in arrays)))
    factor = max_norm / norm if norm > max_norm else 1
    shaped = zip(gradients, arrays, strict=True)
    return [torch.from_numpy(np.array(a * factor)).to(g.dtype).reshape(g.shape) for g, a in shaped], norm


# %% right_sum_of_squares: Python's sum of the squares, in float64.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.double().square().sum().item() for g in gradients) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], norm


# %% right_torch_utils: torch's own clipping, on parameters that hold copies.
import torch


def clip_by_norm(gradients, max_norm):
    holders = [torch.nn.Parameter(torch.zeros_like(g)) for g in gradients]
    for holder, g in zip(holders, gradients, strict=True):
        holder.grad = g.detach().clone()
    norm = torch.nn.utils.get_total_norm([h.grad.double() for h in holders]).item() if holders else 0.0
    if norm > max_norm:
        for holder in holders:
            holder.grad.mul_(max_norm / norm)
    return [holder.grad for holder in holders], norm


# %% wrong_clamped: Clamps each number to max_norm.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    return [g.clamp(-max_norm, max_norm) for g in gradients], norm


# %% wrong_each_alone: Clips each tensor to the norm on its own.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    clipped = []
    for g in gradients:
        own = g.norm().item()
        clipped.append(g * (max_norm / own) if own > max_norm else g.clone())
    return clipped, norm


# %% wrong_first_axis_dot: Builds the norm by iterating the first axis, which a tensor of one number does not have.
def clip_by_norm(gradients, max_norm):
    norm = sum(float((row * row).sum()) for g in gradients for row in g) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], norm


# %% wrong_first_only: The norm of the first tensor alone.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients[:1]) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], norm


# %% wrong_float32: Hands float64 gradients back as float32.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    return [(g * scale).float() for g in gradients], norm


# %% wrong_in_place: Scales the tensors that were given.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    if norm > max_norm:
        for g in gradients:
            g.mul_(max_norm / norm)
    return [g.clone() for g in gradients], norm


# %% wrong_infinite_max: With max_norm infinite, as in the chapter's free run, the factor is inf / inf.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    factor = max_norm / max(norm, max_norm)
    return [g * factor for g in gradients], norm


# %% wrong_l1: Adds the absolute numbers.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.abs().sum().item() for g in gradients)
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], norm


# %% wrong_large_eps: A safety term in the denominator scales gradients that were short enough.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    factor = min(1.0, max_norm / (norm + 1e-2))
    return [g * factor for g in gradients], norm


# %% wrong_largest_number: Takes the largest number for the norm.
def clip_by_norm(gradients, max_norm):
    norm = max(g.abs().max().item() for g in gradients)
    return [g * (max_norm / norm) if norm > max_norm else g * 1 for g in gradients], norm


# %% wrong_last_not_scaled: Leaves the last tensor as it is.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    clipped = [g.clone() for g in gradients]
    for i in range(len(clipped) - 1):
        clipped[i] *= scale
    return clipped, norm


# %% wrong_list_overwritten: Puts the new tensors into the list that was given.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    for i, g in enumerate(gradients):
        gradients[i] = g * scale
    return gradients, norm


# %% wrong_max_1: Clips to 1, whatever is asked.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    scale = 1.0 / norm if norm > 1.0 else 1.0
    return [g * scale for g in gradients], norm


# %% wrong_mean_square: Divides by the number of numbers before the root.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients)
    norm = (norm / sum(g.numel() for g in gradients)) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], norm


# %% wrong_no_root: Forgets the root.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients)
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], norm


# %% wrong_norm_after: Gives the norm after clipping.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    clipped = [g * scale for g in gradients]
    return clipped, sum(g.square().sum().item() for g in clipped) ** 0.5


# %% wrong_norm_is_tensor: Gives the norm as a tensor.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.linalg.vector_norm(torch.cat([g.flatten() for g in gradients]))
    return [g * min(1.0, max_norm / max(norm.item(), 1e-30)) for g in gradients], norm


# %% wrong_one_vector: Gives one long vector in the place of the tensors.
import torch


def clip_by_norm(gradients, max_norm):
    vector = torch.cat([g.flatten() for g in gradients])
    norm = vector.norm().item()
    return [vector * (max_norm / norm if norm > max_norm else 1.0)], norm


# %% wrong_rows: Takes the norm of each row of a matrix.
import torch


def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    if norm <= max_norm:
        return [g.clone() for g in gradients], norm
    return [torch.renorm(g, 2, 0, max_norm) if g.ndim > 1 else g * (max_norm / norm) for g in gradients], norm


# %% wrong_same_tensors: Where nothing is clipped, the given tensors themselves come back.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    if norm <= max_norm:
        return list(gradients), norm
    return [g * max_norm / norm for g in gradients], norm


# %% wrong_scales_up: Scales short gradients up to max_norm.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.reshape(-1) for g in gradients]).norm().item()
    return [g * (max_norm / norm) if norm else g.clone() for g in gradients], norm


# %% wrong_shares_memory_when_zero: With all numbers 0 it hands the given list back.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.stack([g.norm() for g in gradients]).norm().item()
    if norm == 0:
        return gradients, 0.0
    scale = min(1, max_norm / norm)
    return [scale * g for g in gradients], norm


# %% wrong_spectral: torch.linalg.norm with 2 is the spectral norm for a matrix.
import math

import torch


def clip_by_norm(gradients, max_norm):
    norm = math.hypot(*(torch.linalg.norm(g, 2).item() for g in gradients))
    return [g * min(1.0, max_norm / norm) if norm else g.clone() for g in gradients], norm


# %% wrong_sum_of_norms: Adds the norms of the tensors.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.norm().item() for g in gradients)
    scale = 1.0 if norm <= max_norm else max_norm / norm
    return [g * scale for g in gradients], norm


# %% wrong_tuple: Gives the clipped ones as a tuple.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    return tuple(g * scale for g in gradients), norm


# %% wrong_view: Makes vectors with view, which refuses a transposed tensor.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.view(-1) for g in gradients]).norm().item()
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], norm


# %% wrong_whole_norm: Rounds the norm that it gives to three places.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], round(norm, 3)


# %% wrong_zero_divides: Divides by a norm of 0.
def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    return [g * min(1.0, max_norm / norm) for g in gradients], norm


# %% wrong_zero_nan: With all numbers 0 they become NaN.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm()
    return [g / norm * torch.clamp(norm, max=max_norm) for g in gradients], norm.item()
