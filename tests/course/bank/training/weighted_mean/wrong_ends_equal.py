# Takes all batches to be equal if the first and the last are.


def weighted_mean(values, sizes):
    if sizes[0] == sizes[-1]:
        return values.mean()
    return (values * sizes).sum() / sizes.sum()
