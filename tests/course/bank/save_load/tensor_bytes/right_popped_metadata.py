# Takes the metadata out first, then a comprehension over the offsets.
import json
import struct


def tensor_bytes(content):
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    return {name: end - begin for name, (begin, end) in ((n, e["data_offsets"]) for n, e in header.items())}
