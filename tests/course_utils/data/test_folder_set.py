"""Sets that are folders of files: which place is taken, how damage shows, and archives that arrive or do not."""

import importlib.util
import io
import shutil
import struct
import threading
import wave
import zipfile
import zlib
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from course_utils import PROJECT, datasets
from course_utils.data import folder_set, locations, registry, settings
from course_utils.data.errors import DataError

SOUNDS, INSECTS = registry.find("free_spoken_digits"), registry.find("hymenoptera")
COUNTED = "checked by the number of files, as no hash is published.\n"


@pytest.fixture
def small(alone, monkeypatch, tmp_path):
    """A set of three recordings in COURSE_DATA; returns its folder."""
    monkeypatch.setitem(
        registry.SPECS, SOUNDS.name, replace(SOUNDS, mirrors=("http://127.0.0.1:9/",), parts=(("", 3),))
    )
    folder = tmp_path / "given" / SOUNDS.folder
    folder.mkdir(parents=True)
    for name in ("0_a_0", "0_a_1", "1_a_0"):
        (folder / f"{name}.wav").write_bytes(sound(500))
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "given"))
    return folder


def sound(frames):
    """The bytes of a WAV file."""
    target = io.BytesIO()
    with wave.open(target, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(8000)
        writer.writeframes(bytes(2 * frames))
    return target.getvalue()


def test_the_samples_are_found_and_say_why(alone, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    spoken, insects = (datasets.folder(spec.name, cache=alone) for spec in (SOUNDS, INSECTS))
    assert capsys.readouterr().out == (
        "Free Spoken Digit Dataset: the embedded sample (120 recordings), because COURSE_OFFLINE=1 forbids a "
        "download; with a network, `course data get free_spoken_digits` fetches all 3,000.\n"
        "Ants and bees: the embedded sample (36 pictures, drawn for the course, no photographs), because "
        "COURSE_OFFLINE=1 forbids a download; with a network, `course data get hymenoptera` fetches all 397.\n"
    )
    assert spoken.source == insects.source == "sample"
    assert spoken.sentence.startswith("Free Spoken Digit Dataset: the embedded sample")
    names = [path.stem.split("_") for path in spoken.path.glob("*.wav")]
    assert len({(digit, speaker) for digit, speaker, _ in names}) == 60 and len(names) == 120
    assert (insects.path / "train" / "ants" / "imageNotFound.gif").exists(), "a stray, as in the original archive"


@pytest.mark.parametrize(("spec", "most"), [(SOUNDS, 1_000_000), (INSECTS, 300_000)], ids=lambda v: str(v)[:9])
def test_the_samples_are_small_whole_and_described(alone, spec, most):
    folder = settings.SAMPLES / spec.folder
    files = folder_set.files_of(folder)
    assert sum(path.stat().st_size for path in files) <= most
    assert len(files) <= {SOUNDS: 120, INSECTS: 40}[spec]
    assert "has the recorded SHA-256" in datasets.verify(spec.name, cache=alone)[-1]
    readme = (PROJECT / "data" / "README.md").read_text(encoding="utf-8")
    assert spec.sample_sha256 in readme and spec.folder in readme
    assert "CC BY-SA 4.0" in readme and "Zohar Jackson" in readme


def script(name):
    path = PROJECT / "tools" / f"{name}.py"
    found = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_the_recordings_can_be_copied_again(tmp_path):
    if (place := locations.in_course_data(SOUNDS)) is None:
        pytest.skip("needs the original recordings: set COURSE_DATA to a folder that holds free-spoken-digits")
    files = script("make_samples").copy_recordings(place.root, tmp_path)
    assert folder_set.digest(tmp_path, files) == SOUNDS.sample_sha256


def test_the_insects_can_be_drawn_again_up_to_the_last_bits(tmp_path, capsys):
    script("draw_insects").main(tmp_path)
    kept = settings.SAMPLES / INSECTS.folder
    sizes = set()
    for path in folder_set.files_of(kept, INSECTS.suffixes):
        with Image.open(path) as one, Image.open(tmp_path / path.relative_to(kept)) as other:
            assert one.size == other.size
            sizes.add(one.size)
            assert max(ImageStat.Stat(ImageChops.difference(one, other)).mean) < 4
    assert len(sizes) > 30, "varied sizes"


def test_course_data_comes_first_and_missing_files_are_counted(small, alone, capsys):
    found = datasets.folder(SOUNDS.name, cache=alone)
    assert (found.path, found.source) == (small, "full")
    said = f"Free Spoken Digit Dataset: the full set (3 recordings) from COURSE_DATA; {COUNTED}"
    assert capsys.readouterr().out == said
    assert datasets.available(SOUNDS.name, cache=alone) == ("full", said[:-1])
    (small / "notes.txt").write_text("a stray is no fault")
    (small / "1_a_0.wav").unlink()
    with pytest.raises(DataError, match=r"is incomplete: found 2 of 3 recordings in free-spoken-digits; add"):
        datasets.folder(SOUNDS.name, cache=alone)


def test_every_class_folder_is_counted_by_itself(alone, monkeypatch, tmp_path):
    spec = replace(INSECTS, parts=(("train/ants", 1), ("train/bees", 2)))
    monkeypatch.setitem(registry.SPECS, spec.name, spec)
    shutil.copytree(
        settings.SAMPLES / spec.folder / "train" / "ants", tmp_path / "given" / spec.folder / "train" / "ants"
    )
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "given"))
    with pytest.raises(DataError, match="found 0 of 2 pictures in train/bees"):
        datasets.folder(spec.name, cache=alone)


WRONG = {
    "cut off": (sound(500)[:700], r"found 656 bytes of sound, expected 1,000, as its header says"),
    "text": (b"no sound at all\n" * 9, r"a file that does not read \(.*RIFF.*\), expected a recording"),
    "only a header": (sound(0), "a header and no sound"),
    "half a header": (sound(5)[:20], r"a file that does not read"),
}


HIDDEN = (
    "._0_a_0.wav",
    ".ipynb_checkpoints/0_a_0-checkpoint.wav",
    "__MACOSX/._0_a_1.wav",
    "__MACOSX/0_a_1.wav",
    ".Trashes/1_a_0.wav",
    "$RECYCLE.BIN/1_a_0.wav",
    "Thumbs.db",
    "Desktop.ini",
)


@pytest.mark.parametrize("name", HIDDEN)
def test_hidden_files_and_folders_are_no_data(small, alone, name, capsys):
    path = small / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"\0\5\x16\7 of a Mac" if "._" in name else sound(500))
    found = datasets.folder(SOUNDS.name, cache=alone)
    assert found.source == "full" and "(3 recordings)" in capsys.readouterr().out
    assert "all 3 recordings of COURSE_DATA are whole" in datasets.verify(SOUNDS.name, cache=alone)[0]
    (small / "0_a_0.wav").unlink()
    with pytest.raises(DataError, match="found 2 of 3 recordings"):
        datasets.folder(SOUNDS.name, cache=alone)


def test_a_data_folder_below_a_hidden_one_is_read(alone, monkeypatch, small, tmp_path):
    shutil.move(tmp_path / "given", tmp_path / ".cache")
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / ".cache"))
    assert datasets.folder(SOUNDS.name, cache=alone).source == "full"


@pytest.mark.parametrize("name", ["._ant.jpg", ".ipynb_checkpoints/ant-checkpoint.jpg", "__MACOSX/ant.jpg"])
def test_hidden_pictures_and_classes_are_no_data(alone, monkeypatch, tmp_path, name):
    target = tmp_path / "given" / INSECTS.folder
    shutil.copytree(settings.SAMPLES / INSECTS.folder, target)
    monkeypatch.setitem(registry.SPECS, INSECTS.name, replace(INSECTS, parts=INSECTS.sample))
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "given"))
    for part in ("train", "train/ants"):
        (target / part / name).parent.mkdir(exist_ok=True)
        (target / part / name).write_bytes(b"no picture")
    assert "all 36 pictures of COURSE_DATA are whole" in datasets.verify(INSECTS.name, cache=alone)[0]
    assert all("no picture" not in str(path) for path in folder_set.files_of(target))
    assert len(folder_set.files_of(target, INSECTS.suffixes)) == 36


def wav(tag, bits, channels=1, extensible=False, extra=b"", order=("fmt ", "data"), odd=False, form=b"RIFF"):
    """The bytes of a WAV file of any kind, with 101 samples (an odd number of bytes where `odd`)."""
    frame = channels * bits // 8
    sound = bytes(101 * frame)
    layout = struct.pack("<HHIIHH", 0xFFFE if extensible else tag, channels, 44_100, 44_100 * frame, frame, bits)
    if extensible:
        guid = b"\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71"
        layout += struct.pack("<HHIHH", 22, bits, 3, tag, 0) + guid
    length = 0xFFFFFFFF if form == b"RF64" else len(sound)
    chunks = {"fmt ": struct.pack("<4sI", b"fmt ", len(layout)) + layout}
    chunks["data"] = struct.pack("<4sI", b"data", length) + sound + b"\0" * (len(sound) % 2)
    long = struct.pack("<4sIQQQI", b"ds64", 28, 0, len(sound), 101, 0) if form == b"RF64" else b""
    body = b"WAVE" + long + extra + b"".join(chunks[name] for name in order)
    return form + struct.pack("<I", length if form == b"RF64" else len(body)) + body


LIST = b"LIST" + struct.pack("<I", 5) + b"INFOx" + b"\0"  # of an odd length, so that a byte fills it up
KINDS = {
    "8 bits": wav(1, 8),
    "24 bits": wav(1, 24),
    "32 bits": wav(1, 32),
    "float": wav(3, 32),
    "double": wav(3, 64),
    "stereo": wav(1, 16, channels=2),
    "A-law": wav(6, 8),
    "mu-law": wav(7, 8),
    "EXTENSIBLE": wav(1, 16, extensible=True),
    "EXTENSIBLE, 24 bits, 6 channels": wav(1, 24, channels=6, extensible=True),
    "EXTENSIBLE, float": wav(3, 32, extensible=True),
    "a list before the sound": wav(1, 16, extra=LIST),
    "RF64": wav(1, 16, form=b"RF64"),
}


@pytest.mark.parametrize("content", KINDS.values(), ids=KINDS)
def test_a_whole_recording_of_any_kind_is_whole_and_a_cut_one_is_cut_off(small, alone, content):
    path = small / "0_a_1.wav"
    path.write_bytes(content)
    assert "all 3 recordings of COURSE_DATA are whole" in datasets.verify(SOUNDS.name, cache=alone)[0]
    path.write_bytes(content[:-60])
    with pytest.raises(DataError, match=r"bytes of sound, expected [\d,]+, as its header says"):
        datasets.verify(SOUNDS.name, cache=alone)


@pytest.mark.parametrize(
    "content",
    [wav(1, 16, order=("data",)), wav(1, 16, order=("fmt ",)), wav(1, 16, channels=0), b"RIFF\0\0\0\0AVI LIST"],
    ids=["no description", "no sound", "no channel", "a film"],
)
def test_what_is_no_recording_does_not_read(small, alone, content):
    (small / "0_a_1.wav").write_bytes(content)
    with pytest.raises(DataError, match="a file that does not read"):
        datasets.verify(SOUNDS.name, cache=alone)


@pytest.mark.parametrize("case", WRONG)
def test_verify_reads_every_recording_to_its_end(small, alone, case):
    content, found = WRONG[case]
    path = small / "0_a_1.wav"
    path.write_bytes(content)
    with pytest.raises(DataError, match=found) as error:
        datasets.verify(SOUNDS.name, cache=alone)
    assert str(path) in str(error.value) and "replace it by a fresh copy, or unset COURSE_DATA" in str(error.value)
    assert path.read_bytes() == content


def test_verify_says_when_the_content_is_another_than_recorded(small, alone):
    assert "no hash is published, and it is not the copy" in datasets.verify(SOUNDS.name, cache=alone)[0]


def test_a_file_without_a_byte_is_refused_at_once(small, alone):
    (small / "0_a_1.wav").write_bytes(b"")
    for ask in (datasets.folder, datasets.available):
        with pytest.raises(DataError, match="found an empty file, expected a recording"):
            ask(SOUNDS.name, cache=alone)


@pytest.mark.parametrize("name", ["cut.jpg", "text.jpg", "page.gif"])
def test_a_damaged_picture_is_seen_by_reading_it(tmp_path, name):
    whole = (settings.SAMPLES / INSECTS.folder / "train" / "ants" / "drawn_00.jpg").read_bytes()
    content = whole[: len(whole) // 2] if name == "cut.jpg" else b"<html>no picture</html>"
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=r"a file that does not read .* expected a picture"):
        folder_set.check_content(tmp_path / name, "mend it")


def spoil(path, how):
    """A PNG with a wrong checksum, with a chunk of an unknown name, or that promises 60,000 by 60,000 pixels."""
    Image.effect_noise((300, 300), 90).save(path)
    content = bytearray(path.read_bytes())
    if how == "checksum":
        content[-13] ^= 1  # the last byte before the end mark: of the checksum of the last stretch of data
    elif how == "chunk":
        second = content.index(b"IDAT", content.index(b"IDAT") + 4)
        content[second : second + 4] = b"\x01\x02\x03\x04"
    else:
        content[16:24] = (60_000).to_bytes(4, "big") * 2
        content[29:33] = zlib.crc32(content[12:29]).to_bytes(4, "big")
    path.write_bytes(content)


@pytest.mark.parametrize("how", ["checksum", "chunk", "giant"])
def test_whatever_pillow_raises_is_damage(tmp_path, how):
    spoil(tmp_path / "a.png", how)
    with pytest.raises(DataError, match=r"a\.png cannot be used: found a file that does not read .* a picture"):
        folder_set.check_content(tmp_path / "a.png", "mend it")


def test_a_changed_middle_is_told_by_the_hash_alone(alone, monkeypatch, tmp_path):
    """A decode notices no hole in a JPEG: what does is the recorded SHA-256 of the whole set."""
    shutil.copytree(settings.SAMPLES / INSECTS.folder, tmp_path / INSECTS.folder)
    monkeypatch.setattr(settings, "SAMPLES", tmp_path)
    path = tmp_path / INSECTS.folder / "train" / "ants" / "drawn_00.jpg"
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 200] = bytes(200)
    path.write_bytes(content)
    folder_set.check_content(path, "mend it")
    monkeypatch.delenv("COURSE_DATA", raising=False)
    with pytest.raises(DataError, match="content with the SHA-256"):
        datasets.verify(INSECTS.name, cache=alone)


def test_a_damaged_sample_is_refused(alone, monkeypatch, tmp_path):
    shutil.copytree(settings.SAMPLES / SOUNDS.folder, tmp_path / SOUNDS.folder)
    monkeypatch.setattr(settings, "SAMPLES", tmp_path)
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    path = tmp_path / SOUNDS.folder / "0_george_0.wav"
    path.write_bytes(path.read_bytes()[:-2] + b"\x01\x01")
    with pytest.raises(DataError, match="git checkout -- data/samples/free-spoken-digits"):
        datasets.verify(SOUNDS.name, cache=alone)
    path.unlink()
    with pytest.raises(DataError, match="found 119 of 120 recordings"):
        datasets.folder(SOUNDS.name, cache=alone)


@pytest.fixture
def served(small, monkeypatch, tmp_path):
    """A mirror that serves free-spoken-digits/master.zip; returns the zip's path, for the test to write."""
    monkeypatch.delenv("COURSE_DATA")
    handler = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=tmp_path / "web"))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.setenv("COURSE_MIRROR", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("no_proxy", "*")
    path = tmp_path / "web" / SOUNDS.folder / "master.zip"
    path.parent.mkdir(parents=True)
    yield path
    server.shutdown()
    server.server_close()


def pack(path, names):
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, sound(300))


INSIDE = SOUNDS.files[0].inside
GOOD = [f"{INSIDE}{name}.wav" for name in ("0_b_0", "0_b_1", "1_b_0")]


def test_an_archive_is_fetched_unpacked_and_taken_away(served, alone, capsys):
    odd = [f"{INSIDE}.DS_Store", f"{INSIDE}../../escaped.wav", "free-spoken-digit-dataset-master/README.md"]
    pack(served, [*GOOD, *odd])
    found = datasets.folder(SOUNDS.name, cache=alone)
    assert (found.path, found.source) == (alone / SOUNDS.folder, "full")
    assert "from a download, now kept in the project's data/cache" in capsys.readouterr().out
    assert sorted(path.name for path in found.path.iterdir()) == ["0_b_0.wav", "0_b_1.wav", "1_b_0.wav"]
    assert not list(alone.parent.rglob("escaped.wav"))
    served.unlink()
    assert datasets.folder(SOUNDS.name, cache=alone).path == found.path, "not asked for again"
    assert "whole" in datasets.get(SOUNDS.name, cache=alone)[0]


def test_an_unpacking_that_was_interrupted_is_done_again(served, alone):
    pack(served, GOOD)
    folder = alone / SOUNDS.folder
    folder.mkdir(parents=True)
    (folder / "0_b_0.wav").write_bytes(sound(300))
    (folder / "0_b_1.wav.part").write_bytes(b"half")
    assert datasets.folder(SOUNDS.name, cache=alone).source == "full"
    assert not list(folder.glob("*.part"))


def damage(path):
    content = bytearray(path.read_bytes())
    content[100:110] = bytes(10)
    path.write_bytes(content)


REFUSED = {
    "page": (
        lambda path: path.write_bytes(b"<html>log in</html>"),
        "does not unpack .*expected the zip master.zip",
    ),
    "cut": (lambda path: path.write_bytes(path.read_bytes()[:-40]), "does not unpack"),
    "damaged": (damage, r"found a damaged .*0_b_0\.wav in it, expected every file whole"),
    "other": (lambda path: pack(path, ["elsewhere/0_b_0.wav"]), "found no file in .*recordings/"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_bad_archive_is_refused_and_the_sample_taken(served, alone, case, capsys):
    pack(served, GOOD)
    spoil, words = REFUSED[case]
    spoil(served)
    assert datasets.folder(SOUNDS.name, cache=alone).source == "sample"
    assert "because the download was refused (master.zip from 127.0.0.1" in capsys.readouterr().out
    with pytest.raises(DataError, match=words):
        datasets.get(SOUNDS.name, cache=alone)
    assert [path for path in (alone / SOUNDS.folder).iterdir() if path.is_file()] == []


def test_an_archive_with_too_few_files_is_said(served, alone):
    pack(served, GOOD[:2])
    with pytest.raises(DataError, match="incomplete"):
        datasets.get(SOUNDS.name, cache=alone)


def test_the_wrong_call_is_named():
    with pytest.raises(DataError, match=r"ask for it with `folder\('hymenoptera'\)`"):
        datasets.load("hymenoptera")
    with pytest.raises(DataError, match=r"ask for it with `load\('mnist'\)`"):
        datasets.folder("mnist")
    with pytest.raises(DataError, match="no data set 'wasps': choose one of mnist, "):
        datasets.folder("wasps")


def test_the_project_ships_what_it_says():
    assert (Path(settings.SAMPLES) / SOUNDS.folder).is_dir() and (Path(settings.SAMPLES) / INSECTS.folder).is_dir()
