# Leaves out the tensors that take no bytes.
import json


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    sizes = {}
    for name, entry in json.loads(content[8 : 8 + length]).items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        if end > begin:
            sizes[name] = end - begin
    return sizes
