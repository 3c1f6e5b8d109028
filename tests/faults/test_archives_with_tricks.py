"""Archives made to do harm: nothing leaves the folder, no link is made, nothing grows without bound; it is said."""

import bz2
import contextlib
import gzip
import io
import lzma
import random
import stat
import tarfile
import tracemalloc
import zipfile

import fuzz_damage as damage
import pytest
from faults import many

from course_utils.data.archive import Archive
from lessonkit.notebook.catalog import find
from lessonkit.system.errors import Refused
from lessonkit.teach.room import unpack
from lessonkit.teach.room.collect import collect

CHAPTERS = find()
NOTEBOOK = "00_start_here.ipynb"
GOAL = 3000
# Places that no archive may reach from the folder it is unpacked in: those of the fuzzer, and these; {0} is a
# folder beside it.
AWAY = [way.replace("{}", "ipynb").replace("made", "evil") for way in damage.WAYS_OUT]
AWAY += ["../evil.ipynb", "ana/./../../../evil.ipynb", "{0}/evil.ipynb", "/{0}/evil.ipynb", "//{0}/evil.ipynb"]
AWAY += [
    "..\\evil.ipynb",
    "\\\\server\\share\\evil.ipynb",
    "ana/\0/../../evil.ipynb",
    "ana/" + "x" * 5000 + ".ipynb",
]
AWAY += ["ana/evil.ipynb/../../../evil.ipynb", "ana/con.ipynb", "ana/.ssh/evil.ipynb", "ana/\u202eevil.ipynb"]
KINDS = (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, b"Z")
MODES = (0o644, 0o777, 0o4755, 0o2755, 0o6777, 0o1777, 0)
PACKINGS = {"": lambda data: data, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def zipped(rng, names):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for name in names:
            entry = zipfile.ZipInfo("x")
            entry.filename = name  # as it is: the constructor ends a name at its null byte
            entry.create_system = rng.choice((0, 3))
            kind = rng.choice((0, 0, stat.S_IFREG, stat.S_IFREG, stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO))
            entry.external_attr = (kind | rng.choice(MODES)) << 16
            archive.writestr(entry, rng.choice((b"{}", b"/etc/passwd", b"../../evil.ipynb", bytes(1_200_000))))
    return file.getvalue()


def tarred(rng, names, away):
    file = io.BytesIO()
    with tarfile.open(
        fileobj=file, mode="w", format=rng.choice((tarfile.GNU_FORMAT, tarfile.PAX_FORMAT))
    ) as archive:
        for name in names:
            entry = tarfile.TarInfo(name.replace("\0", "0"))
            entry.mode, entry.size = rng.choice(MODES), 2
            if rng.random() < 0.3:
                entry.type, entry.size = rng.choice(KINDS), 0
                entry.linkname = rng.choice(("/etc/passwd", "../..", str(away), NOTEBOOK))
            archive.addfile(entry, io.BytesIO(b"{}"[: entry.size]))
    return file.getvalue()


def harmed(rng, data):
    """The archive as it is, cut, or with other bytes in it: sizes, offsets and names that lie."""
    trick = rng.random()
    if trick < 0.3 and len(data) > 2:
        return data[: rng.randrange(1, len(data))]
    if trick < 0.6:
        changed = bytearray(data)
        for _ in range(rng.randrange(1, 8)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        return bytes(changed)
    return data


def names(rng, away):
    plain = ["ana/" + NOTEBOOK, "bob_01_tensors.ipynb"]
    return rng.sample(plain, rng.randrange(3)) + [rng.choice(AWAY).format(away) for _ in range(rng.randrange(1, 4))]


def in_place(folder, away):
    """Complain of whatever lies where it should not, or is more than a plain file."""
    assert list(away.iterdir()) == [], "it has written beside its folder"
    assert {path.name for path in folder.parent.iterdir()} <= {"in", "to", "away"}, (
        "it has written above its folder"
    )
    for path in folder.rglob("*"):
        mode = path.lstat().st_mode
        assert stat.S_ISREG(mode) or stat.S_ISDIR(mode), f"{path.name[:40]} is a link or a device"
        assert stat.S_ISDIR(mode) or not mode & 0o7111, f"{path.name[:40]} has the mode {mode:o}"


def test_what_is_handed_in_stays_in_its_folder(fault, tmp_path):
    rng = random.Random(18)
    with fault("archives with tricks, handed in", goal=GOAL) as row:
        for number in range(many(60, GOAL)):
            place = tmp_path / str(number)
            (place / "away").mkdir(parents=True)
            chosen = names(rng, place / "away")
            packing = rng.choice(list(PACKINGS))
            data = tarred(rng, chosen, place / "away") if rng.random() < 0.5 else zipped(rng, chosen)
            (place / "in").write_bytes(PACKINGS[packing](harmed(rng, data)))
            with row.case(f"{number}: {chosen} {packing}"):
                done = collect(place / "in", place / "to", CHAPTERS)
                assert len(done.refused) <= 1 and all("in: " in one and len(one) < 400 for one in done.refused)
                (place / "to").mkdir(exist_ok=True)
                in_place(place / "to", place / "away")


def test_a_data_set_stays_in_its_folder(fault, tmp_path):
    rng = random.Random(18)
    with fault("archives with tricks, data sets", goal=GOAL) as row:
        for number in range(many(60, GOAL)):
            place = tmp_path / str(number)
            for name in ("to", "away"):
                (place / name).mkdir(parents=True)
            inside = rng.choice(("", "set/"))
            chosen = [inside + name for name in names(rng, place / "away") if len(name) < 200]
            archive = Archive("set.zip", inside=inside, size=100_000)
            (place / "to" / "set.zip").write_bytes(harmed(rng, zipped(rng, chosen)))
            with row.case(f"{number}: {chosen}"):
                if archive.refusal(place / "to" / "set.zip") is None:
                    with contextlib.suppress(
                        OSError
                    ):  # a file where a folder should be; `fetch` makes a sentence of it
                        archive.settle(place / "to")
                in_place(place / "to", place / "away")
                unpacked = [path for path in (place / "to").rglob("*") if path.is_file() and path.name != "set.zip"]
                size = sum(path.stat().st_size for path in unpacked)
                assert size <= 4 * 100_000, "it has grown beyond what a data set has"


def claiming(size, kind):
    """A tar file whose first header claims a name, or attributes, of `size` bytes."""
    entry = tarfile.TarInfo("x")
    entry.type, entry.size = kind, size
    return entry.tobuf(tarfile.GNU_FORMAT)


def giants():
    """Small files that hold, or claim, far too much: name -> bytes."""
    zeros = bz2.compress(bytes(1 << 20))
    header = tarfile.TarInfo("ana/" + NOTEBOOK)
    header.size = 7 << 20
    yield "500 notebooks of 7 MB", (bz2.compress(header.tobuf()) + zeros * 7) * 500
    for kind in (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE):
        yield f"a name of 4 GB, {kind}", bz2.compress(claiming(4 << 30, kind)) + zeros * 3
        yield f"a name of less than nothing, {kind}", bz2.compress(claiming(-1024, kind) + bytes(1024))
    yield "a notebook of less than nothing", claiming(-512, tarfile.REGTYPE) + bytes(1024)
    yield "a notebook of 9 exabytes", claiming(8 << 60, tarfile.REGTYPE) + bytes(1024)


def test_what_unpacks_to_terabytes_is_refused_unread(fault, tmp_path, monkeypatch):
    monkeypatch.setattr(unpack, "MOST_BYTES", 20 << 20)  # so that the first one ends within a second
    monkeypatch.setattr(unpack, "LARGEST", 8 << 20)
    with fault("archives that claim or hold too much", goal=11) as row:
        for name, data in giants():
            (tmp_path / "in").write_bytes(data)
            tracemalloc.start()
            with row.case(f"{name}, {len(data):,} bytes"):
                with pytest.raises(unpack.Unsafe) as refused:
                    list(unpack.members(tmp_path / "in"))
                assert len(str(refused.value)) > 20
                assert tracemalloc.get_traced_memory()[1] < 32 << 20, "it was held in memory"
            tracemalloc.stop()


def test_an_archive_in_itself_ends(tmp_path):
    data = b"{}"
    for depth in range(6):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(f"{depth}.zip" if depth else NOTEBOOK, data)
        data = file.getvalue()
    (tmp_path / "in.zip").write_bytes(data)
    done = collect(tmp_path / "in.zip", tmp_path / "to", CHAPTERS)
    assert done.written == [] and "an archive in an archive" in done.refused[0]


def test_a_link_in_a_folder_handed_in_is_not_followed(tmp_path):
    (tmp_path / "in" / "ana").mkdir(parents=True)
    (tmp_path / "secret.ipynb").write_text("{}")
    try:
        (tmp_path / "in" / "ana" / NOTEBOOK).symlink_to(tmp_path / "secret.ipynb")
        (tmp_path / "in" / "bob").symlink_to(tmp_path)
    except OSError as error:
        pytest.skip(f"no links here: {error}")
    done = collect(tmp_path / "in", tmp_path / "to", CHAPTERS)
    assert done.written == [] and len(done.refused) == 2
    with pytest.raises(Refused, match="is inside the other"):
        collect(tmp_path / "in", tmp_path / "in" / "to", CHAPTERS)
