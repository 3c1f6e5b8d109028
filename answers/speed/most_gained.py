# %% right_fractions: Exact fractions and a dictionary, made a float at the end.
from fractions import Fraction


def most_gained(rows, needed):
    totals = {name: Fraction(total) for name, _, total in rows}
    extra = totals.keys() - needed
    if not extra:
        return None, 1.0
    name = max(extra, key=totals.__getitem__)
    step = sum((Fraction(own) for _, own, _ in rows), Fraction(0))
    return name, float(step / (step - totals[name]))


# %% right_numpy: Masks the needed rows in numpy and takes the argmax.
import numpy as np


def most_gained(rows, needed):
    names = [row[0] for row in rows]
    own, total = np.array([row[1:] for row in rows], dtype=np.float64).reshape(-1, 2).T
    spare = ~np.isin(names, list(needed)) if needed else np.ones(len(names), dtype=bool)
    if not spare.any():
        return None, 1.0
    at = int(np.where(spare, total, -np.inf).argmax())
    return names[at], float(own.sum() / (own.sum() - total[at]))


# %% right_one_pass: One loop over the rows without any library.
def most_gained(rows, needed):
    step, best, saved = 0.0, None, 0.0
    for name, own, total in rows:
        step += own
        if name in needed:
            continue
        if best is None or total > saved:
            best, saved = name, total
    if best is None:
        return None, 1.0
    return best, step / (step - saved)


# %% right_recursive: Recursion over the list, carrying the sum and the best row.
def most_gained(rows, needed):
    def walk(i, step, best):
        if i == len(rows):
            return step, best
        name, own, total = rows[i]
        if name not in needed and (best is None or best[1] < total):
            best = (name, total)
        return walk(i + 1, step + own, best)

    step, best = walk(0, 0, None)
    return (None, 1.0) if best is None else (best[0], step / (step - best[1]))


# %% right_torch: Sorts the totals as a float64 tensor and walks down to the first spare row.
import torch


def most_gained(rows, needed):
    if all(name in needed for name, _, _ in rows):
        return None, 1.0
    times = torch.tensor([row[1:] for row in rows], dtype=torch.float64)
    step = times[:, 0].sum()
    order = times[:, 1].argsort(descending=True).tolist()
    at = next(i for i in order if rows[i][0] not in needed)
    return rows[at][0], (1 / (1 - times[at, 1] / step)).item()


# %% right_try_each: Works out the ratio of every candidate and keeps the largest, with a heap.
import heapq
import math


def most_gained(rows, needed):
    step = math.fsum(own for _, own, _ in rows)
    heap = [(-step / (step - total), name) for name, _, total in rows if name not in needed]
    heapq.heapify(heap)
    if heap:
        ratio, name = heapq.heappop(heap)
        return name, -ratio
    return None, 1.0


# %% wrong_all_left_out: Names the largest but leaves out everything unneeded at once.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    after = sum(own for name, own, _ in rows if name in needed)
    extra = {name: total for name, _, total in rows if name not in needed}
    if not extra:
        return None, 1.0
    return max(extra, key=extra.get), before / after


# %% wrong_below_a_millisecond: Dismisses operations of less than a millisecond as noise.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    best = (None, 0.0)
    for name, _, total in rows:
        if name in needed or total < 1.0:
            continue
        best = max(best, (name, total), key=lambda pair: pair[1])
    return best[0], before / (before - best[1])


# %% wrong_by_identity: Compares the names as objects instead of by their letters.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    best_name, best_total = None, 0.0
    for name, _, total in rows:
        for other in needed:
            if other is name:
                break
        else:
            if total >= best_total:
                best_name, best_total = name, total
    return best_name, before / (before - best_total)


# %% wrong_by_total_dict: Files the names under their total, so a needed row hides an unneeded one with the same total.
def most_gained(rows, needed):
    by_total = {}
    for name, _, total in rows:
        by_total[total] = name
    before = sum(own for _, own, _ in rows)
    for total in sorted(by_total, reverse=True):
        if by_total[total] not in needed:
            return by_total[total], before / (before - total)
    return None, 1.0


# %% wrong_callees_only: Ranks by what an operation calls (total less self), so one that calls nothing loses.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    extra = [row for row in rows if row[0] not in needed]
    if not extra:
        return None, 1.0
    name, _, total = max(extra, key=lambda row: (row[2] - row[1], row[2]))
    return name, before / (before - total)


# %% wrong_case_of_names: Compares the names in lower case, so a name that differs only in capitals is needed.
def most_gained(rows, needed):
    keep = {name.lower() for name in needed}
    step = sum(own for _, own, _ in rows)
    extra = [row for row in rows if row[0].lower() not in keep]
    name, _, saved = max(extra, key=lambda row: row[2]) if extra else (None, 0, 0)
    return name, step / (step - saved)


# %% wrong_counts_needed: Believes that everything is needed as soon as the set is as long as the list.
def most_gained(rows, needed):
    if len(needed) >= len(rows):
        return None, 1.0
    before = sum(own for _, own, _ in rows)
    saved, name = max((total, name) for name, _, total in rows if name not in needed)
    return name, before / (before - saved)


# %% wrong_eats_needed: Takes the names it meets out of the caller's set.
def most_gained(rows, needed):
    before, best, saved = 0.0, None, 0.0
    for name, own, total in rows:
        before += own
        if name in needed:
            needed.remove(name)
        elif best is None or total > saved:
            best, saved = name, total
    return best, before / (before - saved)


# %% wrong_eps_in_divisor: Adds a small number to the divisor, which shifts the ratio of a short step.
def most_gained(rows, needed):
    step = sum(own for _, own, _ in rows)
    extra = {name: total for name, _, total in rows if name not in needed}
    if not extra:
        return None, 1.0
    name = max(extra, key=lambda one: extra[one])
    return name, step / (step - extra[name] + 1e-3)


# %% wrong_keeps_needed_callees: Caps the saving at the self times of the unneeded rows, as if needed callees stayed.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    extra = [row for row in rows if row[0] not in needed]
    if not extra:
        return None, 1.0
    name, _, total = max(extra, key=lambda row: row[2])
    saved = min(total, sum(own for _, own, _ in extra))
    return name, before / (before - saved)


# %% wrong_leaf_only: Takes a row whose total exceeds the largest needed total for the frame and skips it.
def most_gained(rows, needed):
    step = sum(own for _, own, _ in rows)
    limit = max((total for name, _, total in rows if name in needed), default=float("inf"))
    extra = [row for row in rows if row[0] not in needed and row[2] <= limit]
    if not extra:
        return None, 1.0
    name, _, saved = max(extra, key=lambda row: row[2])
    return name, step / (step - saved)


# %% wrong_list_pair: Returns a list of two where a pair is asked for.
def most_gained(rows, needed):
    step = sum(own for _, own, _ in rows)
    extra = sorted((total, name) for name, _, total in rows if name not in needed)
    if not extra:
        return [None, 1.0]
    saved, name = extra.pop()
    return [name, step / (step - saved)]


# %% wrong_longest_only: Gives up when the row with the largest total of all is a needed one.
def most_gained(rows, needed):
    name, _, total = max(rows, key=lambda row: (row[2], row[0] not in needed))
    if name in needed:
        return None, 1.0
    before = sum(own for _, own, _ in rows)
    return name, before / (before - total)


# %% wrong_needed_plus_one: Takes the step for the needed rows plus the one chosen, so other unneeded rows are lost.
def most_gained(rows, needed):
    after = sum(own for name, own, _ in rows if name in needed)
    extra = [row for row in rows if row[0] not in needed]
    if not extra:
        return None, 1.0
    name, _, total = max(extra, key=lambda row: row[2])
    return name, (after + total) / after


# %% wrong_only_aten: Looks only among the operations of PyTorch's own library aten.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    pool = filter(lambda row: row[0].startswith("aten::") and row[0] not in needed, rows)
    best = max(pool, key=lambda row: row[2], default=(None, 0.0, 0.0))
    return best[0], before / (before - best[2])


# %% wrong_prefix: Counts variants of a needed operation (needed name plus a suffix) as needed too.
def most_gained(rows, needed):
    before = sum(r[1] for r in rows)
    name, saved = None, 0.0
    for row in rows:
        if not row[0].startswith(tuple(needed)) and row[2] > saved:
            name, saved = row[0], row[2]
    return name, before / (before - saved)


# %% wrong_remembers_best: Keeps the best of earlier calls in a default argument.
def most_gained(rows, needed, best=[None, 0.0]):
    for name, _, total in rows:
        if name not in needed and total > best[1]:
            best[:] = [name, total]
    before = sum(own for _, own, _ in rows)
    return best[0], before / (before - best[1])


# %% wrong_rounded: Rounds the ratio to two digits, as the printed lines do.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    extra = [(total, name) for name, _, total in rows if name not in needed]
    if not extra:
        return None, 1.0
    saved, name = max(extra)
    return name, round(before / (before - saved), 2)


# %% wrong_set_of_selfs: Sums the different self times, so two equal ones count once.
def most_gained(rows, needed):
    before = sum({own for _, own, _ in rows})
    extra = [row for row in rows if row[0] not in needed]
    if extra == []:
        return None, 1.0
    name, _, saved = sorted(extra, key=lambda row: row[2])[-1]
    return name, before / (before - saved)


# %% wrong_skips_half_the_step: Takes a row of more than half the step for the step itself and passes it over.
def most_gained(rows, needed):
    step = sum(own for _, own, _ in rows)
    saved, name = 0.0, None
    for one, _, total in rows:
        if one not in needed and total <= step / 2 and (name is None or total > saved):
            saved, name = total, one
    return name, step / (step - saved)


# %% wrong_skips_zero_self: Ignores operations without time of their own, so a pure caller is never proposed.
def most_gained(rows, needed):
    step = sum(row[1] for row in rows)
    candidates = [(total, name) for name, own, total in rows if name not in needed and own > 0]
    if not candidates:
        return None, 1.0
    total, name = max(candidates)
    return name, step / (step - total)


# %% wrong_sorts_the_list: Sorts the caller's list of rows in place.
def most_gained(rows, needed):
    step = sum(own for _, own, _ in rows)
    rows.sort(key=lambda row: row[2], reverse=True)
    for name, _, total in rows:
        if name not in needed:
            return name, step / (step - total)
    return None, 1.0


# %% wrong_stops_at_first: Trusts that the rows come sorted by self and takes the last unneeded caller.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    for name, _, total in reversed(rows):
        if name not in needed:
            return name, before / (before - total)
    return None, 1.0


# %% wrong_substring: Takes a name for needed when it is part of a longer needed name.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    gain = {name: total for name, _, total in rows if not any(name in other for other in needed)}
    if not gain:
        return None, 1.0
    name = max(gain, key=gain.get)
    return name, before / (before - gain[name])


# %% wrong_symmetric_difference: Takes the names that are in only one of the two, so names needed but absent come in.
def most_gained(rows, needed):
    totals = {name: total for name, _, total in rows}
    before = sum(own for _, own, _ in rows)
    extra = set(totals) ^ needed
    if not extra:
        return None, 1.0
    name = max(extra, key=lambda one: totals.get(one, 0.0))
    return name, before / (before - totals.get(name, 0.0))


# %% wrong_tensor_ratio: Returns the ratio as a tensor of no dimensions instead of a float.
import torch


def most_gained(rows, needed):
    extra = [row for row in rows if row[0] not in needed]
    if not extra:
        return None, 1.0
    own = torch.tensor([row[1] for row in rows], dtype=torch.float64)
    totals = torch.tensor([row[2] for row in extra], dtype=torch.float64)
    at = totals.argmax()
    return extra[int(at)][0], own.sum() / (own.sum() - totals[at])


# %% wrong_twelve_rows: Adds up only the twelve rows that the printed table would show.
def most_gained(rows, needed):
    rows = sorted(rows, key=lambda row: -row[1])[:12]
    step = sum(own for _, own, _ in rows)
    extra = [row for row in rows if row[0] not in needed]
    if not extra:
        return (None, 1.0)
    best = max(extra, key=lambda row: row[2])
    return (best[0], step / (step - best[2]))


# %% wrong_without_namespace: Compares the names without the library in front of the two colons.
def most_gained(rows, needed):
    short = {name.split("::")[-1] for name in needed}
    before = sum(own for _, own, _ in rows)
    left_out = [(total, name) for name, _, total in rows if name.split("::")[-1] not in short]
    saved, name = max(left_out, default=(0.0, None))
    return name, before / (before - saved)


# %% wrong_nothing_needed: Takes an empty set for "no information", and proposes nothing.
def most_gained(rows, needed):
    if not needed:
        return None, 1.0
    step = sum(own for _, own, _ in rows)
    extra = [row for row in rows if row[0] not in needed]
    if not extra:
        return None, 1.0
    name, _, saved = max(extra, key=lambda row: row[2])
    return name, step / (step - saved)


# %% wrong_ranked_by_self: Ranks by self time, and takes that alone away.
def most_gained(rows, needed):
    step = sum(own for _, own, _ in rows)
    extra = [row for row in rows if row[0] not in needed]
    if not extra:
        return None, 1.0
    name, own, _ = max(extra, key=lambda row: row[1])
    return name, step / (step - own)
