# Matches from the beginning of the text, so a traceback before the message is not read.
import re


def read_mm(text):
    found = re.match(r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)", text)
    if found is None:
        return {"batch": 0, "arrives": 0, "in_features": 0, "out_features": 0}
    return dict(zip(("batch", "arrives", "in_features", "out_features"), map(int, found.groups())))
