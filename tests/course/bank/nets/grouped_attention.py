# %% right_five_axes: The query gets an axis for its group; keys and values broadcast over it.
import torch


def grouped_attention(query, key, value, real):
    N, H, L, D = query.shape
    G, E = key.shape[1], value.shape[-1]
    query = query.reshape(N, G, H // G, L, D)
    scores = (query * D**-0.5) @ key[:, :, None].transpose(-1, -2)
    allowed = real[:, None, None, None, :]
    scores = torch.where(allowed, scores, float("-inf"))
    weights = torch.where(allowed, scores.softmax(-1), 0.0)
    return (weights @ value[:, :, None]).reshape(N, H, L, E)


# %% right_einsum: Sums by name, and the softmax written out with each row's largest real score.
import torch


def grouped_attention(query, key, value, real):
    times = query.size(1) // key.size(1)
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    scores = torch.einsum("nhld,nhsd->nhls", query, key) / query.size(-1) ** 0.5
    hidden = ~real[:, None, None]
    scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    powers = (scores - scores.amax(-1, keepdim=True).detach()).exp().masked_fill(hidden, 0)
    sums = powers.sum(-1, keepdim=True)
    weights = powers / sums.where(sums > 0, 1)
    return torch.einsum("nhls,nhse->nhle", weights, value)


# %% right_entries: Entry by entry and head by head, with the real keys only.
import math

import torch


def grouped_attention(query, key, value, real):
    N, H, L, D = query.shape
    share = H // key.shape[1]
    entries = []
    for n in range(N):
        heads = []
        for h in range(H):
            k, v = key[n, h // share][real[n]], value[n, h // share][real[n]]
            if len(k):
                heads.append(torch.softmax(query[n, h] @ k.T / math.sqrt(D), dim=1) @ v)
            else:
                heads.append(query[n, h].sum() * 0 + value.new_zeros(L, value.shape[-1]))
        entries.append(torch.stack(heads))
    return torch.stack(entries)


# %% right_nan_repaired: A softmax with minus infinity, and its NaN put to 0 afterwards.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    index = torch.arange(query.shape[1]) // times
    scores = query @ key[:, index].mT / query.shape[-1] ** 0.5
    weights = scores.masked_fill(~real[:, None, None, :], -torch.inf).softmax(-1).nan_to_num(0.0)
    return weights @ value[:, index]


# %% wrong_library: PyTorch's function with its own option for groups.
import torch
import torch.nn.functional as F


def grouped_attention(query, key, value, real):
    mask = real[:, None, None, :]
    found = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, enable_gqa=True)
    return found.masked_fill(~real.any(1)[:, None, None, None], 0)


# %% wrong_mask_turned_round: Takes True for padding.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    scores = query @ key.mT / query.shape[-1] ** 0.5
    hidden = real[:, None, None, :]
    return scores.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0) @ value


# %% wrong_all_width: Divides by the root of all heads' width together.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    scores = query @ key.mT / (query.shape[-1] * query.shape[1]) ** 0.5
    hidden = ~real[:, None, None, :]
    return scores.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0) @ value


# %% wrong_divided_by_d: Divides by D, without the root.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    scores = query @ key.mT / query.shape[-1]
    hidden = ~real[:, None, None, :]
    return scores.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0) @ value


# %% wrong_over_queries: The softmax runs over the queries.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    scores = query @ key.mT / query.shape[-1] ** 0.5
    hidden = ~real[:, None, None, :]
    return scores.softmax(-2).masked_fill(hidden, 0) @ value


# %% wrong_values_in_turn: The keys are shared by neighbours, the values in turn.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat(1, times, 1, 1)
    scores = query @ key.mT / query.shape[-1] ** 0.5
    hidden = ~real[:, None, None, :]
    return scores.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0) @ value


# %% wrong_exponentials: The softmax by hand, without taking the largest score off: e to the 1000 is infinite.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    powers = (query @ key.mT / query.shape[-1] ** 0.5).exp() * real[:, None, None, :]
    return powers / powers.sum(-1, keepdim=True).clamp(min=1e-9) @ value


# %% wrong_renormalised_after: Takes padding out after the softmax and divides by what is left: 0 where padding had it all.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    weights = (query @ key.mT / query.shape[-1] ** 0.5).softmax(-1) * real[:, None, None, :]
    return weights / weights.sum(-1, keepdim=True).clamp(min=1e-12) @ value


# %% wrong_lengths: Takes the number of real keys for a length: wrong where padding is not at the end.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    hidden = (torch.arange(key.shape[2]) >= real.sum(1)[:, None])[:, None, None, :]
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return scores.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0) @ value


# %% wrong_view: Regroups by view, which transposed tensors do not have.
import torch


def grouped_attention(query, key, value, real):
    N, H, L, D = query.shape
    query = query.view(N, key.shape[1], -1, D)
    hidden = ~real[:, None, None, :]
    scores = (query @ key.mT / D**0.5).masked_fill(hidden, -torch.inf)
    return (scores.softmax(-1).masked_fill(hidden, 0) @ value).view(N, H, L, -1)


# %% wrong_detached_weights: The weights are computed without a graph, so only the values get a gradient.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    hidden = ~real[:, None, None, :]
    with torch.no_grad():
        scores = (query @ key.mT / query.shape[-1] ** 0.5).masked_fill(hidden, -torch.inf)
        weights = scores.softmax(-1).masked_fill(hidden, 0)
    return weights @ value


# %% wrong_additive_mask: Adds minus infinity to the scores and repairs the result: the gradient stays NaN.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    bias = torch.zeros_like(real, dtype=query.dtype).masked_fill(~real, -torch.inf)
    scores = query @ key.mT / query.shape[-1] ** 0.5 + bias[:, None, None, :]
    return (scores.softmax(-1) @ value).nan_to_num(0.0)


# %% wrong_one_mask: The first entry's padding is taken for all.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    hidden = ~real[0]
    scores = (query @ key.mT / query.shape[-1] ** 0.5).masked_fill(hidden, -torch.inf)
    return scores.softmax(-1).masked_fill(hidden, 0) @ value


# %% wrong_batch_zero_only: Skips entries of padding only, so the batch gets shorter.
import torch


def grouped_attention(query, key, value, real):
    some = real.any(1)
    query, key, value, real = query[some], key[some], value[some], real[some]
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return scores.masked_fill(~real[:, None, None, :], -torch.inf).softmax(-1) @ value


# %% wrong_heads_merged: Gives the heads side by side, (N, L, H times E), as the linear layer after them wants it.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    hidden = ~real[:, None, None, :]
    scores = (query @ key.mT / query.shape[-1] ** 0.5).masked_fill(hidden, -torch.inf)
    return (scores.softmax(-1).masked_fill(hidden, 0) @ value).transpose(1, 2).flatten(2)


# %% wrong_float32: Computes and answers in float32.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1).float(), value.repeat_interleave(times, 1).float()
    hidden = ~real[:, None, None, :]
    scores = (query.float() @ key.mT / query.shape[-1] ** 0.5).masked_fill(hidden, -torch.inf)
    return scores.softmax(-1).masked_fill(hidden, 0) @ value
