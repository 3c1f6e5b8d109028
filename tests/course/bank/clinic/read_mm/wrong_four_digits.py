# Expects at most four digits a number.
import re


def read_mm(text):
    a, b, c, d = re.search(r"(\d{1,4})x(\d{1,4}) and (\d{1,4})x(\d{1,4})", text).groups()
    return {"batch": int(a), "arrives": int(b), "in_features": int(c), "out_features": int(d)}
