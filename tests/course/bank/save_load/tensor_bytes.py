# %% right_library: Lets the library load the tensors and asks them for their bytes.
import safetensors.torch


def tensor_bytes(content):
    return {name: tensor.nbytes for name, tensor in safetensors.torch.load(content).items()}


# %% right_numpy: The length and the differences by NumPy, turned back into ints.
import json

import numpy as np


def tensor_bytes(content):
    length = int(np.frombuffer(content, dtype="<u8", count=1)[0])
    header = json.loads(bytes(content[8 : length + 8]).decode("utf-8"))
    names = [name for name in header if name != "__metadata__"]
    offsets = np.array([header[name]["data_offsets"] for name in names], dtype=np.int64).reshape(-1, 2)
    return dict(zip(names, np.diff(offsets, axis=1)[:, 0].tolist(), strict=True))


# %% right_popped_metadata: Takes the metadata out first, then a comprehension over the offsets.
import json
import struct


def tensor_bytes(content):
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    return {name: end - begin for name, (begin, end) in ((n, e["data_offsets"]) for n, e in header.items())}


# %% right_read_as_stream: Reads the bytes like a file and loops.
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


# %% right_slices_of_the_data: Cuts each tensor's bytes out of the file and takes the length of the slice.
import json


def tensor_bytes(content):
    start = 8 + int.from_bytes(content[:8], "little")
    header, data = json.loads(content[8:start]), memoryview(content)[start:]
    slices = {name: data[slice(*entry["data_offsets"])] for name, entry in header.items() if name != "__metadata__"}
    return {name: piece.nbytes for name, piece in slices.items()}


# %% wrong_all_underscores_dropped: Skips every name that begins with an underscore, not the metadata alone.
import json


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    sizes = {}
    for name in header:
        if not name.startswith("_"):
            first, last = header[name]["data_offsets"]
            sizes[name] = last - first
    return sizes


# %% wrong_dtype_digits: Reads the bytes of a number off the digits in its dtype's name: BF16 and BOOL do not begin that way.
import json
import math


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    return {name: math.prod(entry["shape"]) * int(entry["dtype"][1:]) // 8 for name, entry in header.items()}


# %% wrong_empty_counts_one: A size of 0 in a shape is counted as 1, as if an empty tensor still held one number.
import json
import math

import numpy as np


def tensor_bytes(content):
    length = int(np.frombuffer(content[:8], dtype="<u8")[0])
    header = json.loads(content[8 : 8 + length].decode())
    sizes = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        numbers = math.prod(size or 1 for size in entry["shape"])
        width = (end - begin) // max(1, math.prod(entry["shape"])) or 4
        sizes[name] = numbers * width
    return sizes


# %% wrong_empty_dropped: Leaves out the tensors that take no bytes.
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


# %% wrong_end_offset: Takes where a tensor ends for its size: right for the tensor that begins at 0 only.
import json


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    return {name: entry["data_offsets"][-1] for name, entry in header.items() if name != "__metadata__"}


# %% wrong_first_entry_is_metadata: Takes the metadata for the first entry whenever the file has any.
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


# %% wrong_header_order_gaps: Takes each end minus the end before it in the header, whose order need not be that of the file.
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


# %% wrong_last_brace: Ends the header at the last closing brace of the file: a number may hold that byte too.
import json


def tensor_bytes(content):
    header = json.loads(content[8 : content.rindex(b"}") + 1])
    sizes = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        sizes[name] = end - begin
    return sizes


# %% wrong_latin_letters: Decodes the header as Latin-1: a name with an umlaut comes out as another name.
import json


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length].decode("latin-1"))
    header.pop("__metadata__", None)
    sizes = {}
    for name, entry in header.items():
        sizes[name] = entry["data_offsets"][1] - entry["data_offsets"][0]
    return sizes


# %% wrong_length_of_one_byte: Takes the first byte alone for the header's length: right for headers shorter than 256 bytes.
import json


def tensor_bytes(content):
    header = json.loads(content[8 : 8 + content[0]])
    return {
        name: entry["data_offsets"][1] - entry["data_offsets"][0]
        for name, entry in header.items()
        if name != "__metadata__"
    }


# %% wrong_length_of_two_bytes: Unpacks the header's length as an unsigned short: right up to 65,535 bytes of header.
import json
import struct


def tensor_bytes(content):
    (length,) = struct.unpack_from("<H", content)
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    return {name: entry["data_offsets"][1] - entry["data_offsets"][0] for name, entry in header.items()}


# %% wrong_metadata_with_dtype: Knows the metadata by its lack of a dtype: somebody's metadata may hold that word.
import json


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    entries = {name: entry for name, entry in header.items() if "dtype" in entry}
    return {name: entry["data_offsets"][1] - entry["data_offsets"][0] for name, entry in entries.items()}


# %% wrong_numbers_counted: Counts numbers of four bytes, not bytes.
import json


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    sizes = {}
    for name, entry in header.items():
        if name != "__metadata__":
            count = 1
            for size in entry["shape"]:
                count *= size
            sizes[name] = count
    return sizes


# %% wrong_short_dtype_table: A table of the usual dtypes with 4 bytes for all others.
import json
import math

SIZES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1}


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    sizes = {}
    for name, entry in header.items():
        if name != "__metadata__":
            sizes[name] = math.prod(entry["shape"]) * SIZES.get(entry["dtype"], 4)
    return sizes


# %% wrong_sizes_kept: Collects in one dictionary for all calls: a second file shows the first one's tensors too.
import json


def tensor_bytes(content, sizes={}):
    length = int.from_bytes(content[:8], "little")
    for name, entry in json.loads(content[8 : 8 + length]).items():
        if name != "__metadata__":
            sizes[name] = entry["data_offsets"][1] - entry["data_offsets"][0]
    return sizes


# %% wrong_spaces_expected: A regular expression that wants the spaces of the example's JSON: other writers leave them out.
import re


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    text = content[8 : 8 + length].decode("utf-8")
    pattern = r'"([^"]+)": \{"dtype": "\w+", "shape": \[[\d, ]*\], "data_offsets": \[(\d+), (\d+)\]\}'
    return {name: int(end) - int(begin) for name, begin, end in re.findall(pattern, text)}


# %% wrong_two_braces: Ends the header at the first two closing braces: a file without tensors has only one.
import json


def tensor_bytes(content):
    stop = content.index(b"}}") + 2
    header = json.loads(content[8:stop])
    return {
        name: entry["data_offsets"][1] - entry["data_offsets"][0]
        for name, entry in header.items()
        if name != "__metadata__"
    }
