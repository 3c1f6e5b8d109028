# Only the two numbers that clash.
import re


def read_mm(text):
    _, b, c, _ = map(int, re.search(r"\((\d+)x(\d+) and (\d+)x(\d+)\)", text).groups())
    return {"arrives": b, "in_features": c}
