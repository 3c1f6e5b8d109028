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
