# %% right_stack: A pile of numbers; closes a bucket when it is full, and keeps what is left.
def buckets(sizes, cap):
    done, now, filled = [], [], 0
    left = list(range(len(sizes)))
    while left:
        number = left.pop()
        now.append(number)
        filled += sizes[number]
        if filled >= cap:
            done.append(now)
            now, filled = [], 0
    if now:
        done.append(now)
    return done


# %% right_recursive: The first bucket, then the same for what is left.
def buckets(sizes, cap):
    if not sizes:
        return []
    first, filled, number = [], 0, len(sizes)
    while number > 0 and filled < cap:
        number -= 1
        first.append(number)
        filled += sizes[number]
    return [first, *buckets(sizes[:number], cap)]


# %% right_enumerate: Pairs of number and size, turned round.
def buckets(sizes, cap):
    result = []
    room = 0
    for number, size in sorted(enumerate(sizes), reverse=True):
        if room <= 0:
            result.append([])
            room = cap
        result[-1].append(number)
        room -= size
    return result


# %% right_accumulate: The bytes that have come so far.
from itertools import accumulate


def buckets(sizes, cap):
    result, begin = [], 0
    order = list(range(len(sizes)))[::-1]
    total = [0, *accumulate(sizes[n] for n in order)]
    for i in range(len(order)):
        if total[i + 1] - total[begin] >= cap or i == len(order) - 1:
            result.append(order[begin : i + 1])
            begin = i + 1
    return result


# %% wrong_large_ones_alone: A gradient of the cap or more gets a bucket of its own.
def buckets(sizes, cap):
    found, filled = [], cap
    for number in reversed(range(len(sizes))):
        if filled >= cap or sizes[number] >= cap:
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += sizes[number]
    return found


# %% wrong_empty_at_the_end: An empty bucket where the last one was filled exactly.
def buckets(sizes, cap):
    found, filled = [[]], 0
    for number in reversed(range(len(sizes))):
        found[-1].append(number)
        filled += sizes[number]
        if filled >= cap:
            found.append([])
            filled = 0
    return found


# %% wrong_none_for_none: An empty bucket where there is no parameter at all.
def buckets(sizes, cap):
    found, filled = [[]], 0
    for number in reversed(range(len(sizes))):
        if filled >= cap:
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += sizes[number]
    return found


# %% wrong_counts_parameters: The cap counts gradients, not bytes.
def buckets(sizes, cap):
    order = list(range(len(sizes)))[::-1]
    return [order[i : i + cap] for i in range(0, len(order), cap)]


# %% wrong_from_one: Counts the parameters from 1.
def buckets(sizes, cap):
    found, filled = [], cap
    for number in reversed(range(len(sizes))):
        if filled >= cap:
            found.append([])
            filled = 0
        found[-1].append(number + 1)
        filled += sizes[number]
    return found


# %% wrong_from_the_back: Counts from the back, so that the last parameter is 0.
def buckets(sizes, cap):
    found, filled = [], cap
    for number, size in enumerate(reversed(sizes)):
        if filled >= cap:
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += size
    return found


# %% wrong_sorted_inside: Ascending order in each bucket.
def buckets(sizes, cap):
    found, filled = [], cap
    for number in reversed(range(len(sizes))):
        if filled >= cap:
            found.append([])
            filled = 0
        found[-1].insert(0, number)
        filled += sizes[number]
    return found


# %% wrong_largest_first: The largest gradients first.
def buckets(sizes, cap):
    found, filled = [], cap
    for number in sorted(range(len(sizes)), key=lambda n: -sizes[n]):
        if filled >= cap:
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += sizes[number]
    return found


# %% wrong_keeps_the_surplus: What went beyond the cap counts for the next bucket.
def buckets(sizes, cap):
    found, filled = [], cap
    for number in reversed(range(len(sizes))):
        if filled >= cap:
            found.append([])
            filled -= cap
        found[-1].append(number)
        filled += sizes[number]
    return found


# %% wrong_empties_the_list: Takes the sizes out of the list that it was given.
def buckets(sizes, cap):
    found, filled = [], cap
    while sizes:
        if filled >= cap:
            found.append([])
            filled = 0
        filled += sizes.pop()
        found[-1].append(len(sizes))
    return found


# %% wrong_skips_empty_gradients: Leaves out gradients of no bytes.
def buckets(sizes, cap):
    found, filled = [], cap
    for number in reversed(range(len(sizes))):
        if not sizes[number]:
            continue
        if filled >= cap:
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += sizes[number]
    return found


# %% wrong_tuples: Tuples instead of lists.
def buckets(sizes, cap):
    found, now, filled = [], (), 0
    for number in reversed(range(len(sizes))):
        now += (number,)
        filled += sizes[number]
        if filled >= cap:
            found.append(now)
            now, filled = (), 0
    return [*found, now] if now else found


# %% wrong_small_first_bucket: The first bucket is full at half the cap, as torch's own first is full at 1 MiB.
def buckets(sizes, cap):
    found, filled = [], cap
    for number in reversed(range(len(sizes))):
        if filled >= (cap if len(found) != 1 else cap // 2):
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += sizes[number]
    return found


# %% wrong_total: Nothing is set back to zero: after the first bucket each gradient travels alone.
def buckets(sizes, cap):
    found, filled = [[]], 0
    for number in reversed(range(len(sizes))):
        found[-1].append(number)
        filled += sizes[number]
        if filled >= cap:
            found.append([])
    return [bucket for bucket in found if bucket]


# %% wrong_float_sum: Adds the bytes up as floats, which skip numbers over 2**53.
def buckets(sizes, cap):
    found, filled = [], float("inf")
    for number in range(len(sizes) - 1, -1, -1):
        if filled >= cap:
            found.append([])
            filled = 0.0
        found[-1].append(number)
        filled += sizes[number]
    return found


# %% wrong_zeros_join: Puts gradients of no bytes into the bucket that is closed already.
def buckets(sizes, cap):
    found, filled = [], cap
    for number in range(len(sizes) - 1, -1, -1):
        if not found or (filled >= cap and sizes[number]):
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += sizes[number]
    return found
