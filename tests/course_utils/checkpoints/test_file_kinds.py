"""Each file that is no checkpoint of the course is called what it is, and nothing false is said of it."""

import gzip
import io
import pickle
import struct
import tarfile
import warnings
import zipfile

import numpy
import pytest
import safetensors.torch
import torch

from course_utils.checkpoint import load_checkpoint
from course_utils.checkpoints import file_kinds, pickle_names
from course_utils.checkpoints.file_format import CheckpointError

NET = torch.nn.Linear(2, 1)
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 46830571\n"


def zipped(**members):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return target.getvalue()


def saved(content, **options):
    target = io.BytesIO()
    torch.save(content, target, **options)
    return target.getvalue()


def torchscript():
    target = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch 2.14 advises torch.export
        torch.jit.save(torch.jit.script(NET), target)
    return target.getvalue()


def exported():
    target = io.BytesIO()
    torch.export.save(torch.export.export(NET, (torch.ones(1, 2),)), target)
    return target.getvalue()


def newer():
    """As a torch to come may write it: the number of the file format is 11."""
    source, target = zipfile.ZipFile(io.BytesIO(saved(NET.state_dict()))), io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            archive.writestr(name, b"11\n" if name.endswith("/version") else source.read(name))
    return target.getvalue()


def arrays():
    target = io.BytesIO()
    numpy.savez(target, a=numpy.ones(2))
    return target.getvalue()


def tar():
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("pickle"), None)
    return target.getvalue()


PLAIN = {"epoch": 3, "losses": [0.5, 0.25], "name": "run", "none": None, "set": (1, 2)}
TENSORS = safetensors.torch.save({"a": torch.ones(3), "b": torch.zeros(2, 2)})
KINDS = {
    "TorchScript": (torchscript, "a program of TorchScript (torch.jit.save): torch.jit.load(path) opens it"),
    "torch.export": (exported, "a program of torch.export (`.pt2`): torch.export.load(path) opens it"),
    "an older torch.export": (
        lambda: zipped(serialized_exported_program_dot_json="{}", version="1"),
        "a program of torch.export",
    ),
    "for mobile phones": (lambda: zipped(m__bytecode_dot_pkl=b"", m__data_dot_pkl=b""), "for mobile phones"),
    "a newer format": (newer, "was written in a file format that is newer than this torch"),
    "numpy.savez": (arrays, "a file of NumPy's arrays (`.npz`): numpy.load(path) opens it"),
    "Keras": (
        lambda: zipped(config_dot_json="{}", metadata_dot_json="{}", model_dot_weights_dot_h5=b""),
        "a model of Keras (`.keras`)",
    ),
    "numpy.save": (lambda: b"\x93NUMPY\x01\x00v\x00{'descr'", "an array of NumPy (`.npy`)"),
    "HDF5": (lambda: b"\x89HDF\r\n\x1a\n" + bytes(100), "an HDF5 file (Keras writes `.h5` so)"),
    "GGUF": (lambda: b"GGUF\x03\0\0\0" + bytes(100), "a GGUF file (llama.cpp)"),
    "ONNX": (lambda: b"\x08\x08\x12\x07pytorch\x1a\x052.4.0:\x80\x02" + bytes(100), "most likely a model of ONNX"),
    "ONNX, graph first": (lambda: b"\x08\x0a\x3a\x80\x02\n\x05" + bytes(99), "most likely a model of ONNX"),
    "TensorFlow's table": (
        lambda: bytes(90) + struct.pack("<Q", 0xDB4775248B80FB57),
        "a table of TensorFlow (`.index` of a checkpoint",
    ),
    "TensorFlow's list": (lambda: b'model_checkpoint_path: "model-7"\n', "the list of TensorFlow's checkpoints"),
    "TensorFlow Lite": (lambda: b"\x1c\0\0\0TFL3" + bytes(50), "a model of TensorFlow Lite"),
    "gzip": (lambda: gzip.compress(saved(NET.state_dict())), "packed by gzip: unpack it first"),
    "tar": (tar, "a tar archive: unpack it first"),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(50), "a picture (PNG)"),
    "Git LFS": (lambda: LFS, "a pointer of Git LFS to a file of 46830571 bytes, not that file: run `git lfs pull`"),
    "Git LFS, Windows": (lambda: LFS.replace(b"\n", b"\r\n"), "to a file of 46830571 bytes"),
    "HTML": (lambda: b"<!DOCTYPE html>\n<html><title>Sign in</title>", "a web page: a log-in"),
    "HTML after blanks": (lambda: b"\xef\xbb\xbf\n\n  <HTML lang='de'>", "a web page: a log-in"),
    "HTML, not English": (lambda: "<html><title>Übergröße</title>".encode(), "a web page: a log-in"),
    "XML": (lambda: b"<?xml version='1.0'?><Error><Code>AccessDenied</Code>", "a web page"),
    "text, not English": (lambda: "Größe,Verlust\n".encode(), "a text file that begins with 'Größe,Verlust'"),
    "safetensors": (lambda: TENSORS, "is a safetensors file (2 tensors: a, b)"),
    "safetensors, cut in its tensors": (lambda: TENSORS[:-3], "is cut off: a safetensors file of "),
    "safetensors, cut in its header": (lambda: TENSORS[:40], "is cut off: a safetensors file of which 40 bytes"),
    "safetensors, too long": (lambda: TENSORS + b"x", "is damaged: a safetensors file of "),
    "safetensors without offsets": (
        lambda: struct.pack("<Q", 8) + b'{"a":{}}',
        "begins like a safetensors file, but its header is damaged",
    ),
    **{
        f"plain values, protocol {protocol}": (
            lambda protocol=protocol: pickle.dumps(PLAIN, protocol=protocol),
            "is a pickle of plain values, not written by torch.save",
        )
        for protocol in (2, 3, 4, 5)
    },
    "plain values, cut": (lambda: pickle.dumps(PLAIN, protocol=4)[:-4], "a pickle that is cut off or damaged"),
    "torch.save with protocol 4": (
        lambda: saved({"a": torch.ones(2), "b": PLAIN}, pickle_protocol=4),
        "holds tensors and plain values only and calls nothing else",
    ),
    "torch.save with protocol 5": (
        lambda: saved([torch.nn.Parameter(torch.ones(2)), torch.zeros(1).half()], pickle_protocol=5),
        "holds tensors and plain values only and calls nothing else",
    ),
    "an object, protocol 4": (
        lambda: saved(NET, pickle_protocol=4),
        "was refused: opening it would call torch.nn.modules.linear.Linear",
    ),
    "an object, bare": (
        lambda: pickle.dumps(PLAIN | {"x": print}),
        "was refused: opening it would call builtins.print",
    ),
    "a list of an older torch": (
        lambda: saved([torch.ones(2)], _use_new_zipfile_serialization=False),
        "is a list of torch.save",
    ),
}
TRUE_ONLY_OF_DAMAGE = ("damaged", "cut off", "any code")


@pytest.mark.parametrize("kind", KINDS)
def test_each_file_is_called_what_it_is(tmp_path, kind):
    make, said = KINDS[kind]
    path = tmp_path / "weights.pt"
    path.write_bytes(make())
    with pytest.raises(CheckpointError) as caught:
        load_checkpoint(path, model=torch.nn.Linear(2, 1))
    message = str(caught.value)
    assert said in message, message
    assert message.startswith(str(path)) and message.endswith("Nothing was loaded.") and "\n" not in message
    for words in TRUE_ONLY_OF_DAMAGE:
        assert (words in message) <= (words in said or "was refused" in said), message


def test_a_name_that_is_put_together_is_no_harmless_one():
    """`os.system` from texts that the file keeps in its memo: the two texts before it look harmless."""
    hidden = (
        b"\x80\x04\x8c\x02os\x94\x8c\x06system\x94\x8c\x0bcollections\x940\x8c\x0bOrderedDict\x940h\x00h\x01\x93."
    )
    assert pickle_names.imported(hidden) == ["os.system"]
    computed = b"\x80\x04\x8c\x0bcollections\x8c\x0bOrderedDict\x86\x30\x8c\x02osN\x93."
    assert pickle_names.imported(computed) == [pickle_names.UNKNOWN]
    popped = b"\x80\x04\x8c\x02os\x94\x8c\x06system\x94\x8c\x0bcollections\x8c\x0bOrderedDict00\x93."
    assert pickle_names.imported(popped) == [pickle_names.UNKNOWN], "what is on top is not the last text"


def test_a_folder_of_a_distributed_checkpoint_is_named(tmp_path):
    (tmp_path / "step").mkdir()
    for name in (".metadata", "__0_0.distcp"):
        (tmp_path / "step" / name).write_bytes(b"x")
    with pytest.raises(CheckpointError, match=r"is a folder of torch\.distributed\.checkpoint"):
        load_checkpoint(tmp_path / "step", model=NET)


def test_hidden_files_are_no_checkpoints(tmp_path):
    for name in ("._epoch1.pt", "epoch1.pt"):
        (tmp_path / name).write_bytes(b"")
    assert "Checkpoints in that folder: epoch1.pt. " in file_kinds.missing(tmp_path / "none.pt")
