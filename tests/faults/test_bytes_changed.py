"""One byte that is another: data, wheels, bundles and checkpoints are compared with a hash before they are used."""

import gzip
import hashlib
import io
import json
import random
import zipfile
from dataclasses import replace

import pytest
from faults import many

from course_utils import PROJECT
from course_utils.checkpoints import file_format
from course_utils.data import registry
from course_utils.data.archive import Archive
from course_utils.data.idx import IdxFile
from lessonkit.system.errors import Refused
from lessonkit.teach.bundle import build, integrity
from lessonkit.teach.bundle.wheels import Package

GOAL = 2000


def changed(rng, data):
    """The bytes with one that is another."""
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ rng.randrange(1, 256)]) + data[place + 1 :]


def tried(fault, name, path, whole, look, *, short=100):
    """A row of cases: `look()` at a file of the bytes `whole`, of which one is another each time."""
    rng = random.Random(18)
    with fault(name, goal=GOAL) as row:
        for number in range(many(short, GOAL)):
            path.write_bytes(changed(rng, whole))
            with row.case(str(number)):
                look()
    path.write_bytes(whole)


def test_a_data_set_with_another_byte_is_refused_or_holds_the_same(fault, tmp_path):
    one = IdxFile("train-labels-idx1-ubyte", (50,))
    content = one.header + random.Random(18).randbytes(50)
    one = replace(one, md5=hashlib.md5(content, usedforsecurity=False).hexdigest())
    path = tmp_path / one.packed_name

    def look():
        # What packs the same labels otherwise (another date in gzip's header) is the same data.
        assert one.refusal(path) is not None or gzip.decompress(path.read_bytes()) == content

    tried(fault, "IDX files, a byte changed", path, gzip.compress(content), look)
    assert one.refusal(path) is None


def test_every_data_set_has_a_hash():
    for name in registry.names():
        spec = registry.find(name)
        files = [one for part in ("files", "sample") for one in getattr(spec, part, None) or ()]
        hashed = all(getattr(one, "md5", None) or getattr(one, "packed_md5", None) for one in files)
        assert getattr(spec, "sha256", "") or hashed, name


def test_a_zip_with_another_byte_is_refused_or_holds_the_same(fault, tmp_path):
    content, file = random.Random(1).randbytes(3000), io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a.wav", "b.wav"):
            archive.writestr(f"set/{name}", content)
    path, one = tmp_path / "set.zip", Archive("set.zip", inside="set/", size=100_000)

    def look():
        if one.refusal(path) is None:
            with zipfile.ZipFile(path) as archive:
                there = [archive.read(entry) for entry in one._entries(archive).values()]
            assert set(there) == {content}, "other content would be used"

    tried(fault, "archives of data, a byte changed", path, file.getvalue(), look, short=150)
    assert one.refusal(path) is None


def test_a_wheel_with_another_byte_is_not_kept(fault, tmp_path):
    """This is our comparison before the manifest is written; the tests of bundles try the one that pip makes."""
    content, path = random.Random(2).randbytes(5000), tmp_path / "alpha-1.0-py3-none-any.whl"
    wheel = Package("alpha", "1.0", path.name, hashlib.sha256(content).hexdigest(), None)

    def look():
        with pytest.raises(Refused, match="found the SHA-256"):
            build.verified(wheel, tmp_path)
        assert list(tmp_path.iterdir()) == []

    tried(fault, "wheels, a byte changed", path, content, look)
    assert build.verified(wheel, tmp_path) == {"size": 5000, "sha256": wheel.sha256}
    assert path.read_bytes() == content


def test_a_bundle_with_another_byte_is_not_installed(fault, tmp_path, capsys):
    rng, files = random.Random(18), {"course/a.py": b"print(1)\n", "wheels/x.whl": random.Random(3).randbytes(4000)}
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    told = {name: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in files.items()}
    integrity.verify(tmp_path, told, files)
    with fault("bundles, a byte changed", goal=GOAL) as row:
        for number in range(many(100, GOAL)):
            name = rng.choice(sorted(files))
            (tmp_path / name).write_bytes(changed(rng, files[name]))
            with row.case(f"{number}, {name}"), pytest.raises(SystemExit, match="Nothing was installed"):
                integrity.verify(tmp_path, told, files)
            (tmp_path / name).write_bytes(files[name])
    capsys.readouterr()


def test_a_checkpoint_with_another_byte_is_not_loaded(fault, tmp_path):
    path = tmp_path / "one.pt"
    file_format.write(path, {"weights": [1.0, 2.0]}, header={"epoch": 3})

    def look():
        with pytest.raises(file_format.CheckpointError) as refused:
            file_format.read(path)
        assert path.name in str(refused.value)

    tried(fault, "checkpoints, a byte changed", path, path.read_bytes(), look)


def test_published_files_of_others_are_as_published():
    folder = PROJECT / "lessonkit" / "teach" / "slides" / "reveal"
    sums = [line.split() for line in (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines() if line]
    assert len(sums) >= 4
    for digest, name in sums:
        data = (folder / name.lstrip("*")).read_bytes()
        assert hashlib.sha256(data).hexdigest() == digest, name


def test_a_manifest_that_is_none_is_said(tmp_path):
    for text in ("", "[]", json.dumps({"targets": {}}), "\0"):
        (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
        with pytest.raises(SystemExit, match="unpack or copy the whole bundle again"):
            integrity.read_manifest(tmp_path)
