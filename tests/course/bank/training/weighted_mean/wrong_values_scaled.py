# Multiplies the caller's values by their sizes, in place.


def weighted_mean(values, sizes):
    values *= sizes
    return values.sum() / sizes.sum()
