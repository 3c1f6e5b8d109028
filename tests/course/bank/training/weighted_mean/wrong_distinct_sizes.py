# Divides by the sum of the distinct sizes.


def weighted_mean(values, sizes):
    return (values * sizes).sum() / sizes.unique().sum()
