# %% right_heap: The heap's functions for the largest steps and the smallest pair.
import heapq


def superfluous(losses, last):
    kept = set(heapq.nlargest(last, losses))
    kept.update(step for _, step in heapq.nsmallest(1, ((loss, step) for step, loss in losses.items())))
    return list(filter(lambda step: step not in kept, sorted(losses)))


# %% right_numpy: NumPy's stable sorts in float64, and a mask.
import numpy as np


def superfluous(losses, last):
    steps = np.array(sorted(losses), dtype=np.int64)
    values = np.array([losses[step] for step in steps.tolist()], dtype=np.float64)
    may_go = np.arange(len(steps)) < len(steps) - last
    if len(steps):
        may_go[np.argmin(values)] = False
    return steps[may_go].tolist()


# %% right_one_by_one: A loop from the newest to the oldest, with the best found by hand.
def superfluous(losses, last):
    best = None
    for step in losses:
        if best is None or losses[step] < losses[best] or (losses[step] == losses[best] and step < best):
            best = step
    result = []
    for rank, step in enumerate(sorted(losses, reverse=True)):
        if rank >= last and step != best:
            result.insert(0, step)
    return result


# %% right_recursion: Takes the highest step off until enough are kept.
def superfluous(losses, last):
    def old(steps, number):
        return steps if number <= 0 or not steps else old(steps[:-1], number - 1)

    best = min(losses.items(), key=lambda item: item[::-1], default=(None, None))[0]
    return [step for step in old(sorted(losses), last) if step != best]


# %% right_sets: A set difference, sorted at the end.
def superfluous(losses, last):
    newest = sorted(losses, reverse=True)[:last]
    best = sorted(losses, key=lambda step: (losses[step], step))[:1]
    return sorted(set(losses) - set(newest) - set(best))


# %% wrong_all_the_best: Keeps every checkpoint with the lowest loss, not the first alone.
def superfluous(losses, last):
    steps = sorted(losses)
    recent = set(steps[max(0, len(steps) - last) :])
    lowest = min(losses.values(), default=None)
    return [step for step in steps if step not in recent and losses[step] != lowest]


# %% wrong_best_of_the_rest: Looks for the best among those outside the last ones: one more stays where the best is recent.
def superfluous(losses, last):
    steps = sorted(losses)
    old = steps[: max(0, len(steps) - last)]
    if old:
        old.remove(min(old, key=lambda step: (losses[step], step)))
    return old


# %% wrong_caller_emptied: Pops what is kept out of the caller's dictionary.
def superfluous(losses, last):
    if losses:
        best = min(losses, key=lambda step: (losses[step], step))
        for step in sorted(losses)[max(0, len(losses) - last) :]:
            losses.pop(step)
        losses.pop(best, None)
    return sorted(losses)


# %% wrong_equal_distances: Takes all within `last` distances of the newest for the last ones: steps need not be evenly spread.
def superfluous(losses, last):
    if not losses:
        return []
    steps = sorted(losses)
    distance = steps[-1] - steps[-2] if len(steps) > 1 else 1
    best = min(steps, key=losses.get)
    return [step for step in steps if step <= steps[-1] - last * distance and step != best]


# %% wrong_float32: Looks for the lowest loss in float32, where near losses are equal.
import torch


def superfluous(losses, last):
    if len(losses) == 0:
        return []
    steps = sorted(losses)
    values = torch.tensor([losses[step] for step in steps], dtype=torch.float32)
    best = steps[int(values.argmin())]
    keep = {best, *steps[max(0, len(steps) - last) :]}
    return [step for step in steps if step not in keep]


# %% wrong_highest_loss: Keeps the highest value, as one would for an accuracy.
def superfluous(losses, last):
    steps = sorted(losses)
    keep = set(steps[max(0, len(steps) - last) :])
    if steps:
        keep.add(max(steps, key=losses.get))
    return [step for step in steps if step not in keep]


# %% wrong_infinite_losses: Starts the search at infinity with a strict comparison: where every loss is infinite, none is the best.
import math


def superfluous(losses, last):
    best, lowest = None, math.inf
    for step, loss in sorted(losses.items()):
        if loss < lowest:
            best, lowest = step, loss
    steps = sorted(losses)
    kept = steps[max(0, len(steps) - last) :] + [best]
    return [step for step in steps if step not in kept]


# %% wrong_last_besides_the_best: Puts the best aside first and then keeps the last ones of the others.
def superfluous(losses, last):
    if not losses:
        return []
    best = min(sorted(losses), key=losses.get)
    others = sorted(step for step in losses if step != best)
    return others[: max(len(others) - last, 0)]


# %% wrong_later_of_equals: Of equal losses it keeps the later step: later entries overwrite earlier ones in the turned dictionary.
def superfluous(losses, last):
    steps = sorted(losses)
    turned = {losses[step]: step for step in steps}
    kept = set(steps[max(0, len(steps) - last) :])
    if turned:
        kept.add(turned[min(turned)])
    return sorted(set(steps) - kept)


# %% wrong_loss_below_one: Starts the search for the best at 1.0: where all losses are higher, none is kept for its loss.
def superfluous(losses, last):
    best, lowest = None, 1.0
    for step in sorted(losses):
        if losses[step] < lowest:
            best, lowest = step, losses[step]
    recent = sorted(losses, reverse=True)[:last]
    return sorted(step for step in losses if step != best and step not in recent)


# %% wrong_losses_rounded: Rounds the losses to three decimals before it compares them.
def superfluous(losses, last):
    steps = sorted(losses)
    kept = set(steps[max(0, len(steps) - last) :])
    best = min(steps, key=lambda step: round(losses[step], 3), default=None)
    return [step for step in steps if step not in kept | {best}]


# %% wrong_more_than_there_are: A negative stop of the slice: with more to keep than there are, it deletes from the front.
def superfluous(losses, last):
    if not losses:
        return []
    steps = sorted(losses)
    best = min(steps, key=losses.get)
    return [step for step in steps[: len(steps) - last] if step != best]


# %% wrong_newest_first: Returns the steps in descending order.
def superfluous(losses, last):
    newest_first = sorted(losses, reverse=True)
    best = min(reversed(newest_first), key=losses.get, default=None)
    return [step for step in newest_first[last:] if step != best]


# %% wrong_nothing_last_nothing_kept: With none of the last to keep it lets the best go too.
def superfluous(losses, last):
    steps = sorted(losses)
    if last == 0:
        return steps
    if last >= len(steps):
        return []
    best = min(steps, key=losses.__getitem__)
    return [step for step in steps[:-last] if step != best]


# %% wrong_order_of_insertion: Takes the last entries of the dictionary for the highest steps.
def superfluous(losses, last):
    if not losses:
        return []
    kept = list(losses)[max(0, len(losses) - last) :]
    best = min(losses, key=lambda step: (losses[step], step))
    return sorted(step for step in losses if step not in kept and step != best)


# %% wrong_position_of_the_best: Looks up the position of the lowest loss among the steps in ascending order: two orders mixed.
import numpy as np


def superfluous(losses, last):
    if not losses:
        return []
    steps = sorted(losses)
    best = steps[int(np.argmin(list(losses.values())))]
    keep = set(steps[max(0, len(steps) - last) :]) | {best}
    return [step for step in steps if step not in keep]


# %% wrong_set: Returns a set, which has no order.
def superfluous(losses, last):
    steps = sorted(losses)
    keep = set(steps[max(0, len(steps) - last) :])
    keep.update(sorted(steps, key=losses.get)[:1])
    return losses.keys() - keep


# %% wrong_sorted_as_text: Sorts the steps as text, so that 1600 comes before 400.
def superfluous(losses, last):
    steps = sorted(losses, key=str)
    if not steps:
        return []
    best = min(steps, key=lambda step: (losses[step], step))
    return [step for step in steps[: max(0, len(steps) - last)] if step != best]


# %% wrong_step_zero: Asks whether the best step is true: step 0 is not, and is deleted.
def superfluous(losses, last):
    best = min(sorted(losses), key=losses.get, default=None)
    keep = sorted(losses, reverse=True)[:last]
    if best:
        keep.append(best)
    return sorted(set(losses) - set(keep))


# %% wrong_tensor: Returns a tensor of steps instead of a list.
import torch


def superfluous(losses, last):
    steps = sorted(losses)
    keep = {*steps[max(0, len(steps) - last) :], *sorted(steps, key=losses.get)[:1]}
    return torch.tensor([step for step in steps if step not in keep])


# %% wrong_too_many_refused: Raises where more are to be kept than there are.
def superfluous(losses, last):
    if last > len(losses):
        raise ValueError("there are not so many checkpoints")
    if not losses:
        return []
    order = sorted(losses)
    best = min(order, key=lambda step: losses[step])
    return [step for step in order[: len(order) - last] if step != best]
