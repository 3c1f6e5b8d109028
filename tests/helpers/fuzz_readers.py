"""The course's readers, each as tests/faults/test_files.py tries it: a whole set of files, one of which is damaged.

`reader(...)` names the set, the errors that are the reader's own and its kinds of damage, and stands above the
function that lets the course at the files and asserts what must hold of what was read.
"""

import contextlib
import functools
import gzip
import hashlib
import io
import json
import os
import pickle
import random
import sqlite3
import tarfile
import tempfile
import wave
import zipfile
from pathlib import Path

import fuzz_damage as damage
import safetensors.torch
import torch
from fuzz import TEXT, Reader
from notebook_cells import defined
from PIL import Image

from course_utils import checkpoint, recorded
from course_utils.data import idx
from course_utils.data.archive import Archive
from course_utils.data.download import _disk_error
from course_utils.data.errors import DataError
from course_utils.data.folder_set import FolderSet, check_content
from course_utils.data.place import Place
from course_utils.data.text_set import PARTS, TextSet
from lessonkit.desk import trust
from lessonkit.desk.copies import bring
from lessonkit.desk.folder import Desk
from lessonkit.desk.storage import Trouble
from lessonkit.notebook import catalog
from lessonkit.notebook.catalog import Chapter
from lessonkit.notebook.outputs import Unfit as UnfitOutputs
from lessonkit.notebook.outputs import store
from lessonkit.notebook.reader import Unreadable
from lessonkit.progress import record
from lessonkit.progress.contents import Contents, Task
from lessonkit.progress.summary import summarise
from lessonkit.reporting import membership
from lessonkit.runner import report as runner_report
from lessonkit.system.errors import Refused
from lessonkit.system.plain_file import read_plain
from lessonkit.teach.bundle import install, start
from lessonkit.teach.bundle.targets import here as this_machine
from lessonkit.teach.classroom import export, report_parser, state_file
from lessonkit.teach.classroom.questions import Question
from lessonkit.teach.classroom.report_parser import Unfit
from lessonkit.teach.classroom.state import ClassroomState
from lessonkit.teach.room import submission
from lessonkit.teach.room.collect import collect
from lessonkit.teach.room.sandbox import protocol
from torch_clinic import reading
from torch_clinic.diagnosis import diagnose

ADVICE = "get it again"
IN_MEMORY = ("odd places", "changing", "names")  # kinds of damage that what is no file cannot have
READERS: dict[str, Reader] = {}


def reader(name, files, *errors, kinds=damage.COMMON, without=(), **more):
    """Add a reader, whose `read` is the function below; `files`: {name: bytes}, or a function of the folder."""

    def keep(read):
        found = files if callable(files) else lambda folder: files
        chosen = {kind: change for kind, change in kinds.items() if kind not in without}
        READERS[name] = Reader(name, found, read, errors or (Refused,), chosen, **more)
        return read

    return keep


def noise(count):
    """So many bytes, always the same ones."""
    rng = random.Random(18)
    return bytes(rng.randrange(256) for _ in range(count))


def as_json(value, **how):
    """A value as the bytes of a JSON file."""
    return json.dumps(value, **how).encode()


# IDX

PICTURES = idx.IdxFile("pictures-idx3-ubyte", (12, 5, 4))
CONTENT = PICTURES.header + noise(240)


def _gz_bombs(path, rng, number):
    head = PICTURES.header
    bomb = damage.gz_bomb((b"", head, head + bytes(240))[number % 3]) if number % 2 else b""
    path.write_bytes(bomb or gzip.compress(head) * 2000 + gzip.compress(b""))


@reader("plain IDX", {PICTURES.name: CONTENT}, DataError)
@reader(
    "packed IDX",
    {f"{PICTURES.name}.gz": gzip.compress(CONTENT, mtime=0)},
    DataError,
    kinds=damage.COMMON | {"bombs": _gz_bombs},
)
@reader("zipped IDX", {"sample.zip": damage.zipped([("other", b"x"), (PICTURES.name, CONTENT)])}, DataError,
        kinds=damage.COMMON | {"zips": damage.zip_tricks([(PICTURES.name, CONTENT)], PICTURES.name,
                                                         ("bomb", "claim", "methods", "methods"))})  # fmt: skip
def _read_idx(folder, path):
    file = PICTURES
    if path.name.endswith(".gz"):
        file = idx.IdxFile(file.name, file.shape, packed_md5="0" * 32)
    member = file.name if path.name.endswith(".zip") else None
    buffer, verified = idx.read(path, file, advice=ADVICE, member=member)
    assert len(buffer) == file.size and bytes(buffer).startswith(file.header) and not verified
    idx.check_start(path, file, advice=ADVICE, member=member)


# Recordings, pictures, folders, their archives


def _wav(samples):
    """A recording of these bytes."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", None))
        sound.writeframes(samples)
    return file.getvalue()


def _wav_bombs(path, rng, number):
    """A header that promises more sound than a file can have; the size that it gives the file fits, or does not."""
    data = bytearray(path.read_bytes())
    claim = rng.choice((2**32 - 1, 2**31 - 1, 2**31, 2**28, len(data)))
    data[40:44] = claim.to_bytes(4, "little")
    if number % 2:
        data[4:8] = rng.choice((2**32 - 1, claim, 0)).to_bytes(4, "little")
    data[22:24] = rng.choice((0, 1, 2, 1024, 65535)).to_bytes(2, "little")
    data[24:28] = rng.choice((0, 1, 8000, 2**32 - 1)).to_bytes(4, "little")
    data[32:36] = rng.choice((0, 1, 2, 4, 2**31)).to_bytes(4, "little")
    path.write_bytes(data)


@functools.cache
def _picture():
    image = Image.new("RGB", (24, 18))
    rng = random.Random(18)
    image.putdata([tuple(rng.randrange(256) for _ in range(3)) for _ in range(24 * 18)])
    file = io.BytesIO()
    image.save(file, "JPEG")
    return file.getvalue()


def _picture_bombs(path, rng, number):
    """A picture of a size that its bytes do not justify; other formats under its name, PostScript among them."""
    which, file, data = number % 5, io.BytesIO(), bytearray(_picture())
    if which < 2:  # the frame's height and width
        at = data.find(b"\xff\xc0") + 5
        high, wide = rng.choice(((65535, 65535), (12_000, 12_000), (9000, 9000), (65535, 1), (1, 65535), (0, 9)))
        data[at : at + 4] = high.to_bytes(2, "big") + wide.to_bytes(2, "big")
    elif which == 2:
        side = rng.choice((9000, 13_000))
        Image.new("1", (side, side)).save(file, rng.choice(("PNG", "TIFF")))
        data = file.getvalue()
    elif which == 3:
        data = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n0 0 9 9 rectfill\n%%EOF\n"
    else:
        kinds = "PNG GIF BMP TIFF WEBP PPM ICO PCX TGA SGI JPEG2000 IM"
        with contextlib.suppress(OSError, KeyError, ValueError):
            Image.new("RGB", (20, 20)).save(file, rng.choice(kinds.split()))
        data = file.getvalue() or b"GIF8"
    path.write_bytes(data)
    if which == 4:
        rng.choice((damage.flipped, damage.absurd, damage.truncated))(path, rng, number)


@reader("recording", {"6_george_0.wav": _wav(noise(600))}, DataError, kinds=damage.COMMON | {"bombs": _wav_bombs})
@reader("picture", lambda folder: {"bee.jpg": _picture()}, DataError,
        kinds=damage.COMMON | {"bombs": _picture_bombs}, memory=128)  # fmt: skip
def _read_content(folder, path):
    check_content(path, ADVICE)


@functools.cache
def _read_sound():
    """Return chapter 03's own function, out of its cell."""
    return defined("03", "read_sound").read_sound


# For a file that is not there, or a name that is no UTF-8, Python's own error is the word of a function of a cell.
@reader("recording, chapter 03", {"6_george_0.wav": _wav(noise(600))}, ValueError, without=IN_MEMORY,
        kinds=damage.COMMON | {"bombs": _wav_bombs})  # fmt: skip
def _read_by_cell(folder, path):
    try:
        waveform, rate = _read_sound()(path)
    except ValueError as error:
        # Our words, not another library's: those name the file first.
        assert str(error).startswith(f"{path.name}: "), error
        raise
    assert waveform.dtype == torch.float32 and waveform.ndim == 2 and waveform.numel() and rate > 0


SOUNDS = FolderSet(
    name="sounds",
    title="Sounds",
    folder="sounds",
    mirrors=("http://localhost/",),
    files=(Archive("sounds.zip", inside="top/", size=4_000_000),),
    things="files",
    suffixes=(".wav", ".jpg"),
    parts=(("a", 2), ("b", 1)),
    sample=(("", 0),),
    sha256="0" * 64,
    sample_sha256="0" * 64,
)


def _folder_oddities(path, rng, number):
    """What else can lie in a folder of files: links, loops, pipes, names of any bytes, many and deep folders."""
    which, here, data = number % 10, path.parent, path.read_bytes()
    odd = here / os.fsdecode(b"caf\xe9 \xff.wav")
    links = {
        2: ("loop", here),
        3: ("loop.wav", "loop.wav"),
        6: ("gone.wav", "nowhere.wav"),
        9: ("zero.wav", "/dev/zero"),
    }
    if which in links:
        name, target = links[which]
        (here / name).symlink_to(target)
    if which == 0:
        path.rename(odd)
    elif which == 1:
        odd.write_bytes(data)
    elif which == 4:
        os.mkfifo(here / "pipe.wav")
    elif which == 5:
        (here / "folder.wav").mkdir()
    elif which == 7:
        deep = here / "/".join("d" * 200 for _ in range(8))
        deep.mkdir(parents=True)
        path.rename(deep / path.name)
    elif which == 8:
        for one in range(300):
            (here / f"{one}.wav").write_bytes(b"" if one == 299 and number % 20 == 8 else data)
    elif which == 9:
        (here / "new\nline.wav").write_bytes(data)


@reader("folder", {f"sounds/{name}.wav": _wav(noise(600)) for name in ("a/two", "a/one", "b/three")}, DataError,
        kinds=damage.COMMON | {"oddities": _folder_oddities}, named=("sounds",))  # fmt: skip
def _read_folder(folder, path):
    place = folder / "sounds"
    paths = SOUNDS.paths_in(place)
    assert paths, "nothing of the set was found, though most of it is there"
    assert all(one.is_file() for one in paths.values())
    assert "whole" in SOUNDS.verify(Place("COURSE_DATA", "full", place, paths, ADVICE))


MEMBERS = [(f"top/{name}.wav", _wav(bytes(200))) for name in ("a/one", "a/two", "b/three")]


WAYS = ("out", "out", "out", "link", "clash", "bomb", "methods", "claim")


@reader("archive", {"sounds/sounds.zip": damage.zipped(MEMBERS)}, DataError,
        kinds=damage.COMMON | {"ways": damage.zip_tricks(MEMBERS, "top/a/{}.wav", WAYS)})  # fmt: skip
def _read_archive(folder, path):
    file = SOUNDS.files[0]
    if (refusal := file.refusal(path)) is not None:
        raise DataError(f"{path.name}: {refusal}")
    try:
        file.settle(path.parent)
    except FileNotFoundError:  # the download was taken away: what fetches says so of the disk
        raise DataError(f"{path.name}: {path} is gone, expected the archive that was judged") from None
    except OSError as error:
        raise DataError(f"{path.name}: {_disk_error(path.parent, error)}") from error
    assert all(one.is_dir() or one.suffix != ".part" for one in path.parent.rglob("*"))


# Text

TEXTS = {
    f"{part}.txt": f"{part}: caf\u00e9, and so on\n".encode() * 40 for part in ("train", "held_out", "repeated")
}


@reader("text", TEXTS, DataError, times=12)
def _read_text(folder, path):
    sums = "".join(f"{hashlib.sha256(TEXTS[f'{part}.txt']).hexdigest()} {part}.txt\n" for part in PARTS)
    whole = TextSet("text", "A text", "text", (900, 1000, 1000), hashlib.sha256(sums.encode()).hexdigest())
    place = Place("the repository", "full", folder, {name: folder / name for name in TEXTS}, ADVICE)
    whole.check_start(place)
    texts, _ = whole.read(place)
    assert all(text.startswith(f"{part}: caf\u00e9") for text, part in zip(texts, PARTS, strict=True))
    assert "whole" in whole.verify(place)


# Checkpoints


def _saved(thing, **how):
    file = io.BytesIO()
    torch.save(thing, file, **how)
    return file.getvalue()


@functools.cache
def _checkpoints():
    """The bytes of a checkpoint of ours, and of what else torch.save and others write."""
    torch.manual_seed(18)
    model = torch.nn.Linear(3, 2)
    model(torch.ones(1, 3)).sum().backward()
    optimizer = torch.optim.Adam(model.parameters())
    optimizer.step()
    facts = {"epoch": 2, "step": 14, "metrics": {"loss": 0.25}}
    with tempfile.TemporaryDirectory() as folder:
        path = checkpoint.save_checkpoint(f"{folder}/x.pt", model=model, optimizer=optimizer, **facts)
        ours = path.read_bytes()
    others = (
        _saved(model.state_dict()),
        _saved(model.state_dict(), _use_new_zipfile_serialization=False),
        _saved(model),
        pickle.dumps({"a": [1.0] * 30, "b": "text"}),
        safetensors.torch.save({"weight": torch.ones(4, 5)}),
    )
    return ours, others


def _foreign(path, rng, number):
    """Files of other makes, whole and damaged."""
    path.write_bytes(_checkpoints()[1][number % 5])
    if number % 3:
        rng.choice((damage.flipped, damage.absurd, damage.truncated, damage.shuffled))(path, rng, number)


def _sealed(path, rng, number):
    """Another content, and a checksum that is right: of members damaged before they were packed, and of bombs."""
    with zipfile.ZipFile(path) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    top = members[0][0].split("/")[0]
    which = number % 6
    ending = ".json" if which < 2 else ".pkl"
    at = next(n for n, (name, _) in enumerate(members) if name.endswith(ending))
    if which == 4:
        at = rng.randrange(len(members))
    name, data = members[at]
    if which == 0:
        data = json.dumps(damage.bent(json.loads(data), rng)).encode()
    elif which == 1:
        data = b" " * damage.BIG if number % 4 == 1 else rng.choice(damage.ODD_BYTES)
    elif which == 5:
        members.append((f"{top}/{rng.choice(damage.WAYS_OUT)}", b"x"))
    else:
        other = path.with_name("member")
        other.write_bytes(data)
        rng.choice((damage.flipped, damage.absurd, damage.truncated, damage.shuffled))(other, rng, number)
        data = other.read_bytes()
        other.unlink()
    members[at] = name, data
    packed = bytearray(damage.zipped(members, compress=zipfile.ZIP_DEFLATED if which == 1 else zipfile.ZIP_STORED))
    packed[-2:] = (71).to_bytes(2, "little")  # the comment's length
    path.write_bytes(bytes(packed) + b"sha256:" + hashlib.sha256(packed).hexdigest().encode())


def _two_checkpoints(folder):
    return dict.fromkeys(("runs/epoch_2.pt", "runs/epoch_1.pt"), _checkpoints()[0])


@reader("checkpoint", _two_checkpoints, checkpoint.CheckpointError, kinds=damage.COMMON | {"foreign": _foreign})
def _read_checkpoint(folder, path):
    runs = path.parent
    rows = checkpoint.list_checkpoints(runs)
    assert runs / "epoch_1.pt" in [row["path"] for row in rows if row["problem"] is None], (
        "the whole one is not listed"
    )
    for row in rows:
        if row["problem"]:
            assert row["path"].name in row["problem"] and len(row["problem"]) > 40, row["problem"]
    gone = checkpoint.keep(runs, last=2)
    assert runs / "epoch_1.pt" not in gone
    model = torch.nn.Linear(3, 2)
    optimizer = torch.optim.Adam(model.parameters())
    before = [one.clone() for one in model.parameters()]
    try:
        facts = checkpoint.load_checkpoint(path, model=model, optimizer=optimizer)
    except checkpoint.CheckpointError:
        assert all(map(torch.equal, before, model.parameters())), "refused, and the model was changed"
        raise
    assert facts["epoch"] == 2 and facts["metrics"] == {"loss": 0.25}


@reader("checkpoint, made", _two_checkpoints, checkpoint.CheckpointError, kinds={"sealed": _sealed}, memory=192)
def _read_any_checkpoint(folder, path):
    """What was made on purpose, its checksum right: all values may be others, and none may do harm."""
    checkpoint.list_checkpoints(path.parent)
    with contextlib.suppress(checkpoint.CheckpointError):
        checkpoint.keep(path.parent, last=1, best="loss")
    model = torch.nn.Linear(3, 2)
    checkpoint.load_checkpoint(path, model=model, optimizer=torch.optim.Adam(model.parameters()))


# Recorded figures, progress

RECORD = {"what": "how fast it was", "machine": "CPU (AVX2), 2 cores", "versions": {"torch": "2.14.1"}}
RECORD |= {"date": "2026-11-23", "figures": {"steps": [1, 2.5, {"x": 3}]}}


@reader("record", {"speed.json": as_json(RECORD, indent=1)}, recorded.RecordError, kinds=damage.JSON, times=30)
def _read_record(folder, path):
    found = recorded.read("speed", folder=folder)
    said = recorded.label(found, made_by="a command")
    assert said and (found is None or found["figures"])


@functools.cache
def _progress():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.sqlite3"
        at = "2026-11-23T10:00:00+00:00"
        entries = [
            record.Entry("training", f"exercise_{n % 4}", "check", "passed" if n % 3 else "wrong", None, 0.1, at)
            for n in range(40)
        ]
        record.note(path, *entries, warn=lambda _: None)
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return path.read_bytes()


def _beside_database(path, rng, number):
    """Files beside the database that SQLite reads by itself, and values of other kinds in its rows."""
    which = number % 4
    if which < 2:
        beside = path.with_name(path.name + rng.choice(("-wal", "-shm", "-journal")))
        beside.write_bytes(damage.ODD_BYTES[number // 4 % len(damage.ODD_BYTES)])
        return
    # Without transactions, in which VACUUM is refused.
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        column = rng.choice(("at", "chapter", "exercise", "kind", "state", "mistake", "seconds"))
        value = rng.choice((b"\xff\xfe", 10**15, -1.5, "", "\0", "a" * 100_000, float("inf")))
        where = "" if which == 2 else " WHERE id > 35"
        with contextlib.suppress(sqlite3.Error):
            connection.execute(f"UPDATE notes SET {column} = ?{where}", (value,))
        if rng.random() < 0.3:
            connection.execute(rng.choice(("DROP TABLE notes", "ALTER TABLE notes RENAME TO others", "VACUUM")))
        if rng.random() < 0.2:
            connection.execute(f"PRAGMA user_version = {rng.choice((0, 2, -1, 2**31 - 1))}")
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


@reader("progress", lambda folder: {f".course/{record.FILE.name}": _progress()}, record.NotKept,
        kinds=damage.COMMON | {"beside": _beside_database})  # fmt: skip
def _read_progress(folder, path):
    tasks = tuple(Task(f"exercise_{n}", further=False) for n in range(4))
    chapters = [Contents(Chapter(Path("05_training.ipynb")), "A claim", 60, 100, tasks)]
    refused = None
    try:
        standings = record.read(path)
        summarise(standings, chapters).done(further=False)
    except record.NotKept as error:
        refused = error
    told = []
    try:
        standings = record.note(path, record.Entry("training", "new", "check", "passed"), warn=told.append)
    except record.NotKept as error:
        assert path.name in str(error), error
        raise
    assert standings[-1].exercise == "new" and standings[-1].passed, "what was noted is not in it"
    after = record.read(path)  # somebody may have put another file there meanwhile, or none
    assert not after or after[-1].exercise in ("new", *(task.name for task in tasks))
    assert refused is None or told, f"refused ({refused}), then written without a word"


# Notebooks: handed in, and at the desk

CELLS = (
    ("markdown", "# 01 \u00b7 A claim\n**10 minutes for the core, 20 with *Further*.**", []),
    ("code", "import torch\nfrom course_utils.exercises import tensors as ex", []),
    ("code", 'PROFILE = "quick"\nSEED = 0', ["parameters"]),
    ("code", "def helper(x):\n    return x + 1", []),
    ("code", "def rows(x): ...  # your code here\n\n\nex.rows.check(rows)", ["exercise"]),
    ("code", "%timeit 1 + 1", []),
)
ANSWER = "def rows(x):\n    return helper(x).sum(0)"


def _notebook(answer="", chapter=None):
    """The bytes of a notebook of format 4; `answer` in the place of the stub."""
    cells = []
    for number, (kind, source, tags) in enumerate(CELLS):
        if answer and "exercise" in tags:
            source = f"{answer}\n\n\nex.rows.check(rows)"
        cell = {"cell_type": kind, "id": f"cell-{number}", "source": source}
        cell["metadata"] = {"tags": tags} if tags else {}
        if kind == "code":
            out = {"output_type": "stream", "name": "stdout", "text": "42\n"}
            cell |= {"outputs": [out] if number == 3 else [], "execution_count": number}
        cells.append(cell)
    metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    metadata["course"] = {"data": ["mnist"]}
    if chapter:
        metadata["course"]["copy_of"] = {"chapter": chapter, "version": "0" * 12}
    return as_json({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


COPY = _notebook(ANSWER, "01_tensors")
ORIGINAL = {"originals/01_tensors.ipynb": _notebook()}
CODE = (
    "def f(a, a): pass", "nonlocal x", "def f():\n    global x, x\n    nonlocal y", "x = 1; nonlocal y", "return 5",
    "yield 1", "await x", "from __future__ import braces", "from x import *",
    "class A:\n    def f(self, self): ...", "del (yield)", "f'{x!r:{y}}'", "x: int = 5\nglobal x",
    "import a.b.c.d as e, f", "match x:\n    case {'a': 1, **rest}: pass", "type X = int", "def f[T](x: T): ...",
    "lambda a, a: 0", "async def f():\n    [x async for x in y]", "\f\n  x", "\tif 1:\n        x\n\ty", "\\\n\\\n",
    "x = '\ud800'", "x = 1 \0", "# coding: utf-16\nx = 1", "%%bash\nrm -rf ~", "!ls\nx = 1", "?x\nx?", "%", "!",
    "%%", "a = !", "a = %x y z", "def f(:\n%time", "'''", "(((", "if x:\n!ls", "x = (\n%time\n)",
)  # fmt: skip
UNITS = ("-", "(", "[", "1+", "not ", "x if y else ", "f(", "lambda: ", "a.", "{")
CLOSE = {"(": ")", "[": "]", "f(": ")", "{": "}"}


def _cells_of_code(path, rng, number):
    """Cells that are not quite Python: what only a compiler refuses, nested deep, long, many magics."""
    notebook = json.loads(path.read_bytes())
    which = number % 4
    if which < 2:
        code = CODE[number // 4 % len(CODE)]
        if rng.random() < 0.3:
            code = f"{rng.choice(CODE)}\n{code}"
    elif which == 2:
        unit, times = UNITS[number // 4 % len(UNITS)], rng.choice((30, 90, 150, 400, 1500, 6000, 20_000, 60_000))
        code = f"x = {unit * times}1{CLOSE.get(unit, '') * times}"
    else:
        line = rng.choice(("%time x = 1", "!ls", "?x", "x = !ls", "%%time", "x?", "if x:", "    y", "a; b;", "'''"))
        code = f"{line}\n" * rng.choice((3, 100, 501, 2000))
    place = rng.choice((1, 3, 4, 5))
    source = notebook["cells"][place]["source"]
    notebook["cells"][place]["source"] = rng.choice((code, f"{source}\n{code}", f"{code}\n{source}"))
    path.write_text(json.dumps(notebook), encoding="utf-8")


@reader("submission", {"in/ada_01_tensors.ipynb": COPY, **ORIGINAL}, Unreadable,
        kinds=damage.JSON | {"cells": _cells_of_code}, names_file=False, times=30)  # fmt: skip
def _read_submission(folder, path):
    submission.tasks.cache_clear()
    submission._shown.cache_clear()
    submission._version.cache_clear()
    chapters = [Chapter(folder / "originals" / "01_tensors.ipynb")]
    assert submission.chapter_of(path, None, chapters) == chapters[0]
    notebook = submission.parsed(submission.read(path))
    chapter = submission.chapter_of(path, notebook, chapters)
    found = submission.submission(notebook, chapter)
    for answer in (one for those in found.answers.values() for one in those):
        assert answer.trouble or answer.pieces
        assert all(isinstance(piece.source, str) for piece in answer.pieces)


BASE = f"work/.course/base/01_tensors {'0' * 12}.ipynb"
AT_THE_DESK = {
    "work/01_tensors.ipynb": COPY,
    BASE: _notebook(),
    "originals/glossary.md": b"# Glossary\n",
    **ORIGINAL,
}


def _damage_base(path, rng, number):
    """The pristine chapter kept beside the copies is damaged, or what the copy says of its origin."""
    base = path.parents[1] / BASE
    if number % 3 == 0:
        notebook = json.loads(path.read_bytes())
        said = notebook["metadata"]["course"]["copy_of"]
        said[rng.choice(("chapter", "version"))] = rng.choice(
            (*damage.WAYS_OUT, "../../outside/secret", None, 5, [], "x" * 400, "\ud800", "\0")
        )
        path.write_text(json.dumps(notebook), encoding="utf-8")
    elif number % 3 == 1:
        damage.other_json(base, rng, number)
    else:
        rng.choice((damage.flipped, damage.truncated, damage.wrong_magic, damage.odd_place))(base, rng, number)


@reader("copy at the desk", AT_THE_DESK, Trouble, Refused,
        kinds=damage.JSON | {"cells": _cells_of_code, "base": _damage_base}, times=60)  # fmt: skip
def _read_desk(folder, path):
    trust.jupyter_data_dir = lambda: str(folder / "jupyter")
    try:
        before = read_plain(path)
    except OSError:
        before = None
    outcome = bring(Desk(folder / "work", folder / "originals"))
    kept = [
        one.read_bytes() for one in (folder / "work").rglob("*.ipynb") if one.is_file() and not one.is_symlink()
    ]
    kept += [os.fsencode(path.readlink())] if path.is_symlink() else []
    if outcome.troubles:
        assert all(path.name in one or "trusted" in one for one in outcome.troubles), outcome.troubles
        raise Trouble(outcome.troubles[0])
    if damage.ALTERED:  # an answer that is gone then was taken by this test
        return
    text = None
    with contextlib.suppress(ValueError, TypeError, RecursionError):
        found = json.loads(before)
        text = [cell["source"] for cell in found["cells"] if "helper(x)" in cell["source"]]
    everything = b"".join(kept)
    for one in text or ():
        assert isinstance(one, list) or before in kept or json.dumps(one).encode()[1:-1] in everything, (
            "an answer is gone"
        )


@reader("executed notebook", {"01_tensors.ipynb": _notebook(), **ORIGINAL}, Refused, UnfitOutputs,
        kinds=damage.JSON | {"changing": damage.changing_files}, times=60)  # fmt: skip
def _read_executed(folder, path):
    """Notebooks that the runner and `course refresh` read."""
    chapter = catalog.Chapter(path)
    assert isinstance(catalog.defaults(chapter), dict)
    assert all(isinstance(name, str) for name in catalog.data_sets(chapter))
    original = catalog.Chapter(folder / "originals" / "01_tensors.ipynb")
    store(original, path)
    assert json.loads(original.path.read_bytes())["cells"]


# Archives that are handed in

HANDED_IN = [(f"{who}/01_tensors.ipynb", _notebook(f"{ANSWER}  # {who}")) for who in ("ada", "bob")]
FEW = [("ada/01_tensors.ipynb", b'{"cells": []}'), ("bob/01_tensors.ipynb", b"{}")]
SIZES = (b"\x80" + b"\xff" * 11, b"\xff" * 12, b"\x80" + bytes(10) + b"\1", b"-1\0" + bytes(9), b"77777777777\0")
SIZES += (b"\xff" * 11 + b"\x80",)
KINDS = (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.CONTTYPE)
PAX = ("size", "path", "GNU.sparse.size", "GNU.sparse.map", "hdrcharset", "mtime")


def _tar_in(path, rng, number):
    good = [(damage.tar_info("ada/01_tensors.ipynb", 2), b"{}")]
    which, mode = number % 10, rng.choice(("w", "w:gz", "w:bz2", "w:xz"))
    if which < 2:
        way = damage.WAYS_OUT[number // 10 % len(damage.WAYS_OUT)].format("ipynb")
        data = damage.tarred([*good, (damage.tar_info(way, 4), b"made")], mode)
    elif which == 2:
        odd = damage.tar_info("eve/01_tensors.ipynb", 0, rng.choice(KINDS), "../../outside/secret.txt")
        data = damage.tarred([*good, (odd, b"")], mode)
    elif which == 3:
        data = _tar_bomb(rng.choice(("notebook", "other", "pax", "longname")))
    elif which == 4:
        data = _sparse_tar(rng.choice((1 << 20, 1 << 28, 1 << 40)))
    elif which == 5:
        data = bytearray(damage.tarred(good, "w"))
        data[124:136] = rng.choice(SIZES)
        data = _summed(data)
    elif which == 6:
        data = damage.tarred(
            [(damage.tar_info(f"{n}/01_tensors.ipynb"), b"") for n in range(rng.choice((50, 5001)))]
        )
    elif which == 7:
        whole = _notebook()
        data = damage.tarred([(damage.tar_info("ada/01_tensors.ipynb", len(whole)), whole)], mode)
    elif which == 8:
        info = damage.tar_info("ada/01_tensors.ipynb", 2)
        odd = rng.choice(("-1", "9" * 30, "../../outside/made.ipynb", "\ud800", "", "nan", "0,1,2"))
        info.pax_headers = {rng.choice(PAX): odd}
        data = path.read_bytes()
        with contextlib.suppress(ValueError):
            data = damage.tarred([(info, b"{}")], mode)
    else:
        data = damage.tarred(good, "w")
    path.write_bytes(data)
    if which == 7:
        rng.choice((damage.flipped, damage.absurd, damage.truncated))(path, rng, number)
    elif which == 9:
        rng.choice((damage.flipped, damage.absurd, damage.shuffled))(path, rng, number)
        data = path.read_bytes()
        if len(data) >= 512 and number % 20 < 15:
            path.write_bytes(_summed(data))


def _summed(data):
    """A tar file whose first header's own checksum is made right."""
    data = bytearray(data)
    data[148:156] = b" " * 8
    data[148:156] = b"%06o\0 " % sum(data[:512])
    return bytes(data)


@functools.cache
def _tar_bomb(kind):
    """Return a packed tar file of BIG zeros: as a notebook, as another file, as the header of a long name."""
    info = {
        "pax": damage.tar_info("x", damage.BIG, tarfile.XHDTYPE),
        "longname": damage.tar_info("././@LongLink", damage.BIG, tarfile.GNUTYPE_LONGNAME),
        "notebook": damage.tar_info("eve/x.ipynb", damage.BIG),
        "other": damage.tar_info("eve/x.bin", damage.BIG),
    }[kind]
    return damage.gz_bomb(info.tobuf(tarfile.GNU_FORMAT), bytes(1024))


def _sparse_tar(size):
    """Return a tar file of one notebook of holes."""
    header = bytearray(damage.tar_info("eve/01_tensors.ipynb", 0, tarfile.GNUTYPE_SPARSE).tobuf(tarfile.GNU_FORMAT))
    header[386:410] = b"%011o\0%011o\0" % (size - 1, 0)  # one piece of no byte, at the end
    header[483:495] = b"%011o\0" % size if size < 8**11 else b"\x80" + size.to_bytes(11, "big")
    return _summed(header) + bytes(1024)


TARRED = damage.tarred([(damage.tar_info(name, len(data)), data) for name, data in HANDED_IN])
TRICKS = ("out", "out", "link", "bomb", "nested", "claim", "many", "nested", "grown", "methods")


@reader(
    "zip handed in",
    {"in/room.zip": damage.zipped(HANDED_IN)},
    Refused,
    named=("room/",),
    kinds=damage.COMMON | {"zips": damage.zip_tricks(FEW, "eve/{}.ipynb", TRICKS)},
)
@reader("tar handed in", {"in/room.tar.gz": TARRED}, Refused, named=("room/",),
        kinds=damage.COMMON | {"tars": _tar_in})  # fmt: skip
def _read_handed_in(folder, path):
    chapters = [Chapter(Path("01_tensors.ipynb"))]
    to = folder / "collected"
    done = collect(folder / "in", to, chapters)
    files = [one for one in to.rglob("*") if not one.is_dir() and one != to / "collected.json"]
    assert sorted(files) == sorted(done.written)
    assert all(one.suffix == ".ipynb" and one.parent.parent == to and not one.is_symlink() for one in files)
    assert all(len(one) > 20 for one in done.refused), done.refused
    if done.refused:
        raise Refused("\n".join(done.refused))


# Tracebacks

TRACEBACK = """W1123 10:00:00.000000 4242 torch/distributed/run.py:700] a log
[rank0]: Traceback (most recent call last):
[rank0]:   File "train.py", line 12, in <module>
[rank0]:     out = model(x)
[rank0]:   File "/usr/lib/python3.12/site-packages/torch/nn/modules/linear.py", line 125, in forward
[rank0]:     return F.linear(input, self.weight, self.bias)
[rank0]: RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x784 and 512x10)
\x1b[0;31m---------------------------------------------------------------------------\x1b[0m
RuntimeError                              Traceback (most recent call last)
Cell In[5], line 3
      1 model = nn.Linear(3, 4)
----> 3 model(torch.zeros(2, 5))

During handling of the above exception, another exception occurred:
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 11.17 \
GiB of which 10.00 MiB is free. Including non-PyTorch memory, this process has 11.00 GiB memory in use. \
Of the allocated memory 10.00 GiB is allocated by PyTorch, and 500.00 MiB is reserved by PyTorch but unallocated.
UserWarning: The given NumPy array is not writable ([link](vscode-notebook-cell:/x)) **RuntimeError: bold**
"""
UNITS_OF_TEXT = (
    "[", "](", "[a](", "**", "**a.", "**AError: ", "\x1b]", "\x1b[0;", "\x1b[", ">", "> ", "| ", "+-+--\n", "a.",
    "A", " A", "\n", "\r", " ", "\t", "AError\n", "AError: x\n", "UserWarning: x\n",
    "XError: Expected all tensors to be on the same device\n", '  File "a.py", line 1, in f\n',
    '  File "a.py", line 1, in f\n    x = 1\n', "File a.py:1, in f(x)\n", "a.py:1: in f\n", "Cell In[1], line 1\n",
    "Traceback (most recent call last):\n", "----> 1 x\n", "During handling of the above exception\n",
    "ChildFailedError: Root Cause\n", "Root Cause ", "exitcode: ", "ChildFailedError\nRoot Cause\n", "[rank0]: ",
    "[rank0]:", "(a pid=1) ", "E    ", "E1123 10:00:00.0 1 a.b:1] ", "E1123 10:00:00.0 1 a.a", "1 ", "1,",
    "(32x784 and 512x10) ", "is not compatible with the current PyTorch ", "capability sm_",
    "which is of cuda capability 1.1 ", "CUDA out of memory. Tried to allocate 1 GiB. ", "9" * 30,
    "DefaultCPUAllocator: ", "torch.", "size mismatch for a: copying a param with shape torch.Size([1]) ",
    "Expected ", "\u00e9", "\u202e", "\U0001f600", "Missing key(s) in state_dict: ", '"a", ', "    ^^^^\n", "~",
    "-", "=", "-" * 25 + "\n", "_", "\\", "C:\\a\\", "/a/b", ".py",
)  # fmt: skip


def _long_text(path, rng, number):
    """Half a megabyte of one piece, of two in turn, of pieces around a real text: what makes a search slow."""
    unit = UNITS_OF_TEXT[number % len(UNITS_OF_TEXT)]
    round_ = number // len(UNITS_OF_TEXT)
    other = rng.choice(UNITS_OF_TEXT)
    length = rng.choice((20_000, 100_000, 500_000))
    if round_ % 3 == 0:
        text = unit * (500_000 // len(unit))
    elif round_ % 3 == 1:
        text = (unit + other) * (length // len(unit + other))
    else:
        text = "ChildFailedError: x\n" + unit * (length // 2 // len(unit)) + other * (length // 2 // len(other))
    path.write_text(rng.choice((text, TRACEBACK + text, text + TRACEBACK)), encoding="utf-8")


def _in_utf16(path, rng, number):
    """As PowerShell writes it, whole and damaged; and lines in another order."""
    if number % 2:
        lines = TRACEBACK.splitlines(keepends=True)
        rng.shuffle(lines)
        path.write_text("".join(lines * rng.choice((1, 3))), encoding="utf-8")
    else:
        path.write_bytes(TRACEBACK.encode("utf-16"))
        rng.choice((damage.flipped, damage.truncated, damage.shuffled))(path, rng, number)


@reader("traceback", {"error.txt": TRACEBACK.encode()}, reading.Unreadable, times=40,
        kinds=damage.COMMON | {"long": _long_text, "in UTF-16": _in_utf16})  # fmt: skip
def _read_traceback(folder, path):
    found = diagnose(reading.read(str(path)))
    said = str(found)
    assert said and len(found) <= 3
    assert all(one.title and one.fix for one in found)


# Bundles


def _size_and_sum(data):
    return {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}


BUNDLED = {"course/README.md": b"read me", "course/a/b.py": b"x = 1\n", "wheels/w.whl": b"PK"}
MANIFEST = {
    "targets": {
        str(this_machine()): {
            "wheels": ["w.whl"],
            "requirements": "course/README.md",
            "installed": 1000,
            "longest": 20,
        }
    },
    "files": {name: _size_and_sum(data) for name, data in BUNDLED.items()},
    "in_place": False,
    "torch": "cpu",
}


def _bundle_names(path, rng, number):
    """Names in the manifest that lead out of the bundle; files of it that are others, links, pipes, gone."""
    manifest, which = json.loads(path.read_bytes()), number % 4
    if which == 0:
        way = damage.WAYS_OUT[number // 4 % len(damage.WAYS_OUT)].format("py")
        ways = way, f"course/{way}", "course/../../outside/secret.txt", "course/../../../outside/made.py"
        manifest["files"][rng.choice(ways)] = _size_and_sum(TEXT)
    elif which == 1:
        for packages in manifest["targets"].values():
            packages[rng.choice(list(packages))] = damage.odd_values(rng)
    else:
        other = path.parent / rng.choice(list(BUNDLED))
        (damage.flipped, damage.truncated, damage.odd_place)[number // 4 % 3](other, rng, number)
        return
    path.write_text(json.dumps(manifest), encoding="utf-8")


@reader("bundle", {"stick/manifest.json": as_json(MANIFEST, indent=1),
                   **{f"stick/{name}": data for name, data in BUNDLED.items()}}, SystemExit,
        kinds=damage.JSON | {"names in it": _bundle_names}, times=30,
        named=("README.md", "a/b.py", "deep.py", "course/", "wheels/", "stick", "start.py"))  # fmt: skip
def _read_bundle(folder, path):
    """Everything up to the installation, which is not begun here."""
    asked, listed = [], {"course/README.md", "course/a/b.py"}
    with contextlib.suppress(OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
        listed &= set(json.loads(read_plain(path))["files"])  # of one that it does not list nobody can know
    install.install = lambda *arguments, **settings: asked.append(arguments)
    try:
        start.prepare(folder / "stick", folder / "course-here")
    finally:
        here = folder / "course-here"
        names = {one.relative_to(here).as_posix() for one in here.rglob("*") if not one.is_dir()}
    assert asked and {name.removeprefix("course/") for name in listed} <= names


# What the room and the classroom send and keep

CELL = {"state": "wrong", "mistake": None, "passed": False, "checks": 2, "tries": 1, "met": {"m": 1}}
CELL |= {"first": 1.0, "last": 2.0}
LEARNER = {"number": 1, "nickname": "Ada", "at": ["01_tensors", "rows"], "last": 2.0}
LEARNER |= {"open": [["01_tensors", "rows", 1.0]], "cells": [["01_tensors", "rows", CELL]]}
ROOM = {"classroom": 1, "token": "abcd-efgh", "port": 8765, "checks": 2, "learners": {"0" * 32: LEARNER}}
MEMBER = {"host": "127.0.0.1", "port": 8765, "token": "abcd-efgh-jkmn", "learner": "0" * 32, "nickname": "Ada"}
EVENT = {"chapter": "tensors", "exercise": "rows", "state": "known mistake", "mistake": "m"}
REPORT = {"learner": "0" * 32, "nickname": "Ada", "events": [EVENT, EVENT | {"state": "passed", "mistake": None}]}
SENT = [torch.ones(3, 4), {"a": (1, 2.5, complex(1, 2), b"x", {1, 2})}, torch.float32, float("inf"), 2**70, ...]
RUN = {"answers": "untouched", "extent": "whole", "profile": "quick", "device": "cpu"}
RAN = {"name": "01_tensors", "status": "passed", "seconds": 3.0, "exercises": {"total": 3}, "data": {}}
RAN = {"chapters": [RAN], **RUN, "wall_seconds": 4.0, "versions": {"python": "3.11"}}


def _room():
    return ClassroomState([Question("01_tensors", "rows", False, {"m": "why"})])


@reader("kept classroom", {"room.json": as_json(ROOM)}, kinds=damage.JSON, times=30)
def _read_kept(folder, path):
    room = _room()
    found = state_file.load(path, room)
    json.dumps(room.everything())
    export.table(room)
    if found is not None:
        state_file.save(path.with_name("again.json"), room, token=found[0], port=found[1])


@reader("membership", lambda folder: {".course/classroom.json": as_json(MEMBER | {"folder": str(folder)})},
        kinds=damage.JSON, times=30)  # fmt: skip
def _read_membership(folder, path):
    found = membership.read(folder)
    assert found is None or (found.page and 0 < found.port < 65536)


@reader("report of a kernel", {"report": as_json(REPORT)}, Unfit, kinds=damage.JSON, without=IN_MEMORY,
        names_file=False, times=30)  # fmt: skip
def _read_report(folder, path):
    room = _room()
    room.take(report_parser.parse(path.read_bytes()[: 1 << 16]))
    json.dumps(room.everything())


def _other_message(path, rng, number):
    """The line of JSON is another, the bytes behind it are not; or all is a message of odd tensors."""
    line, _, rest = path.read_bytes().partition(b"\n")
    if number % 2:
        path.write_bytes(json.dumps(damage.bent(json.loads(line), rng)).encode() + b"\n" + rest)
    else:
        kinds = [str(one) for one in vars(torch).values() if isinstance(one, torch.dtype)]
        shape = rng.choice(([], [4], [2, 2], [-1], [0, 2**62], [2**31, 2**31], [1.5], ["4"], [10**30], [True] * 70))
        tensor = ["tensor", rng.choice(kinds), shape, True, rng.choice((len(rest), 0, -1, 16, 2**62, "4"))]
        path.write_bytes(json.dumps(["dict", ["value", tensor]]).encode() + b"\n" + rest)


@reader("message of an answer", {"message": protocol.pack({"value": SENT, "seconds": 0.5, "printed": "text"})},
        protocol.Unreadable, kinds=damage.COMMON | {"others": _other_message}, without=IN_MEMORY, names_file=False,
        times=60)  # fmt: skip
def _read_message(folder, path):
    assert isinstance(protocol.unpack(path.read_bytes()), dict)


@reader("report of a run", {"report.json": as_json(RAN)}, kinds=damage.JSON, times=30)
def _read_run_report(folder, path):
    found = runner_report.earlier(folder, **RUN)
    if found is None:  # there is no report: `course run --resume` says so, and runs all
        assert not path.exists(), "a report that is there is not read"
        return
    assert isinstance(found["wall_seconds"], float | int)
    assert all(isinstance(one.name, str) for one in found["chapters"])
