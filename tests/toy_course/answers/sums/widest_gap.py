# %% right_pairs: In pairs instead of by position.
from itertools import pairwise


def widest_gap(numbers):
    """The largest distance between two numbers side by side."""
    return max(abs(right - left) for left, right in pairwise(numbers))


# %% right_sorted: All gaps, the last one of them in order.
def widest_gap(numbers):
    """The largest distance between two numbers side by side."""
    return sorted(abs(a - b) for a, b in zip(numbers, numbers[1:]))[-1]


# %% right_loop: The widest so far.
def widest_gap(numbers):
    """The largest distance between two numbers side by side."""
    widest = 0
    for n in range(1, len(numbers)):
        widest = max(widest, numbers[n] - numbers[n - 1], numbers[n - 1] - numbers[n])
    return widest


# %% wrong_narrowest: The smallest distance.
def widest_gap(numbers):
    """The largest distance between two numbers side by side."""
    return min(abs(a - b) for a, b in zip(numbers, numbers[1:]))


# %% wrong_first: The first pair alone.
def widest_gap(numbers):
    """The largest distance between two numbers side by side."""
    return abs(numbers[1] - numbers[0])


# %% wrong_ends: From the first number to the last.
def widest_gap(numbers):
    """The largest distance between two numbers side by side."""
    return abs(numbers[-1] - numbers[0])


# %% wrong_squared: The square of the gap.
def widest_gap(numbers):
    """The largest distance between two numbers side by side."""
    return max((a - b) ** 2 for a, b in zip(numbers, numbers[1:]))


# %% wrong_sum: All gaps together.
def widest_gap(numbers):
    """The largest distance between two numbers side by side."""
    return sum(abs(a - b) for a, b in zip(numbers, numbers[1:]))


# %% wrong_downwards: Steps downwards only.
def widest_gap(numbers):
    """The largest distance between two numbers side by side."""
    return max(a - b for a, b in zip(numbers, numbers[1:]))


# %% wrong_sorted_first: Neighbours once the numbers are in order.
def widest_gap(numbers):
    """The largest distance between two numbers side by side."""
    numbers = sorted(numbers)
    return max(b - a for a, b in zip(numbers, numbers[1:]))


# %% wrong_position: Where it is instead of how wide.
def widest_gap(numbers):
    """The largest distance between two numbers side by side."""
    gaps = [abs(a - b) for a, b in zip(numbers, numbers[1:])]
    return gaps.index(max(gaps))
