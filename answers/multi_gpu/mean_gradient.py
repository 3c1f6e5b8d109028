# %% wrong_add_then_divide: Adds up size times gradient, which is too much for float16, and divides once.
import torch


def mean_gradient(gradients, sizes):
    result = [torch.zeros_like(tensor) for tensor in gradients[0]]
    for rank, size in enumerate(sizes):
        if size == 0:
            continue
        for into, tensor in zip(result, gradients[rank], strict=True):
            into += tensor * size
    return [tensor / sum(sizes) for tensor in result]


# %% right_running_mean: A running mean: every rank moves it by its share.
def mean_gradient(gradients, sizes):
    mean, seen = None, 0
    for g, size in zip(gradients, sizes):
        if not size:
            continue
        seen += size
        mean = [t.clone() for t in g] if mean is None else [m.lerp(t, size / seen) for m, t in zip(mean, g)]
    return mean


# %% right_tensordot: tensordot over a stacked axis, in float64.
import torch


def mean_gradient(gradients, sizes):
    there = [rank for rank, size in enumerate(sizes) if size]
    weights = torch.tensor([sizes[rank] for rank in there], dtype=torch.float64)
    weights /= weights.sum()
    out = []
    for parts in zip(*(gradients[rank] for rank in there)):
        stacked = torch.stack(parts)
        out.append(torch.tensordot(weights, stacked.double(), dims=1).to(stacked.dtype))
    return out


# %% right_weights: Weights that add up to 1, the empty ranks left out.
def mean_gradient(gradients, sizes):
    total = sum(sizes)
    pairs = [(g, size / total) for g, size in zip(gradients, sizes) if size > 0]
    return [sum(weight * g[i] for g, weight in pairs) for i in range(len(gradients[0]))]


# %% wrong_divides_by_ranks: Divides by the number of ranks.
def mean_gradient(gradients, sizes):
    pairs = [(g, size) for g, size in zip(gradients, sizes) if size]
    mean_size = sum(sizes) / len(sizes) * len(sizes)
    return [
        sum(size * g[i] for g, size in pairs) / mean_size * len(pairs) / len(sizes)
        for i in range(len(gradients[0]))
    ]


# %% wrong_equal_weights: Every rank counts alike.
import torch


def mean_gradient(gradients, sizes):
    there = [g for g, size in zip(gradients, sizes) if size]
    return [torch.stack(parts).mean(0) for parts in zip(*there)]


# %% wrong_first_parameter: Only the first parameter's gradient.
def mean_gradient(gradients, sizes):
    total = sum(sizes)
    return [sum(g[0] * (size / total) for g, size in zip(gradients, sizes) if size)]


# %% wrong_float32_always: Always answers in float32.
def mean_gradient(gradients, sizes):
    total = sum(sizes)
    return [
        sum(g[i] * (size / total) for g, size in zip(gradients, sizes) if size).float()
        for i in range(len(gradients[0]))
    ]


# %% wrong_forgot_to_divide: The sum over all examples.
def mean_gradient(gradients, sizes):
    pairs = [(g, size) for g, size in zip(gradients, sizes) if size]
    return [sum(size * g[i] for g, size in pairs) for i in range(len(gradients[0]))]


# %% wrong_half_precision: Averages in 16 bits.
def mean_gradient(gradients, sizes):
    total = sum(sizes)
    return [
        sum(g[i].half() * (size / total) for g, size in zip(gradients, sizes) if size).to(gradients[0][i].dtype)
        for i in range(len(gradients[0]))
    ]


# %% wrong_into_the_first: Adds up inside rank 0's own tensors.
def mean_gradient(gradients, sizes):
    total = sum(sizes)
    first = gradients[0]
    for i, tensor in enumerate(first):
        if sizes[0]:
            tensor.mul_(sizes[0] / total)
        else:
            tensor.zero_()
        for g, size in zip(gradients[1:], sizes[1:]):
            if size:
                tensor.add_(g[i], alpha=size / total)
    return first


# %% wrong_inverse_weights: Weighs the small rank most.
def mean_gradient(gradients, sizes):
    weights = [1 / size if size else 0.0 for size in sizes]
    total = sum(weights)
    return [
        sum(g[i] * (weight / total) for g, weight in zip(gradients, weights) if weight)
        for i in range(len(gradients[0]))
    ]


# %% wrong_nan_times_zero: A rank without examples is weighed by 0: NaN times 0 is NaN.
def mean_gradient(gradients, sizes):
    total = sum(sizes)
    return [sum(size / total * part for size, part in zip(sizes, parts)) for parts in zip(*gradients)]


# %% wrong_skip_small: Leaves ranks out that have fewer examples than the first.
def mean_gradient(gradients, sizes):
    pairs = [(g, size) for g, size in zip(gradients, sizes) if size >= max(1, max(sizes) // 10)]
    total = sum(size for _, size in pairs)
    return [sum(g[i] * (size / total) for g, size in pairs) for i in range(len(gradients[0]))]


# %% wrong_stack: One tensor of all, which needs equal shapes.
import torch


def mean_gradient(gradients, sizes):
    total = sum(sizes)
    return torch.cat(
        [sum(g[i] * (s / total) for g, s in zip(gradients, sizes) if s).flatten() for i in range(len(gradients[0]))]
    )


# %% wrong_from_rank_0: Begins with rank 0's gradients times 0.
def mean_gradient(gradients, sizes):
    sums = [tensor * 0 for tensor in gradients[0]]
    for rank, size in enumerate(sizes):
        if size:
            sums = [total + tensor * size for total, tensor in zip(sums, gradients[rank])]
    return [total / sum(sizes) for total in sums]


# %% wrong_hides_nan: Puts zeros for NaN everywhere.
import torch


def mean_gradient(gradients, sizes):
    total = sum(sizes)
    return [
        sum(torch.nan_to_num(g[i], nan=0.0) * (size / total) for g, size in zip(gradients, sizes))
        for i in range(len(gradients[0]))
    ]


# %% wrong_nan_to_num_late: Replaces NaN in the result.
import torch


def mean_gradient(gradients, sizes):
    total = sum(sizes)
    pairs = [(g, size) for g, size in zip(gradients, sizes) if size]
    return [torch.nan_to_num(sum(g[i] * (s / total) for g, s in pairs)) for i in range(len(gradients[0]))]


# %% wrong_drops_nan_ranks: Leaves out every rank that has a NaN somewhere.
import torch


def mean_gradient(gradients, sizes):
    pairs = [(g, s) for g, s in zip(gradients, sizes) if not any(torch.isnan(t).any() for t in g)]
    total = sum(s for _, s in pairs)
    return [sum(g[i] * (s / total) for g, s in pairs) for i in range(len(gradients[0]))]


# %% wrong_drops_infinite: Leaves out every rank whose gradients are not finite.
import torch


def mean_gradient(gradients, sizes):
    pairs = [(g, s) for g, s in zip(gradients, sizes) if all(torch.isfinite(t).all() for t in g)]
    total = sum(s for _, s in pairs) or 1
    return [sum((g[i] * (s / total) for g, s in pairs), torch.zeros(())) for i in range(len(gradients[0]))]


# %% wrong_view: Flattens by view, which needs contiguous gradients.
import torch


def mean_gradient(gradients, sizes):
    total = sum(sizes)
    flat = [torch.cat([t.view(-1) for t in g]) * (s / total) for g, s in zip(gradients, sizes) if s]
    parts = sum(flat).split([t.numel() for t in gradients[0]])
    return [part.view(t.shape) for part, t in zip(parts, gradients[0])]


# %% wrong_bucket_promotes: One flat bucket for all tensors, so mixed dtypes come back promoted.
import torch


def mean_gradient(gradients, sizes):
    total = sum(sizes)
    flat = 0
    for grads, n in zip(gradients, sizes):
        if n > 0:
            flat = flat + torch.cat([g.reshape(-1) for g in grads]) * (n / total)
    parts = flat.split([g.numel() for g in gradients[0]])
    return [p.reshape(g.shape) for p, g in zip(parts, gradients[0])]


# %% wrong_half_overflow: Gradient times size in the gradient's own dtype overflows in float16.
def mean_gradient(gradients, sizes):
    total = sum(sizes)
    return [sum(g * n for g, n in zip(gs, sizes) if n > 0) / total for gs in zip(*gradients)]


# %% wrong_skips_all_nan_rank: Knows an empty rank by its NaN, so it drops a rank that diverged completely.
import torch


def mean_gradient(gradients, sizes):
    alive = [r for r, grads in enumerate(gradients) if not all(g.isnan().all() for g in grads)]
    total = sum(sizes[r] for r in alive)
    out = []
    for i, like in enumerate(gradients[0]):
        acc = torch.zeros_like(like, dtype=torch.float64)
        for r in alive:
            acc += gradients[r][i].double() * (sizes[r] / total)
        out.append(acc.to(like.dtype))
    return out


# %% wrong_through_float32: Computes in float32 and casts back.
def mean_gradient(gradients, sizes):
    total = sum(sizes)
    return [sum(g.float() * (n / total) for g, n in zip(gs, sizes) if n).to(gs[0].dtype) for gs in zip(*gradients)]


# %% wrong_weights_in_own_dtype: The sizes as a tensor of the gradient's dtype.
def mean_gradient(gradients, sizes):
    out = []
    for gs in zip(*gradients):
        weights = gs[0].new_tensor(sizes)
        weights = weights / weights.sum()
        out.append(sum(g * w for g, w, n in zip(gs, weights, sizes) if n))
    return out


# %% right_flat_by_dtype: One flat bucket for each dtype.
import torch


def mean_gradient(gradients, sizes):
    total = sum(sizes)
    out = [None] * len(gradients[0])
    for dtype in {g.dtype for g in gradients[0]}:
        places = [i for i, g in enumerate(gradients[0]) if g.dtype == dtype]
        flat = 0
        for rank, n in enumerate(sizes):
            if n:
                flat = flat + torch.cat([gradients[rank][i].flatten() for i in places]) * (n / total)
        for i, part in zip(places, flat.split([gradients[0][i].numel() for i in places])):
            out[i] = part.reshape(gradients[0][i].shape)
    return out


# %% right_added_in_place: In place, on a fresh tensor of zeros.
import torch


def mean_gradient(gradients, sizes):
    total, out = sum(sizes), []
    for i, like in enumerate(gradients[0]):
        mean = torch.zeros_like(like, memory_format=torch.contiguous_format)
        for rank, n in enumerate(sizes):
            if n:
                mean.add_(gradients[rank][i], alpha=n / total)
        out.append(mean)
    return out


# %% wrong_scalar_is_promoted: A float32 tensor as the weight turns a half gradient without dimensions into float32.
import torch


def mean_gradient(gradients, sizes):
    weights = torch.tensor(sizes, dtype=torch.float32) / sum(sizes)
    ranks = [r for r in range(len(sizes)) if sizes[r] > 0]
    result = []
    for i in range(len(gradients[0])):
        result.append(sum(gradients[r][i] * weights[r] for r in ranks))
    return result
