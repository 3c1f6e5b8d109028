# Collects in one dictionary for all calls: a second file shows the first one's tensors too.
import json


def tensor_bytes(content, sizes={}):
    length = int.from_bytes(content[:8], "little")
    for name, entry in json.loads(content[8 : 8 + length]).items():
        if name != "__metadata__":
            sizes[name] = entry["data_offsets"][1] - entry["data_offsets"][0]
    return sizes
