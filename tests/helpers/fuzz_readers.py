"""The course's readers, each as tests/faults/test_files.py tries it: a whole set of files, one of which is damaged.

`build` writes the whole set into a folder and returns the file to damage; `read` lets the course at it, and asserts
what must hold of what was read. Modules are imported in the functions: a child pays for what it tries.
"""

import contextlib
import functools
import gzip
import hashlib
import io
import json
import random
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import fuzz_damage as damage

PROJECT = Path(__file__).resolve().parents[2]
ADVICE = "get it again"


@dataclass
class Reader:
    """One reader: its kinds of damage, its own errors, the names its sentences may give the file, its memory.

    A case may take `memory` MiB (a checkpoint's header alone may have 64) and `times` the size of its files: what a
    picture decodes to, say.
    """

    name: str
    build: Callable[[Path], Path]
    read: Callable[[Path, Path], None]
    errors: Callable[[], tuple[type[BaseException], ...]]
    kinds: dict[str, Callable] = field(default_factory=lambda: damage.COMMON)
    named: tuple[str, ...] = ()
    names_file: bool = True
    memory: int = 64
    times: int = 4


def _data_error():
    from course_utils.data.errors import DataError

    return (DataError,)


# IDX


def _idx_file():
    from course_utils.data.idx import IdxFile

    return IdxFile("pictures-idx3-ubyte", (12, 5, 4))


def _idx_content():
    rng = random.Random(18)
    return _idx_file().header + bytes(rng.randrange(256) for _ in range(240))


def _plain_idx(folder):
    path = folder / "pictures-idx3-ubyte"
    path.write_bytes(_idx_content())
    return path


def _packed_idx(folder):
    path = folder / "pictures-idx3-ubyte.gz"
    path.write_bytes(gzip.compress(_idx_content(), mtime=0))
    return path


def _zipped_idx(folder):
    path = folder / "sample.zip"
    path.write_bytes(damage.zipped([("other", b"x"), ("pictures-idx3-ubyte", _idx_content())]))
    return path


def _read_idx(folder, path):
    from course_utils.data import idx

    file = _idx_file()
    if path.name.endswith(".gz"):
        file = idx.IdxFile(file.name, file.shape, packed_md5="0" * 32)
    member = file.name if path.name.endswith(".zip") else None
    buffer, verified = idx.read(path, file, advice=ADVICE, member=member)
    assert len(buffer) == file.size and bytes(buffer).startswith(file.header) and not verified
    idx.check_start(path, file, advice=ADVICE, member=member)


def _gz_bombs(path, rng, number):
    head = _idx_file().header
    path.write_bytes(
        damage.gz_bomb((b"", head, head + bytes(240))[number % 3])
        if number % 2
        else gzip.compress(head) * 2000 + gzip.compress(b"")
    )


def _zip_ways(path, rng, number):
    """Members of other names, methods, sizes; bombs."""
    name, data = "pictures-idx3-ubyte", _idx_content()
    methods = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    which = number % 4
    if which == 0:
        path.write_bytes(damage.zip_bomb(name))
    elif which == 1:
        path.write_bytes(damage.claiming(damage.zipped([(name, data)]), rng.choice((0, 1, 2**31, 2**32 - 1))))
    else:
        path.write_bytes(damage.zipped([(name, data)], compress=rng.choice(methods)))
        rng.choice((damage.flipped, damage.absurd))(path, rng, number)


# Recordings, pictures, folders, their archives


def _wav(folder):
    import wave

    path = folder / "6_george_0.wav"
    rng = random.Random(18)
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(rng.randrange(256) for _ in range(600)))
    return path


@functools.cache
def _read_sound():
    """Return chapter 03's own function, out of its cell."""
    notebook = json.loads((PROJECT / "notebooks" / "03_datasets.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"]]
    (cell,) = (text for text in cells if text.startswith("def read_sound("))
    import soundfile
    import torch

    space = {"torch": torch, "soundfile": soundfile}
    exec(compile(cell, "03_datasets", "exec"), space)
    return space["read_sound"]


def _read_wav(folder, path):
    from course_utils.data.folder_set import check_content

    check_content(path, ADVICE)


def _sound_errors():
    return (ValueError,)  # what the chapter's function promises; its callers know no other


def _read_by_cell(folder, path):
    import torch

    try:
        waveform, rate = _read_sound()(path)
    except ValueError as error:
        # Our words, not another library's: those name the file first.
        assert str(error).startswith(f"{path.name}: "), error
        raise
    assert waveform.dtype == torch.float32 and waveform.ndim == 2 and waveform.numel() and rate > 0


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
def _picture_bytes(suffix):
    from PIL import Image

    image = Image.new("RGB", (24, 18))
    rng = random.Random(18)
    image.putdata([tuple(rng.randrange(256) for _ in range(3)) for _ in range(24 * 18)])
    file = io.BytesIO()
    image.save(file, "JPEG" if suffix == ".jpg" else "PNG")
    return file.getvalue()


def _jpeg(folder):
    path = folder / "bee.jpg"
    path.write_bytes(_picture_bytes(".jpg"))
    return path


def _picture_bombs(path, rng, number):
    """A picture of a size that its bytes do not justify; other formats under its name, PostScript among them."""
    from PIL import Image

    which = number % 5
    data = bytearray(_picture_bytes(".jpg"))
    if which < 2:  # the frame's height and width
        start = data.find(b"\xff\xc0") + 5
        high, wide = rng.choice(((65535, 65535), (12_000, 12_000), (9000, 9000), (65535, 1), (1, 65535), (0, 9)))
        data[start : start + 4] = high.to_bytes(2, "big") + wide.to_bytes(2, "big")
        path.write_bytes(data)
    elif which == 2:
        file = io.BytesIO()
        side = rng.choice((9000, 13_000))
        Image.new("1", (side, side)).save(file, rng.choice(("PNG", "TIFF")), **{})
        path.write_bytes(file.getvalue())
    elif which == 3:
        path.write_bytes(
            b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n0 0 9 9 rectfill\n%%EOF\n"
        )
    else:
        file = io.BytesIO()
        kind = rng.choice(
            ("PNG", "GIF", "BMP", "TIFF", "WEBP", "PPM", "ICO", "PCX", "TGA", "SGI", "JPEG2000", "IM")
        )
        with contextlib.suppress(OSError, KeyError, ValueError):
            Image.new("RGB", (20, 20)).save(file, kind)
        path.write_bytes(file.getvalue() or b"GIF8")
        rng.choice((damage.flipped, damage.absurd, damage.truncated))(path, rng, number)


@functools.cache
def _folder_set():
    from course_utils.data.archive import Archive
    from course_utils.data.folder_set import FolderSet

    return FolderSet(
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


def _folder(folder):
    for part, name in (("a", "one"), ("a", "two"), ("b", "three")):
        (folder / "sounds" / part).mkdir(parents=True, exist_ok=True)
        _wav(folder / "sounds" / part).rename(folder / "sounds" / part / f"{name}.wav")
    return folder / "sounds" / "a" / "two.wav"


def _read_folder(folder, path):
    from course_utils.data.place import Place

    data_set = _folder_set()
    place = folder / "sounds"
    paths = data_set.paths_in(place)
    assert paths, "nothing of the set was found, though most of it is there"
    assert all(one.is_file() for one in paths.values())
    assert "whole" in data_set.verify(Place("COURSE_DATA", "full", place, paths, ADVICE))


def _folder_oddities(path, rng, number):
    """What else can lie in a folder of files: links, loops, pipes, names of any bytes, many and deep folders."""
    import os

    which, here = number % 10, path.parent
    odd = here / os.fsdecode(b"caf\xe9 \xff.wav")
    if which == 0:
        path.rename(odd)
    elif which == 1:
        odd.write_bytes(path.read_bytes())
    elif which == 2:
        (here / "loop").symlink_to(here)
    elif which == 3:
        (here / "loop.wav").symlink_to("loop.wav")
    elif which == 4:
        os.mkfifo(here / "pipe.wav")
    elif which == 5:
        (here / "folder.wav").mkdir()
    elif which == 6:
        (here / "gone.wav").symlink_to("nowhere.wav")
    elif which == 7:
        deep = here / "/".join("d" * 200 for _ in range(8))
        deep.mkdir(parents=True)
        path.rename(deep / path.name)
    elif which == 8:
        for one in range(300):
            (here / f"{one}.wav").write_bytes(b"" if one == 299 and number % 20 == 8 else path.read_bytes())
    else:
        (here / "zero.wav").symlink_to("/dev/zero")
        (here / "new\nline.wav").write_bytes(path.read_bytes())


def _archive_members():
    wav = io.BytesIO()
    import wave

    with wave.open(wav, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(200))
    return [(f"top/{name}.wav", wav.getvalue()) for name in ("a/one", "a/two", "b/three")]


def _archive(folder):
    place = folder / "sounds"
    place.mkdir()
    path = place / "sounds.zip"
    path.write_bytes(damage.zipped(_archive_members()))
    return path


def _read_archive(folder, path):
    from course_utils.data.errors import DataError

    file = _folder_set().files[0]
    if (refusal := file.refusal(path)) is not None:
        raise DataError(f"{path.name}: {refusal}")
    try:
        file.settle(path.parent)
    except FileNotFoundError:  # the download was taken away: what fetches says so of the disk
        raise DataError(f"{path.name}: {path} is gone, expected the archive that was judged") from None
    except OSError as error:
        from course_utils.data.download import _disk_error

        raise DataError(f"{path.name}: {_disk_error(path.parent, error)}") from error
    assert all(one.is_dir() or one.suffix != ".part" for one in path.parent.rglob("*"))


def _archive_ways(path, rng, number):
    """Members that lead out, links, two of one name, a file that is a folder too, bombs, other methods."""
    members = _archive_members()
    which = number % 8
    if which < 3:
        way = damage.WAYS_OUT[number // 8 % len(damage.WAYS_OUT)].format("wav")
        members.insert(rng.randrange(4), (("top/" if which else "") + way if way else "top/x", b"made"))
        path.write_bytes(damage.zipped(members))
    elif which == 3:
        path.write_bytes(
            damage.zipped([*members, (damage.link_info("top/a/link.wav"), b"../../outside/secret.txt")])
        )
    elif which == 4:
        more = [("top/a", b"file"), ("top/a/one.wav/inner.wav", b"x"), ("top/a/one.wav", b"again")]
        path.write_bytes(damage.zipped([*members, rng.choice(more)]))
    elif which == 5:
        times = rng.choice((1, 1, 3))
        path.write_bytes(damage.zip_bomb("top/a/{}.wav", times=times))
    elif which == 6:
        methods = (zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
        path.write_bytes(damage.zipped(members, compress=rng.choice(methods)))
        rng.choice((damage.flipped, damage.absurd))(path, rng, number)
    else:
        claim = rng.choice((0, 1, 2**24, 2**31, 2**32 - 1))
        path.write_bytes(damage.claiming(damage.zipped(members), claim))


# Text


def _text(folder):
    for part in ("train", "held_out", "repeated"):
        (folder / f"{part}.txt").write_bytes(f"{part}: caf\u00e9, and so on\n".encode() * 40)
    return folder / "train.txt"


def _read_text(folder, path):
    from course_utils.data.place import Place
    from course_utils.data.text_set import PARTS, TextSet

    total = hashlib.sha256()
    for part in PARTS:
        content = f"{part}: caf\u00e9, and so on\n".encode() * 40
        total.update(f"{hashlib.sha256(content).hexdigest()} {part}.txt\n".encode())
    whole = TextSet("text", "A text", "text", (900, 1000, 1000), total.hexdigest())
    paths = {f"{part}.txt": folder / f"{part}.txt" for part in PARTS}
    place = Place("the repository", "full", folder, paths, ADVICE)
    whole.check_start(place)
    texts, _ = whole.read(place)
    assert all(text.startswith(f"{part}: caf\u00e9") for text, part in zip(texts, PARTS, strict=True))
    assert "whole" in whole.verify(place)


# Checkpoints


@functools.cache
def _checkpoint_bytes(kind):
    """Return the bytes of a checkpoint of ours, or of what else torch.save and others write."""
    import pickle

    import torch

    from course_utils.checkpoint import save_checkpoint

    torch.manual_seed(18)
    model = torch.nn.Linear(3, 2)
    file = io.BytesIO()
    if kind == "ours":
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            model(torch.ones(1, 3)).sum().backward()
            optimizer = torch.optim.Adam(model.parameters())
            optimizer.step()
            facts = {"epoch": 2, "step": 14, "metrics": {"loss": 0.25}}
            return save_checkpoint(f"{folder}/x.pt", model=model, optimizer=optimizer, **facts).read_bytes()
    if kind == "state_dict":
        torch.save(model.state_dict(), file)
    elif kind == "legacy":
        torch.save(model.state_dict(), file, _use_new_zipfile_serialization=False)
    elif kind == "whole model":
        torch.save(model, file)
    elif kind == "pickle":
        file.write(pickle.dumps({"a": [1.0] * 30, "b": "text"}))
    else:
        import safetensors.torch

        file.write(safetensors.torch.save({"weight": torch.ones(4, 5)}))
    return file.getvalue()


def _checkpoint(folder):
    (folder / "runs").mkdir()
    for name in ("epoch_1.pt", "epoch_2.pt"):
        (folder / "runs" / name).write_bytes(_checkpoint_bytes("ours"))
    return folder / "runs" / "epoch_2.pt"


def _read_checkpoint(folder, path):
    import torch

    from course_utils import checkpoint

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


def _read_any_checkpoint(folder, path):
    """What was made on purpose, its checksum right: all values may be others, and none may do harm."""
    import torch

    from course_utils import checkpoint

    checkpoint.list_checkpoints(path.parent)
    with contextlib.suppress(checkpoint.CheckpointError):
        checkpoint.keep(path.parent, last=1, best="loss")
    model = torch.nn.Linear(3, 2)
    checkpoint.load_checkpoint(path, model=model, optimizer=torch.optim.Adam(model.parameters()))


def _checkpoint_errors():
    from course_utils.checkpoint import CheckpointError

    return (CheckpointError,)


def _foreign(path, rng, number):
    """Files of other makes, whole and damaged."""
    kinds = ("state_dict", "legacy", "whole model", "pickle", "safetensors")
    path.write_bytes(_checkpoint_bytes(kinds[number % 5]))
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


# Recorded figures, progress


def _record(folder):
    path = folder / "speed.json"
    record = {
        "what": "how fast it was",
        "machine": "CPU (AVX2), 2 cores",
        "versions": {"torch": "2.14.1"},
        "date": "2026-11-23",
        "figures": {"steps": [1, 2.5, {"x": 3}]},
    }
    path.write_text(json.dumps(record, indent=1), encoding="utf-8")
    return path


def _read_record(folder, path):
    from course_utils import recorded

    record = recorded.read("speed", folder=folder)
    said = recorded.label(record, made_by="a command")
    assert said and (record is None or record["figures"])


def _record_errors():
    from course_utils.recorded import RecordError

    return (RecordError,)


def _progress(folder):
    from lessonkit.progress import record

    path = folder / ".course" / "progress.sqlite3"
    path.parent.mkdir()
    path.write_bytes(_progress_bytes())
    assert record.FILE.name == path.name
    return path


@functools.cache
def _progress_bytes():
    import sqlite3
    import tempfile

    from lessonkit.progress import record

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


def _read_progress(folder, path):
    from lessonkit.notebook.catalog import Chapter
    from lessonkit.progress import record
    from lessonkit.progress.summary import Contents, Task, summarise

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


def _progress_errors():
    from lessonkit.progress.record import NotKept

    return (NotKept,)


def _beside_database(path, rng, number):
    """Files beside the database that SQLite reads by itself, and values of other kinds in its rows."""
    import sqlite3

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


# Notebooks: handed in, and at the desk


CELLS = (
    ("markdown", "# 01 \u00b7 A claim\n**10 minutes for the core, 20 with *Further*.**", []),
    ("code", "import torch\nfrom course_utils.exercises import tensors as ex", []),
    ("code", 'PROFILE = "quick"\nSEED = 0', ["parameters"]),
    ("code", "def helper(x):\n    return x + 1", []),
    ("code", "def rows(x): ...  # your code here\n\n\nex.rows.check(rows)", ["exercise"]),
    ("code", "%timeit 1 + 1", []),
)


def _notebook(answer="", chapter=None):
    """Return a notebook of format 4 as a dict; `answer` in the place of the stub."""
    cells = []
    for number, (kind, source, tags) in enumerate(CELLS):
        if answer and "exercise" in tags:
            source = f"{answer}\n\n\nex.rows.check(rows)"
        cell = {
            "cell_type": kind,
            "id": f"cell-{number}",
            "metadata": {"tags": tags} if tags else {},
            "source": source,
        }
        if kind == "code":
            out = {"output_type": "stream", "name": "stdout", "text": "42\n"}
            cell |= {"outputs": [out] if number == 3 else [], "execution_count": number}
        cells.append(cell)
    metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    metadata["course"] = {"data": ["mnist"]}
    if chapter:
        metadata["course"]["copy_of"] = {"chapter": chapter, "version": "0" * 12}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


ANSWER = "def rows(x):\n    return helper(x).sum(0)"


def _chapter(folder):
    from lessonkit.notebook.catalog import Chapter

    folder.mkdir()
    path = folder / "01_tensors.ipynb"
    path.write_text(json.dumps(_notebook()), encoding="utf-8")
    return Chapter(path)


def _submitted(folder):
    _chapter(folder / "originals")
    (folder / "in").mkdir()
    path = folder / "in" / "ada_01_tensors.ipynb"
    path.write_text(json.dumps(_notebook(ANSWER, "01_tensors")), encoding="utf-8")
    return path


def _read_submission(folder, path):
    from lessonkit.notebook.catalog import Chapter
    from lessonkit.teach.room import submission

    submission.tasks.cache_clear()
    submission._shown.cache_clear()
    chapters = [Chapter(folder / "originals" / "01_tensors.ipynb")]
    assert submission.chapter_of(path, None, chapters) == chapters[0]
    notebook = submission.parsed(submission.read(path))
    chapter = submission.chapter_of(path, notebook, chapters)
    found = submission.submission(notebook, chapter)
    for answer in found.answers.values():
        assert answer.trouble or answer.pieces
        assert all(isinstance(piece.source, str) for piece in answer.pieces)


def _unreadable():
    from lessonkit.desk.merge_base import Unreadable

    return (Unreadable,)


CODE = (
    "def f(a, a): pass",
    "nonlocal x",
    "def f():\n    global x, x\n    nonlocal y",
    "x = 1; nonlocal y",
    "return 5",
    "yield 1",
    "await x",
    "from __future__ import braces",
    "from x import *",
    "class A:\n    def f(self, self): ...",
    "del (yield)",
    "f'{x!r:{y}}'",
    "x: int = 5\nglobal x",
    "import a.b.c.d as e, f",
    "match x:\n    case {'a': 1, **rest}: pass",
    "type X = int",
    "def f[T](x: T): ...",
    "lambda a, a: 0",
    "async def f():\n    [x async for x in y]",
    "\f\n  x",
    "\tif 1:\n        x\n\ty",
    "\\\n\\\n",
    "x = '\ud800'",
    "x = 1 \0",
    "# coding: utf-16\nx = 1",
    "%%bash\nrm -rf ~",
    "!ls\nx = 1",
    "?x\nx?",
    "%",
    "!",
    "%%",
    "a = !",
    "a = %x y z",
    "def f(:\n%time",
    "'''",
    "(((",
    "if x:\n!ls",
    "x = (\n%time\n)",
)
DEEP = ("-{}1", "({}1", "[{}1", "1+{}1", "not {}x", "x if y else {}z", "f({}1", "lambda: {}0", "a.{}b", "{{{}1")
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


def _stdlib_json(path, rng, number):
    damage.other_json(path, rng, number)


def _desk(folder):
    damage.ALTERED.clear()
    _chapter(folder / "originals")
    (folder / "originals" / "glossary.md").write_text("# Glossary\n", encoding="utf-8")
    (folder / "work" / ".course" / "base").mkdir(parents=True)
    path = folder / "work" / "01_tensors.ipynb"
    path.write_text(json.dumps(_notebook(ANSWER, "01_tensors")), encoding="utf-8")
    base = folder / "work" / ".course" / "base" / f"01_tensors {'0' * 12}.ipynb"
    base.write_text(json.dumps(_notebook()), encoding="utf-8")
    return path


def _damage_base(path, rng, number):
    """The pristine chapter kept beside the copies is damaged, or what the copy says of its origin."""
    base = path.parent / ".course" / "base" / f"01_tensors {'0' * 12}.ipynb"
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


def _read_desk(folder, path):
    import os

    from lessonkit.desk import trust
    from lessonkit.desk.copies import bring
    from lessonkit.desk.folder import Desk
    from lessonkit.desk.storage import Trouble
    from lessonkit.system.plain_file import read_plain

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


def _desk_errors():
    from lessonkit.desk.storage import Trouble
    from lessonkit.system.errors import Refused

    return (Trouble, Refused)


def _executed(folder):
    _chapter(folder / "originals")
    path = folder / "01_tensors.ipynb"
    path.write_text(json.dumps(_notebook()), encoding="utf-8")
    return path


def _read_executed(folder, path):
    """Notebooks that the runner and `course refresh` read."""
    from lessonkit.notebook import catalog
    from lessonkit.notebook.outputs import store

    chapter = catalog.Chapter(path)
    assert isinstance(catalog.defaults(chapter), dict)
    assert all(isinstance(name, str) for name in catalog.data_sets(chapter))
    original = catalog.Chapter(folder / "originals" / "01_tensors.ipynb")
    store(original, path)
    assert json.loads(original.path.read_bytes())["cells"]


def _executed_errors():
    from lessonkit.notebook.outputs import Unfit
    from lessonkit.system.errors import Refused

    return (Refused, Unfit)


# Archives that are handed in


def _handed_in(folder, *, how="zip"):
    (folder / "in").mkdir()
    first, second = (json.dumps(_notebook(f"{ANSWER}  # {who}")).encode() for who in ("ada", "bob"))
    if how == "zip":
        path = folder / "in" / "room.zip"
        path.write_bytes(damage.zipped([("ada/01_tensors.ipynb", first), ("bob/01_tensors.ipynb", second)]))
    else:
        path = folder / "in" / "room.tar.gz"
        infos = [
            damage.tar_info(f"{who}/01_tensors.ipynb", len(data)) for who, data in (("ada", first), ("bob", second))
        ]
        path.write_bytes(damage.tarred(list(zip(infos, (first, second), strict=True))))
    return path


def _read_handed_in(folder, path):
    from lessonkit.notebook.catalog import Chapter
    from lessonkit.system.errors import Refused
    from lessonkit.teach.room.collect import collect

    chapters = [Chapter(Path("01_tensors.ipynb"))]
    to = folder / "collected"
    done = collect(folder / "in", to, chapters)
    files = [one for one in to.rglob("*") if not one.is_dir()]
    assert sorted(files) == sorted(done.written)
    assert all(one.suffix == ".ipynb" and one.parent.parent == to and not one.is_symlink() for one in files)
    assert all(len(one) > 20 for one in done.refused), done.refused
    if done.refused:
        raise Refused("\n".join(done.refused))


def _refused():
    from lessonkit.system.errors import Refused

    return (Refused,)


def _zip_in(path, rng, number):
    members = [("ada/01_tensors.ipynb", b'{"cells": []}'), ("bob/01_tensors.ipynb", b"{}")]
    which = number % 10
    if which < 2:
        way = damage.WAYS_OUT[number // 10 % len(damage.WAYS_OUT)].format("ipynb")
        path.write_bytes(damage.zipped([*members, (way or "x.ipynb", b"made")]))
    elif which == 2:
        link = damage.link_info("eve/01_tensors.ipynb")
        path.write_bytes(damage.zipped([*members, (link, b"../../outside/secret.txt")]))
    elif which == 3:
        path.write_bytes(damage.zip_bomb("eve/{}.ipynb", times=rng.choice((1, 3))))
    elif which == 4:
        inner = damage.zipped(members)
        for level in range(rng.choice((1, 2, 6))):
            inner = damage.zipped([(f"eve/{level}.zip", inner)])
        path.write_bytes(inner)
    elif which == 5:
        path.write_bytes(damage.claiming(damage.zipped(members), rng.choice((0, 1, 2**24, 2**31, 2**32 - 1))))
    elif which == 6:
        path.write_bytes(damage.zipped([(f"{n}/01_tensors.ipynb", b"{}") for n in range(rng.choice((50, 5001)))]))
    elif which == 7:
        path.write_bytes(damage.zipped([("eve/a.zip", damage.zip_bomb("b/{}.ipynb"))]))
    elif which == 8:
        path.write_bytes(_many_zipped())
    else:
        methods = (zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
        path.write_bytes(damage.zipped(members, compress=rng.choice(methods)))
        rng.choice((damage.flipped, damage.absurd))(path, rng, number)


@functools.cache
def _many_zipped():
    """Return a zip of files each of which grows no more than text does, of 100 MB together."""
    rng = random.Random(18)
    data = bytes(rng.randrange(256) for _ in range(5000)) * 190
    return damage.zipped([(f"eve/{n}.ipynb", data + b"%d" % n) for n in range(100)])


def _tar_in(path, rng, number):
    good = [(damage.tar_info("ada/01_tensors.ipynb", 2), b"{}")]
    which = number % 10
    modes = ("w", "w:gz", "w:bz2", "w:xz")
    if which < 2:
        way = damage.WAYS_OUT[number // 10 % len(damage.WAYS_OUT)].format("ipynb")
        path.write_bytes(damage.tarred([*good, (damage.tar_info(way, 4), b"made")], rng.choice(modes)))
    elif which == 2:
        kinds = (
            tarfile.SYMTYPE,
            tarfile.LNKTYPE,
            tarfile.FIFOTYPE,
            tarfile.CHRTYPE,
            tarfile.BLKTYPE,
            tarfile.CONTTYPE,
        )
        odd = damage.tar_info("eve/01_tensors.ipynb", 0, rng.choice(kinds), "../../outside/secret.txt")
        path.write_bytes(damage.tarred([*good, (odd, b"")], rng.choice(modes)))
    elif which == 3:
        path.write_bytes(_tar_bomb(rng.choice(("notebook", "other", "pax", "longname"))))
    elif which == 4:
        path.write_bytes(_sparse_tar(rng.choice((1 << 20, 1 << 28, 1 << 40))))
    elif which == 5:
        header = bytearray(damage.tarred(good, "w"))
        header[124:136] = rng.choice(
            (
                b"\x80" + b"\xff" * 11,
                b"\xff" * 12,
                b"\x80" + bytes(10) + b"\1",
                b"-1\0" + bytes(9),
                b"77777777777\0",
                b"\xff" * 11 + b"\x80",
            )
        )
        header[148:156] = b" " * 8
        header[148:156] = b"%06o\0 " % sum(header[:512])
        path.write_bytes(header)
    elif which == 6:
        members = [(damage.tar_info(f"{n}/01_tensors.ipynb", 0), b"") for n in range(rng.choice((50, 5001)))]
        path.write_bytes(damage.tarred(members))
    elif which == 7:
        data = json.dumps(_notebook()).encode()
        path.write_bytes(
            damage.tarred([(damage.tar_info("ada/01_tensors.ipynb", len(data)), data)], rng.choice(modes))
        )
        rng.choice((damage.flipped, damage.absurd, damage.truncated))(path, rng, number)
    elif which == 8:
        info = damage.tar_info("ada/01_tensors.ipynb", 2)
        info.pax_headers = {
            rng.choice(("size", "path", "GNU.sparse.size", "GNU.sparse.map", "hdrcharset", "mtime")): rng.choice(
                ("-1", "9" * 30, "../../outside/made.ipynb", "\ud800", "", "nan", "0,1,2")
            )
        }
        with contextlib.suppress(ValueError):
            path.write_bytes(damage.tarred([(info, b"{}")], rng.choice(modes)))
    else:
        bare = damage.tarred(good, "w")
        other = path.with_name("bare")
        other.write_bytes(bare)
        rng.choice((damage.flipped, damage.absurd, damage.shuffled))(other, rng, number)
        data = bytearray(other.read_bytes())
        other.unlink()
        if len(data) >= 512 and number % 20 < 15:  # the header's own checksum, made right
            data[148:156] = b" " * 8
            data[148:156] = b"%06o\0 " % sum(data[:512])
        path.write_bytes(data)


@functools.cache
def _tar_bomb(kind):
    """Return a packed tar file of BIG zeros: as a notebook, as another file, as the header of a long name."""
    file = io.BytesIO()
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1) as stream:
        if kind == "pax":
            info = damage.tar_info("x", damage.BIG, tarfile.XHDTYPE)
        elif kind == "longname":
            info = damage.tar_info("././@LongLink", damage.BIG, tarfile.GNUTYPE_LONGNAME)
        else:
            info = damage.tar_info("eve/x.ipynb" if kind == "notebook" else "eve/x.bin", damage.BIG)
        stream.write(info.tobuf(tarfile.GNU_FORMAT))
        for _ in range(damage.BIG >> 20):
            stream.write(bytes(1 << 20))
        stream.write(bytes(1024))
    return file.getvalue()


def _sparse_tar(size):
    """Return a tar file of one notebook of holes."""
    info = damage.tar_info("eve/01_tensors.ipynb", 0, tarfile.GNUTYPE_SPARSE)
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[386:398] = b"%011o\0" % (size - 1)  # one piece of no byte, at the end
    header[398:410] = b"%011o\0" % 0
    number = b"%011o\0" % size if size < 8**11 else b"\x80" + size.to_bytes(11, "big")
    header[483:495] = number
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header[:512])
    return bytes(header) + bytes(1024)


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
    "[",
    "](",
    "[a](",
    "**",
    "**a.",
    "**AError: ",
    "\x1b]",
    "\x1b[0;",
    "\x1b[",
    ">",
    "> ",
    "| ",
    "+-+--\n",
    "a.",
    "A",
    " A",
    "\n",
    "\r",
    " ",
    "\t",
    "AError\n",
    "AError: x\n",
    "UserWarning: x\n",
    "XError: Expected all tensors to be on the same device\n",
    '  File "a.py", line 1, in f\n',
    '  File "a.py", line 1, in f\n    x = 1\n',
    "File a.py:1, in f(x)\n",
    "a.py:1: in f\n",
    "Cell In[1], line 1\n",
    "Traceback (most recent call last):\n",
    "----> 1 x\n",
    "During handling of the above exception\n",
    "ChildFailedError: Root Cause\n",
    "Root Cause ",
    "exitcode: ",
    "ChildFailedError\nRoot Cause\n",
    "[rank0]: ",
    "[rank0]:",
    "(a pid=1) ",
    "E    ",
    "E1123 10:00:00.0 1 a.b:1] ",
    "E1123 10:00:00.0 1 a.a",
    "1 ",
    "1,",
    "(32x784 and 512x10) ",
    "is not compatible with the current PyTorch ",
    "capability sm_",
    "which is of cuda capability 1.1 ",
    "CUDA out of memory. Tried to allocate 1 GiB. ",
    "9" * 30,
    "DefaultCPUAllocator: ",
    "torch.",
    "size mismatch for a: copying a param with shape torch.Size([1]) ",
    "Expected ",
    "\u00e9",
    "\u202e",
    "\U0001f600",
    "Missing key(s) in state_dict: ",
    '"a", ',
    "    ^^^^\n",
    "~",
    "-",
    "=",
    "-" * 25 + "\n",
    "_",
    "\\",
    "C:\\a\\",
    "/a/b",
    ".py",
)


def _traceback(folder):
    path = folder / "error.txt"
    path.write_text(TRACEBACK, encoding="utf-8")
    return path


def _traceback_errors():
    from torch_clinic.reading import Unreadable

    return (Unreadable,)


def _read_traceback(folder, path):
    from torch_clinic.diagnosis import diagnose
    from torch_clinic.reading import read

    found = diagnose(read(str(path)))
    said = str(found)
    assert said and len(found) <= 3
    assert all(one.title and one.cure for one in found)


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


# Bundles


def _bundle(folder):
    files = {}
    root = folder / "stick"
    for name, text in (("course/README.md", b"read me"), ("course/a/b.py", b"x = 1\n"), ("wheels/w.whl", b"PK")):
        path = root.joinpath(*name.split("/"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
        files[name] = {"size": len(text), "sha256": hashlib.sha256(text).hexdigest()}
    packages = {"wheels": ["w.whl"], "requirements": "course/README.md", "installed": 1000, "longest": 20}
    from lessonkit.teach.bundle.targets import here

    manifest = {"targets": {str(here()): packages}, "files": files, "in_place": False, "torch": "cpu"}
    path = root / "manifest.json"
    path.write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    return path


def _read_bundle(folder, path):
    """Everything up to the installation, which is not begun here."""
    from lessonkit.system.plain_file import read_plain
    from lessonkit.teach.bundle import install, start

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


def _bundle_errors():
    return (SystemExit,)


def _bundle_names(path, rng, number):
    """Names in the manifest that lead out of the bundle; files of it that are others, links, pipes, gone."""
    manifest = json.loads(path.read_bytes())
    which = number % 4
    if which == 0:
        way = damage.WAYS_OUT[number // 4 % len(damage.WAYS_OUT)].format("py")
        name = rng.choice(
            (way, f"course/{way}", "course/../../outside/secret.txt", "course/../../../outside/made.py")
        )
        text = b"What stands outside the folder of a case, and is nobody's to read.\n"
        manifest["files"][name] = {"size": len(text), "sha256": hashlib.sha256(text).hexdigest()}
        path.write_text(json.dumps(manifest), encoding="utf-8")
    elif which == 1:
        packages = next(iter(manifest["targets"].values()))
        for packages in manifest["targets"].values():
            packages[rng.choice(list(packages))] = damage.odd_values(rng)
        path.write_text(json.dumps(manifest), encoding="utf-8")
    else:
        name = rng.choice(("course/README.md", "course/a/b.py", "wheels/w.whl"))
        other = path.parent.joinpath(*name.split("/"))
        (damage.flipped, damage.truncated, damage.odd_place)[number // 4 % 3](other, rng, number)


# What the room and the classroom send and keep


def _kept(folder):
    path = folder / "room.json"
    cell = {"state": "wrong", "mistake": None, "passed": False, "checks": 2, "tries": 1, "met": {"m": 1}}
    learner = {
        "number": 1,
        "nickname": "Ada",
        "at": ["01_tensors", "rows"],
        "last": 2.0,
        "open": [["01_tensors", "rows", 1.0]],
        "cells": [["01_tensors", "rows", cell | {"first": 1.0, "last": 2.0}]],
    }
    said = {"classroom": 1, "token": "abcd-efgh", "port": 8765, "checks": 2, "learners": {"0" * 32: learner}}
    path.write_text(json.dumps(said), encoding="utf-8")
    return path


def _read_kept(folder, path):
    from lessonkit.teach.classroom import export, state_file
    from lessonkit.teach.classroom.questions import Question
    from lessonkit.teach.classroom.state import ClassroomState

    room = ClassroomState([Question("01_tensors", "rows", False, {"m": "why"})])
    found = state_file.load(path, room)
    json.dumps(room.everything())
    export.table(room)
    if found is not None:
        state_file.save(path.with_name("again.json"), room, token=found[0], port=found[1])


def _membership(folder):
    path = folder / ".course" / "classroom.json"
    path.parent.mkdir()
    said = {"host": "127.0.0.1", "port": 8765, "token": "abcd-efgh-jkmn", "learner": "0" * 32, "nickname": "Ada"}
    path.write_text(json.dumps(said | {"folder": str(folder)}), encoding="utf-8")
    return path


def _read_membership(folder, path):
    from lessonkit.reporting import membership

    found = membership.read(folder)
    assert found is None or (found.page and 0 < found.port < 65536)


def _report(folder):
    path = folder / "report"
    event = {"chapter": "tensors", "exercise": "rows", "state": "known mistake", "mistake": "m"}
    said = {"learner": "0" * 32, "nickname": "Ada", "events": [event, event | {"state": "passed", "mistake": None}]}
    path.write_text(json.dumps(said), encoding="utf-8")
    return path


def _read_report(folder, path):
    from lessonkit.teach.classroom import report_parser
    from lessonkit.teach.classroom.questions import Question
    from lessonkit.teach.classroom.state import ClassroomState

    room = ClassroomState([Question("01_tensors", "rows", False, {"m": "why"})])
    room.take(report_parser.parse(path.read_bytes()[: 1 << 16]))
    json.dumps(room.everything())


def _unfit():
    from lessonkit.teach.classroom.report_parser import Unfit

    return (Unfit,)


def _message(folder):
    import torch

    from lessonkit.teach.room.sandbox import protocol

    path = folder / "message"
    value = [
        torch.ones(3, 4),
        {"a": (1, 2.5, complex(1, 2), b"x", {1, 2})},
        torch.float32,
        float("inf"),
        2**70,
        ...,
    ]
    path.write_bytes(protocol.pack({"value": value, "seconds": 0.5, "printed": "text"}))
    return path


def _read_message(folder, path):
    from lessonkit.teach.room.sandbox import protocol

    assert isinstance(protocol.unpack(path.read_bytes()), dict)


def _wire_errors():
    from lessonkit.teach.room.sandbox.protocol import Unreadable

    return (Unreadable,)


def _other_message(path, rng, number):
    """The line of JSON is another, the bytes behind it are not; or all is a message of odd tensors."""
    import torch

    line, _, rest = path.read_bytes().partition(b"\n")
    if number % 2:
        path.write_bytes(json.dumps(damage.bent(json.loads(line), rng)).encode() + b"\n" + rest)
    else:
        kinds = [str(one) for one in vars(torch).values() if isinstance(one, torch.dtype)]
        shape = rng.choice(([], [4], [2, 2], [-1], [0, 2**62], [2**31, 2**31], [1.5], ["4"], [10**30], [True] * 70))
        tensor = ["tensor", rng.choice(kinds), shape, True, rng.choice((len(rest), 0, -1, 16, 2**62, "4"))]
        path.write_bytes(json.dumps(["dict", ["value", tensor]]).encode() + b"\n" + rest)


def _run_report(folder):
    path = folder / "report.json"
    chapter = {"name": "01_tensors", "status": "passed", "seconds": 3.0, "exercises": {"total": 3}, "data": {}}
    head = {"answers": "untouched", "extent": "whole", "profile": "quick", "device": "cpu", "wall_seconds": 4.0}
    head["versions"] = {"python": "3.11"}
    path.write_text(json.dumps({"chapters": [chapter], **head}), encoding="utf-8")
    return path


def _read_run_report(folder, path):
    from lessonkit.runner import report

    found = report.earlier(folder, answers="untouched", extent="whole", profile="quick", device="cpu")
    if found is None:  # there is no report: `course run --resume` says so, and runs all
        assert not path.exists(), "a report that is there is not read"
        return
    assert isinstance(found["wall_seconds"], float | int)
    assert all(isinstance(one.name, str) for one in found["chapters"])


# A function of a cell: for a file that is not there, or a name that is no UTF-8, Python's own error is its word.
_OF_A_FILE = ("truncated", "flipped", "wrong magic", "absurd numbers", "shuffled")
JSON_AND_CODE = damage.JSON | {"cells": _cells_of_code}
READERS = {
    reader.name: reader
    for reader in (
        Reader("plain IDX", _plain_idx, _read_idx, _data_error),
        Reader("packed IDX", _packed_idx, _read_idx, _data_error, damage.COMMON | {"bombs": _gz_bombs}),
        Reader("zipped IDX", _zipped_idx, _read_idx, _data_error, damage.COMMON | {"zips": _zip_ways}),
        Reader("recording", _wav, _read_wav, _data_error, damage.COMMON | {"bombs": _wav_bombs}),
        Reader("recording, chapter 03", _wav, _read_by_cell, _sound_errors,
               {name: damage.COMMON[name] for name in _OF_A_FILE} | {"bombs": _wav_bombs}),
        Reader("picture", _jpeg, _read_wav, _data_error, damage.COMMON | {"bombs": _picture_bombs}, memory=128),
        Reader("folder", _folder, _read_folder, _data_error, damage.COMMON | {"oddities": _folder_oddities},
               named=("sounds",)),
        Reader("archive", _archive, _read_archive, _data_error, damage.COMMON | {"ways": _archive_ways}),
        Reader("text", _text, _read_text, _data_error, times=12),
        Reader("checkpoint", _checkpoint, _read_checkpoint, _checkpoint_errors,
               damage.COMMON | {"foreign": _foreign}),
        Reader("checkpoint, made", _checkpoint, _read_any_checkpoint, _checkpoint_errors, {"sealed": _sealed},
               memory=192),
        Reader("record", _record, _read_record, _record_errors, damage.JSON, times=30),
        Reader("progress", _progress, _read_progress, _progress_errors,
               damage.COMMON | {"beside": _beside_database}),
        Reader("submission", _submitted, _read_submission, _unreadable, JSON_AND_CODE, names_file=False, times=30),
        Reader("zip handed in", _handed_in, _read_handed_in, _refused, damage.COMMON | {"zips": _zip_in},
               named=("room/",)),
        Reader("tar handed in", functools.partial(_handed_in, how="tar"), _read_handed_in, _refused,
               damage.COMMON | {"tars": _tar_in}, named=("room/",)),
        Reader("traceback", _traceback, _read_traceback, _traceback_errors,
               damage.COMMON | {"long": _long_text, "in UTF-16": _in_utf16}, times=30),
        Reader("bundle", _bundle, _read_bundle, _bundle_errors, damage.JSON | {"names in it": _bundle_names},
               named=("README.md", "a/b.py", "deep.py", "course/", "wheels/", "stick", "start.py"),
               times=30),
        Reader("copy at the desk", _desk, _read_desk, _desk_errors, JSON_AND_CODE | {"base": _damage_base},
               times=60),
        Reader("executed notebook", _executed, _read_executed, _executed_errors,
               damage.JSON | {"changing": damage.changing_files}, times=60),
        Reader("kept classroom", _kept, _read_kept, _refused, damage.JSON, times=30),
        Reader("membership", _membership, _read_membership, _refused, damage.JSON, times=30),
        Reader("report of a kernel", _report, _read_report, _unfit,
               {k: v for k, v in damage.JSON.items() if k not in ("odd places", "changing", "names")},
               names_file=False, times=30),
        Reader("message of an answer", _message, _read_message, _wire_errors,
               {k: v for k, v in (damage.COMMON | {"others": _other_message}).items()
                if k not in ("odd places", "changing", "names")}, names_file=False, times=60),
        Reader("report of a run", _run_report, _read_run_report, _refused, damage.JSON, times=30),
    )
}  # fmt: skip
