# Reads the second pair as the weight is stored, out by in.
import re


def read_mm(text):
    a, b, c, d = map(int, re.search(r"\((\d+)x(\d+) and (\d+)x(\d+)\)", text).groups())
    return {"batch": a, "arrives": b, "out_features": c, "in_features": d}
