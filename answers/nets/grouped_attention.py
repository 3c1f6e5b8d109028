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


# %% wrong_minus_1e9: Real scores far below minus 1e9 lose against the padding.
import torch


def grouped_attention(query, key, value, real):
    r = query.shape[1] // key.shape[1]
    k, v = key.repeat_interleave(r, 1), value.repeat_interleave(r, 1)
    pad = ~real[:, None, None, :]
    s = (query @ k.transpose(-1, -2) / query.shape[-1] ** 0.5).masked_fill(pad, -1e9)
    return (s.softmax(-1) @ v).masked_fill(pad.all(-1, keepdim=True), 0.0)


# %% wrong_renormalised: Softmax over all keys, then padding struck out and the rest divided by its sum.
import torch


def grouped_attention(query, key, value, real):
    r = query.shape[1] // key.shape[1]
    k, v = key.repeat_interleave(r, 1), value.repeat_interleave(r, 1)
    w = (query @ k.transpose(-1, -2) / query.shape[-1] ** 0.5).softmax(-1)
    w = w * real[:, None, None, :]
    return (w / w.sum(-1, keepdim=True).clamp(min=1e-20)) @ v


# %% wrong_view_again: View demands contiguous queries.
import torch


def grouped_attention(query, key, value, real):
    N, H, L, D = query.shape
    G = key.shape[1]
    q = query.view(N, G, H // G * L, D)
    pad = ~real[:, None, None, :]
    s = (q @ key.mT / D**0.5).masked_fill(pad, float("-inf")).masked_fill(pad.all(-1, keepdim=True), 0.0)
    return (s.softmax(-1).masked_fill(pad, 0.0) @ value).view(N, H, L, -1)


# %% wrong_nan_gradient: Minus infinity is added, the result is mended, the gradients are NaN where all is padding.
import torch


def grouped_attention(query, key, value, real):
    r = query.shape[1] // key.shape[1]
    k, v = key.repeat_interleave(r, 1), value.repeat_interleave(r, 1)
    bias = torch.zeros(real.shape, dtype=query.dtype).masked_fill(~real, float("-inf"))
    w = (query @ k.transpose(-1, -2) / query.shape[-1] ** 0.5 + bias[:, None, None, :]).softmax(-1)
    return torch.nan_to_num(w) @ v


# %% wrong_alters_real: An entry of padding only is marked as real in the caller's own tensor.
import torch


def grouped_attention(query, key, value, real):
    r = query.shape[1] // key.shape[1]
    k, v = key.repeat_interleave(r, 1), value.repeat_interleave(r, 1)
    empty = ~real.any(1)
    real[empty] = True
    s = (query @ k.mT / query.shape[-1] ** 0.5).masked_fill(~real[:, None, None, :], float("-inf"))
    return (s.softmax(-1) @ v).masked_fill(empty[:, None, None, None], 0.0)


# %% wrong_lengths_again: Takes the padding to be at the end, by counting.
import torch


def grouped_attention(query, key, value, real):
    r = query.shape[1] // key.shape[1]
    k, v = key.repeat_interleave(r, 1), value.repeat_interleave(r, 1)
    pad = (torch.arange(key.shape[2]) >= real.sum(1, keepdim=True))[:, None, None, :]
    s = (query @ k.mT / query.shape[-1] ** 0.5).masked_fill(pad, float("-inf"))
    s = s.masked_fill(pad.all(-1, keepdim=True), 0.0)
    return s.softmax(-1).masked_fill(pad, 0.0) @ v


# %% wrong_default_dtype: The result is filled into float32 whatever the query is.
import torch


def grouped_attention(query, key, value, real):
    N, H, L, D = query.shape
    r = H // key.shape[1]
    out = torch.zeros(N, H, L, value.shape[-1])
    for n in range(N):
        if real[n].any():
            for h in range(H):
                k, v = key[n, h // r][real[n]], value[n, h // r][real[n]]
                out[n, h] = (query[n, h] @ k.T / D**0.5).softmax(-1) @ v
    return out


# %% wrong_torch_attention: Lets PyTorch's own attention do it.
import torch
import torch.nn.functional as F


def grouped_attention(query, key, value, real):
    safe = real | ~real.any(1, keepdim=True)
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=safe[:, None, None, :], enable_gqa=True)
    return out * real.any(1)[:, None, None, None]


# %% right_einsum_again: Five axes and a where, the padding emptied beforehand.
import torch


def grouped_attention(query, key, value, real):
    N, H, L, D = query.shape
    G, E = key.shape[1], value.shape[-1]
    off = ~real
    q = query.unflatten(1, (G, H // G)).double()
    k = key.double().masked_fill(off[:, None, :, None], 0.0)
    v = value.double().masked_fill(off[:, None, :, None], 0.0)
    s = torch.einsum("ngrld,ngsd->ngrls", q * D**-0.5, k)
    none = off.all(1)
    hide = (off & ~none[:, None])[:, None, None, None, :]
    w = s.masked_fill(hide, float("-inf")).softmax(-1)
    out = torch.einsum("ngrls,ngse->ngrle", w, v)
    return out.flatten(1, 2).to(query.dtype)


# %% right_loops: Entry by entry, head by head, only with the real keys.
import math
import torch


def grouped_attention(query, key, value, real):
    share = query.shape[1] // key.shape[1]
    entries = []
    for q, k, v, keep in zip(query, key, value, real):
        k, v = k[:, keep], v[:, keep]
        heads = []
        for h, one in enumerate(q):
            s = one @ k[h // share].T / math.sqrt(one.shape[-1])
            heads.append(s.softmax(-1) @ v[h // share])
        entries.append(torch.stack(heads))
    return torch.stack(entries)


# %% right_streaming: One key after the other with a running maximum.
import torch


def grouped_attention(query, key, value, real):
    N, H, L, D = query.shape
    which = torch.arange(H) // (H // key.shape[1])
    k, v = key[:, which], value[:, which]
    scores = [(query * k[:, :, s, None, :]).sum(-1, keepdim=True) / D**0.5 for s in range(k.shape[2])]
    top = torch.full((N, H, L, 1), float("-inf"), dtype=query.dtype)
    for s, score in enumerate(scores):
        ok = real[:, s, None, None, None]
        top = torch.where(ok, torch.maximum(top, score.detach()), top)
    up = torch.zeros(N, H, L, value.shape[-1], dtype=query.dtype)
    down = torch.zeros(N, H, L, 1, dtype=query.dtype)
    for s, score in enumerate(scores):
        ok = real[:, s, None, None, None]
        e = torch.where(ok, score - top, -torch.inf).exp()
        e = torch.where(ok, e, 0.0)
        up = up + e * torch.where(ok, v[:, :, s, None, :], 0.0)
        down = down + e
    return up / torch.where(down > 0, down, 1.0)


# %% wrong_mask_added: Adds minus infinity to scores that may be infinite themselves, and repairs the sum: inf - inf.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    hidden = ~real[:, None, None, :]
    scores = query @ key.mT / query.shape[-1] ** 0.5
    scores = scores + torch.zeros(hidden.shape, dtype=scores.dtype).masked_fill(hidden, -torch.inf)
    return scores.softmax(-1).masked_fill(hidden, 0) @ value


# %% wrong_remembered_mask: Remembers the mask of the first call of each shape.
import torch

MASKS = {}


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    hidden = MASKS.setdefault(real.shape, ~real)[:, None, None, :]
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return scores.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0) @ value


# %% wrong_through_float32: Computes in float32 and converts at the end.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    dtype = query.dtype
    query, key, value = (
        query.float(),
        key.float().repeat_interleave(times, 1),
        value.float().repeat_interleave(times, 1),
    )
    hidden = ~real[:, None, None, :]
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return (scores.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0) @ value).to(dtype)


# %% wrong_padding_scaled: Multiplies the keys by the mask and then masks zeros.
import torch


def grouped_attention(query, key, value, real):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    scores = query @ (key * real[:, None, :, None]).mT / query.shape[-1] ** 0.5
    scores = scores.masked_fill(scores == 0, -torch.inf)
    return scores.softmax(-1).nan_to_num(0.0) @ value


# %% wrong_at_most_256: Looks at the first 256 keys only.
import torch


def grouped_attention(query, key, value, real):
    key, value, real = key[:, :, :256], value[:, :, :256], real[:, :256]
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    hidden = ~real[:, None, None, :]
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return scores.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0) @ value
