# %% right_as_in_the_hint: A loop with the best so far.
def stop_epoch(val_losses, patience):
    best, low = 1, val_losses[0]
    for i in range(1, len(val_losses)):
        if val_losses[i] < low:
            low, best = val_losses[i], i + 1
        elif i + 1 - best >= patience:
            return i + 1, best
    return len(val_losses), best


# %% right_counter: A counter that goes back to 0.
def stop_epoch(val_losses, patience):
    lowest, best, waited, last = float("inf"), 1, 0, 0
    for loss in val_losses:
        last += 1
        if loss < lowest:
            lowest, best, waited = loss, last, 0
        elif last > 1:
            waited += 1
        if waited == patience:
            break
    return last, best


# %% right_windows: First the list of better epochs, then the first gap.
import itertools
import math


def stop_epoch(val_losses, patience):
    clean = [math.inf if math.isnan(v) else v for v in val_losses]
    lows = list(itertools.accumulate(clean, min))
    better = [1] + [i + 1 for i in range(1, len(clean)) if clean[i] < lows[i - 1]]
    for here, there in zip(better, better[1:] + [math.inf]):
        if there - here > patience and here + patience <= len(clean):
            return [here + patience, here]
    return [len(clean), better[-1]]


# %% right_tensor: With a tensor of running minima.
import torch


def stop_epoch(val_losses, patience):
    best = 1
    for n in range(1, len(val_losses) + 1):
        v = torch.tensor(val_losses[:n], dtype=torch.float64).nan_to_num(
            nan=float("inf"), posinf=float("inf"), neginf=-float("inf")
        )
        best = int((v == v.min()).nonzero()[0]) + 1
        if n - best == patience:
            return n, best
    return len(val_losses), best


# %% wrong_min_with_nan: Takes the minimum by min(), which a NaN confuses.
def stop_epoch(val_losses, patience):
    for n in range(1, len(val_losses) + 1):
        seen = val_losses[:n]
        best = seen.index(min(seen, key=lambda v: (v != v, -v))) + 1
        if n - best == patience:
            return n, best
    return len(val_losses), best


# %% wrong_tolerance: Wants a gain of at least 1e-4.
def stop_epoch(val_losses, patience):
    low, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, 1):
        if loss < low - 1e-4:
            low, best = loss, epoch
        if epoch - best == patience:
            return epoch, best
    return len(val_losses), best


# %% wrong_nan_resets: A NaN becomes the lowest, after which nothing is lower.
def stop_epoch(val_losses, patience):
    low, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, 1):
        if not loss >= low:
            low, best = loss, epoch
        if epoch - best == patience:
            return epoch, best
    return len(val_losses), best


# %% wrong_one_too_early: Stops one epoch too early.
def stop_epoch(val_losses, patience):
    low, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, 1):
        if loss < low:
            low, best = loss, epoch
        if epoch - best == max(patience - 1, 1):
            return epoch, best
    return len(val_losses), best


# %% wrong_next_epoch: Gives the first epoch that is not trained any more.
def stop_epoch(val_losses, patience):
    low, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, 1):
        if loss < low:
            low, best = loss, epoch
        if epoch - best == patience:
            return epoch + 1, best
    return len(val_losses), best


# %% wrong_none_at_the_end: None where the run never stops by itself.
def stop_epoch(val_losses, patience):
    low, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, 1):
        if loss < low:
            low, best = loss, epoch
        if epoch - best == patience:
            return epoch, best
    return None, best


# %% wrong_exchanged: The best epoch first.
def stop_epoch(val_losses, patience):
    low, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, 1):
        if loss < low:
            low, best = loss, epoch
        if epoch - best == patience:
            return best, epoch
    return best, len(val_losses)


# %% wrong_loss_not_epoch: Gives the lowest loss in place of its epoch.
def stop_epoch(val_losses, patience):
    low, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, 1):
        if loss < low:
            low, best = loss, epoch
        if epoch - best == patience:
            return epoch, low
    return len(val_losses), low


# %% wrong_large_start: Begins with a lowest of 1e9 and epoch 0.
def stop_epoch(val_losses, patience):
    low, best = 1e9, 0
    for epoch, loss in enumerate(val_losses, 1):
        if loss < low:
            low, best = loss, epoch
        if epoch - best == patience:
            return epoch, best
    return len(val_losses), best


# %% wrong_skips_nan: Leaves NaN out of the list before it counts.
import math


def stop_epoch(val_losses, patience):
    seen = [loss for loss in val_losses if not math.isnan(loss)]
    low, best = seen[0], 1
    for epoch, loss in enumerate(seen, 1):
        if loss < low:
            low, best = loss, epoch
        if epoch - best == patience:
            return epoch, best
    return len(seen), best


# %% wrong_single: Only the best epoch.
def stop_epoch(val_losses, patience):
    low, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, 1):
        if loss < low:
            low, best = loss, epoch
        if epoch - best == patience:
            break
    return best


# %% wrong_infinite_stop: Stops at the first loss that is not finite.
import math


def stop_epoch(val_losses, patience):
    low, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, 1):
        if not math.isfinite(loss):
            return epoch, best
        if loss < low:
            low, best = loss, epoch
        if epoch - best == patience:
            return epoch, best
    return len(val_losses), best


# %% wrong_equal_is_better: an equal loss counts as better
def stop_epoch(val_losses, patience):
    best, best_epoch, bad = val_losses[0], 1, 0
    for epoch, loss in enumerate(val_losses, 1):
        if loss <= best:
            best, best_epoch, bad = loss, epoch, 0
        else:
            bad += 1
            if bad == patience:
                break
    return epoch, best_epoch


# %% wrong_against_previous: compares with the epoch before only
def stop_epoch(val_losses, patience):
    best_epoch, bad, epoch = 1, 0, 1
    for epoch in range(2, len(val_losses) + 1):
        if val_losses[epoch - 1] < val_losses[epoch - 2]:
            best_epoch, bad = epoch, 0
        else:
            bad += 1
            if bad >= patience:
                break
    return epoch, best_epoch


# %% wrong_best_of_whole_list: the kept epoch may lie after the stop
import math


def stop_epoch(val_losses, patience):
    best, bad = math.inf, 0
    for epoch, loss in enumerate(val_losses, 1):
        if loss < best:
            best, bad = loss, 0
        elif epoch > 1:
            bad += 1
            if bad == patience:
                break
    clean = [math.inf if math.isnan(v) else v for v in val_losses]
    return epoch, clean.index(min(clean)) + 1


# %% wrong_one_too_patient: stops only after patience + 1 epochs without a new best
def stop_epoch(val_losses, patience):
    best, best_epoch, bad = val_losses[0], 1, 0
    for epoch, loss in enumerate(val_losses, 1):
        if epoch == 1:
            continue
        if loss < best:
            best, best_epoch, bad = loss, epoch, 0
        else:
            bad += 1
            if bad > patience:
                break
    return epoch, best_epoch


# %% wrong_nan_swallows_best: min(loss, best) turns NaN into the best, nothing is lower afterwards
def stop_epoch(val_losses, patience):
    best, best_epoch, bad = val_losses[0], 1, 0
    for epoch, loss in enumerate(val_losses, 1):
        if epoch > 1:
            if loss < best:
                best_epoch, bad = epoch, 0
            else:
                bad += 1
                if bad == patience:
                    break
            best = min(loss, best)
    return epoch, best_epoch


# %% wrong_float32: compares in 32 bits, a gain of 1e-12 is lost
import torch


def stop_epoch(val_losses, patience):
    losses = torch.tensor(val_losses, dtype=torch.float32)
    best, best_epoch, epoch = losses[0], 1, 1
    for epoch in range(2, len(losses) + 1):
        if losses[epoch - 1] < best:
            best, best_epoch = losses[epoch - 1], epoch
        elif epoch - best_epoch >= patience:
            break
    return epoch, best_epoch


# %% wrong_never_resets: counts all epochs that were not better, not those in a row
def stop_epoch(val_losses, patience):
    best, best_epoch, bad = val_losses[0], 1, 0
    for epoch, loss in enumerate(val_losses, 1):
        if epoch == 1:
            continue
        if loss < best:
            best, best_epoch = loss, epoch
        else:
            bad += 1
            if bad == patience:
                break
    return epoch, best_epoch


# %% wrong_nan_is_skipped: drops the NaN epochs, so they are neither counted nor numbered
import math


def stop_epoch(val_losses, patience):
    losses = [v for v in val_losses if not math.isnan(v)]
    best, best_epoch, epoch = losses[0], 1, 1
    for epoch in range(2, len(losses) + 1):
        if losses[epoch - 1] < best:
            best, best_epoch = losses[epoch - 1], epoch
        elif epoch - best_epoch >= patience:
            break
    return epoch, best_epoch


# %% right_string_search: a string of marks, searched for a run without a new best
def stop_epoch(val_losses, patience):
    low, marks = val_losses[0], "b"
    for v in val_losses[1:]:
        marks += "b" if v < low else "n"
        low = v if v < low else low
    at = marks.find("n" * min(patience, len(marks) + 1))
    last = len(marks) if at < 0 else at + patience
    return last, marks.rindex("b", 0, last) + 1


# %% right_numpy: numpy with fmin.accumulate, the gap to the last better epoch
import numpy as np


def stop_epoch(val_losses, patience):
    v = np.array(val_losses, dtype=np.float64)
    low = np.fmin.accumulate(v)
    better = np.concatenate([[True], v[1:] < low[:-1]])
    epochs = np.arange(1, len(v) + 1)
    kept = np.maximum.accumulate(np.where(better, epochs, 1))
    stops = np.flatnonzero(epochs - kept >= patience)
    last = int(epochs[stops[0]]) if len(stops) else len(v)
    return last, int(kept[last - 1])


# %% right_reduce: functools.reduce over a state that freezes once it has stopped
from functools import reduce


def stop_epoch(val_losses, patience):
    def advance(state, loss):
        last, best, low = state
        if last - best >= patience:
            return state
        return (last + 1, last + 1, loss) if loss < low else (last + 1, best, low)

    return reduce(advance, val_losses[1:], (1, 1, val_losses[0]))[:2]


# %% wrong_is_patience: Compares the count with `is`.
def stop_epoch(val_losses, patience):
    low, best, bad = val_losses[0], 1, 0
    for epoch, loss in enumerate(val_losses, 1):
        if loss < low:
            low, best, bad = loss, epoch, 0
        elif epoch > 1:
            bad += 1
        if bad is patience:
            break
    return epoch, best


# %% wrong_finite_only: Minus infinity is never better.
import math


def stop_epoch(val_losses, patience):
    low, best = val_losses[0], 1
    for epoch, loss in enumerate(val_losses, 1):
        if math.isfinite(loss) and loss < low:
            low, best = loss, epoch
        if epoch - best == patience:
            break
    return epoch, best
