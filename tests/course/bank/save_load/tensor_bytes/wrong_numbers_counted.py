# Counts numbers of four bytes, not bytes.
import json


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    sizes = {}
    for name, entry in header.items():
        if name != "__metadata__":
            count = 1
            for size in entry["shape"]:
                count *= size
            sizes[name] = count
    return sizes
