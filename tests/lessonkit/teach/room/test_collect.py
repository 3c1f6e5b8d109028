"""What a room hands in, as it comes: whose each file is, nothing lost, nothing let out of its folder."""

import contextlib
import io
import os
import stat
import tarfile
import zipfile
from pathlib import PurePosixPath

import pytest

from lessonkit.notebook.catalog import find
from lessonkit.system.errors import Refused
from lessonkit.teach.room import unpack
from lessonkit.teach.room.collect import collect
from lessonkit.teach.room.handed_in import places
from lessonkit.teach.room.names import normalised

CHAPTERS = find()


def zipped(path, files):
    """A zip archive of name -> bytes; a name may be a ZipInfo."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in files.items():
            file.writestr(name, data)
    return path


def taken(to):
    """Name -> bytes of what was collected; the manifest beside it aside."""
    files = [path for path in to.rglob("*") if path.is_file() and path.name != "collected.json"]
    return {path.relative_to(to).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    ("path", "learner", "name"),
    [
        ("Ana Núñez_48213_assignsubmission_file_/05_training.ipynb", "Ana_Núñez_48213", "05_training"),
        ("nunezana_48213_1023377_05_training.ipynb", "nunezana_48213", "05_training"),
        ("nunezana_LATE_48213_1023377_05_training-2.ipynb", "nunezana_48213", "05_training"),
        ("nunezana_48213_1023377_05-training (1).ipynb", "nunezana_48213", "05_training"),
        ("team_10/05_training.ipynb", "team_10", "05_training"),
        ("48213_05_training.ipynb", "48213", "05_training"),
        ("05_training/Ana.ipynb", "Ana", "05_training"),
        ("submitted/ana/05_training/05_training.ipynb", "ana", "05_training"),
        ("ana/work/05_training-Copy1.ipynb", "ana", "05_training"),
        ("ana/mine.ipynb", "ana", "mine"),
        ("05_training.ipynb", "unnamed", "05_training"),
        ("con/00_start_here.ipynb", "_con", "00_start_here"),
        ("...//05_training.ipynb", "unnamed", "05_training"),
        ("=HYPERLINK(1)<b>_00_start_here.ipynb", "HYPERLINK_1_b", "00_start_here"),
    ],
)
def test_a_path_says_whose_a_notebook_is(path, learner, name):
    (place,) = places([PurePosixPath(path)], CHAPTERS)
    assert (place.learner, place.name) == (learner, name)


def test_names_that_differ_in_how_they_are_composed_are_one():
    assert normalised("Nu\u0301n\u0303ez") == normalised("N\u00fa\u00f1ez") and len(normalised("x" * 300)) == 60


def test_folders_files_and_archives_are_taken_as_they_come(tmp_path):
    source = tmp_path / "handed in"
    (source / "ana" / ".ipynb_checkpoints").mkdir(parents=True)
    (source / "ana" / "00_start_here.ipynb").write_bytes(b"ana 0")
    (source / "ana" / ".ipynb_checkpoints" / "00_start_here-checkpoint.ipynb").write_bytes(b"old")
    (source / "ana" / "notes.txt").write_bytes(b"no notebook")
    (source / "bob_01_tensors.ipynb").write_bytes(b"bob 1")
    zipped(source / "carol.zip", {"00_start_here.ipynb": b"carol 0", "__MACOSX/._00_start_here.ipynb": b"junk"})
    zipped(source / "dora" / "all.zip", {"all/01_tensors.ipynb": b"dora 1"})
    done = collect(source, tmp_path / "room", CHAPTERS)
    expected = {"ana/00_start_here": b"ana 0", "bob/01_tensors": b"bob 1", "carol/00_start_here": b"carol 0"}
    expected |= {"dora/01_tensors": b"dora 1"}
    assert taken(tmp_path / "room") == {f"{name}.ipynb": data for name, data in expected.items()}
    assert done.refused == ["ana/notes.txt: it is a text, not a notebook; ask for the .ipynb"]
    assert len(done.written) == 4 and sum(done.rubbish.values()) == 2


def test_a_platforms_zip_is_taken_with_an_archive_in_it(tmp_path):
    inner = zipped(tmp_path / "inner.zip", {"work/01_tensors.ipynb": b"bob 1"}).read_bytes()
    files = {"Ana_1044_assignsubmission_file_/00_start_here.ipynb": b"ana 0", "bob_7788_work.zip": inner}
    collect(zipped(tmp_path / "room.zip", files), tmp_path / "room", CHAPTERS)
    assert taken(tmp_path / "room") == {
        "Ana_1044/00_start_here.ipynb": b"ana 0",
        "bob_7788_work/01_tensors.ipynb": b"bob 1",
    }


def test_the_folder_that_an_archive_was_made_of_is_no_learner(tmp_path):
    files = {f"class/{name}/00_start_here.ipynb": name.encode() for name in ("ana", "bob")}
    collect(zipped(tmp_path / "class.zip", files), tmp_path / "room", CHAPTERS)
    assert taken(tmp_path / "room") == {"ana/00_start_here.ipynb": b"ana", "bob/00_start_here.ipynb": b"bob"}


def test_a_tar_is_taken_too(tmp_path):
    with tarfile.open(tmp_path / "in.tar.gz", "w:gz") as file:
        entry = tarfile.TarInfo("ana/00_start_here.ipynb")
        entry.size = 5
        file.addfile(entry, io.BytesIO(b"ana 0"))
    collect(tmp_path / "in.tar.gz", tmp_path / "room", CHAPTERS)
    assert taken(tmp_path / "room") == {"ana/00_start_here.ipynb": b"ana 0"}


def test_nothing_is_overwritten_and_the_same_once_more_is_passed_over(tmp_path):
    for folder, data in (("one", b"first"), ("two", b"second"), ("three", b"first")):
        (tmp_path / folder / "ana").mkdir(parents=True)
        (tmp_path / folder / "ana" / "00_start_here.ipynb").write_bytes(data)
        done = collect(tmp_path / folder, tmp_path / "room", CHAPTERS)
    assert taken(tmp_path / "room") == {"ana/00_start_here.ipynb": b"first", "ana/00_start_here-2.ipynb": b"second"}
    assert done.there == 1 and done.written == []


def linked():
    entry = zipfile.ZipInfo("ana/00_start_here.ipynb")
    entry.create_system, entry.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return entry


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"../../evil.ipynb": b"x"}, "a path that leads out of the folder"),
        ({"/tmp/evil.ipynb": b"x"}, "a path that leads out of the folder"),
        ({"C:/evil.ipynb": b"x"}, "a path that leads out of the folder"),
        ({"ana\\..\\..\\evil.ipynb": b"x"}, "a path that leads out of the folder"),
        ({linked(): b"/etc/passwd"}, "a link or a device"),
        ({"ana/00_start_here.ipynb": bytes(50_000_000)}, "grows"),
        ({f"{n}.txt": b"" for n in range(5001)}, "more than 5000 files"),
    ],
    ids=["dots", "absolute", "drive", "backslash", "link", "bomb", "many"],
)
def test_an_archive_that_is_not_safe_is_refused_as_a_whole(tmp_path, files, words):
    good = {"ana/01_tensors.ipynb": b"good"}
    done = collect(zipped(tmp_path / "in.zip", good | files), tmp_path / "room", CHAPTERS)
    assert len(done.refused) == 1 and words in done.refused[0] and done.refused[0].startswith("in.zip: ")
    assert not (tmp_path / "room").exists() and not (tmp_path.parent / "evil.ipynb").exists()


def test_a_tar_with_a_link_or_a_device_is_refused(tmp_path):
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
        with tarfile.open(tmp_path / "in.tar", "w") as file:
            entry = tarfile.TarInfo("ana/00_start_here.ipynb")
            entry.type, entry.linkname = kind, "/etc/passwd"
            file.addfile(entry)
        with pytest.raises(unpack.Unsafe, match="a link or a device"):
            list(unpack.members(tmp_path / "in.tar"))


def test_an_archive_that_lies_about_its_sizes_or_is_cut_off_is_refused(tmp_path):
    data = zipped(tmp_path / "in.zip", {"ana/00_start_here.ipynb": os.urandom(4000)}).read_bytes()
    place = data.rindex(b"PK\x01\x02") + 24
    lying = data[:place] + (100).to_bytes(4, "little") + data[place + 4 :]
    for bad in (lying, data[: len(data) // 2], b"PK\x05\x06" + bytes(10), b"no archive"):
        (tmp_path / "bad.zip").write_bytes(bad)
        done = collect(tmp_path / "bad.zip", tmp_path / "room", CHAPTERS)
        assert (
            len(done.refused) == 1 and not taken(tmp_path / "room")
            if (tmp_path / "room").exists()
            else done.refused
        )


def test_an_encrypted_archive_is_refused(tmp_path):
    data = bytearray(zipped(tmp_path / "in.zip", {"ana/00_start_here.ipynb": b"x" * 50}).read_bytes())
    for head, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(head) + offset] |= 1
    (tmp_path / "in.zip").write_bytes(data)
    assert "encrypted" in collect(tmp_path / "in.zip", tmp_path / "room", CHAPTERS).refused[0]


def test_one_bad_file_does_not_keep_the_others_from_being_taken(tmp_path):
    source = tmp_path / "in"
    (source / "ana").mkdir(parents=True)
    (source / "ana" / "00_start_here.ipynb").write_bytes(b"ana")
    (source / "bob.zip").write_bytes(b"no archive")
    with contextlib.suppress(OSError):  # Windows, without the right to make links
        (source / "link.ipynb").symlink_to(source / "ana" / "00_start_here.ipynb")
    done = collect(source, tmp_path / "room", CHAPTERS)
    assert taken(tmp_path / "room") == {"ana/00_start_here.ipynb": b"ana"} and done.refused
    assert all("link" in sentence or "bob.zip" in sentence for sentence in done.refused)


def test_a_folder_within_the_target_is_refused(tmp_path):
    with pytest.raises(Refused, match="is inside the other"):
        collect(tmp_path, tmp_path / "room", CHAPTERS)
