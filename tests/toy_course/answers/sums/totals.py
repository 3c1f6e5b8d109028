# %% right_accumulate: The library's own way to add up.
from itertools import accumulate


def totals(numbers):
    """The sum of the numbers so far, for each of them."""
    return list(accumulate(numbers))


# %% right_slices: Each total from the beginning.
def totals(numbers):
    """The sum of the numbers so far, for each of them."""
    return [sum(numbers[:count]) for count in range(1, len(numbers) + 1)]


# %% right_last: The last total and the next number.
def totals(numbers):
    """The sum of the numbers so far, for each of them."""
    found = []
    for number in numbers:
        found.append(number + (found[-1] if found else 0))
    return found


# %% wrong_reversed: Adds up from the end.
def totals(numbers):
    """The sum of the numbers so far, for each of them."""
    return [sum(numbers[start:]) for start in range(len(numbers))]


# %% wrong_unchanged: The numbers as they were.
def totals(numbers):
    """The sum of the numbers so far, for each of them."""
    return list(numbers)


# %% wrong_one_short: The last total is missing.
def totals(numbers):
    """The sum of the numbers so far, for each of them."""
    return [sum(numbers[:count]) for count in range(1, len(numbers))]


# %% wrong_products: Multiplies where it should add.
from itertools import accumulate
from operator import mul


def totals(numbers):
    """The sum of the numbers so far, for each of them."""
    return list(accumulate(numbers, mul))


# %% wrong_means: The mean so far.
def totals(numbers):
    """The sum of the numbers so far, for each of them."""
    return [sum(numbers[:count]) / count for count in range(1, len(numbers) + 1)]


# %% wrong_largest: The largest number so far.
from itertools import accumulate


def totals(numbers):
    """The sum of the numbers so far, for each of them."""
    return list(accumulate(numbers, max))


# %% wrong_pairs: Each number and the one before it.
def totals(numbers):
    """The sum of the numbers so far, for each of them."""
    return [sum(numbers[max(0, n - 1) : n + 1]) for n in range(len(numbers))]


# %% wrong_sizes: Without the signs.
def totals(numbers):
    """The sum of the numbers so far, for each of them."""
    return [sum(map(abs, numbers[:count])) for count in range(1, len(numbers) + 1)]
