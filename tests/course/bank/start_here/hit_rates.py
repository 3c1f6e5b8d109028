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


# %% wrong_double: In float64.
import torch


def hit_rates(guesses, targets):
    """Share of the pictures of each digit that were guessed right: two (N,) int64 to (10,) float32."""
    return torch.stack([(guesses[targets == d] == d).double().mean() for d in range(10)])


# %% wrong_percent: In percent.
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
