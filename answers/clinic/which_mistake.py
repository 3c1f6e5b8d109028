# %% right_table_of_functions: Rows as pairs of name and function, tried in order.
import math


def which_mistake(log):
    losses, vals, c = log["train_loss"], log["val_loss"], log["classes"]
    g = math.log(c)
    floor = -math.log(math.e / (math.e + c - 1))
    rows = [
        ("bad data", lambda: math.isnan(losses[0])),
        ("rate too high", lambda: any(math.isinf(x) or math.isnan(x) for x in losses)),
        ("graph cut", lambda: all(x == 0 for x in log["grad_norm"])),
        ("rate zero", lambda: all(x == 0 for x in log["lr"])),
        ("labels shuffled", lambda: all(0.95 * g <= x <= 1.05 * g for x in losses)),
        ("softmax twice", lambda: all(x >= floor for x in losses) and losses[-1] <= floor * 1.02),
        ("mean divided again", lambda: all(v < 0.1 * t for v, t in zip(vals, losses))),
    ]
    for name, true in rows:
        if true():
            return name
    return None


# %% right_tensors: With torch throughout, in float64.
import torch
import torch.nn.functional as F


def which_mistake(log):
    t = {k: torch.tensor(v, dtype=torch.float64) for k, v in log.items()}
    losses = t["train_loss"]
    guess = t["classes"].log()
    perfect = torch.zeros(1, log["classes"], dtype=torch.float64)
    perfect[0, 0] = 1
    floor = F.cross_entropy(perfect, torch.tensor([0]))
    if losses[0].isnan():
        return "bad data"
    if not losses.isfinite().all():
        return "rate too high"
    if not t["grad_norm"].any():
        return "graph cut"
    if not t["lr"].any():
        return "rate zero"
    if ((losses / guess - 1).abs() <= 0.05).all():
        return "labels shuffled"
    if (losses >= floor).all() and losses[-1] <= 1.02 * floor:
        return "softmax twice"
    if (t["val_loss"] < losses / 10).all():
        return "mean divided again"


# %% right_elif: One chain of elif, counts instead of all.
import numpy as np


def which_mistake(log):
    train = np.array(log["train_loss"])
    val = np.array(log["val_loss"])
    n, name = len(train), None
    guess = np.log(log["classes"])
    two = np.log(np.e + log["classes"] - 1) - 1
    if train[0] != train[0]:
        name = "bad data"
    elif np.isfinite(train).sum() < n:
        name = "rate too high"
    elif np.count_nonzero(log["grad_norm"]) == 0:
        name = "graph cut"
    elif np.count_nonzero(log["lr"]) == 0:
        name = "rate zero"
    elif np.isclose(train, guess, rtol=0.05, atol=0).sum() == n:
        name = "labels shuffled"
    elif train.min() >= two and train[-1] / two <= 1.02:
        name = "softmax twice"
    elif (val * 10 < train).sum() == n:
        name = "mean divided again"
    return name


# %% wrong_rate_before_graph: Asks for the rate before the gradient.
import numpy as np


def which_mistake(log):
    losses, c = np.array(log["train_loss"]), log["classes"]
    guess, floor = np.log(c), np.log(np.e + c - 1) - 1
    if np.isnan(losses[0]):
        return "bad data"
    if not np.isfinite(losses).all():
        return "rate too high"
    if max(log["lr"]) == 0:
        return "rate zero"
    if all(g == 0 for g in log["grad_norm"]):
        return "graph cut"
    if (abs(losses - guess) <= 0.05 * guess).all():
        return "labels shuffled"
    if losses.min() >= floor and losses[-1] <= 1.02 * floor:
        return "softmax twice"
    if all(v < l / 10 for v, l in zip(log["val_loss"], losses)):
        return "mean divided again"


# %% wrong_infinity_is_fine: Looks for NaN only; a loss that ends in infinity has no name.
import math


def which_mistake(log):
    losses, c = log["train_loss"], log["classes"]
    guess, floor = math.log(c), math.log(math.e + c - 1) - 1
    if math.isnan(losses[0]):
        return "bad data"
    if any(map(math.isnan, losses)):
        return "rate too high"
    if sum(abs(g) for g in log["grad_norm"]) == 0:
        return "graph cut"
    if sum(log["lr"]) == 0:
        return "rate zero"
    if all(abs(x - guess) <= 0.05 * guess for x in losses):
        return "labels shuffled"
    if min(losses) >= floor and losses[-1] <= 1.02 * floor:
        return "softmax twice"
    if all(v < x / 10 for v, x in zip(log["val_loss"], losses)):
        return "mean divided again"


# %% wrong_mean_of_losses: Compares the mean of all losses with that of guessing.
import numpy as np


def which_mistake(log):
    x, c = np.array(log["train_loss"]), log["classes"]
    guess, floor = np.log(c), np.log(np.e + c - 1) - 1
    checks = {
        "bad data": np.isnan(x[0]),
        "rate too high": not np.isfinite(x).all(),
        "graph cut": not np.any(log["grad_norm"]),
        "rate zero": not np.any(log["lr"]),
        "labels shuffled": abs(x.mean() - guess) <= 0.05 * guess,
        "softmax twice": (x >= floor).all() and x[-1] <= 1.02 * floor,
        "mean divided again": (np.array(log["val_loss"]) < x / 10).all(),
    }
    for name, holds in checks.items():
        if holds:
            return name


# %% wrong_five_hundredths: Takes 5 % for 0.05 of a loss.
import math


def which_mistake(log):
    losses, c = log["train_loss"], log["classes"]
    guess, floor = math.log(c), math.log(math.e + c - 1) - 1
    if losses[0] != losses[0]:
        return "bad data"
    for x in losses:
        if not math.isfinite(x):
            return "rate too high"
    if set(log["grad_norm"]) == {0.0}:
        return "graph cut"
    if set(log["lr"]) == {0.0}:
        return "rate zero"
    if all(abs(x - guess) <= 0.05 for x in losses):
        return "labels shuffled"
    if min(losses) >= floor and losses[-1] - floor <= 0.02 * floor:
        return "softmax twice"
    if all(10 * v < x for v, x in zip(log["val_loss"], losses)):
        return "mean divided again"


# %% wrong_floor_without_classes: The floor of ten classes for all, the guess right.
import math


def which_mistake(log):
    losses = log["train_loss"]
    guess = math.log(log["classes"])
    if math.isnan(losses[0]):
        return "bad data"
    if any(math.isnan(x) or math.isinf(x) for x in losses):
        return "rate too high"
    if not any(log["grad_norm"]):
        return "graph cut"
    if not any(log["lr"]):
        return "rate zero"
    if all(abs(x - guess) <= 0.05 * guess for x in losses):
        return "labels shuffled"
    if min(losses) >= 1.4611 and losses[-1] <= 1.02 * 1.4612:
        return "softmax twice"
    if all(v < x / 10 for v, x in zip(log["val_loss"], losses)):
        return "mean divided again"


# %% wrong_floor_below_ignored: A loss that has been below the floor still counts.
import math


def which_mistake(log):
    losses, c = log["train_loss"], log["classes"]
    guess, floor = math.log(c), math.log(math.e + c - 1) - 1
    if math.isnan(losses[0]):
        return "bad data"
    if not all(math.isfinite(x) for x in losses):
        return "rate too high"
    if not any(log["grad_norm"]):
        return "graph cut"
    if not any(log["lr"]):
        return "rate zero"
    if max(abs(x / guess - 1) for x in losses) <= 0.05:
        return "labels shuffled"
    if floor <= losses[-1] <= 1.02 * floor:
        return "softmax twice"
    if all(v < x / 10 for v, x in zip(log["val_loss"], losses)):
        return "mean divided again"


# %% wrong_last_val: The last epoch alone for the mean divided again.
import math


def which_mistake(log):
    losses, c = log["train_loss"], log["classes"]
    guess, floor = math.log(c), math.log(math.e + c - 1) - 1
    if math.isnan(losses[0]):
        return "bad data"
    if not all(math.isfinite(x) for x in losses):
        return "rate too high"
    if not any(log["grad_norm"]):
        return "graph cut"
    if not any(log["lr"]):
        return "rate zero"
    if max(abs(x / guess - 1) for x in losses) <= 0.05:
        return "labels shuffled"
    if min(losses) >= floor and losses[-1] <= 1.02 * floor:
        return "softmax twice"
    if log["val_loss"][-1] < losses[-1] / 10:
        return "mean divided again"


# %% wrong_only_below: "Within 5 %" on one side only: a loss far above guessing counts too.
import math


def which_mistake(log):
    losses, c = log["train_loss"], log["classes"]
    guess, floor = math.log(c), math.log(math.e + c - 1) - 1
    if math.isnan(losses[0]):
        return "bad data"
    if not all(math.isfinite(x) for x in losses):
        return "rate too high"
    if not any(log["grad_norm"]):
        return "graph cut"
    if not any(log["lr"]):
        return "rate zero"
    if min(losses) >= 0.95 * guess:
        return "labels shuffled"
    if min(losses) >= floor and losses[-1] <= 1.02 * floor:
        return "softmax twice"
    if all(v < x / 10 for v, x in zip(log["val_loss"], losses)):
        return "mean divided again"


# %% wrong_text_for_none: Says "none" where nothing is wrong.
import math


def which_mistake(log):
    losses, c = log["train_loss"], log["classes"]
    guess, floor = math.log(c), math.log(math.e + c - 1) - 1
    if math.isnan(losses[0]):
        return "bad data"
    if not all(math.isfinite(x) for x in losses):
        return "rate too high"
    if not any(log["grad_norm"]):
        return "graph cut"
    if not any(log["lr"]):
        return "rate zero"
    if max(abs(x / guess - 1) for x in losses) <= 0.05:
        return "labels shuffled"
    if min(losses) >= floor and losses[-1] <= 1.02 * floor:
        return "softmax twice"
    if all(v < x / 10 for v, x in zip(log["val_loss"], losses)):
        return "mean divided again"
    return "none"


# %% wrong_all_that_hold: A list of all names that hold.
import math


def which_mistake(log):
    losses, c = log["train_loss"], log["classes"]
    guess, floor = math.log(c), math.log(math.e + c - 1) - 1
    found = []
    if math.isnan(losses[0]):
        found.append("bad data")
    if not all(math.isfinite(x) for x in losses):
        found.append("rate too high")
    if not any(log["grad_norm"]):
        found.append("graph cut")
    if not any(log["lr"]):
        found.append("rate zero")
    if max(abs(x / guess - 1) for x in losses) <= 0.05:
        found.append("labels shuffled")
    if min(losses) >= floor and losses[-1] <= 1.02 * floor:
        found.append("softmax twice")
    if all(v < x / 10 for v, x in zip(log["val_loss"], losses)):
        found.append("mean divided again")
    return found[0] if len(found) == 1 else found or None


# %% wrong_val_mean: Compares the means of both curves.
import math


def which_mistake(log):
    losses, c = log["train_loss"], log["classes"]
    guess, floor = math.log(c), math.log(math.e + c - 1) - 1
    if math.isnan(losses[0]):
        return "bad data"
    if not all(math.isfinite(x) for x in losses):
        return "rate too high"
    if not any(log["grad_norm"]):
        return "graph cut"
    if not any(log["lr"]):
        return "rate zero"
    if max(abs(x / guess - 1) for x in losses) <= 0.05:
        return "labels shuffled"
    if min(losses) >= floor and losses[-1] <= 1.02 * floor:
        return "softmax twice"
    if sum(log["val_loss"]) < sum(losses) / 10:
        return "mean divided again"


# %% wrong_first_epoch_unknown: Takes an infinite first loss for bad data.
import math


def which_mistake(log):
    losses, c = log["train_loss"], log["classes"]
    guess, floor = math.log(c), math.log(math.e + c - 1) - 1
    if not math.isfinite(losses[0]):
        return "bad data"
    if not all(math.isfinite(x) for x in losses):
        return "rate too high"
    if not any(log["grad_norm"]):
        return "graph cut"
    if not any(log["lr"]):
        return "rate zero"
    if max(abs(x / guess - 1) for x in losses) <= 0.05:
        return "labels shuffled"
    if min(losses) >= floor and losses[-1] <= 1.02 * floor:
        return "softmax twice"
    if all(v < x / 10 for v, x in zip(log["val_loss"], losses)):
        return "mean divided again"


# %% wrong_alters: Takes the first loss out of the list before it looks at the others.
import math


def which_mistake(log):
    losses, c = log["train_loss"], log["classes"]
    guess, floor = math.log(c), math.log(math.e + c - 1) - 1
    first = losses.pop(0)
    if math.isnan(first):
        return "bad data"
    losses.insert(0, 0.0 + first if math.isfinite(first) else 0.0)
    if not all(math.isfinite(x) for x in losses) or not math.isfinite(first):
        return "rate too high"
    if not any(log["grad_norm"]):
        return "graph cut"
    if not any(log["lr"]):
        return "rate zero"
    if max(abs(x / guess - 1) for x in losses) <= 0.05:
        return "labels shuffled"
    if min(losses) >= floor and losses[-1] <= 1.02 * floor:
        return "softmax twice"
    if all(v < x / 10 for v, x in zip(log["val_loss"], losses)):
        return "mean divided again"


# %% wrong_small_counts_as_zero: A tiny gradient norm counts as 0.
import math


def which_mistake(log):
    train, val, C = log["train_loss"], log["val_loss"], log["classes"]
    guess = math.log(C)
    floor = math.log(math.e + C - 1) - 1
    if math.isnan(train[0]):
        return "bad data"
    if not all(map(math.isfinite, train)):
        return "rate too high"
    if all(g < 1e-6 for g in log["grad_norm"]):
        return "graph cut"
    if all(r == 0 for r in log["lr"]):
        return "rate zero"
    if all(abs(x - guess) <= 0.05 * guess for x in train):
        return "labels shuffled"
    if min(train) >= floor and train[-1] <= 1.02 * floor:
        return "softmax twice"
    if all(v < t / 10 for t, v in zip(train, val)):
        return "mean divided again"
    return None


# %% wrong_nan_norm_is_zero: Asks whether no norm is above 0, which holds for NaN among zeros too.
import math
import torch, torch.nn as nn, torch.nn.functional as F


def which_mistake(log):
    c, train, val = log["classes"], log["train_loss"], log["val_loss"]
    guess = math.log(c)
    floor = math.log(math.e + c - 1) - 1
    if math.isnan(train[0]):
        return "bad data"
    if not all(map(math.isfinite, train)):
        return "rate too high"
    if not any(g > 0 for g in log["grad_norm"]):
        return "graph cut"
    if not any(lr > 0 for lr in log["lr"]):
        return "rate zero"
    if all(abs(loss - guess) <= 0.05 * guess for loss in train):
        return "labels shuffled"
    if all(loss >= floor for loss in train) and train[-1] <= 1.02 * floor:
        return "softmax twice"
    if all(v < t / 10 for v, t in zip(val, train)):
        return "mean divided again"
    return None


# %% wrong_isclose: `math.isclose` takes 5 % of the larger of the two.
import math


def which_mistake(log):
    losses, c = log["train_loss"], log["classes"]
    guess, floor = math.log(c), math.log(math.e + c - 1) - 1
    if math.isnan(losses[0]):
        return "bad data"
    if not all(map(math.isfinite, losses)):
        return "rate too high"
    if not any(log["grad_norm"]):
        return "graph cut"
    if not any(log["lr"]):
        return "rate zero"
    if all(math.isclose(loss, guess, rel_tol=0.05) for loss in losses):
        return "labels shuffled"
    if min(losses) >= floor and losses[-1] <= 1.02 * floor:
        return "softmax twice"
    if all(10 * val < loss for val, loss in zip(log["val_loss"], losses)):
        return "mean divided again"


# %% wrong_floor_before_guessing: Asks for the floor first, which for millions of classes is near guessing.
import math


def which_mistake(log):
    losses, c = log["train_loss"], log["classes"]
    guess, floor = math.log(c), math.log(math.e + c - 1) - 1
    if math.isnan(losses[0]):
        return "bad data"
    if not all(map(math.isfinite, losses)):
        return "rate too high"
    if not any(log["grad_norm"]):
        return "graph cut"
    if not any(log["lr"]):
        return "rate zero"
    if min(losses) >= floor and losses[-1] <= 1.02 * floor:
        return "softmax twice"
    if all(abs(loss - guess) <= 0.05 * guess for loss in losses):
        return "labels shuffled"
    if all(10 * val < loss for val, loss in zip(log["val_loss"], losses)):
        return "mean divided again"
