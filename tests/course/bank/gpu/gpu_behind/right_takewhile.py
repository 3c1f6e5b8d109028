# takewhile cuts the list, islice picks from it.
import re
from itertools import islice, takewhile


def gpu_behind(visible, logical, count):
    if visible is None:
        numbers = range(count)
    else:
        digits = takewhile(lambda entry: re.fullmatch("[0-9]+", entry), visible.split(","))
        numbers = takewhile(lambda number: number < count, map(int, digits))
    return next(islice(numbers, logical, None), None)
