# %% wrong_float32_log: log2 in float32, too small just over large powers of two
import torch


def crossover(alpha, beta, world_size):
    n = world_size
    levels = int(torch.tensor(float(n)).log2().ceil())
    return float(alpha * (n - 1 - levels) / (beta * (levels - (n - 1) / n)))


# %% right_bits: Levels by bit_length, everything times two.
def crossover(alpha, beta, world_size):
    levels = (world_size - 1).bit_length()
    messages = 2 * (world_size - 1) - 2 * levels
    sizes = 2 * levels - 2 * (world_size - 1) / world_size
    return messages / sizes * (alpha / beta)


# %% right_fractions: Exact fractions until the end.
from fractions import Fraction


def crossover(alpha, beta, world_size):
    levels = 0
    while 2**levels < world_size:
        levels += 1
    saved = Fraction(alpha) * (world_size - 1 - levels)
    added = Fraction(beta) * (levels - Fraction(world_size - 1, world_size))
    return float(saved / added)


# %% right_solved: Solved for the size.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log2(world_size))
    return alpha * (world_size - 1 - levels) / (beta * (levels - (world_size - 1) / world_size))


# %% wrong_bit_length: bit_length of the number itself: one level too many at powers of two.
def crossover(alpha, beta, world_size):
    levels = world_size.bit_length()
    return alpha * (world_size - 1 - levels) / (beta * (levels - (world_size - 1) / world_size))


# %% wrong_eight_ranks: Three levels, as with eight ranks.
def crossover(alpha, beta, world_size):
    return alpha * (world_size - 1 - 3) / (beta * (3 - (world_size - 1) / world_size))


# %% wrong_exact_log: log2 not rounded.
import math


def crossover(alpha, beta, world_size):
    levels = math.log2(world_size)
    return alpha * (world_size - 1 - levels) / (beta * (levels - (world_size - 1) / world_size))


# %% wrong_floor: log2 rounded down.
import math


def crossover(alpha, beta, world_size):
    levels = math.floor(math.log2(world_size))
    ring = 2 * (world_size - 1), 2 * (world_size - 1) / world_size
    tree = 2 * levels, 2 * levels
    return alpha * (ring[0] - tree[0]) / (beta * (tree[1] - ring[1]))


# %% wrong_inverse: beta over alpha.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log2(world_size))
    return beta * (world_size - 1 - levels) / (alpha * (levels - (world_size - 1) / world_size))


# %% wrong_natural_log: The natural logarithm.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log(world_size))
    return alpha * (world_size - 1 - levels) / (beta * (levels - (world_size - 1) / world_size))


# %% wrong_one_size: Takes the ring's bytes for one whole size.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log2(world_size))
    return alpha * (world_size - 1 - levels) / (beta * max(levels - 0.5, 1e-9))


# %% wrong_one_way: Counts the tree upwards only.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log2(world_size))
    return (
        alpha
        * (2 * (world_size - 1) - levels)
        / (beta * max(1e-12, abs(levels - 2 * (world_size - 1) / world_size)))
    )


# %% wrong_rounded: Whole bytes only.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log2(world_size))
    return round(alpha * (world_size - 1 - levels) / (beta * (levels - (world_size - 1) / world_size)))


# %% wrong_seconds: The time at which they cross, not the size.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log2(world_size))
    size = alpha * (world_size - 1 - levels) / (beta * (levels - (world_size - 1) / world_size))
    return 2 * levels * (alpha + beta * size)


# %% wrong_sign: The other sign.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log2(world_size))
    return alpha * (levels - world_size + 1) / (beta * (levels - (world_size - 1) / world_size))


# %% wrong_max_zero: Never less than the whole number 0.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log2(world_size))
    return max(0, alpha * (world_size - 1 - levels) / (beta * (levels - (world_size - 1) / world_size)))


# %% wrong_int_zero: The whole number 0 for two ranks.
import math


def crossover(alpha, beta, world_size):
    if world_size == 2:
        return 0
    levels = math.ceil(math.log2(world_size))
    return alpha * (world_size - 1 - levels) / (beta * (levels - (world_size - 1) / world_size))


# %% wrong_searched_to_a_gigabyte: Bisection between 0 and 1 GB.
import math


def crossover(alpha, beta, world_size):
    levels, low, high = math.ceil(math.log2(world_size)), 0.0, 1e9

    def late(size):
        ring = 2 * (world_size - 1) * alpha + 2 * (world_size - 1) / world_size * size * beta
        return 2 * levels * (alpha + size * beta) > ring

    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if late(middle) else (middle, high)
    return high


# %% wrong_tensor: A float32 tensor.
import torch


def crossover(alpha, beta, world_size):
    levels = torch.tensor(float(world_size)).log2().ceil()
    return alpha * (world_size - 1 - levels) / (beta * (levels - (world_size - 1) / world_size))


# %% right_int_levels: Counts the levels by doubling, and returns a float for two ranks as well.
def crossover(alpha, beta, world_size):
    levels = 0
    while 2**levels < world_size:
        levels += 1
    ring, tree = 2 * (world_size - 1), 2 * levels
    return float(alpha * (ring - tree) / (beta * (tree - ring / world_size)))


# %% wrong_log_base_two: math.log(n, 2) is a hair too large for some powers of two (2**29), ceil then adds one
import math


def crossover(alpha, beta, world_size):
    n = world_size
    levels = math.ceil(math.log(n, 2))
    return alpha * (n - 1 - levels) / (beta * (levels - (n - 1) / n))


# %% right_search: Bisection between bounds that it finds first.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log2(world_size))

    def tree_wins(size):
        ring = 2 * (world_size - 1) * (alpha + size / world_size * beta)
        return 2 * levels * (alpha + size * beta) < ring

    low, high = 0.0, 1.0
    while tree_wins(high):
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if tree_wins(middle) else (low, middle)
    return high
