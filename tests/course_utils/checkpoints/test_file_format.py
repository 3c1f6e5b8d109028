"""Files that are damaged, of another kind, empty or newer: a sentence for each, and nothing loaded."""

import json
import random
import re
import zipfile

import pytest
import runs
import safetensors.torch
import torch

from course_utils.checkpoint import CheckpointError, list_checkpoints, load_checkpoint, save_checkpoint
from course_utils.checkpoints import file_format


def net():
    return torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))


@pytest.fixture
def path(tmp_path):
    return save_checkpoint(tmp_path / "a.pt", model=net(), epoch=3, metrics={"loss": 0.5})


def cut_off(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def end_missing(path):
    path.write_bytes(path.read_bytes()[:-10])


def bytes_appended(path):
    path.write_bytes(path.read_bytes() + b"\0" * 10)


def zeros_in_the_middle(path):
    data = bytearray(path.read_bytes())
    data[1000:1100] = bytes(100)
    path.write_bytes(data)


def newer(path):
    header = file_format.read_header(path) | {"format": file_format.FORMAT + 1}
    file_format.write(path, file_format.read(path), header=header)


def empty(path):
    path.write_bytes(b"")


def missing(path):
    path.unlink()


def folder(path):
    path.unlink()
    path.mkdir()


def text(path):
    path.write_text("epoch,loss\n1,0.5\n", encoding="utf-8")


def noise(path):
    path.write_bytes(b"\xff" + random.Random(0).randbytes(999))


def bare_state_dict(path):
    torch.save(net().state_dict(), path)


def old_format(path):
    torch.save(net().state_dict(), path, _use_new_zipfile_serialization=False)


def other_dict(path):
    torch.save({"net": net().state_dict(), "iteration": 5}, path)


def one_tensor(path):
    torch.save(torch.zeros(3), path)


def whole_object(path):
    torch.save(net(), path)


def safe_tensors(path):
    safetensors.torch.save_file(net().state_dict(), path)


def other_zip(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("photo.txt", "x")


BAD = {
    cut_off: "is cut off or damaged: ",
    end_missing: "is damaged: its bytes are not those that were saved",
    bytes_appended: "is damaged: its bytes are not those that were saved",
    zeros_in_the_middle: "is damaged: its bytes are not those that were saved",
    newer: "was saved in format 2 of course_utils' checkpoints; this version reads format 1. Update the course",
    empty: "is empty, expected a file of save_checkpoint",
    missing: "There is no file ",
    folder: "is a folder, expected a file of save_checkpoint",
    text: "is a text file that begins with 'epoch,loss', expected a file of save_checkpoint",
    noise: "is no checkpoint: 1,000 bytes that begin with",
    bare_state_dict: "is a bare state_dict (7 tensors: 0.weight, 0.bias, 1.weight and 4 more), expected",
    old_format: "is a bare state_dict (7 tensors: ",
    other_dict: "is a dict with the keys net, iteration of torch.save, expected",
    one_tensor: "is a Tensor of torch.save, expected",
    whole_object: "was refused: opening it would call torch.nn.modules.batchnorm.BatchNorm1d, ",
    safe_tensors: "is a safetensors file (7 tensors: ",
    other_zip: "is a zip file with photo.txt in it, expected",
}


@pytest.mark.parametrize("harm", BAD, ids=lambda harm: harm.__name__)
def test_a_bad_file_gets_its_sentence_and_changes_nothing(path, harm):
    harm(path)
    model, set_before = net(), runs.digest(runs.torch.get_rng_state())
    before = runs.digest(model.state_dict())
    with pytest.raises(CheckpointError) as caught:
        load_checkpoint(path, model=model)
    message = str(caught.value)
    assert BAD[harm] in message
    assert path.name in message
    assert message.endswith("Nothing was loaded.")
    assert "\n" not in message
    assert runs.digest(model.state_dict()) == before
    assert runs.digest(torch.get_rng_state()) == set_before
    listed = [row["problem"] for row in list_checkpoints(path.parent)]
    # A listing does not read the tensors, so the harm in the middle is for load_checkpoint to find.
    assert listed == ([] if harm is missing else [None] if harm is zeros_in_the_middle else [message])


def test_a_missing_file_is_answered_with_those_that_are_there(path):
    with pytest.raises(CheckpointError, match=r"Checkpoints in that folder: a\.pt\."):
        load_checkpoint(path.with_name("b.pt"))
    with pytest.raises(CheckpointError, match="There is no folder"):
        load_checkpoint(path.parent / "no" / "b.pt")


def test_one_flipped_bit_anywhere_is_seen(path):
    """In every member's data and headers, in the directory at the end, in the checksum itself."""
    data, chance = path.read_bytes(), random.Random(0)
    ends = [*range(64), *range(len(data) - 128, len(data))]
    middle = chance.sample(range(64, len(data) - 128), 200)
    model = net()
    before = runs.digest(model.state_dict())
    for at in ends + middle:
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :])
        with pytest.raises(CheckpointError, match="is damaged: its bytes are not those that were saved"):
            load_checkpoint(path, model=model)
    assert runs.digest(model.state_dict()) == before
    path.write_bytes(data)
    load_checkpoint(path, model=model)


def test_torch_load_alone_does_not_see_it(tmp_path):
    """The reason for a checksum of our own: the zip's of a tensor is written and never compared."""
    weights = torch.arange(1000.0)
    torch.save(weights, tmp_path / "w.pt")
    data = bytearray((tmp_path / "w.pt").read_bytes())
    data[data.index(weights.numpy().tobytes()) + 2002] ^= 64
    (tmp_path / "w.pt").write_bytes(data)
    assert not torch.equal(torch.load(tmp_path / "w.pt", weights_only=True), weights)
    with zipfile.ZipFile(tmp_path / "w.pt") as archive:
        assert archive.testzip() == "w/data/0"


def test_every_way_to_cut_a_file_is_refused(path):
    data = path.read_bytes()
    for size in range(0, len(data), 101):
        path.write_bytes(data[:size])
        with pytest.raises(CheckpointError, match=r"is empty|is cut off|is damaged|is no checkpoint|is a text"):
            file_format.verify(path)


def test_the_header_is_a_member_of_the_zip_that_anyone_can_read(path):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        (name,) = (name for name in archive.namelist() if name.endswith(file_format.HEADER))
        header = json.loads(archive.read(name))
    assert header["epoch"] == 3
    assert header["metrics"] == {"loss": 0.5}
    assert header == file_format.read_header(path)


def test_the_checksum_is_the_sha256_of_what_precedes_it(path):
    import hashlib

    data = path.read_bytes()
    assert (
        data[-file_format.CHECKSUM_SIZE :]
        == b"sha256:" + hashlib.sha256(data[: -file_format.CHECKSUM_SIZE]).hexdigest().encode()
    )
    assert re.fullmatch(rb"sha256:[0-9a-f]{64}", data[-file_format.CHECKSUM_SIZE :])


def test_without_checksums_in_the_zip_ours_still_holds(tmp_path):
    """`set_crc32_options(False)` saves faster, and leaves checksums that mean nothing."""
    before = torch.serialization.get_crc32_options()
    torch.serialization.set_crc32_options(False)
    try:
        path = save_checkpoint(tmp_path / "a.pt", model=net(), epoch=3)
    finally:
        torch.serialization.set_crc32_options(before)
    assert load_checkpoint(path, model=net())["epoch"] == 3
    assert list_checkpoints(tmp_path)[0]["problem"] is None
