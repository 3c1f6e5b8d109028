# Takes the last four numbers of the text, whatever stands after the message.
import re


def read_mm(text):
    *_, a, b, c, d = (int(found) for found in re.findall(r"\d+", text))
    return {"batch": a, "arrives": b, "in_features": c, "out_features": d}
