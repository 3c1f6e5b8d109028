# Takes the metadata for the first entry whenever the file has any.
import json


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    names = list(header)
    if "__metadata__" in header:
        names = names[1:]
    sizes = {}
    for name in names:
        offsets = header[name].get("data_offsets", [0, 0])
        sizes[name] = offsets[1] - offsets[0]
    return sizes
