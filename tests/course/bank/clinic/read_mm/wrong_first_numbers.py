# Takes the first four numbers of the text, line numbers of a traceback among them.
import re


def read_mm(text):
    numbers = (
        [int(found) for found in re.findall(r"\d+", text)][2:6]
        if text.startswith("mat1")
        else [int(found) for found in re.findall(r"\d+", text)][:4]
    )
    return dict(zip(("batch", "arrives", "in_features", "out_features"), numbers))
