"""Lay the same tensor out differently in memory, for inputs that an answer must not assume to be contiguous."""

import torch


def strided(tensor: torch.Tensor) -> torch.Tensor:
    """Return equal values with a gap after each: every second element of a larger tensor, the others being 1."""
    return _like(torch.stack((tensor.detach(), torch.ones_like(tensor)), dim=-1)[..., 0], tensor)


def transposed(tensor: torch.Tensor) -> torch.Tensor:
    """Return equal values stored in the reversed order of dimensions, as `.mT` of a matrix is; two or more dims."""
    if tensor.dim() < 2:
        raise ValueError(f"a tensor of shape {tuple(tensor.shape)} has no dimensions to change places")
    order = tuple(reversed(range(tensor.dim())))
    return _like(tensor.detach().permute(order).clone(memory_format=torch.contiguous_format).permute(order), tensor)


def channels_last(tensor: torch.Tensor) -> torch.Tensor:
    """Return equal values with the channels, dim 1, stored innermost; four dims, or five."""
    formats = {4: torch.channels_last, 5: torch.channels_last_3d}
    if tensor.dim() not in formats:
        raise ValueError(
            f"a tensor of shape {tuple(tensor.shape)} has no channels: (N, C, H, W) or (N, C, D, H, W)"
        )
    return _like(tensor.detach().clone(memory_format=formats[tensor.dim()]), tensor)


def offset(tensor: torch.Tensor) -> torch.Tensor:
    """Return equal values, contiguous, that begin in the middle of a storage, as `rows[3:]` does."""
    more = torch.ones(3, dtype=tensor.dtype, device=tensor.device)
    return _like(torch.cat((more, tensor.detach().reshape(-1), more))[3:-3].view(tensor.shape), tensor)


def expanded(row: torch.Tensor, count: int) -> torch.Tensor:
    """Return `count` equal rows that are one in memory (stride 0), as broadcasting makes them."""
    return _like(row.detach().expand(count, *row.shape), row)


def _like(other, tensor):
    return other.requires_grad_(tensor.requires_grad)
