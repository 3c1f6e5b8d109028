# Averages each mean with the one so far, half and half.


def weighted_mean(values, sizes):
    mean = values[0]
    for value in values[1:]:
        mean = (mean + value) / 2
    return mean
