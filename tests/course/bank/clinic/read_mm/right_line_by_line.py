# Goes through the lines and reads the one with mat1 in it.
import re


def read_mm(text):
    for line in reversed(text.splitlines()):
        if "mat1 and mat2 shapes" in line:
            numbers = [int(n) for n in re.findall(r"(?<=[(x ])\d+(?=[x) ])", line.split("multiplied")[1])]
            keys = ["batch", "arrives", "in_features", "out_features"]
            return {key: number for key, number in zip(keys, numbers)}
