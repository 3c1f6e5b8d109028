# Decodes the header as Latin-1: a name with an umlaut comes out as another name.
import json


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length].decode("latin-1"))
    header.pop("__metadata__", None)
    sizes = {}
    for name, entry in header.items():
        sizes[name] = entry["data_offsets"][1] - entry["data_offsets"][0]
    return sizes
