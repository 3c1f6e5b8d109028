# A table of the usual dtypes with 4 bytes for all others.
import json
import math

SIZES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1}


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    sizes = {}
    for name, entry in header.items():
        if name != "__metadata__":
            sizes[name] = math.prod(entry["shape"]) * SIZES.get(entry["dtype"], 4)
    return sizes
