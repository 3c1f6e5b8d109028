# %% right_scatter_reduce: The mean by `scatter_reduce`, the zeros not counted.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    index = groups[:, None].expand_as(values)
    return torch.zeros(count, values.shape[1], dtype=values.dtype).scatter_reduce(
        0, index, values, "mean", include_self=False
    )


# %% right_scatter_add: `scatter_add` with a wide index.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    index = groups.unsqueeze(1).expand(-1, values.size(1))
    total = torch.zeros(count, values.size(1), dtype=values.dtype).scatter_add(0, index, values)
    number = torch.zeros(count, dtype=values.dtype).scatter_add(
        0, groups, torch.ones(len(groups), dtype=values.dtype)
    )
    return total / torch.where(number == 0, 1, number).unsqueeze(1)


# %% right_where_then_sum: A block of (count, N, F), what does not belong set to 0.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    member = groups[None, :] == torch.arange(count)[:, None]
    kept = torch.where(member[:, :, None], values[None], torch.zeros((), dtype=values.dtype))
    how_many = member.sum(dim=1, keepdim=True)
    return kept.sum(dim=1) / how_many.clamp_min(1)


# %% right_index_put: `index_put_` that adds where an index comes twice.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    total = values.new_zeros(count, values.shape[1])
    total.index_put_((groups,), values, accumulate=True)
    counted = torch.bincount(groups, minlength=count)
    return torch.where(counted[:, None] > 0, total / counted[:, None], total)


# %% wrong_loop: A loop over the groups.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    means = values.new_zeros(count, values.shape[1])
    for group in range(count):
        if (groups == group).any():
            means[group] = values[groups == group].mean(dim=0)
    return means


# %% wrong_comprehension: A comprehension over the groups.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    return torch.stack([values[groups == g].mean(dim=0).nan_to_num() for g in range(count)])


# %% wrong_include_self: `scatter_reduce` that counts the zeros.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    index = groups[:, None].expand_as(values).contiguous()
    return values.new_zeros(count, values.shape[1]).scatter_reduce(0, index, values, "mean")[:, :].clone()


# %% wrong_index_reduce_amax: The largest, not the mean.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    index = groups[:, None].expand_as(values)
    return values.new_zeros(count, values.shape[1]).scatter_reduce(0, index, values, "amax", include_self=False)


# %% wrong_no_minlength: Counts only up to the last group that has rows.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    sums = torch.zeros(count, values.shape[1], dtype=values.dtype).index_add(0, groups, values)
    return sums / groups.bincount().clamp(min=1)[:, None]


# %% wrong_nan_to_num: Makes a 0 of every nan, and a number of every infinity.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    sums = values.new_zeros(count, values.shape[1]).index_add(0, groups, values)
    return (sums / groups.bincount(minlength=count)[:, None]).nan_to_num()


# %% wrong_float32: Adds in float32, whatever came.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    sums = torch.zeros(count, values.shape[1]).index_add(0, groups, values.float())
    return (sums / groups.bincount(minlength=count).clamp(min=1)[:, None]).to(values.dtype)


# %% wrong_float64_result: Adds in float64 and leaves it so.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    sums = torch.zeros(count, values.shape[1], dtype=torch.float64).index_add(0, groups, values.double())
    return sums / groups.bincount(minlength=count).clamp(min=1)[:, None]


# %% wrong_groups_that_occur: Only the groups that occur.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    found, place = groups.unique(return_inverse=True)
    sums = values.new_zeros(len(found), values.shape[1]).index_add(0, place, values)
    return sums / place.bincount()[:, None]


# %% wrong_counts_along_columns: Divides the columns by the counts.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    sums = values.new_zeros(count, values.shape[1]).index_add(0, groups, values)
    return sums / groups.bincount(minlength=count).clamp(min=1)


# %% wrong_plus_eps: Adds a little to the divisor.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    sums = values.new_zeros(count, values.shape[1]).index_add(0, groups, values)
    return sums / (groups.bincount(minlength=count)[:, None] + 1e-3)


# %% wrong_cumulative: Differences of running sums, which an infinity spoils.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    order = groups.argsort(stable=True)
    running = torch.cat([values.new_zeros(1, values.shape[1]), values[order].cumsum(0)])
    ends = groups.bincount(minlength=count).cumsum(0)
    starts = ends - groups.bincount(minlength=count)
    number = (ends - starts).clamp(min=1)
    return (running[ends] - running[starts]) / number[:, None]


# %% wrong_one_hot_einsum: Infinity times zero.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    table = torch.nn.functional.one_hot(groups, count).to(values.dtype)
    return torch.einsum("nc,nf->cf", table, values) / table.sum(0).clamp(min=1).unsqueeze(1)


# %% wrong_in_place: Divides what was given.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    number = groups.bincount(minlength=count)
    values /= number[groups][:, None]
    return values.new_zeros(count, values.shape[1]).index_add(0, groups, values)


# %% wrong_first_of_each: Keeps one row of each group.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    means = values.new_zeros(count, values.shape[1])
    means[groups] = values
    return means


# %% wrong_whole_mean_for_nobody: A group without rows gets the mean of all.
import torch


def group_means(values, groups, count):
    """(N, F) and (N,) to (count, F): the mean row of each group."""
    sums = values.new_zeros(count, values.shape[1]).index_add(0, groups, values)
    number = groups.bincount(minlength=count)[:, None]
    return torch.where(number > 0, sums / number.clamp(min=1), values.mean(dim=0))


# %% wrong_one_hot_matmul: Multiplies by a table of 0 and 1, and 0 times inf is nan in every other group.
import torch


def group_means(values, groups, count):
    table = (groups == torch.arange(count)[:, None]).to(values.dtype)
    return (table @ values) / table.sum(1, keepdim=True).clamp(min=1)


# %% wrong_nan_to_num_too: Repairs 0 / 0 afterwards, and turns an honest inf into a large number as well.
import torch


def group_means(values, groups, count):
    sums = torch.zeros(count, values.shape[1], dtype=values.dtype).index_add_(0, groups, values)
    return torch.nan_to_num(sums / torch.bincount(groups, minlength=count)[:, None])


# %% wrong_cumsum: Differences of running sums, in which an inf spoils all later groups.
import torch


def group_means(values, groups, count):
    order = groups.argsort()
    n = torch.bincount(groups, minlength=count)
    run = torch.cat([values.new_zeros(1, values.shape[1]), values[order].cumsum(0)])
    ends = n.cumsum(0)
    return (run[ends] - run[ends - n]) / n.clamp(min=1)[:, None].to(values.dtype)


# %% wrong_include_self_too: The zeros of the output count as one row more in each mean.
import torch


def group_means(values, groups, count):
    index = groups[:, None].expand_as(values)
    return torch.zeros(count, values.shape[1], dtype=values.dtype).scatter_reduce(0, index, values, "mean")


# %% wrong_no_minlength_too: Bincount and unique know only the groups up to the last one used.
import torch


def group_means(values, groups, count):
    n = torch.bincount(groups)
    sums = values.new_zeros(len(n), values.shape[1]).index_add_(0, groups, values)
    return sums / n.clamp(min=1)[:, None].to(values.dtype)


# %% wrong_loop_too: Right numbers with a loop over the groups.
import torch


def group_means(values, groups, count):
    out = values.new_zeros(count, values.shape[1])
    for g in range(count):
        rows = values[groups == g]
        if len(rows):
            out[g] = rows.mean(0)
    return out


# %% wrong_divides_input: Divides the rows it was given in place before it adds them.
import torch


def group_means(values, groups, count):
    n = torch.bincount(groups, minlength=count)
    values /= n[groups][:, None]
    return values.new_zeros(count, values.shape[1]).index_add_(0, groups, values)


# %% wrong_float32_buffer: Adds in a float32 buffer, so float64 values lose digits and dtype.
import torch


def group_means(values, groups, count):
    sums = torch.zeros(count, values.shape[1]).index_add_(0, groups, values.float())
    return sums / torch.bincount(groups, minlength=count).clamp(min=1)[:, None]


# %% right_embedding_bag: Bags of a lookup table, the mean of an empty bag is 0.
import torch
import torch.nn.functional as F


def group_means(values, groups, count):
    if values.numel() == 0 or count == 0:
        return values.new_zeros(count, values.shape[1])
    n = torch.bincount(groups, minlength=count)
    return F.embedding_bag(groups.argsort(stable=True), values.contiguous(), n.cumsum(0) - n, mode="mean")


# %% right_where_cube: A cube of groups by rows by columns, where chooses before the sum.
import torch


def group_means(values, groups, count):
    mine = groups.unsqueeze(0) == torch.arange(count).unsqueeze(1)
    cube = torch.where(mine.unsqueeze(2), values.unsqueeze(0), values.new_zeros(()))
    return cube.sum(1).div(mine.sum(1, keepdim=True).clamp_min(1).to(values.dtype))


# %% right_flat_accumulate: One flat index_put with accumulate for sums, the same for counts.
import torch


def group_means(values, groups, count):
    width = values.shape[1]
    box = (groups[:, None] * width + torch.arange(width)).reshape(-1)
    sums = torch.zeros(count * width, dtype=values.dtype).index_put((box,), values.reshape(-1), accumulate=True)
    n = torch.zeros(count, dtype=torch.int64).index_put((groups,), torch.ones_like(groups), accumulate=True)
    return sums.reshape(count, width) / n.clamp(min=1)[:, None]


# %% wrong_deterministic_left: leaves torch's deterministic algorithms on
import torch


def group_means(values, groups, count):
    torch.use_deterministic_algorithms(True)
    sums = values.new_zeros(count, values.shape[1]).index_add_(0, groups, values)
    return sums / torch.bincount(groups, minlength=count).clamp(min=1)[:, None]
