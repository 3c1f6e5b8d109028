"""The code that chapter 03 writes out, taken from its cells: sounds, pictures, IDX, streams, resuming."""

import ast
import importlib
import json
import subprocess
import sys
import zlib

import numpy
import pytest
import soundfile
import torch
import torchvision
from PIL import Image
from torch.utils.data import DataLoader

from course_utils import PROJECT

NOTEBOOK = PROJECT / "notebooks" / "03_datasets.ipynb"
CELLS = ["".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]]
PYTHON = [text for text in CELLS if "\nimport itertools\n" in text or text.startswith(("class ", "def "))]


@pytest.fixture(scope="module")
def chapter():
    """The functions and classes of the chapter by name, without running its experiments."""
    space = {}
    for text in PYTHON:
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue  # a text cell that happens to begin so
        wanted = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
        tree.body = [node for node in tree.body if isinstance(node, wanted)]
        exec(compile(tree, "chapter 03", "exec"), space)
    return space


def at_rate(chapter, folder, rate, length):
    """The data set of sounds of any rate, made to give this one."""
    sounds = chapter["AnyRate"](folder, length=length)
    sounds.rate = rate
    return sounds


def test_a_padded_batch_comes_with_its_mask(chapter):
    silent = torch.tensor([0.0, 1, 0])
    batch, mask = chapter["pad"]([silent, torch.ones(5), torch.ones(0)])
    assert batch.tolist() == [[0, 1, 0, 0, 0], [1] * 5, [0] * 5]
    assert mask.tolist() == [[True] * 3 + [False] * 2, [True] * 5, [False] * 5]


def tone(pitch, rate, seconds=1.0):
    return numpy.sin(2 * numpy.pi * pitch * numpy.arange(int(rate * seconds)) / rate).astype("float32")


def test_stereo_is_mixed_to_one_channel(chapter, tmp_path):
    left = 0.8 * tone(500, 8000)
    soundfile.write(tmp_path / "stereo.wav", numpy.stack([left, 0 * left], axis=1), 8000)
    for sounds in (chapter["SpokenDigits"](tmp_path, length=8000), at_rate(chapter, tmp_path, 8000, 8000)):
        waveform, name = sounds[0]
        assert (tuple(waveform.shape), waveform.dtype, name) == ((1, 8000), torch.float32, "stereo.wav")
        assert torch.allclose(waveform[0], torch.from_numpy(left / 2), atol=1e-3)


@pytest.mark.parametrize("rate", [4000, 11_025, 22_050, 44_100, 48_000])
def test_another_rate_is_resampled(chapter, tmp_path, rate):
    soundfile.write(tmp_path / "other.wav", 0.5 * tone(500, rate), rate)
    waveform, _ = at_rate(chapter, tmp_path, 8000, 8000)[0]
    middle = slice(400, -400)  # the spectrum takes the sound for periodic: its ends may ring
    assert torch.allclose(waveform[0, middle], torch.from_numpy(0.5 * tone(500, 8000))[middle], atol=0.02)


@pytest.mark.parametrize("rate", [4000, 16_000, 44_100, 48_000])
def test_another_rate_is_no_recording_of_this_one(chapter, tmp_path, rate):
    soundfile.write(tmp_path / "other.wav", 0.5 * tone(500, rate), rate)
    with pytest.raises(ValueError, match=f"other.wav: {rate} samples a second, expected 8000"):
        chapter["SpokenDigits"](tmp_path, length=8000)[0]


@pytest.mark.parametrize("kind", ["PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE", "ULAW"])
@pytest.mark.parametrize("form", ["WAV", "WAVEX"])
def test_samples_of_any_width_are_read_alike(chapter, tmp_path, kind, form):
    soundfile.write(tmp_path / "one.wav", 0.5 * tone(500, 8000), 8000, subtype=kind, format=form)
    for sounds in (chapter["SpokenDigits"](tmp_path, length=8000), at_rate(chapter, tmp_path, 8000, 8000)):
        assert torch.allclose(sounds[0][0][0], torch.from_numpy(0.5 * tone(500, 8000)), atol=0.02)


@pytest.mark.parametrize("name", ["._0_a_0.wav", ".ipynb_checkpoints/0_a_0-checkpoint.wav", "__MACOSX/0_a_0.wav"])
def test_hidden_files_are_no_recordings(chapter, tmp_path, name):
    for path in (tmp_path / "0_a_0.wav", tmp_path / "more" / "1_a_0.wav", tmp_path / name):
        path.parent.mkdir(exist_ok=True)
        soundfile.write(path, tone(500, 8000), 8000, format="WAV")
    assert [path.name for path in chapter["SpokenDigits"](tmp_path).paths] == ["0_a_0.wav", "1_a_0.wav"]


WHOLE = 8044
CASES = {
    "empty": (lambda content: b"", "bad.wav: an empty file"),
    "header only": (
        lambda content: content[:4] + b"\x24\0\0\0" + content[8:40] + bytes(4),
        "not one sample",
    ),
    "truncated": (lambda content: content[:3001], "cut off, 3,001 of 8,044 bytes are there"),
    "half a header": (lambda content: content[:30], "cut off, 30 of 8,044 bytes"),
    "text": (lambda content: b"This is no sound.\n", "no sound file, whatever its name says"),
    "one byte": (lambda content: b"R", "no sound file, whatever its name says"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_no_whole_sound_is_refused_in_words(chapter, tmp_path, case):
    path = tmp_path / "bad.wav"
    soundfile.write(path, tone(500, 8000, 0.5), 8000)
    content = path.read_bytes()
    assert len(content) == WHOLE
    spoil, words = CASES[case]
    path.write_bytes(spoil(content))
    with pytest.raises(ValueError, match=words):
        at_rate(chapter, tmp_path, 8000, 8192)[0]


def test_short_sounds_are_padded_and_long_ones_cut_by_seed_and_epoch(chapter, tmp_path):
    soundfile.write(tmp_path / "a_short.wav", 0.5 * numpy.ones(100), 8000)
    soundfile.write(tmp_path / "b_long.wav", numpy.linspace(-1, 1, 20_000), 8000)
    sounds = chapter["SpokenDigits"](tmp_path, length=8192, seed=3)
    short, long = sounds[0][0], sounds[1][0]
    assert short.shape == long.shape == (1, 8192)
    assert not short[0, 100:].any() and short[0, :100].min() > 0.4
    assert torch.equal(long, sounds[1][0])
    pieces = set()
    for sounds.epoch in range(8):
        pieces.add(sounds[1][0][0, 0].item())
    assert len(pieces) == 8
    batch, names = next(iter(DataLoader(sounds, batch_size=2)))
    assert tuple(batch.shape) == (2, 1, 8192) and tuple(names) == ("a_short.wav", "b_long.wav")


@pytest.fixture
def pictures(tmp_path):
    """Two classes, a good picture each, a grey one, and a stray, a half and a text among them."""
    for kind, color in (("ants", "red"), ("bees", "green")):
        (tmp_path / kind).mkdir()
        Image.new("RGB", (200, 120), color).save(tmp_path / kind / "good.jpg")
    Image.effect_noise((200, 150), 80).save(tmp_path / "ants" / "grey.jpg")
    content = (tmp_path / "ants" / "grey.jpg").read_bytes()
    (tmp_path / "ants" / "half.jpg").write_bytes(content[: len(content) // 2])
    (tmp_path / "bees" / "text.jpg").write_text("no picture")
    Image.new("P", (10, 10)).save(tmp_path / "ants" / "stray.gif")
    return tmp_path


def test_broken_pictures_are_skipped_counted_or_refused(chapter, pictures, capsys):
    found = chapter["PictureFolder"](pictures, broken="skip")
    said = (
        "ants/half.jpg (does not decode), ants/stray.gif (not one of our suffixes), bees/text.jpg (does not decode)"
    )
    assert capsys.readouterr().out == f"Left out 3 of 6 files: {said}\n"
    assert [target for _, target in found] == [0, 0, 1] and found.class_to_idx == {"ants": 0, "bees": 1}
    assert {picture.mode for picture, _ in found} == {"RGB"}
    with pytest.raises(ValueError, match=r"^Refused 3 of 6 files: ants/half\.jpg"):
        chapter["PictureFolder"](pictures)


HIDDEN = ("._good.jpg", ".ipynb_checkpoints/good-checkpoint.jpg", "Thumbs.db", "desktop.ini", "__MACOSX/good.jpg")


@pytest.mark.parametrize("name", HIDDEN)
def test_hidden_files_and_folders_are_no_pictures_and_no_classes(chapter, pictures, name):
    for name_of_bad in ("ants/half.jpg", "ants/stray.gif", "bees/text.jpg"):
        (pictures / name_of_bad).unlink()
    for place in (pictures, pictures / "ants"):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(b"no picture")
    found = chapter["PictureFolder"](pictures)
    assert found.class_to_idx == {"ants": 0, "bees": 1} and len(found) == 3
    assert chapter["visible"](pictures / "ants", "*") == [
        pictures / "ants" / f"{one}.jpg" for one in ("good", "grey")
    ]


def test_a_class_without_a_picture_keeps_its_number_or_is_refused(chapter, pictures, capsys):
    for name in ("ants/half.jpg", "ants/stray.gif", "bees/text.jpg"):
        (pictures / name).unlink()
    (pictures / "aphids").mkdir()
    found = chapter["PictureFolder"](pictures, broken="skip")
    assert found.class_to_idx == {"ants": 0, "aphids": 1, "bees": 2}
    assert [target for _, target in found] == [0, 0, 2]
    assert capsys.readouterr().out == "Left out 0 of 3 files: aphids (no picture)\n"
    with pytest.raises(ValueError, match=r"Refused 0 of 3 files: aphids \(no picture\)"):
        chapter["PictureFolder"](pictures)
    (pictures / "aphids" / "half.jpg").write_bytes((pictures / "ants" / "grey.jpg").read_bytes()[:500])
    with pytest.raises(ValueError, match=r"aphids/half\.jpg \(does not decode\), aphids \(no picture\)"):
        chapter["PictureFolder"](pictures)


def spoilt_chunk(folder):
    """A PNG whose second stretch of data has a name that does not exist."""
    picture = Image.effect_noise((300, 300), 90)
    picture.save(folder / "spoilt.png")
    content = bytearray((folder / "spoilt.png").read_bytes())
    second = content.index(b"IDAT", content.index(b"IDAT") + 4)
    content[second : second + 4] = b"\x01\x02\x03\x04"
    (folder / "spoilt.png").write_bytes(content)


def giant(folder):
    """A header that promises 60,000 by 60,000 pixels."""
    Image.new("L", (8, 8)).save(folder / "giant.png")
    content = bytearray((folder / "giant.png").read_bytes())
    content[16:24] = (60_000).to_bytes(4, "big") * 2
    content[29:33] = zlib.crc32(content[12:29]).to_bytes(4, "big")
    (folder / "giant.png").write_bytes(content)


@pytest.mark.parametrize("spoil", [spoilt_chunk, giant])
def test_whatever_pillow_raises_is_counted(chapter, pictures, spoil, capsys):
    spoil(pictures / "bees")
    chapter["PictureFolder"](pictures, broken="skip")
    assert "Left out 4 of 7 files" in capsys.readouterr().out
    with pytest.raises(ValueError, match="Refused 4 of 7 files"):
        chapter["PictureFolder"](pictures)


def test_a_changed_middle_decodes(chapter, pictures):
    """What the chapter says of `load`: a JPEG with a hole in its middle is no fault to it."""
    content = bytearray((pictures / "ants" / "grey.jpg").read_bytes())
    middle = len(content) // 2
    content[middle : middle + 200] = bytes(200)
    (pictures / "ants" / "hole.jpg").write_bytes(content)
    assert chapter["picture_fault"](pictures / "ants" / "hole.jpg") is None


def test_without_broken_files_it_is_imagefolder(chapter, pictures):
    for name in ("ants/half.jpg", "ants/stray.gif", "bees/text.jpg"):
        (pictures / name).unlink()
    ours, theirs = chapter["PictureFolder"](pictures), torchvision.datasets.ImageFolder(pictures)
    assert len(ours) == len(theirs) == 3
    for (picture, target), (other, other_target) in zip(ours, theirs, strict=True):
        assert target == other_target and picture.tobytes() == other.tobytes()


@pytest.mark.parametrize("shape", [(5,), (2, 3), (4, 3, 2)])
def test_ten_lines_read_idx(chapter, tmp_path, shape):
    values = torch.arange(torch.Size(shape).numel(), dtype=torch.uint8).view(shape)
    head = bytes((0, 0, 8, len(shape))) + b"".join(length.to_bytes(4, "big") for length in shape)
    (tmp_path / "file").write_bytes(head + bytes(values.flatten().tolist()))
    assert torch.equal(chapter["read_idx"](tmp_path / "file"), values)
    (tmp_path / "other").write_bytes(b"\0\0\x0d\x01" + bytes(8))
    with pytest.raises(AssertionError, match="not an IDX file of unsigned bytes"):
        chapter["read_idx"](tmp_path / "other")


@pytest.fixture(scope="module")
def resumable(tmp_path_factory):
    """The program that the chapter's %%writefile cells write."""
    return written(tmp_path_factory.mktemp("chapter") / "resumable.py", cells=2)


def written(path, cells):
    """Write to `path` what the chapter's cells write under its name."""
    parts = [text.partition("\n") for text in CELLS if text.startswith("%%writefile")]
    parts = [rest for first, _, rest in parts if first.endswith(f"/{path.name}")]
    path.write_text("\n".join(parts), encoding="utf-8")
    assert len(parts) == cells
    return path


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_a_shared_stream_comes_once(tmp_path, monkeypatch, workers):
    monkeypatch.syspath_prepend(written(tmp_path / "streams.py", cells=1).parent)
    streams = importlib.import_module("streams")
    try:
        context = "spawn" if workers else None
        loader = DataLoader(streams.Shared(), num_workers=workers, multiprocessing_context=context)
        assert sorted(int(sample) for sample in loader) == list(range(10))
        alone = DataLoader(streams.Stream(), num_workers=workers, multiprocessing_context=context)
        assert workers != 2 or sorted(int(sample) for sample in alone) == sorted([*range(10)] * 2)
    finally:
        del sys.modules["streams"]


@pytest.mark.parametrize(("stop", "workers"), [(0, 0), (6, 0), (7, 0), (6, 2)])
def test_a_resumed_loader_gives_the_batches_of_the_uninterrupted_run(resumable, tmp_path, stop, workers):
    space = {"__name__": "resumable"}
    exec(resumable.read_text(encoding="utf-8"), space)
    loader = space["ResumableLoader"](space["Jittered"](), batch_size=8, seed=0)
    whole = [batch.tolist() for _ in range(4) for batch in loader]
    assert len(whole) == 28 and whole[:7] != whole[7:14]
    first = space["ResumableLoader"](space["Jittered"](), batch_size=8, seed=0)
    batches = (batch for _ in range(4) for batch in first)
    before = [next(batches).tolist() for _ in range(stop)]
    command = [sys.executable, resumable, json.dumps(first.state_dict()), str(workers)]
    child = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    after = json.loads(child.stdout)
    assert before + after == whole[: stop + len(after)] and len(after) >= 7
