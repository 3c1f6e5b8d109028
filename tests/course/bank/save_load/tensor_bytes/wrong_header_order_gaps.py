# Takes each end minus the end before it in the header, whose order need not be that of the file.
import json


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    sizes, before = {}, 0
    for name, entry in json.loads(content[8 : 8 + length]).items():
        if name == "__metadata__":
            continue
        sizes[name] = abs(entry["data_offsets"][1] - before)
        before = entry["data_offsets"][1]
    return sizes
