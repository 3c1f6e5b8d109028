"""Every way in which a file can be damaged is refused in one sentence, and the file stays as it is."""

import gzip
import hashlib
import os
import pickle
import random
import shutil
import tempfile
import tracemalloc
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from course_utils.data import idx, registry
from course_utils.data.errors import DataError, damaged
from course_utils.data.idx import IdxFile
from course_utils.data.place import Place

BODY = random.Random(0).randbytes(20 * 28 * 28)
PLAIN = IdxFile("pictures", (20, 28, 28))
WHOLE = PLAIN.header + BODY
PACKED = gzip.compress(WHOLE)
FILE = IdxFile("pictures", (20, 28, 28), md5=hashlib.md5(WHOLE).hexdigest())
ADVICE = "replace it by a fresh copy"


def header(*shape):
    return IdxFile("", shape).header


@pytest.mark.parametrize(
    "content",
    [
        WHOLE,
        gzip.compress(WHOLE),
        gzip.compress(WHOLE[:99]) + gzip.compress(WHOLE[99:]),
        gzip.compress(gzip.compress(WHOLE)),
        gzip.compress(gzip.compress(gzip.compress(WHOLE))),
    ],
)
def test_packed_and_unpacked_give_the_same_bytes(tmp_path, content):
    path = tmp_path / "any name"
    path.write_bytes(content)
    assert idx.read(path, FILE, advice=ADVICE) == (WHOLE, True)
    idx.check_start(path, FILE, advice=ADVICE)


IDX_NAMES = (
    "{}-idx{}-ubyte",
    "{}.idx{}-ubyte",
    "{}-idx{}-ubyte.gz",
    "{}.idx{}-ubyte.gz",
    "{}-idx{}-ubyte.gz.gz",
    "{}.idx{}-ubyte.gz.gz",
)


@pytest.mark.parametrize("form", IDX_NAMES)
@pytest.mark.parametrize("packings", [0, 1, 2])
def test_the_names_that_people_have_are_recognised_packed_or_not(tmp_path, form, packings):
    files = idx.idx_files(train=3, test=2)
    mnist = replace(registry.find("mnist"), files=files)
    for file in files:
        content = file.header + bytes(file.size - len(file.header))
        for _ in range(packings):
            content = gzip.compress(content)
        (tmp_path / form.format(*file.name.removesuffix("-ubyte").split("-idx"))).write_bytes(content)
    place = Place("a folder", "full", tmp_path, mnist.paths_in(tmp_path), "")
    assert len(mnist.read_split(place, "test")[0]) == 2 * 28 * 28
    assert mnist.missing(tmp_path) == ()


def test_a_file_is_taken_where_a_folder_has_the_first_name(tmp_path):
    """As in a much used archive: `train-images.idx3-ubyte` and a folder `train-images-idx3-ubyte`."""
    mnist = replace(registry.find("mnist"), files=idx.idx_files(train=3, test=2))
    for file in mnist.files:
        (tmp_path / file.name).mkdir()
        (tmp_path / file.names[1]).write_bytes(file.header + bytes(file.size - len(file.header)))
    assert all(path.is_file() for path in mnist.paths_in(tmp_path).values())


def test_what_is_packed_again_and_again_is_refused(tmp_path):
    content = WHOLE
    for _ in range(5):
        content = gzip.compress(content)
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(DataError, match="the magic number 0x1f8b"):
        idx.read(tmp_path / "x", FILE, advice=ADVICE)


def test_without_a_published_md5_nothing_is_called_verified(tmp_path):
    path = tmp_path / "pictures.gz"
    path.write_bytes(gzip.compress(WHOLE))
    assert idx.read(path, PLAIN, advice=ADVICE) == (WHOLE, False)
    published = IdxFile("pictures", (20, 28, 28), packed_md5=hashlib.md5(path.read_bytes()).hexdigest())
    assert idx.read(path, published, advice=ADVICE) == (WHOLE, True)
    path.write_bytes(gzip.compress(WHOLE, compresslevel=1))
    assert idx.read(path, published, advice=ADVICE) == (WHOLE, False)


DAMAGED = {
    "cut gzip": (PACKED[:-4000], "a packed file that is cut off"),
    "gzip cut in its last bytes": (PACKED[:-3], "a packed file that is cut off"),
    "gzip of two bytes": (b"\x1f\x8b", "a packed file that is cut off"),
    "bit flipped in the gzip": (
        PACKED[:900] + b"\xff\x00\xff" + PACKED[903:],
        "MD5|unpack",
    ),
    "gzip with a wrong checksum": (
        PACKED[:-8] + bytes(4) + PACKED[-4:],
        "does not unpack",
    ),
    "inside too short": (gzip.compress(WHOLE[:-1]), "only 15,695 bytes inside, expected 15,696"),
    "too short": (WHOLE[:-1], "only 15,695 bytes inside, expected 15,696"),
    "inside empty": (gzip.compress(b""), "only 0 bytes inside"),
    "too long": (WHOLE + b"x", "more than 15,696 bytes inside, expected exactly 15,696"),
    "wrong magic number": (b"\x00\x00\x08\x01" + WHOLE[4:], "the magic number 0x00000801, expected 0x00000803"),
    "HTML page": (b"<!DOCTYPE html><html>Please log in</html>", "a web page"),
    "HTML page, packed": (gzip.compress(b"\n<html><body>404</body></html>"), "a web page"),
    "header that claims gigabytes": (
        gzip.compress(header(4_294_967_295, 28, 28) + BODY),
        "a header that claims 4,294,967,295 × 28 × 28 bytes, expected 20 × 28 × 28",
    ),
    "empty file": (b"", "an empty file"),
    "other content": (header(20, 28, 28) + bytes(20 * 28 * 28), "content with the MD5 [0-9a-f]{32}, expected"),
    "text": (b"version https://git-lfs.example/spec/v1", "the magic number"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damage_is_refused_named_and_kept(tmp_path, case):
    content, found = DAMAGED[case]
    path = tmp_path / "train-images-idx3-ubyte.gz"
    path.write_bytes(content)
    with pytest.raises(DataError, match=found) as error:
        idx.read(path, FILE, advice=ADVICE)
    words = str(error.value)
    assert words.startswith(str(path)) and "expected" in words and ADVICE in words and "\n" not in words
    assert words.endswith(".") and ". " not in words.removeprefix(str(path)), "one sentence"
    assert path.read_bytes() == content


def test_a_folder_and_a_missing_file_are_refused(tmp_path):
    with pytest.raises(DataError, match="found a folder, expected a file"):
        idx.read(tmp_path, FILE, advice=ADVICE)
    with pytest.raises(DataError, match="found no file"):
        idx.read(tmp_path / "nothing", FILE, advice=ADVICE)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataError, match="a device, pipe or socket"):
        idx.read(tmp_path / "pipe", FILE, advice=ADVICE)


def test_a_file_without_permission_is_refused(monkeypatch):
    folder = Path(tempfile.mkdtemp())  # pytest's own folders are closed to others, and then the folder is refused
    try:
        folder.chmod(0o755)
        path = folder / "pictures"
        path.write_bytes(WHOLE)
        path.chmod(0)
        if os.name == "nt":  # Windows has no mode that forbids its owner to read

            def refuse(*_, **__):
                raise PermissionError(13, "Permission denied")

            monkeypatch.setattr(Path, "open", refuse)
        elif os.geteuid() == 0:  # root may read everything, so another user tries
            os.seteuid(65534)
        with pytest.raises(DataError, match="a file without read permission, expected one that you may read"):
            idx.read(path, FILE, advice=ADVICE)
    finally:
        if os.name != "nt" and os.getuid() == 0:
            os.seteuid(0)
        monkeypatch.undo()
        path.chmod(0o600)
        assert path.read_bytes() == WHOLE
        shutil.rmtree(folder)


@pytest.mark.parametrize(
    "head", [header(20, 28, 28), header(4_294_967_295, 65_535, 65_535)], ids=["true header", "header of petabytes"]
)
def test_nothing_large_is_allocated(tmp_path, head):
    path = tmp_path / "bomb.gz"
    with gzip.open(path, "wb", compresslevel=1) as bomb:
        bomb.write(head)
        for _ in range(64):
            bomb.write(bytes(1 << 20))
    tracemalloc.start()
    with pytest.raises(DataError, match=r"more than 15,696 bytes|a header that claims"):
        idx.read(path, FILE, advice=ADVICE)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


def test_zip_members(tmp_path):
    path = tmp_path / "sample.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("pictures", WHOLE)
    assert idx.read(path, FILE, advice=ADVICE, member="pictures") == (WHOLE, True)
    with pytest.raises(DataError, match="does not unpack"):
        idx.read(path, FILE, advice=ADVICE, member="others")
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(DataError, match="does not unpack"):
        idx.read(path, FILE, advice=ADVICE, member="pictures")


def test_the_error_survives_the_way_out_of_a_worker():
    error = pickle.loads(pickle.dumps(damaged("a", "b", "c", "d")))
    assert str(error) == "a cannot be used: found b, expected c; the file was left as it is: d."
    assert error.reason == "found b, expected c"
