# One regular expression with named groups.
import re


def read_mm(text):
    pattern = r"\((?P<batch>\d+)x(?P<arrives>\d+) and (?P<in_features>\d+)x(?P<out_features>\d+)\)"
    return {name: int(number) for name, number in re.search(pattern, text).groupdict().items()}
