# Divides by the sizes where it should multiply.


def weighted_mean(values, sizes):
    weights = 1 / sizes
    return (values * weights).sum() / weights.sum()
