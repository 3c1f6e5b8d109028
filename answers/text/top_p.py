# %% right_logits_hidden: Logits of minus infinity, put back by scatter.
import torch


def top_p(logits, p):
    ordered, order = torch.sort(logits, dim=-1, descending=True)
    probs = ordered.softmax(-1)
    drop = probs.cumsum(-1) - probs >= p
    drop = torch.zeros_like(drop).scatter(-1, order, drop)
    return logits.masked_fill(drop, float("-inf")).softmax(-1)


# %% right_shifted: The crossing letter kept by a shift of the mask.
import torch


def top_p(logits, p):
    probs = torch.softmax(logits, dim=-1)
    values, order = probs.sort(dim=-1, descending=True)
    remove = values.cumsum(dim=-1) > p
    remove = torch.cat((torch.zeros_like(remove[..., :1]), remove[..., :-1]), dim=-1)
    values = values.masked_fill(remove, 0.0)
    values = values / values.sum(dim=-1, keepdim=True)
    return values.gather(-1, order.argsort(dim=-1))


# %% right_rows: Row by row, letter by letter.
import torch


def top_p(logits, p):
    result = torch.zeros_like(logits.reshape(-1, logits.shape[-1]))
    for row, out in zip(logits.reshape(-1, logits.shape[-1]), result):
        probs, total = row.softmax(0), 0.0
        for letter in probs.argsort(descending=True).tolist():
            out[letter] = probs[letter]
            total += probs[letter].item()
            if total >= p:
                break
        out /= out.sum()
    return result.view(logits.shape)


# %% wrong_sum_below_p: Stops before p is reached.
import torch


def top_p(logits, p):
    probs = logits.softmax(-1)
    values, order = probs.sort(-1, descending=True)
    values = values * (values.cumsum(-1) < p)
    values = values / values.sum(-1, keepdim=True).clamp(min=1e-9)
    return torch.zeros_like(probs).scatter_(-1, order, values)


# %% wrong_threshold: p as a threshold.
def top_p(logits, p):
    probs = logits.softmax(-1)
    probs = probs * (probs >= 1 - p)
    return probs / probs.sum(-1, keepdim=True)


# %% wrong_share_of_the_best: Within a share of the best.
def top_p(logits, p):
    probs = logits.softmax(-1)
    kept = probs * (probs >= (1 - p) * probs.amax(-1, keepdim=True))
    return kept / kept.sum(-1, keepdim=True)


# %% wrong_share_of_letters: The best p of the alphabet.
import torch


def top_p(logits, p):
    k = max(1, int(p * logits.shape[-1]))
    values, places = logits.softmax(-1).topk(k, dim=-1)
    return torch.zeros_like(logits).scatter(-1, places, values / values.sum(-1, keepdim=True))


# %% wrong_first_axis: Sorted along the batch.
import torch


def top_p(logits, p):
    probs, order = logits.softmax(-1).sort(dim=0, descending=True)
    kept = probs * (probs.cumsum(0) - probs < p)
    kept = kept / kept.sum(-1, keepdim=True)
    return torch.zeros_like(kept).scatter(0, order, kept)


# %% wrong_sorted_back: Undone by sorting.
def top_p(logits, p):
    values, order = logits.softmax(-1).sort(-1, descending=True)
    values = values * (values.cumsum(-1) - values < p)
    values = values / values.sum(-1, keepdim=True)
    return values[..., order] if values.dim() == 1 else values.gather(-1, order)


# %% wrong_no_renormalising: Zeros, and nothing else.
import torch


def top_p(logits, p):
    probs = torch.softmax(logits, -1)
    values, order = torch.sort(probs, descending=True)
    mask = values.cumsum(-1) - values < p
    keep = torch.zeros_like(mask).scatter(-1, order, mask)
    return probs.where(keep, 0.0)


# %% wrong_softmax_of_zeros: Hidden logits set to 0.
import torch


def top_p(logits, p):
    values, order = logits.softmax(-1).sort(-1, descending=True)
    drop = values.cumsum(-1) - values > p
    drop = torch.zeros_like(drop).scatter(-1, order, drop)
    return logits.masked_fill(drop, 0).softmax(-1)


# %% wrong_logits_returned: Logits, not probabilities.
import torch


def top_p(logits, p):
    values, order = logits.softmax(-1).sort(-1, descending=True)
    drop = values.cumsum(-1) - values > p
    drop = torch.zeros_like(drop).scatter(-1, order, drop)
    return logits.masked_fill(drop, -torch.inf)


# %% wrong_first_row_for_all: The number of letters of the first row for every row.
import torch


def top_p(logits, p):
    values, order = logits.softmax(-1).sort(-1, descending=True)
    k = int((values.reshape(-1, values.shape[-1])[0].cumsum(-1) < p).sum()) + 1
    values = values.clone()
    values[..., k:] = 0
    return torch.zeros_like(values).scatter(-1, order, values / values.sum(-1, keepdim=True))


# %% wrong_always_two: At least two letters.
import torch


def top_p(logits, p):
    values, order = logits.softmax(-1).sort(-1, descending=True)
    drop = values.cumsum(-1) - values > p
    drop[..., :2] = False
    values = values.masked_fill(drop, 0)
    return torch.zeros_like(values).scatter(-1, order, values / values.sum(-1, keepdim=True))


# %% wrong_float32: Comes back in float32.
import torch


def top_p(logits, p):
    values, order = logits.float().softmax(-1).sort(-1, descending=True)
    values = values.masked_fill(values.cumsum(-1) - values > p, 0)
    return torch.zeros_like(values).scatter(-1, order, values / values.sum(-1, keepdim=True))


# %% right_sort_scatter_short: Sorted, cut, scattered back.
import torch


def top_p(logits, p):
    probs, order = logits.double().softmax(-1).sort(dim=-1, descending=True)
    kept = probs * (probs.cumsum(-1) - probs < p)
    kept = kept / kept.sum(-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept).to(logits.dtype)


# %% right_loop_explicit: Letter by letter in each row.
import torch


def top_p(logits, p):
    probs = logits.double().softmax(dim=-1)
    rows = probs.reshape(-1, probs.shape[-1])
    keep = torch.zeros(rows.shape, dtype=torch.bool)
    for number, row in enumerate(rows.tolist()):
        letters = sorted(range(len(row)), key=lambda letter: row[letter], reverse=True)
        total = 0.0
        for letter in letters:
            keep[number, letter] = True
            total += row[letter]
            if total >= p:
                break
    kept = torch.where(keep, rows, torch.zeros_like(rows))
    kept = kept / kept.sum(dim=1, keepdim=True)
    return kept.reshape(logits.shape).to(logits.dtype)


# %% right_threshold: The last kept letter's logit as a threshold, the others to -inf.
import torch
import torch.nn.functional as F


def top_p(logits, p):
    wide = logits.to(torch.float64)
    ordered = torch.sort(wide, dim=-1, descending=True).values
    sums = torch.softmax(ordered, dim=-1).cumsum(dim=-1)
    last = (sums < p).sum(dim=-1, keepdim=True).clamp(max=logits.shape[-1] - 1)
    threshold = ordered.gather(-1, last)
    return F.softmax(wide.masked_fill(wide < threshold, float("-inf")), dim=-1).to(logits.dtype)


# %% wrong_without_the_crossing: The letter that reaches p is left out.
import torch


def top_p(logits, p):
    probs, order = logits.double().softmax(-1).sort(dim=-1, descending=True)
    keep = probs.cumsum(-1) <= p
    keep[..., 0] = True
    kept = probs * keep
    kept = kept / kept.sum(-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept).to(logits.dtype)


# %% wrong_not_divided: Not divided by the sum.
import torch


def top_p(logits, p):
    probs, order = logits.double().softmax(-1).sort(dim=-1, descending=True)
    kept = probs * (probs.cumsum(-1) - probs < p)
    return torch.zeros_like(kept).scatter(-1, order, kept).to(logits.dtype)


# %% wrong_float32_result: Float32 whatever came.
import torch


def top_p(logits, p):
    probs, order = logits.float().softmax(-1).sort(dim=-1, descending=True)
    kept = probs * (probs.cumsum(-1) - probs < p)
    kept = kept / kept.sum(-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)


# %% wrong_in_place: Writes -inf into the logits.
import torch


def top_p(logits, p):
    probs, order = logits.double().softmax(-1).sort(dim=-1, descending=True)
    drop_sorted = probs.cumsum(-1) - probs >= p
    drop = torch.zeros_like(drop_sorted).scatter(-1, order, drop_sorted)
    logits[drop] = float("-inf")
    return logits.softmax(-1)


# %% wrong_one_count: Every row keeps as many as the row that needs most.
import torch


def top_p(logits, p):
    probs = logits.double().softmax(-1)
    sums = probs.sort(dim=-1, descending=True).values.cumsum(-1)
    count = int((sums < p).sum(-1).max()) + 1
    values, letters = probs.topk(count, dim=-1)
    values = values / values.sum(-1, keepdim=True)
    return torch.zeros_like(probs).scatter(-1, letters, values).to(logits.dtype)


# %% wrong_exp_overflows: Softmax by hand without taking off the largest.
import torch


def top_p(logits, p):
    probs = logits.exp()
    probs = probs / probs.sum(-1, keepdim=True)
    probs, order = probs.sort(dim=-1, descending=True)
    kept = probs * (probs.cumsum(-1) - probs < p)
    kept = kept / kept.sum(-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)


# %% wrong_two_axes_only: Works for (N, V) alone.
import torch


def top_p(logits, p):
    result = []
    for row in logits.double().softmax(-1):
        values, order = row.sort(descending=True)
        count = int((values.cumsum(0) < p).sum()) + 1
        new = torch.zeros_like(row)
        new[order[:count]] = values[:count] / values[:count].sum()
        result.append(new)
    return torch.stack(result).to(logits.dtype)


# %% wrong_small_number_for_inf: -1e4 instead of -inf, large where all logits are lower.
import torch


def top_p(logits, p):
    probs, order = logits.double().softmax(-1).sort(dim=-1, descending=True)
    drop_sorted = probs.cumsum(-1) - probs >= p
    drop = torch.zeros_like(drop_sorted).scatter(-1, order, drop_sorted)
    return logits.masked_fill(drop, -1e4).softmax(-1)


# %% wrong_axis_one: Works along axis 1, the last only for a matrix.
import torch


def top_p(logits, p):
    values, order = logits.double().softmax(1).sort(dim=1, descending=True)
    kept = values * (values.cumsum(1) - values < p)
    kept = kept / kept.sum(1, keepdim=True)
    return torch.zeros_like(kept).scatter(1, order, kept).to(logits.dtype)


# %% right_sums_in_its_dtype: Adds up in the dtype of the logits, float32 or float64.
import torch


def top_p(logits, p):
    values, order = logits.softmax(-1).sort(dim=-1, descending=True)
    kept = values * (values.cumsum(-1) - values < p)
    kept = kept / kept.sum(-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)


# %% wrong_order_not_inverted: Gathers by the order itself to undo the sorting, not by its inverse.
def top_p(logits, p):
    values, order = logits.double().softmax(-1).sort(dim=-1, descending=True)
    kept = values * (values.cumsum(-1) - values < p)
    kept = kept / kept.sum(-1, keepdim=True)
    return kept.gather(-1, order).to(logits.dtype)


# %% wrong_writes_into_logits: `to` does not copy float32 and float64, so the logits are overwritten.
import torch


def top_p(logits, p):
    scores = logits.to(torch.promote_types(logits.dtype, torch.float32))
    values, order = scores.softmax(-1).sort(dim=-1, descending=True)
    drop = values.cumsum(-1) - values >= p
    drop = torch.zeros_like(drop).scatter(-1, order, drop)
    scores[drop] = float("-inf")
    return scores.softmax(-1).to(logits.dtype)


# %% wrong_bare_exp: An exp without the maximum taken off, nan for large logits.
import torch


def top_p(logits, p):
    weights = logits.double().exp()
    values, order = (weights / weights.sum(-1, keepdim=True)).sort(dim=-1, descending=True)
    kept = values * (values.cumsum(-1) - values < p)
    kept = kept / kept.sum(-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept).to(logits.dtype)


# %% wrong_minus_inf_times_zero: Multiplies the logits by the mask, nan where one is -inf.
import torch


def top_p(logits, p):
    scores = logits.double()
    values, order = scores.softmax(-1).sort(dim=-1, descending=True)
    keep = values.cumsum(-1) - values < p
    keep = torch.zeros_like(keep).scatter(-1, order, keep).double()
    scores = scores * keep + (1 - keep) * -1e30
    return scores.softmax(-1).to(logits.dtype)


# %% wrong_minus_ten_thousand: Puts -1e4 for -inf, which wins where all logits are lower.
import torch


def top_p(logits, p):
    scores = logits.double()
    values, order = scores.softmax(-1).sort(dim=-1, descending=True)
    drop = values.cumsum(-1) - values >= p
    drop = torch.zeros_like(drop).scatter(-1, order, drop)
    return scores.masked_fill(drop, -1e4).softmax(-1).to(logits.dtype)


# %% right_row_by_row: Long, letter after letter in plain Python.
import torch


def top_p(logits, p):
    rows = logits.detach().double().reshape(-1, logits.shape[-1])
    result = torch.zeros_like(rows)
    for i in range(len(rows)):
        probabilities = torch.softmax(rows[i], dim=0).tolist()
        letters = sorted(range(len(probabilities)), key=lambda letter: -probabilities[letter])
        total, kept = 0.0, []
        for letter in letters:
            kept.append(letter)
            total += probabilities[letter]
            if total >= p:
                break
        for letter in kept:
            result[i, letter] = probabilities[letter] / total
    return result.reshape(logits.shape).to(logits.dtype)


# %% right_from_below: Drops from the least probable up while they have no more than 1 - p.
import torch
import torch.nn.functional as F


def top_p(logits, p):
    probabilities = F.softmax(logits.to(torch.float64), dim=-1)
    values, order = torch.sort(probabilities, dim=-1)
    drop = torch.cumsum(values, dim=-1) <= 1 - p
    kept = values.masked_fill(drop, 0.0)
    kept = torch.gather(kept, -1, torch.argsort(order, dim=-1))
    return (kept / kept.sum(dim=-1, keepdim=True)).to(logits.dtype)


# %% wrong_crossing_letter_lost: Leaves out the letter that brings the sum over p.
import torch


def top_p(logits, p):
    ordered, order = logits.sort(dim=-1, descending=True)
    keep_ordered = ordered.softmax(-1).cumsum(-1) <= p
    keep_ordered[..., 0] = True
    keep = torch.zeros_like(keep_ordered).scatter(-1, order, keep_ordered)
    return logits.masked_fill(~keep, float("-inf")).softmax(-1)


# %% wrong_sorted_order: The probabilities come back sorted, not at their letters' numbers.
def top_p(logits, p):
    probs = logits.softmax(-1).sort(dim=-1, descending=True).values
    keep = probs.cumsum(-1) - probs < p
    kept = probs * keep
    return kept / kept.sum(-1, keepdim=True)


# %% wrong_not_divided_2: The kept probabilities are not divided by their sum.
import torch


def top_p(logits, p):
    probs = logits.softmax(-1)
    order = logits.argsort(dim=-1, descending=True)
    ordered = probs.gather(-1, order)
    kept = ordered * (ordered.cumsum(-1) - ordered < p)
    return torch.zeros_like(probs).scatter(-1, order, kept)


# %% wrong_axis_one_2: Works along axis 1, the last one of a matrix only.
import torch


def top_p(logits, p):
    ordered, order = logits.sort(dim=1, descending=True)
    probs = ordered.softmax(dim=1)
    kept = probs * (probs.cumsum(dim=1) - probs < p)
    kept = kept / kept.sum(dim=1, keepdim=True)
    return torch.zeros_like(logits).scatter(1, order, kept)


# %% wrong_through_float32: Float64 is computed in float32.
import torch


def top_p(logits, p):
    ordered, order = logits.float().sort(dim=-1, descending=True)
    probs = ordered.softmax(-1)
    kept = probs * (probs.cumsum(-1) - probs < p)
    kept = kept / kept.sum(-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept).to(logits.dtype)


# %% wrong_logits_overwritten: Writes the -inf into the caller's logits.
def top_p(logits, p):
    ordered, order = logits.sort(dim=-1, descending=True)
    probs = ordered.softmax(-1)
    drop = probs.cumsum(-1) - probs >= p
    logits.scatter_(-1, order, ordered.masked_fill(drop, float("-inf")))
    return logits.softmax(-1)


# %% wrong_minus_billion: -1e9 for the dropped is not below very negative logits.
import torch


def top_p(logits, p):
    ordered, order = logits.sort(dim=-1, descending=True)
    probs = ordered.softmax(-1)
    keep_ordered = probs.cumsum(-1) - probs < p
    keep = torch.zeros_like(keep_ordered).scatter(-1, order, keep_ordered)
    return logits.masked_fill(~keep, -1e9).softmax(-1)


# %% wrong_max_of_all: Subtracts the largest of all rows, so rows far below become 0 / 0.
import torch


def top_p(logits, p):
    powers = (logits - logits.max()).exp()
    probs = powers / powers.sum(-1, keepdim=True)
    ordered, order = probs.sort(dim=-1, descending=True)
    kept = ordered * (ordered.cumsum(-1) - ordered < p)
    kept = kept / kept.sum(-1, keepdim=True)
    return torch.zeros_like(probs).scatter(-1, order, kept)


# %% right_scatter: Sorts, keeps, divides, scatters back.
import torch


def top_p(logits, p):
    ordered, order = logits.sort(dim=-1, descending=True)
    probs = ordered.softmax(-1)
    kept = probs * (probs.cumsum(-1) - probs < p)
    kept = kept / kept.sum(-1, keepdim=True)
    return torch.zeros_like(logits).scatter(-1, order, kept)


# %% right_row_by_row_2: Long, a loop over rows and letters.
import torch


def top_p(logits, p):
    letters = logits.shape[-1]
    rows = logits.reshape(-1, letters)
    result = torch.zeros_like(rows)
    for number, row in enumerate(rows):
        order = row.argsort(descending=True)
        total, count = 0.0, 0
        for prob in row.softmax(0)[order].tolist():
            total += prob
            count += 1
            if total >= p:
                break
        chosen = order[:count]
        result[number, chosen] = row[chosen].softmax(0)
    return result.reshape(logits.shape)


# %% right_threshold_2: The smallest logit kept is a threshold, softmax of the rest.
import torch
import torch.nn.functional as F


def top_p(logits, p):
    ordered = torch.sort(logits, dim=-1, descending=True).values
    sums = F.softmax(ordered, dim=-1).cumsum(dim=-1)
    last = (sums < p).sum(dim=-1, keepdim=True).clamp(max=logits.shape[-1] - 1)
    least = ordered.gather(-1, last)
    return F.softmax(logits.where(logits >= least, float("-inf")), dim=-1)
