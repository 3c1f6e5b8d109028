# Keeps an axis: the shape is (1,).


def weighted_mean(values, sizes):
    return (values * sizes).sum(dim=0, keepdim=True) / sizes.sum()
