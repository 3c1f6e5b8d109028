# %% right_struct: struct for the length, a memoryview for the data.
import json
import struct

import torch

from course_utils.exercises import save_load as ex


def tensors_of(content):
    (length,) = struct.unpack_from("<Q", content)
    header = json.loads(bytes(content[8 : 8 + length]).decode())
    data = memoryview(content)[8 + length :]
    result = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        tensor = torch.empty(entry["shape"], dtype=ex.DTYPES[entry["dtype"]])
        if end > begin:
            tensor.view(-1).view(torch.uint8).copy_(torch.tensor(list(data[begin:end]), dtype=torch.uint8))
        result[name] = tensor
    return result


# %% right_one_buffer: All data as one tensor of bytes, of which each tensor is a slice.
import json

import torch

from course_utils.exercises import save_load as ex


def tensors_of(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    data = torch.tensor(list(content[8 + length :]), dtype=torch.uint8)
    return {
        name: data[slice(*entry["data_offsets"])].clone().view(ex.DTYPES[entry["dtype"]]).reshape(entry["shape"])
        for name, entry in header.items()
        if "data_offsets" in entry and name != "__metadata__"
    }


# %% right_frombuffer: frombuffer with offset and count on a copy of the whole content.
import json
import math

import torch

from course_utils.exercises import save_load as ex


def tensors_of(content):
    copied = bytearray(content)
    start = 8 + int.from_bytes(copied[:8], byteorder="little")
    found = {}
    for name, about in json.loads(bytes(copied[8:start])).items():
        if name != "__metadata__":
            kind, count = ex.DTYPES[about["dtype"]], math.prod(about["shape"])
            if count:
                offset = start + about["data_offsets"][0]
                part = bytearray(copied[offset : offset + count * kind.itemsize])
                found[name] = torch.frombuffer(part, dtype=kind, count=count).reshape(about["shape"])
            else:
                found[name] = torch.zeros(about["shape"], dtype=kind)
    return found


# %% right_bytesio: Reads piece by piece from a BytesIO.
import io
import json

import torch

from course_utils.exercises import save_load as ex


def tensors_of(content):
    file = io.BytesIO(content)
    header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    start, found = file.tell(), {}
    header.pop("__metadata__", None)
    for name in header:
        dtype, shape, (begin, end) = header[name]["dtype"], header[name]["shape"], header[name]["data_offsets"]
        file.seek(start + begin)
        found[name] = torch.zeros(shape, dtype=ex.DTYPES[dtype])
        if begin != end:
            found[name] = torch.frombuffer(bytearray(file.read(end - begin)), dtype=ex.DTYPES[dtype]).view(shape)
    return found


# %% wrong_big_endian: Reads the length the wrong way round.
import json

import torch

from course_utils.exercises import save_load as ex


def tensors_of(content):
    length = int.from_bytes(content[:8], "big")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    return {n: torch.zeros(e["shape"], dtype=ex.DTYPES[e["dtype"]]) for n, e in header.items()}


# %% wrong_zeros: The right shapes and types, and no numbers.
import json

import torch

from course_utils.exercises import save_load as ex


def tensors_of(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    return {n: torch.zeros(e["shape"], dtype=ex.DTYPES[e["dtype"]]) for n, e in header.items()}


# %% wrong_first_brace: Looks for the end of the header at the first pair of braces.
import json

import torch

from course_utils.exercises import save_load as ex


def tensors_of(content):
    end = content.index(b"}}") + 2
    header = json.loads(content[8:end])
    header.pop("__metadata__", None)
    result = {}
    for n, e in header.items():
        a, b = e["data_offsets"]
        part = bytearray(content[end + a : end + b])
        result[n] = (
            torch.frombuffer(part, dtype=ex.DTYPES[e["dtype"]]).view(e["shape"])
            if part
            else torch.empty(e["shape"])
        )
    return result


# %% wrong_short_length: Takes two of the eight bytes for the length.
import json

import torch

from course_utils.exercises import save_load as ex


def tensors_of(content):
    length = int.from_bytes(content[:2], "little")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    result = {}
    for n, e in header.items():
        a, b = e["data_offsets"]
        kind, part = ex.DTYPES[e["dtype"]], bytearray(content[8 + length + a : 8 + length + b])
        result[n] = (
            torch.frombuffer(part, dtype=kind).view(e["shape"]) if part else torch.empty(e["shape"], dtype=kind)
        )
    return result


# %% wrong_empty_float: An empty tensor is float32, whatever the header says.
import json

import torch

from course_utils.exercises import save_load as ex


def tensors_of(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    result = {}
    for n, e in header.items():
        a, b = e["data_offsets"]
        part = bytearray(content[8 + length + a : 8 + length + b])
        result[n] = (
            torch.frombuffer(part, dtype=ex.DTYPES[e["dtype"]]).view(e["shape"])
            if part
            else torch.empty(e["shape"])
        )
    return result


# %% wrong_empty_left_out: Leaves out tensors without elements.
import json

import torch

from course_utils.exercises import save_load as ex


def tensors_of(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    result = {}
    for n, e in header.items():
        a, b = e["data_offsets"]
        if b > a:
            part = bytearray(content[8 + length + a : 8 + length + b])
            result[n] = torch.frombuffer(part, dtype=ex.DTYPES[e["dtype"]]).view(e["shape"])
    return result


# %% wrong_underscores: Leaves out every name that begins with an underscore.
import json

import torch

from course_utils.exercises import save_load as ex


def tensors_of(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    result = {}
    for n, e in header.items():
        if n.startswith("_"):
            continue
        a, b = e["data_offsets"]
        kind, part = ex.DTYPES[e["dtype"]], bytearray(content[8 + length + a : 8 + length + b])
        result[n] = (
            torch.frombuffer(part, dtype=kind).view(e["shape"]) if part else torch.empty(e["shape"], dtype=kind)
        )
    return result


# %% wrong_one_dimension: A single number comes back as a list of one.
import json

import torch

from course_utils.exercises import save_load as ex


def tensors_of(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    result = {}
    for n, e in header.items():
        a, b = e["data_offsets"]
        kind, part = ex.DTYPES[e["dtype"]], bytearray(content[8 + length + a : 8 + length + b])
        shape = e["shape"] or [1]
        result[n] = torch.frombuffer(part, dtype=kind).view(shape) if part else torch.empty(shape, dtype=kind)
    return result


# %% wrong_turned: Fills the columns first.
import json

import torch

from course_utils.exercises import save_load as ex


def tensors_of(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    result = {}
    for n, e in header.items():
        a, b = e["data_offsets"]
        kind, part = ex.DTYPES[e["dtype"]], bytearray(content[8 + length + a : 8 + length + b])
        flat = torch.frombuffer(part, dtype=kind) if part else torch.empty(0, dtype=kind)
        result[n] = flat.view(e["shape"][::-1]).permute(*range(len(e["shape"]))[::-1])
    return result


# %% wrong_all_float: Converts everything to float32.
import json

import torch

from course_utils.exercises import save_load as ex


def tensors_of(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    result = {}
    for n, e in header.items():
        a, b = e["data_offsets"]
        kind, part = ex.DTYPES[e["dtype"]], bytearray(content[8 + length + a : 8 + length + b])
        flat = torch.frombuffer(part, dtype=kind) if part else torch.empty(0, dtype=kind)
        result[n] = flat.view(e["shape"]).float()
    return result


# %% wrong_library: The library does it, which the task forbids.
import safetensors.torch


def tensors_of(content):
    return safetensors.torch.load(bytes(content))


# %% wrong_library_by_name: The library's own reader, imported under another name.
from safetensors.torch import load as read


def tensors_of(content):
    return dict(read(content))


# %% wrong_in_sequence: Takes the bytes one after another in the order of the header, not from the offsets.
import json
import struct

import torch

DTYPES = {
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "I16": torch.int16,
    "U16": torch.uint16,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I32": torch.int32,
    "U32": torch.uint32,
    "F32": torch.float32,
    "F64": torch.float64,
    "I64": torch.int64,
    "U64": torch.uint64,
    "C64": torch.complex64,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
}


def tensors_of(content):
    (n,) = struct.unpack("<Q", content[:8])
    place, out = 8 + n, {}
    for name, info in json.loads(content[8 : 8 + n]).items():
        if name == "__metadata__":
            continue
        begin, end = info["data_offsets"]
        part = bytearray(content[place : place + end - begin])
        place += end - begin
        dtype = DTYPES[info["dtype"]]
        flat = torch.frombuffer(part, dtype=dtype) if part else torch.empty(0, dtype=dtype)
        out[name] = flat.reshape(info["shape"])
    return out


# %% wrong_padding: Counts the places from the last brace, not from the end of the padded header.
import json
import struct

import torch

DTYPES = {
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "I16": torch.int16,
    "U16": torch.uint16,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I32": torch.int32,
    "U32": torch.uint32,
    "F32": torch.float32,
    "F64": torch.float64,
    "I64": torch.int64,
    "U64": torch.uint64,
    "C64": torch.complex64,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
}


def tensors_of(content):
    (n,) = struct.unpack("<Q", content[:8])
    text = content[8 : 8 + n].rstrip(b" ")
    start, out = 8 + len(text), {}
    for name, info in json.loads(text).items():
        if name == "__metadata__":
            continue
        begin, end = info["data_offsets"]
        part = bytearray(content[start + begin : start + end])
        dtype = DTYPES[info["dtype"]]
        flat = torch.frombuffer(part, dtype=dtype) if part else torch.empty(0, dtype=dtype)
        out[name] = flat.reshape(info["shape"])
    return out


# %% wrong_no_elements: Frombuffer raises for a tensor without elements.
import json
import struct

import torch

DTYPES = {
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "I16": torch.int16,
    "U16": torch.uint16,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I32": torch.int32,
    "U32": torch.uint32,
    "F32": torch.float32,
    "F64": torch.float64,
    "I64": torch.int64,
    "U64": torch.uint64,
    "C64": torch.complex64,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
}


def tensors_of(content):
    (n,) = struct.unpack("<Q", content[:8])
    data, out = content[8 + n :], {}
    for name, info in json.loads(content[8 : 8 + n]).items():
        if name == "__metadata__":
            continue
        begin, end = info["data_offsets"]
        out[name] = torch.frombuffer(bytearray(data[begin:end]), dtype=DTYPES[info["dtype"]]).reshape(info["shape"])
    return out


# %% wrong_no_dimension: A tensor without a dimension comes out with shape (1,).
import json
import struct

import torch

DTYPES = {
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "I16": torch.int16,
    "U16": torch.uint16,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I32": torch.int32,
    "U32": torch.uint32,
    "F32": torch.float32,
    "F64": torch.float64,
    "I64": torch.int64,
    "U64": torch.uint64,
    "C64": torch.complex64,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
}


def tensors_of(content):
    (n,) = struct.unpack("<Q", content[:8])
    data, out = content[8 + n :], {}
    for name, info in json.loads(content[8 : 8 + n]).items():
        if name == "__metadata__":
            continue
        begin, end = info["data_offsets"]
        part, dtype = bytearray(data[begin:end]), DTYPES[info["dtype"]]
        flat = torch.frombuffer(part, dtype=dtype) if part else torch.empty(0, dtype=dtype)
        out[name] = flat.reshape(info["shape"] or [-1])
    return out


# %% wrong_dunder_names: Leaves out every name that begins with two underscores.
import json
import struct

import torch

DTYPES = {
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "I16": torch.int16,
    "U16": torch.uint16,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I32": torch.int32,
    "U32": torch.uint32,
    "F32": torch.float32,
    "F64": torch.float64,
    "I64": torch.int64,
    "U64": torch.uint64,
    "C64": torch.complex64,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
}


def tensors_of(content):
    (n,) = struct.unpack("<Q", content[:8])
    data, out = content[8 + n :], {}
    for name, info in json.loads(content[8 : 8 + n]).items():
        if name.startswith("__"):
            continue
        begin, end = info["data_offsets"]
        part, dtype = bytearray(data[begin:end]), DTYPES[info["dtype"]]
        flat = torch.frombuffer(part, dtype=dtype) if part else torch.empty(0, dtype=dtype)
        out[name] = flat.reshape(info["shape"])
    return out


# %% wrong_aligned_view: View of the bytes raises where a tensor begins at no multiple of its element size.
import json
import struct

import torch

DTYPES = {
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "I16": torch.int16,
    "U16": torch.uint16,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I32": torch.int32,
    "U32": torch.uint32,
    "F32": torch.float32,
    "F64": torch.float64,
    "I64": torch.int64,
    "U64": torch.uint64,
    "C64": torch.complex64,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
}


def tensors_of(content):
    (n,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + n])
    header.pop("__metadata__", None)
    rest = bytearray(content[8 + n :])
    data = torch.frombuffer(rest, dtype=torch.uint8) if rest else torch.empty(0, dtype=torch.uint8)
    out = {}
    for name, info in header.items():
        begin, end = info["data_offsets"]
        out[name] = data[begin:end].view(DTYPES[info["dtype"]]).reshape(info["shape"])
    return out


# %% wrong_metadata_always: KeyError for a file without __metadata__.
import json
import struct

import torch

DTYPES = {
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "I16": torch.int16,
    "U16": torch.uint16,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I32": torch.int32,
    "U32": torch.uint32,
    "F32": torch.float32,
    "F64": torch.float64,
    "I64": torch.int64,
    "U64": torch.uint64,
    "C64": torch.complex64,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
}


def tensors_of(content):
    (n,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + n])
    del header["__metadata__"]
    data, out = content[8 + n :], {}
    for name, info in header.items():
        begin, end = info["data_offsets"]
        part, dtype = bytearray(data[begin:end]), DTYPES[info["dtype"]]
        flat = torch.frombuffer(part, dtype=dtype) if part else torch.empty(0, dtype=dtype)
        out[name] = flat.reshape(info["shape"])
    return out


# %% wrong_bf16_widened: Bfloat16 comes out as float32 because NumPy has none.
import json

import numpy as np
import torch

DTYPES = {
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "I16": torch.int16,
    "U16": torch.uint16,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I32": torch.int32,
    "U32": torch.uint32,
    "F32": torch.float32,
    "F64": torch.float64,
    "I64": torch.int64,
    "U64": torch.uint64,
    "C64": torch.complex64,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
}


def tensors_of(content):
    n = int.from_bytes(content[:8], "little")
    data, out = content[8 + n :], {}
    for name, info in json.loads(content[8 : 8 + n]).items():
        if name == "__metadata__":
            continue
        begin, end = info["data_offsets"]
        part = np.frombuffer(data[begin:end], dtype=np.uint8).copy()
        if info["dtype"] == "BF16":
            wide = (part.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
            out[name] = torch.from_numpy(wide).reshape(info["shape"])
        else:
            out[name] = torch.tensor(part, dtype=torch.uint8).view(DTYPES[info["dtype"]]).reshape(info["shape"])
    return out


# %% right_stream: A BytesIO read into the bytes of fresh tensors.
import io
import json

import torch

DTYPES = {
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "I16": torch.int16,
    "U16": torch.uint16,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I32": torch.int32,
    "U32": torch.uint32,
    "F32": torch.float32,
    "F64": torch.float64,
    "I64": torch.int64,
    "U64": torch.uint64,
    "C64": torch.complex64,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
}


def tensors_of(content):
    stream = io.BytesIO(content)
    start = int.from_bytes(stream.read(8), "little")
    table = json.loads(stream.read(start).decode("utf-8"))
    base, out = stream.tell(), {}
    for name in sorted(table.keys() - {"__metadata__"}):
        fresh = torch.empty(tuple(table[name]["shape"]), dtype=DTYPES[table[name]["dtype"]])
        if fresh.numel():
            stream.seek(base + table[name]["data_offsets"][0])
            stream.readinto(fresh.view(-1).view(torch.uint8).numpy())
        out[name] = fresh
    return out


# %% right_numpy: A copy of NumPy's bytes seen as the dtype, in one comprehension.
import json

import numpy as np
import torch

DTYPES = {
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "I16": torch.int16,
    "U16": torch.uint16,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I32": torch.int32,
    "U32": torch.uint32,
    "F32": torch.float32,
    "F64": torch.float64,
    "I64": torch.int64,
    "U64": torch.uint64,
    "C64": torch.complex64,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
}


def tensors_of(content):
    raw = np.frombuffer(content, dtype=np.uint8)
    first = 8 + int(raw[:8].view("<u8")[0])
    return {
        name: torch.tensor(
            raw[first + info["data_offsets"][0] : first + info["data_offsets"][1]], dtype=torch.uint8
        )
        .view(DTYPES[info["dtype"]])
        .reshape(info["shape"])
        for name, info in json.loads(raw[8:first].tobytes()).items()
        if name != "__metadata__"
    }


# %% right_storage: An untyped storage for each tensor, and a tensor set upon it.
import json
import struct

import torch

DTYPES = {
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "I16": torch.int16,
    "U16": torch.uint16,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I32": torch.int32,
    "U32": torch.uint32,
    "F32": torch.float32,
    "F64": torch.float64,
    "I64": torch.int64,
    "U64": torch.uint64,
    "C64": torch.complex64,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
}


def tensors_of(content):
    view = memoryview(content)
    (size,) = struct.unpack_from("<Q", view)
    body = view[8 + size :]

    def one(info):
        begin, end = info["data_offsets"]
        storage = torch.UntypedStorage(list(body[begin:end])) if end > begin else torch.UntypedStorage(0)
        strides, step = [], 1
        for length in reversed(info["shape"]):
            strides.insert(0, step)
            step *= max(length, 1)
        return torch.empty(0, dtype=DTYPES[info["dtype"]]).set_(storage, 0, info["shape"], strides)

    pairs = json.loads(bytes(view[8 : 8 + size]), object_pairs_hook=dict).items()
    return {name: one(info) for name, info in pairs if name != "__metadata__"}


# %% wrong_over_double: Every number takes the way over float64, where a large integer loses its end.
import json

import torch

from course_utils.exercises import save_load as ex


def tensors_of(content):
    length = int.from_bytes(content[:8], "little")
    found = {}
    for name, e in json.loads(content[8 : 8 + length]).items():
        if name != "__metadata__":
            a, b = e["data_offsets"]
            kind, part = ex.DTYPES[e["dtype"]], bytearray(content[8 + length + a : 8 + length + b])
            flat = torch.frombuffer(part, dtype=kind) if part else torch.empty(0, dtype=kind)
            found[name] = flat.double().to(kind).view(e["shape"])
    return found


# %% wrong_blanks_eaten: takes off the blanks after the header by hand, and those the data begins with
import json

import torch

DTYPES = {
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "U16": torch.uint16,
    "I16": torch.int16,
    "U32": torch.uint32,
    "I32": torch.int32,
    "U64": torch.uint64,
    "I64": torch.int64,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "F32": torch.float32,
    "F64": torch.float64,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
    "F8_E8M0": torch.float8_e8m0fnu,
    "F8_E4M3FNUZ": torch.float8_e4m3fnuz,
    "F8_E5M2FNUZ": torch.float8_e5m2fnuz,
    "C64": torch.complex64,
}


def tensors_of(content):
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    start = 8 + len(content[8 : 8 + length].rstrip(b" "))
    while content[start : start + 1] == b" ":
        start += 1
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        piece = torch.tensor(list(content[start + begin : start + end]), dtype=torch.uint8)
        tensors[name] = piece.view(DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors
