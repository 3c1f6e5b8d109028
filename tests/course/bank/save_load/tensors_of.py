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
