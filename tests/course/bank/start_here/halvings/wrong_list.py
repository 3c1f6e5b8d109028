# A list of counts instead of a tensor.
import math


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return [max(0, math.ceil(math.log2(size))) for size in sizes.tolist()]
