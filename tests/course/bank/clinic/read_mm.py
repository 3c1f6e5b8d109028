# %% right_groups: One regular expression with named groups.
import re


def read_mm(text):
    pattern = r"\((?P<batch>\d+)x(?P<arrives>\d+) and (?P<in_features>\d+)x(?P<out_features>\d+)\)"
    return {name: int(number) for name, number in re.search(pattern, text).groupdict().items()}


# %% right_line_by_line: Goes through the lines and reads the one with mat1 in it.
import re


def read_mm(text):
    for line in reversed(text.splitlines()):
        if "mat1 and mat2 shapes" in line:
            numbers = [int(n) for n in re.findall(r"(?<=[(x ])\d+(?=[x) ])", line.split("multiplied")[1])]
            keys = ["batch", "arrives", "in_features", "out_features"]
            return {key: number for key, number in zip(keys, numbers)}


# %% right_partition: No regular expression: cut after the words of the message.
def read_mm(text):
    tail = text.partition("cannot be multiplied (")[2].partition(")")[0]
    first, second = tail.split(" and ")
    batch, arrives = (int(number) for number in first.split("x"))
    features, out = (int(number) for number in second.split("x"))
    return dict(batch=batch, arrives=arrives, in_features=features, out_features=out)


# %% wrong_anchored: Matches from the beginning of the text, so a traceback before the message is not read.
import re


def read_mm(text):
    found = re.match(r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)", text)
    if found is None:
        return {"batch": 0, "arrives": 0, "in_features": 0, "out_features": 0}
    return dict(zip(("batch", "arrives", "in_features", "out_features"), map(int, found.groups())))


# %% wrong_first_numbers: Takes the first four numbers of the text, line numbers of a traceback among them.
import re


def read_mm(text):
    numbers = (
        [int(found) for found in re.findall(r"\d+", text)][2:6]
        if text.startswith("mat1")
        else [int(found) for found in re.findall(r"\d+", text)][:4]
    )
    return dict(zip(("batch", "arrives", "in_features", "out_features"), numbers))


# %% wrong_first_parenthesis: Cuts at the first parenthesis of the whole text, which in a traceback belongs to a call.
def read_mm(text):
    inside = text[text.index("(") + 1 :].split(")")[0]
    left, _, right = inside.partition(" and ")
    if "x" not in left or "x" not in right:
        return {}
    (a, b), (c, d) = left.split("x"), right.split("x")
    return {"batch": int(a), "arrives": int(b), "in_features": int(c), "out_features": int(d)}


# %% wrong_floats: Numbers with a decimal point.
import re


def read_mm(text):
    a, b, c, d = map(float, re.search(r"\((\d+)x(\d+) and (\d+)x(\d+)\)", text).groups())
    return {"batch": a, "arrives": b, "in_features": c, "out_features": d}


# %% wrong_four_digits: Expects at most four digits a number.
import re


def read_mm(text):
    a, b, c, d = re.search(r"(\d{1,4})x(\d{1,4}) and (\d{1,4})x(\d{1,4})", text).groups()
    return {"batch": int(a), "arrives": int(b), "in_features": int(c), "out_features": int(d)}


# %% wrong_last_line_only: Looks at the last line only, though the message may stand anywhere in the text.
import re


def read_mm(text):
    numbers = re.search(r"\((\d+)x(\d+) and (\d+)x(\d+)\)", text.strip().splitlines()[-1]).groups()
    return dict(zip(("batch", "arrives", "in_features", "out_features"), map(int, numbers)))


# %% wrong_last_numbers: Takes the last four numbers of the text, whatever stands after the message.
import re


def read_mm(text):
    *_, a, b, c, d = (int(found) for found in re.findall(r"\d+", text))
    return {"batch": a, "arrives": b, "in_features": c, "out_features": d}


# %% wrong_text_for_numbers: Returns the numbers as strings.
import re


def read_mm(text):
    a, b, c, d = re.search(r"(\d+)x(\d+) and (\d+)x(\d+)", text).groups()
    return {"batch": a, "arrives": b, "in_features": c, "out_features": d}


# %% wrong_transposed_weight: Reads the second pair as the weight is stored, out by in.
import re


def read_mm(text):
    a, b, c, d = map(int, re.search(r"\((\d+)x(\d+) and (\d+)x(\d+)\)", text).groups())
    return {"batch": a, "arrives": b, "out_features": c, "in_features": d}


# %% wrong_two_keys: Only the two numbers that clash.
import re


def read_mm(text):
    _, b, c, _ = map(int, re.search(r"\((\d+)x(\d+) and (\d+)x(\d+)\)", text).groups())
    return {"arrives": b, "in_features": c}
