# Knows the metadata by its lack of a dtype: somebody's metadata may hold that word.
import json


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    entries = {name: entry for name, entry in header.items() if "dtype" in entry}
    return {name: entry["data_offsets"][1] - entry["data_offsets"][0] for name, entry in entries.items()}
