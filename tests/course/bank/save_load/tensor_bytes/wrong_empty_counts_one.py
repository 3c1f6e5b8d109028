# A size of 0 in a shape is counted as 1, as if an empty tensor still held one number.
import json
import math

import numpy as np


def tensor_bytes(content):
    length = int(np.frombuffer(content[:8], dtype="<u8")[0])
    header = json.loads(content[8 : 8 + length].decode())
    sizes = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        numbers = math.prod(size or 1 for size in entry["shape"])
        width = (end - begin) // max(1, math.prod(entry["shape"])) or 4
        sizes[name] = numbers * width
    return sizes
