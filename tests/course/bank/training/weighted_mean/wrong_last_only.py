# Takes all batches but the last to be as large as the first: right for a loader.


def weighted_mean(values, sizes):
    full = sizes[0] * (len(sizes) - 1)
    total = values[:-1].sum() * sizes[0] + values[-1] * sizes[-1]
    return total / (full + sizes[-1])
