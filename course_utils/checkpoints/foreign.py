"""Recognise the files of other programs by their first and last bytes, and by what a zip holds.

Each entry says what a file is and what opens it; `file_kinds` makes the sentence.
"""

from pathlib import Path

_STARTS = {
    b"\x89HDF\r\n\x1a\n": "an HDF5 file (Keras writes `.h5` so): h5py.File(path) or Keras opens it",
    b"GGUF": "a GGUF file (llama.cpp): the package `gguf` reads it",
    b"\x93NUMPY": "an array of NumPy (`.npy`): numpy.load(path) opens it",
    b"\x1f\x8b": "packed by gzip: unpack it first",
    b"BZh": "packed by bzip2: unpack it first",
    b"\xfd7zXZ": "packed by xz: unpack it first",
    b"\x28\xb5\x2f\xfd": "packed by zstd: unpack it first",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive: unpack it first",
    b"Rar!": "a RAR archive: unpack it first",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture (PNG)",
    b"\xff\xd8\xff": "a picture (JPEG)",
    b"\x7fELF": "a program or library of Linux",
    b"SQLite format 3": "a database of SQLite",
}
_TABLE_END = bytes.fromhex("57fb808b247547db")  # the last eight bytes of TensorFlow's tables
_TENSORFLOW = "tf.train.load_checkpoint(prefix) reads it with the other files of its name"


def by_bytes(path: Path, start: bytes, end: bytes) -> str | None:
    """Return what a file is, by its first 512 bytes and its last eight; None for what is not known."""
    for mark, what in _STARTS.items():
        if start.startswith(mark):
            return what
    if start[257:262] == b"ustar":
        return "a tar archive: unpack it first"
    if start[4:8] == b"TFL3":
        return "a model of TensorFlow Lite"
    if end == _TABLE_END:
        return f"a table of TensorFlow (`.index` of a checkpoint, or a checkpoint of version 1): {_TENSORFLOW}"
    if ".data-0" in path.name:
        return f"by its name the tensors of a TensorFlow checkpoint: {_TENSORFLOW}"
    # ONNX is a protobuf: field 1, the version of the format, then the producer's name or the graph.
    if start[:1] == b"\x08" and 3 <= start[1] <= 31 and start[2:3] in (b"\x12", b"\x3a", b"\x42"):
        return "most likely a model of ONNX: onnx.load(path) or onnxruntime opens it"
    return None


def by_text(text: str) -> str | None:
    """Return what a text file is that often lies in the place of a checkpoint; None for any other text."""
    small = text.lstrip("\ufeff \t\r\n").lower()
    if small.startswith("version https://git-lfs"):
        size = next((line.split()[1] for line in text.splitlines() if line.startswith("size ")), "?")
        return f"a pointer of Git LFS to a file of {size} bytes, not that file: run `git lfs pull` in its folder"
    if small.startswith(("<!doctype", "<html", "<?xml", "<head", "<script")):
        return (
            "a web page: a log-in, a confirmation or an error in the place of the file. Open the address in a "
            "browser, and download the file itself"
        )
    if small.startswith("model_checkpoint_path:"):
        return f"the list of TensorFlow's checkpoints, not one of them: {_TENSORFLOW}"
    return None


def by_members(names: list[str]) -> str | None:
    """Return what a zip file is by the names in it; None for one that is not known."""
    inside = {name.partition("/")[2] or name for name in names}
    if "bytecode.pkl" in inside:
        return "a program for mobile phones (`_save_for_lite_interpreter`): torch.jit.mobile loads it"
    if "constants.pkl" in inside and any(name.startswith("code/") for name in inside):
        return "a program of TorchScript (torch.jit.save): torch.jit.load(path) opens it, and runs what is in it"
    if "archive_format" in inside or "serialized_exported_program.json" in inside:
        return "a program of torch.export (`.pt2`): torch.export.load(path) opens it"
    if "model.weights.h5" in names or {"config.json", "metadata.json"} <= set(names):
        return "a model of Keras (`.keras`): keras.saving.load_model(path) opens it"
    if names and all(name.endswith(".npy") for name in names):
        return "a file of NumPy's arrays (`.npz`): numpy.load(path) opens it"
    if "[Content_Types].xml" in names:
        return "a document of an office program"
    if "MAR-INF/MANIFEST.json" in names:
        return "an archive of TorchServe (`.mar`): unzip it, and take the weights from it"
    return None
