# Writes each value as often as its batch has examples.


def weighted_mean(values, sizes):
    return values.repeat_interleave(sizes).mean()
