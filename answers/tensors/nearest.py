# %% wrong_axis_by_axis: A loop, though only over the few coordinates.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    total = torch.zeros(len(queries), len(points), dtype=torch.float64)
    for a, b in zip(queries.T, points.T, strict=True):
        total += (a[:, None].double() - b.double()) ** 2
    return torch.min(total, dim=1).indices


# %% right_broadcast: All differences at once, squared and added.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return (queries[:, None, :] - points[None, :, :]).pow(2).sum(dim=-1).argmin(dim=-1)


# %% wrong_multiplied_out: Far from 0 the products leave no digits.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return (points.square().sum(dim=1) - 2 * (queries @ points.T)).argmin(dim=1)


# %% right_topk: The smallest one by `topk` of the distances.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return (
        torch.cdist(queries, points, compute_mode="donot_use_mm_for_euclid_dist")
        .topk(1, largest=False)
        .indices[:, 0]
    )


# %% wrong_city_block: Adds up the absolute differences, as taxis drive.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return torch.cdist(queries, points, p=1).argmin(dim=1)


# %% wrong_column: Keeps the reduced axis.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return torch.cdist(queries, points).argmin(dim=1, keepdim=True)


# %% wrong_coordinates: The nearest points themselves.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return points[torch.cdist(queries, points).argmin(dim=1)]


# %% wrong_cosine: The smallest angle.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    a = torch.nn.functional.normalize(queries, dim=1)
    b = torch.nn.functional.normalize(points, dim=1)
    return (a @ b.T).argmax(dim=1)


# %% wrong_dot_product: The largest dot product instead of the smallest distance.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return (queries @ points.T).argmax(dim=1)


# %% wrong_farthest: The farthest point.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return torch.cdist(queries, points).argmax(dim=1)


# %% wrong_first_axis: Compares the first coordinate alone.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return (queries[:, :1] - points[:, 0]).abs().argmin(dim=1)


# %% wrong_forgot_own_square: Leaves the points' squares out of (a − b)².
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return (-2 * queries @ points.T).argmin(dim=1)


# %% wrong_half_precision: Computes in half precision, where neighbours become equal.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return torch.cdist(queries.half().float(), points.half().float()).argmin(dim=1)


# %% wrong_int32: Indices of 32 bits.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return torch.cdist(queries, points).argmin(dim=1).int()


# %% wrong_largest_difference: The largest difference of a coordinate counts.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return torch.cdist(queries, points, p=float("inf")).argmin(dim=1)


# %% wrong_nearest_query: For each point the nearest query.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return torch.cdist(points, queries).argmin(dim=1) if len(queries) else torch.zeros(0, dtype=torch.long)


# %% wrong_python_loop: A loop over queries and points, too slow for 600,000 pairs.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    found = []
    for query in queries:
        best, where = None, 0
        for index, point in enumerate(points):
            distance = ((query - point) ** 2).sum()
            if best is None or distance < best:
                best, where = distance, index
        found.append(where)
    return torch.tensor(found, dtype=torch.long)


# %% wrong_rounded: Rounds the coordinates before it compares.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return torch.cdist(queries.round(), points.round()).argmin(dim=1)


# %% wrong_signed_difference: Adds up differences with their signs.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return (queries[:, None] - points[None]).sum(dim=2).abs().argmin(dim=1)


# %% right_norm: The norm of each difference.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    differences = queries.unsqueeze(1) - points
    return torch.linalg.vector_norm(differences, dim=-1).min(dim=-1).indices


# %% wrong_products_in_float64: The products in float64, no help for near neighbours in float64.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return torch.cdist(queries.double(), points.double()).argmin(dim=1)


# %% right_einsum: The square of each difference by einsum, negated.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    apart = points - queries[:, None, :]
    return torch.einsum("qpd,qpd->qp", apart, apart).neg().argmax(1)


# %% wrong_loop_queries: One query after the other.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return torch.tensor([(query - points).pow(2).sum(1).argmin() for query in queries], dtype=torch.int64)


# %% wrong_map: A loop by another name.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    found = list(map(lambda query: (query - points).pow(2).sum(1).argmin(), queries))
    return torch.stack(found) if found else torch.zeros(0, dtype=torch.int64)


# %% wrong_self_excluded: A query that is a point gets another one.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    apart = (queries[:, None] - points).pow(2).sum(2)
    return apart.masked_fill(apart == 0, float("inf")).argmin(1)


# %% wrong_matmul_trick: Squares less twice the product, in float32.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    squares = queries.pow(2).sum(1)[:, None] + points.pow(2).sum(1)
    return (squares - 2 * queries @ points.mT).argmin(1)


# %% wrong_bfloat16: Differences in bfloat16.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    apart = queries.bfloat16()[:, None] - points.bfloat16()
    return apart.float().pow(2).sum(2).argmin(1)


# %% wrong_view: A view that a table read by columns refuses.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    block = queries.view(len(queries), 1, -1) - points.view(1, len(points), -1)
    return block.pow(2).sum(2).argmin(1)


# %% wrong_rounded_distances: Distances to two places, where the first of equals wins.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return (queries[:, None] - points).pow(2).sum(2).sqrt().mul(100).round().argmin(1)


# %% wrong_cdist_default: Cdist as it comes, which multiplies matrices beyond 25 rows and loses the distances.
import torch


def nearest(queries, points):
    return torch.cdist(queries, points).argmin(1)


# %% wrong_expanded_square: The square written out, lost far from 0.
def nearest(queries, points):
    d = queries.square().sum(1)[:, None] - 2 * queries @ points.T + points.square().sum(1)
    return d.argmin(1)


# %% wrong_centred_expansion: Moves the mean of the points to 0 and writes the square out, no help for two clusters far apart.
def nearest(queries, points):
    m = points.mean(0)
    q, p = queries - m, points - m
    return (p.square().sum(1) - 2 * q @ p.T).argmin(1)


# %% wrong_city_blocks: Adds the absolute differences, which is not the straight line.
def nearest(queries, points):
    return (queries[:, None] - points).abs().sum(-1).argmin(1)


# %% wrong_not_itself: Leaves out distance 0, so a query that is one of the points gets another.
import torch


def nearest(queries, points):
    d = (queries[:, None] - points).square().sum(-1)
    return d.masked_fill(d == 0, float("inf")).argmin(1)


# %% wrong_float32: Computes in float32, so float64 clouds finer than 1e-4 at 1000 melt together.
def nearest(queries, points):
    return (queries.float()[:, None] - points.float()).square().sum(-1).argmin(1)


# %% wrong_default_dtype_left: Computes well, and leaves float64 as the default dtype of everybody.
import torch


def nearest(queries, points):
    torch.set_default_dtype(torch.float64)
    q, p = queries.to(torch.get_default_dtype()), points.to(torch.get_default_dtype())
    return (q.unsqueeze(1) - p.unsqueeze(0)).pow(2).sum(2).argmin(1)


# %% wrong_stacked_queries: A comprehension over the queries, which is a loop and has nothing to stack without a query.
import torch


def nearest(queries, points):
    return torch.stack([(points - q).square().sum(1).argmin() for q in queries])


# %% right_scaled_differences: Differences in the unit of the smallest largest difference of each query, so no square underflows.
import torch


def nearest(queries, points):
    diff = queries.double().unsqueeze(1) - points.double().unsqueeze(0)
    reach = torch.linalg.vector_norm(diff, ord=float("inf"), dim=2) if diff.shape[2] else diff.sum(2)
    unit = reach.amin(1)
    unit = torch.where(unit > 0, unit, torch.ones_like(unit))
    score = (diff / unit[:, None, None]).square().sum(2)
    return torch.where(reach == 0, -1.0, score).argmin(1)


# %% right_cdist_exact_mode: Cdist that subtracts first, in float64, then the smallest by topk.
import torch


def nearest(queries, points):
    d = torch.cdist(
        queries.double() * 2.0**480, points.double() * 2.0**480, compute_mode="donot_use_mm_for_euclid_dist"
    )
    return d.topk(1, dim=1, largest=False).indices.squeeze(1)


# %% right_vmap_norm: Vmap over the queries of a function of one query.
import torch


def nearest(queries, points):
    if queries.shape[0] == 0:
        return torch.empty(0, dtype=torch.int64)
    wide = points.to(torch.float64)
    one = lambda q: torch.linalg.vector_norm((wide - q) * 2.0**480, dim=1).min(dim=0).indices
    return torch.vmap(one)(queries.to(torch.float64))
