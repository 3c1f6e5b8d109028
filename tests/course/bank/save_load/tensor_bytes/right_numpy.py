# The length and the differences by NumPy, turned back into ints.
import json

import numpy as np


def tensor_bytes(content):
    length = int(np.frombuffer(content, dtype="<u8", count=1)[0])
    header = json.loads(bytes(content[8 : length + 8]).decode("utf-8"))
    names = [name for name in header if name != "__metadata__"]
    offsets = np.array([header[name]["data_offsets"] for name in names], dtype=np.int64).reshape(-1, 2)
    return dict(zip(names, np.diff(offsets, axis=1)[:, 0].tolist(), strict=True))
