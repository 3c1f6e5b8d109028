# Gives a plain number instead of a tensor.


def weighted_mean(values, sizes):
    pairs = list(zip(values.tolist(), sizes.tolist()))
    return sum(v * n for v, n in pairs) / sum(n for _, n in pairs)
