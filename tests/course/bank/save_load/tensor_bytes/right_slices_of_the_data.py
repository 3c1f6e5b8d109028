# Cuts each tensor's bytes out of the file and takes the length of the slice.
import json


def tensor_bytes(content):
    start = 8 + int.from_bytes(content[:8], "little")
    header, data = json.loads(content[8:start]), memoryview(content)[start:]
    slices = {name: data[slice(*entry["data_offsets"])] for name, entry in header.items() if name != "__metadata__"}
    return {name: piece.nbytes for name, piece in slices.items()}
