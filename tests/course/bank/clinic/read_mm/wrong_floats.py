# Numbers with a decimal point.
import re


def read_mm(text):
    a, b, c, d = map(float, re.search(r"\((\d+)x(\d+) and (\d+)x(\d+)\)", text).groups())
    return {"batch": a, "arrives": b, "in_features": c, "out_features": d}
