# Reads the bytes like a file and loops.
import io
import json


def tensor_bytes(content):
    stream = io.BytesIO(content)
    length = int.from_bytes(stream.read(8), byteorder="little")
    entries = json.load(io.BytesIO(stream.read(length)))
    result = {}
    for name in entries:
        if name == "__metadata__":
            continue
        begin, end = entries[name]["data_offsets"]
        result[name] = end - begin
    return result
