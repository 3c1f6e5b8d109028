# Rounds down after dividing.


def weighted_mean(values, sizes):
    return (values * sizes).sum() // sizes.sum()
