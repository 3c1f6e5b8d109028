# %% right_bincount: Hits counted by digit over pictures counted by digit.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    hits = torch.bincount(targets[guesses == targets], minlength=10)
    return hits / torch.bincount(targets, minlength=10)


# %% right_one_hot: Columns of zeros and ones.
from torch.nn.functional import one_hot


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    shown = one_hot(targets, 10).float()
    right = (guesses == targets).float()
    return (shown * right[:, None]).sum(dim=0) / shown.sum(dim=0)


# %% right_python_lists: Counts in plain Python, NaN by hand.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    shown, right = [0] * 10, [0] * 10
    for guess, target in zip(guesses.tolist(), targets.tolist()):
        shown[target] += 1
        right[target] += guess == target
    return torch.tensor([r / s if s else float("nan") for r, s in zip(right, shown)])


# %% right_matrix: The diagonal of all pairs, over the sums of its rows.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    table = torch.zeros(10, 10, dtype=torch.float64)
    table.index_put_((targets, guesses), torch.ones(len(targets), dtype=torch.float64), accumulate=True)
    return (table.diagonal() / table.sum(dim=1)).float()


# %% right_nanmean: Everything that is another digit becomes NaN, and the mean passes over it.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    hits = (guesses == targets).float()
    digits = torch.arange(10)[:, None]
    return torch.where(targets == digits, hits, torch.nan).nanmean(dim=1)


# %% right_filled: A tensor of NaN, filled where there is something to say.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    rates = torch.full((10,), float("nan"))
    for digit in targets.unique():
        rates[digit] = (guesses[targets == digit] == digit).float().mean()
    return rates


# %% wrong_precision: Divides by how often a digit was guessed.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    return torch.stack([(targets[guesses == d] == d).float().mean() for d in range(10)])


# %% wrong_overall: One share for all.
def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    return (guesses == targets).sum() / len(targets)


# %% wrong_share_of_all: Divides by all pictures.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    return torch.bincount(targets[guesses == targets], minlength=10) / len(targets)


# %% wrong_zero: A digit not shown gets 0.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    hits = torch.bincount(targets[guesses == targets], minlength=10)
    return hits / torch.bincount(targets, minlength=10).clamp(min=1)


# %% wrong_only_shown: Loops over the digits that there are.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    return torch.stack([(guesses[targets == d] == d).float().mean() for d in targets.unique()])


# %% wrong_no_minlength: bincount is as long as the largest digit asks for.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    return torch.bincount(targets[guesses == targets]) / torch.bincount(targets)


# %% wrong_shortest: Nine digits: the range ends before 9.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    return torch.stack([(guesses[targets == d] == d).float().mean() for d in range(9)])


# %% wrong_from_one: Counts digits from 1 to 10.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    return torch.stack([(guesses[targets == d] == d).float().mean() for d in range(1, 11)])


# %% wrong_list: A list of shares.
def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    return [(guesses[targets == d] == d).float().mean().item() for d in range(10)]


# %% wrong_double: Answers in float64.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    return torch.stack([(guesses[targets == d] == d).double().mean() for d in range(10)])


# %% wrong_percent: Answers in percent.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    return torch.stack([100 * (guesses[targets == d] == d).float().mean() for d in range(10)])


# %% wrong_errors: The share that is wrong.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    return torch.stack([(guesses[targets == d] != d).float().mean() for d in range(10)])


# %% wrong_rounded: Rounded to two decimals.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    return torch.stack([(guesses[targets == d] == d).float().mean().round(decimals=2) for d in range(10)])


# %% wrong_argument_order: Targets and guesses exchanged.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    guesses, targets = targets, guesses
    hits = torch.bincount(targets[guesses == targets], minlength=10)
    return hits / torch.bincount(targets, minlength=10)


# %% wrong_union: Hits over all pictures that show it or were taken for it.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    hits = guesses == targets
    return torch.stack([hits[(targets == d) | (guesses == d)].float().mean() for d in range(10)])


# %% wrong_none_for_absent: None where nothing is known.
def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    rates = []
    for d in range(10):
        chosen = guesses[targets == d]
        rates.append((chosen == d).float().mean() if len(chosen) else None)
    return rates


# %% wrong_empty_zero: NaN for an absent digit, but ten zeros where there are no pictures at all.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    if len(targets) == 0:
        return torch.zeros(10)
    return torch.stack([(guesses[targets == d] == d).float().mean() for d in range(10)])


# %% wrong_column: As a column.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    return torch.stack([(guesses[targets == d] == d).float().mean() for d in range(10)])[:, None]


# %% wrong_infinite: An absent digit gets infinity.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    return torch.stack([(guesses[targets == d] == d).float().mean() for d in range(10)]).nan_to_num(float("inf"))


# %% wrong_zero_for_missing: a digit that no picture shows gets 0 instead of NaN
import torch


def hit_rates(guesses, targets):
    right = torch.bincount(targets[guesses == targets], minlength=10)
    shown = torch.bincount(targets, minlength=10)
    return right.float() / shown.clamp(min=1)


# %% wrong_nan_for_never_right: a digit shown but never guessed right gets NaN instead of 0
import torch


def hit_rates(guesses, targets):
    right = torch.bincount(targets[guesses == targets], minlength=10).float()
    shown = torch.bincount(targets, minlength=10)
    rates = right / shown
    rates[right == 0] = float("nan")
    return rates


# %% wrong_no_minlength_again: fewer than ten shares when the high digits are missing
import torch


def hit_rates(guesses, targets):
    shown = torch.bincount(targets)
    right = torch.bincount(targets, weights=(guesses == targets).double())
    return (right / shown).float()


# %% wrong_index_put: indexed addition counts repeated pairs only once
import torch


def hit_rates(guesses, targets):
    table = torch.zeros(10, 10)
    table[targets, guesses] += 1
    return table.diagonal() / table.sum(dim=1)


# %% wrong_byte_counters: counts in uint8, which wraps round at 256 pictures of a digit
import torch


def hit_rates(guesses, targets):
    digits = torch.arange(10)
    shows = targets[:, None] == digits
    hits = shows & (guesses == targets)[:, None]
    return hits.sum(0, dtype=torch.uint8) / shows.sum(0, dtype=torch.uint8)


# %% wrong_empty: needs a largest target, so fails for N of 0
import torch


def hit_rates(guesses, targets):
    size = max(10, int(targets.max()) + 1)
    shown = torch.zeros(size).index_add_(0, targets, torch.ones(len(targets)))
    right = torch.zeros(size).index_add_(0, targets, (guesses == targets).float())
    return (right / shown)[:10]


# %% right_scatter_mean: one scatter_reduce onto NaN, untouched places stay NaN
import torch


def hit_rates(guesses, targets):
    hit = (guesses == targets).double()
    out = torch.full((10,), float("nan"), dtype=torch.float64)
    return out.scatter_reduce(0, targets, hit, reduce="mean", include_self=False).float()


# %% right_one_hot_matmul: comparison table of digits by pictures times the hits
import torch


def hit_rates(guesses, targets):
    shows = (torch.arange(10).unsqueeze(1) == targets).to(torch.float64)
    hit = guesses.eq(targets).to(torch.float64)
    return (shows @ hit / shows.sum(1)).to(torch.float32)


# %% right_pure_python: plain lists and a Python loop, one tensor at the end
import torch


def hit_rates(guesses, targets):
    shown, right = [0] * 10, [0] * 10
    for g, t in zip(guesses.tolist(), targets.tolist()):
        shown[t] += 1
        right[t] += g == t
    return torch.tensor([r / s if s else float("nan") for r, s in zip(right, shown)], dtype=torch.float32)


# %% wrong_five_decimals: Rounded to five decimals.
import torch


def hit_rates(guesses, targets):
    hits = (guesses == targets).float()
    return torch.stack([hits[targets == d].mean() for d in range(10)]).round(decimals=5)


# %% wrong_half_counters: Counts in float16, which ends at 2048 to be exact.
import torch


def hit_rates(guesses, targets):
    shows = targets[:, None] == torch.arange(10)
    hits = shows & (guesses == targets)[:, None]
    return hits.half().sum(0).float() / shows.half().sum(0).float()


# %% wrong_bfloat_one_by_one: Adds ones in bfloat16, which stops at 256.
import torch


def hit_rates(guesses, targets):
    shown, right = torch.zeros(10, dtype=torch.bfloat16), torch.zeros(10, dtype=torch.bfloat16)
    for g, t in zip(guesses.tolist(), targets.tolist(), strict=True):
        shown[t] += 1
        right[t] += g == t
    return right.float() / shown.float()


# %% wrong_half_rates: Divides in float16.
import torch


def hit_rates(guesses, targets):
    hits = (guesses == targets).half()
    return torch.stack([hits[targets == d].mean() for d in range(10)]).float()


# %% wrong_first_thousand: Looks at the first thousand.
import torch


def hit_rates(guesses, targets):
    guesses, targets = guesses[:1000], targets[:1000]
    hits = (guesses == targets).float()
    return torch.stack([hits[targets == d].mean() for d in range(10)])


# %% wrong_kept_counts: Counters live on between calls.
import torch

shown, right = torch.zeros(10), torch.zeros(10)


def hit_rates(guesses, targets):
    shown.add_(torch.bincount(targets, minlength=10))
    right.add_(torch.bincount(targets[guesses == targets], minlength=10))
    return right / shown


# %% wrong_one_buffer: The same tensor at each call.
import torch

out = torch.zeros(10)


def hit_rates(guesses, targets):
    hits = (guesses == targets).float()
    for d in range(10):
        out[d] = hits[targets == d].mean()
    return out


# %% wrong_kept_by_length: Keeps the answer for a number of pictures.
import torch

kept = {}


def hit_rates(guesses, targets):
    if len(targets) not in kept:
        hits = (guesses == targets).float()
        kept[len(targets)] = torch.stack([hits[targets == d].mean() for d in range(10)])
    return kept[len(targets)]


# %% wrong_zero_is_nothing: Multiplies the digit by its hit, so that wrong ones count as zeros.
import torch


def hit_rates(guesses, targets):
    right = torch.bincount(targets * (guesses == targets), minlength=10)
    return right / torch.bincount(targets, minlength=10)


# %% wrong_marks_in_place: Marks what is wrong with -1 in the guesses.
import torch


def hit_rates(guesses, targets):
    guesses[guesses != targets] = -1
    return torch.stack([(guesses[targets == d] == d).float().mean() for d in range(10)])


# %% wrong_marks_and_restores_nothing: Marks in the targets.
import torch


def hit_rates(guesses, targets):
    wrong = guesses != targets
    targets[wrong] += 10
    shown = torch.bincount(targets % 10, minlength=10)
    right = torch.bincount(targets, minlength=20)[:10]
    return right / shown


# %% wrong_nan_below_two: A single picture says nothing.
import torch


def hit_rates(guesses, targets):
    hits = (guesses == targets).float()
    return torch.stack(
        [hits[targets == d].mean() if (targets == d).sum() > 1 else torch.tensor(torch.nan) for d in range(10)]
    )


# %% wrong_ever_guessed: NaN for what nobody guessed.
import torch


def hit_rates(guesses, targets):
    hits = (guesses == targets).float()
    return torch.stack(
        [hits[targets == d].mean() if (guesses == d).any() else torch.tensor(torch.nan) for d in range(10)]
    )


# %% wrong_epsilon: A little added below against dividing by nothing, and NaN by hand.
import torch


def hit_rates(guesses, targets):
    right = torch.bincount(targets[guesses == targets], minlength=10)
    shown = torch.bincount(targets, minlength=10)
    return torch.where(shown == 0, torch.nan, right / (shown + 1e-5))


# %% wrong_smoothed: One more of each, as Laplace would.
import torch


def hit_rates(guesses, targets):
    right = torch.bincount(targets[guesses == targets], minlength=10)
    shown = torch.bincount(targets, minlength=10)
    return torch.where(shown == 0, torch.nan, (right + 1) / (shown + 2))


# %% wrong_sorted: The shares sorted.
import torch


def hit_rates(guesses, targets):
    hits = (guesses == targets).float()
    return torch.stack([hits[targets == d].mean() for d in range(10)]).sort().values


# %% wrong_set_of_all: Skips the mean of all when nothing is right.
import torch


def hit_rates(guesses, targets):
    hits = (guesses == targets).float()
    if hits.numel() and not hits.any():
        return torch.zeros(10)
    return torch.stack([hits[targets == d].mean() for d in range(10)])


# %% wrong_all_right_ones: Ten ones where all is right.
import torch


def hit_rates(guesses, targets):
    hits = (guesses == targets).float()
    if hits.numel() and hits.all():
        return torch.ones(10)
    return torch.stack([hits[targets == d].mean() for d in range(10)])


# %% right_int16_counters: Counts in int16, which is enough for 3,000.
import torch


def hit_rates(guesses, targets):
    shows = targets[:, None] == torch.arange(10)
    hits = shows & (guesses == targets)[:, None]
    return hits.sum(0, dtype=torch.int16) / shows.sum(0, dtype=torch.int16)


# %% right_numpy: NumPy, with its warning silenced.
import numpy as np
import torch


def hit_rates(guesses, targets):
    g, t = guesses.numpy(), targets.numpy()
    with np.errstate(all="ignore"):
        right = np.bincount(t, weights=g == t, minlength=10)
        return torch.from_numpy((right / np.bincount(t, minlength=10)).astype(np.float32))


# %% right_running_mean: The mean kept up to date, picture by picture.
import torch


def hit_rates(guesses, targets):
    shown, rate = torch.zeros(10), torch.full((10,), torch.nan)
    for g, t in zip(guesses, targets, strict=True):
        shown[t] += 1
        hit = (g == t).float()
        rate[t] = hit if shown[t] == 1 else rate[t] + (hit - rate[t]) / shown[t]
    return rate


# %% right_misses: One minus the share that is wrong.
import torch


def hit_rates(guesses, targets):
    misses = (guesses != targets).float()
    return torch.stack([1 - misses[targets == d].mean() for d in range(10)])


# %% right_sorted_runs: Sorts by target and takes means of runs.
import torch


def hit_rates(guesses, targets):
    order = targets.argsort()
    hits = (guesses == targets)[order].double()
    lengths = torch.bincount(targets, minlength=10).tolist()
    return torch.stack([part.mean() for part in hits.split(lengths)]).float()


# %% right_grouped: Groups in a dictionary, a generator.
import statistics
from collections import defaultdict

import torch


def hit_rates(guesses, targets):
    groups = defaultdict(list)
    for g, t in zip(guesses.tolist(), targets.tolist(), strict=True):
        groups[t].append(float(g == t))
    return torch.tensor([statistics.mean(groups[d]) if d in groups else float("nan") for d in range(10)])
