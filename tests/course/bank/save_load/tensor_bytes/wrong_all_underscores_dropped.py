# Skips every name that begins with an underscore, not the metadata alone.
import json


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    sizes = {}
    for name in header:
        if not name.startswith("_"):
            first, last = header[name]["data_offsets"]
            sizes[name] = last - first
    return sizes
