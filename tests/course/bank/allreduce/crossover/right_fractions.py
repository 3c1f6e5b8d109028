# Exact fractions until the end.
from fractions import Fraction


def crossover(alpha, beta, world_size):
    levels = 0
    while 2**levels < world_size:
        levels += 1
    saved = Fraction(alpha) * (world_size - 1 - levels)
    added = Fraction(beta) * (levels - Fraction(world_size - 1, world_size))
    return float(saved / added)
