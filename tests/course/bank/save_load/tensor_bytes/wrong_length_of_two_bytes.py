# Unpacks the header's length as an unsigned short: right up to 65,535 bytes of header.
import json
import struct


def tensor_bytes(content):
    (length,) = struct.unpack_from("<H", content)
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    return {name: entry["data_offsets"][1] - entry["data_offsets"][0] for name, entry in header.items()}
