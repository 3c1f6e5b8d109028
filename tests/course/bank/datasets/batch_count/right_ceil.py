# floor or ceil of the quotient, as the DataLoader does it.
import math


def batch_count(samples, batch_size, drop_last):
    to_whole = math.floor if drop_last else math.ceil
    return to_whole(samples / batch_size)
