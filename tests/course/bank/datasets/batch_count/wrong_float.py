# Returns a float, which range() does not take.
import numpy


def batch_count(samples, batch_size, drop_last):
    return float((numpy.floor if drop_last else numpy.ceil)(samples / batch_size))
