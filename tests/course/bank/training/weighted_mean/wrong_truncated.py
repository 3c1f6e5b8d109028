# Turns the values into the dtype of the sizes: whole numbers.


def weighted_mean(values, sizes):
    return values.to(sizes.dtype) @ sizes / sizes.sum()
