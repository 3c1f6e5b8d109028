# %% right_axis_by_axis: A loop over the few coordinates, not over pairs.
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


# %% right_expanded: (a − b)² multiplied out, without the query's own square.
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
