"""What can happen to a file: each kind of damage is a function of (path, random generator, number of the case).

It damages the file in place, or returns a function of (watch, path) that does it while the file is read, and
itself returns a function that ends that.
"""

import functools
import gzip
import io
import json
import os
import random
import socket
import stat
import struct
import tarfile
import threading
import zipfile
from pathlib import Path

import faults

BIG = 200 << 20  # bytes that a bomb unpacks to: more than any reader may take, less than a machine has
ODD_BYTES = (
    b"", b"\0", b"\n", b"<!DOCTYPE html><html><head><title>Log in</title></head><body>502</body></html>",
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0", b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0",
    b"\x7fELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>\0", b"MZ\x90\0\3\0\0\0\4\0\0\0\xff\xff\0\0",
    b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
    b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(secret.txt) run showpage\n",
    b"GIF89a\xff\xff\xff\xff\xf7\0\0", b"BM" + b"\xff" * 60, b"II*\0\x08\0\0\0\xff\xff" + b"\xff" * 80,
    b"8BPS\0\1" + b"\0" * 6 + b"\0\3" + b"\x7f" * 30, b"RIFF\xff\xff\xff\xffWAVEfmt ", b"RIFX\0\0\0\x24WAVEfmt ",
    b"fLaC\0\0\0\x22\x10\0\x10\0" + b"\xff" * 34, b"OggS\0\2" + b"\xff" * 60,
    b"FORM\x7f\xff\xff\xffAIFFCOMM\0\0\0\x12", b"\x1f\x8b\x08\x1c\0\0\0\0\0\xff\xff\xff", b"PK\3\4" + b"\xff" * 60,
    b"PK\5\6" + b"\0" * 18, b"PK\5\6" + b"\xff" * 18, b"PK\6\6" + b"\xff" * 60, b"BZh9" + b"1AY&SY" + b"\xff" * 30,
    b"\xfd7zXZ\0\0\4" + b"\xff" * 30, b"\x28\xb5\x2f\xfd" + b"\xff" * 30, b"SQLite format 3\0" + b"\xff" * 100,
    b"\x80\2\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\2M\xe9\3.", b"\x80\4\x95\xff\xff\xff\xff\xff\xff\xff\x7f\x8c",
    b"cposix\nsystem\n(S'echo read > secret.txt'\ntR.",
    b"\0\0\x08\3\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", b"\xff\xfeE\0r\0r\0o\0r\0", b"\xff\xfe",
    b"\xef\xbb\xbf{}", b"\xc3\x28\xa0\xa1\xf0\x28\x8c\x28", b"{}", b"[]", b"null", b"[" * 100_000,
    b'{"a":' * 50_000, b"[" * 900 + b"]" * 900, b"1" * 10_000, b"NaN", b"1e400", b'"\\ud800"',
    b'"' + b"a" * 1_000_000, b"<" * 100_000, b"\0" * 1_000_000, b"\xff" * 300_000,
)  # fmt: skip
NUMBERS = [
    struct.pack(f"{order}{kind}", value)
    for order in "<>"
    for kind, bits in (("H", 16), ("I", 32), ("Q", 64))
    for value in (0, 1, 2 ** (bits - 1) - 1, 2 ** (bits - 1), 2**bits - 2, 2**bits - 1, 2 ** (bits - 4))
]


def truncated(path, rng, number):
    """Cut off: a small file at each of its bytes in turn, a large one at its ends and anywhere."""
    data = path.read_bytes()
    if len(data) <= 300:
        cut = number % max(1, len(data))
    else:
        cut = rng.choice((rng.randrange(len(data)), rng.randrange(200), len(data) - 1 - rng.randrange(200)))
    path.write_bytes(data[:cut])


def flipped(path, rng, number):
    """One to eight bits or bytes are others, at the ends of the file more often than in its middle."""
    data = bytearray(path.read_bytes())
    for _ in range(rng.choice((1, 1, 1, 2, 8))):
        spot = _spot(data, rng)
        data[spot] = data[spot] ^ (1 << rng.randrange(8)) if rng.random() < 0.5 else rng.randrange(256)
    path.write_bytes(data)


def _spot(data, rng):
    near = min(len(data), 400)
    return rng.choice((rng.randrange(near), len(data) - 1 - rng.randrange(near), rng.randrange(len(data))))


def wrong_magic(path, rng, number):
    """Another kind of file, whole or in its first bytes."""
    other = ODD_BYTES[number % len(ODD_BYTES)]
    if number // len(ODD_BYTES) % 2 == 0:
        path.write_bytes(other)
    else:
        data = path.read_bytes()
        path.write_bytes(other[:16] + data[min(len(other), 16) :] if rng.random() < 0.5 else other + data)


def absurd(path, rng, number):
    """A number somewhere, most likely in a header, is the largest, the smallest or a negative one."""
    data = bytearray(path.read_bytes())
    for _ in range(rng.choice((1, 1, 2, 4))):
        new = rng.choice(NUMBERS)
        spot = _spot(data, rng)
        if rng.random() < 0.7:
            spot -= spot % 2
        data[spot : spot + len(new)] = new
    path.write_bytes(data)


def shuffled(path, rng, number):
    """A piece of the file is missing, twice there, or somewhere else."""
    data = path.read_bytes()
    start, other = sorted((_spot(data, rng), _spot(data, rng)))
    length = rng.choice((1, 2, 4, 17, 512))
    piece = data[start : start + length]
    path.write_bytes(
        rng.choice(
            (
                data[:start] + data[start + length :],
                data[:start] + piece * rng.choice((2, 3, 100)) + data[start + length :],
                data[:start] + data[start + length : other] + piece + data[other:],
                data[:start] + bytes(rng.randrange(256) for _ in range(length)) + data[start:],
            )
        )
    )


def odd_place(path, rng, number):
    """Not a file: missing, a folder, a pipe, a socket; a link to outside, to itself, to nowhere, to a device."""
    data = path.read_bytes()
    path.unlink()
    case = next(folder for folder in path.resolve().parents if folder.name == "case")
    secret = case.parent / "outside" / "secret.txt"
    which = number % 12
    links = {4: secret, 5: path.name, 6: path.with_name("nowhere"), 7: "/dev/zero", 8: secret.parent}
    links |= {9: f"{path.name}.other", 10: "pipe"}
    if which == 1:
        path.mkdir()
    elif which == 2:
        os.mkfifo(path)
    elif which == 3:
        _socket(path)
    elif which == 9:
        path.with_name(links[9]).write_bytes(data)
    elif which == 10:
        path.with_name("pipe").unlink(missing_ok=True)
        os.mkfifo(path.with_name("pipe"))
    elif which == 11:
        with path.open("wb") as file:  # a sparse file: so many bytes that take no room
            file.write(data[:64])
            file.truncate(rng.choice((1 << 28, 1 << 30)) if rng.random() < 0.2 else 1 << 24)
    if which in links:
        path.symlink_to(links[which])


def _socket(path):
    before = Path.cwd()
    os.chdir(path.parent)  # an address has room for some hundred characters only
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(path.name)
    os.chdir(before)


def nothing(path, rng, number):
    """The file is whole; what is wrong is its folder's name (fuzz.py gives it)."""
    if number % 2:
        flipped(path, rng, number)


def changing(path, rng, number, hows=("cut", "grow", "other", "gone", "folder", "replaced", "pipe")):
    """The file is replaced, cut, removed or turned into something else just before it is opened, or meanwhile."""
    data = path.read_bytes()
    how = rng.choice(hows)
    # 0: now and then, by a thread, which no two runs do alike; else: before it is opened for this time
    at = number % 4 if faults.SOAK else 1 + number % 3

    def alter(target, turn=1):
        ALTERED.append(target)
        if how == "cut":
            os.truncate(target, rng.randrange(len(data) + 1)) if turn % 2 else target.write_bytes(data)
        elif how == "grow":
            with target.open("ab") as file:
                file.write(data[: rng.randrange(1, len(data) + 1)])
        elif how == "other":
            target.write_bytes(rng.choice(ODD_BYTES) if turn % 2 else data)
        elif how == "replaced":
            new = bytearray(data)
            new[_spot(new, rng)] ^= 255
            other = target.with_name(f"{target.name}-new")
            other.write_bytes(new if turn % 2 else data)
            other.replace(target)
        else:
            target.unlink(missing_ok=True)
            if how == "folder":
                target.mkdir()
            elif how == "pipe":
                os.mkfifo(target)

    def by_opening(watch, target):
        seen = []

        def opened(name):
            if Path(name).name == target.name and stat.S_ISREG(_mode(target)):
                seen.append(name)
                if len(seen) == at:
                    alter(target)

        watch.opened = opened

    def by_thread(watch, target):
        end = threading.Event()

        def work():
            turn = 0
            while not end.is_set() and turn < 2000:
                turn += 1
                try:
                    alter(target, turn)
                except OSError:
                    return
                if how not in ("cut", "other", "replaced"):
                    return

        thread = threading.Thread(target=work)
        thread.start()

        def stop():
            end.set()
            thread.join()

        return stop

    return by_opening if at else by_thread


def changing_files(path, rng, number):
    """As `changing`, without a pipe: for what another library opens a second time, by its name."""
    return changing(path, rng, number, ("cut", "grow", "other", "gone", "folder", "replaced"))


def _mode(path):
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


ALTERED = []  # what `changing` has altered; a reader's `build` may clear it

COMMON = {
    "truncated": truncated,
    "flipped": flipped,
    "wrong magic": wrong_magic,
    "absurd numbers": absurd,
    "shuffled": shuffled,
    "odd places": odd_place,
    "names": nothing,
    "changing": changing,
}


# JSON


def odd_values(rng):
    """Return a value that nobody expects there."""
    value = rng.choice((
        None, True, -1, 0, 10**30, 10**400, 1e308, float("inf"), float("nan"), "", "\ud800 half a letter", "\0",
        "../../outside/secret.txt", "/etc/hostname", lambda: "a" * rng.choice((300, 70_000)), [], {}, [[]] * 3,
        {"": {"": []}}, lambda: _deep(rng.choice((10, 300, 900))),
        lambda: [rng.random()] * rng.choice((1, 5000)), {"__class__": "x"},
    ))  # fmt: skip
    return value() if callable(value) else value


def _deep(levels):
    value = 0
    for _ in range(levels):
        value = [value]
    return value


def bent(value, rng):
    """Return a copy of a JSON value in which something is missing, twice there, renamed or of another kind."""
    value = json.loads(json.dumps(value))
    for _ in range(rng.choice((1, 1, 2))):
        places = list(_places(value))
        if not places:
            return odd_values(rng)
        # Of the places as many as there are at each level: else all would be in the long lists at the bottom.
        depth = rng.choice(sorted({place[0] for place in places}))
        _, where, key = rng.choice([place for place in places if place[0] == depth])
        how = rng.random()
        if how < 0.6:
            where[key] = odd_values(rng)
        elif how < 0.8:
            del where[key]
        elif isinstance(where, list):
            where.insert(key, where[rng.randrange(len(where))])
        else:
            where[rng.choice(("", "x", "id", "name", f"{key} "))] = where.pop(key)
    return odd_values(rng) if rng.random() < 0.02 else value


def _places(value, depth=0):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield depth, value, key
        yield from _places(inner, depth + 1)


def other_json(path, rng, number):
    """JSON of another shape than expected."""
    path.write_text(json.dumps(bent(json.loads(path.read_bytes()), rng)), encoding="utf-8")


JSON = COMMON | {"other values": other_json}


# Archives


def zipped(members, *, compress=zipfile.ZIP_DEFLATED):
    """Return a zip file's bytes; `members`: (name or ZipInfo, bytes) each."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compress) as archive:
        for name, data in members:
            archive.writestr(name, data, compress)
    return file.getvalue()


def tarred(members, mode="w:gz"):
    """Return a tar file's bytes; `members`: (TarInfo, bytes) each."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:
        for info, data in members:
            archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


def tar_info(name, size=0, kind=tarfile.REGTYPE, link=""):
    """Return what a tar file says of a member."""
    info = tarfile.TarInfo(name)
    info.size, info.type, info.linkname = size, kind, link
    return info


def link_info(name):
    """Return what a zip file says of a symbolic link."""
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
# What leads out of a folder, or is no name at all, on one system or another.
WAYS_OUT = (
    "../outside/secret.txt", "../../outside/made.{}", "/tmp/made-by-a-case.{}", "a/../../outside/made.{}",
    "..\\..\\outside\\made.{}", "C:\\made.{}", "C:made.{}", "//host/share/made.{}", "./../case-beside.{}", "..",
    ".", "./.", "/", "", "a/.", "a/..", "nul.{}", "a\0b.{}", "~/made.{}", "x" * 300 + ".{}", "d/" * 300 + "deep.{}",
    "\u202egnp.{}", "caf\u00e9.{}",
)  # fmt: skip


def _zeros(file):
    for _ in range(BIG >> 20):
        file.write(bytes(1 << 20))


@functools.cache
def gz_bomb(head=b"", tail=b""):
    """Return a gzip file of `head`, BIG zeros and `tail`."""
    file = io.BytesIO()
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1) as stream:
        stream.write(head)
        _zeros(stream)
        stream.write(tail)
    return file.getvalue()


@functools.cache
def zip_bomb(name, *, times=1):
    """Return a zip file of `times` members of BIG zeros each."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number in range(times):
            with archive.open(name.format(number), "w", force_zip64=True) as member:
                _zeros(member)
    return file.getvalue()


def claiming(data, claim):
    """Return a zip file whose members say in both headers that they are `claim` bytes long."""
    data = bytearray(data)
    for mark, offset in ((b"PK\1\2", 24), (b"PK\3\4", 22)):
        start = data.find(mark)
        while start >= 0:
            data[start + offset : start + offset + 4] = struct.pack("<I", claim)
            start = data.find(mark, start + 4)
    return bytes(data)


def _leading_out(members, name, rng, number):
    """One name more, which leads out of the folder, from the top or from where the members lie."""
    top, suffix = name.partition("/")[0], name.rpartition(".")[2]
    way = WAYS_OUT[number % len(WAYS_OUT)].format(suffix) or "x"
    place = rng.randrange(len(members) + 1)
    return zipped([*members[:place], (rng.choice(("", f"{top}/")) + way, b"made"), *members[place:]])


def _clashing(members, name, rng, number):
    """A file that is a folder too, and two of one name."""
    whole = members[0][0]
    more = [(whole.rpartition("/")[0], b"file"), (f"{whole}/inner{whole[-4:]}", b"x"), (whole, b"again")]
    return zipped([*members, more[number % 3]])


def _nested(members, name, rng, number):
    """Archives in archives; every other time a bomb is in the innermost."""
    if number % 2:
        return zipped([(name.format("a").replace(name[name.rindex(".") :], ".zip"), zip_bomb(name))])
    inner = zipped(members)
    for level in range(rng.choice((1, 2, 6))):
        inner = zipped([(f"eve/{level}.zip", inner)])
    return inner


@functools.cache
def _grown(name):
    """A zip of files each of which grows no more than text does, of 100 MB together."""
    rng = random.Random(18)
    data = bytes(rng.randrange(256) for _ in range(5000)) * 190
    return zipped([(name.format(n), data + b"%d" % n) for n in range(100)])


# What is done to a zip of `members`; `name`, such as "eve/{}.ipynb", is that of a member more.
TRICKS = {
    "out": _leading_out,
    "link": lambda members, name, rng, number: zipped(
        [*members, (link_info(name.format("link")), b"../../outside/secret.txt")]
    ),
    "clash": _clashing,
    "bomb": lambda members, name, rng, number: zip_bomb(name, times=rng.choice((1, 3)) if "{}" in name else 1),
    "nested": _nested,
    "claim": lambda members, name, rng, number: claiming(
        zipped(members), rng.choice((0, 1, 2**24, 2**31, 2**32 - 1))
    ),
    "many": lambda members, name, rng, number: zipped(
        [(f"{n}/{members[0][0].rpartition('/')[2]}", b"{}") for n in range(rng.choice((50, 5001)))]
    ),
    "grown": lambda members, name, rng, number: _grown(name),
    "methods": lambda members, name, rng, number: zipped(members, compress=rng.choice(METHODS)),
}


def zip_tricks(members, name, tricks=tuple(TRICKS)):
    """A kind of damage: a zip of `members`, made anew by each of the `tricks` in turn."""

    def change(path, rng, number):
        trick = tricks[number % len(tricks)]
        path.write_bytes(TRICKS[trick](members, name, rng, number // len(tricks)))
        if trick == "methods":
            rng.choice((flipped, absurd))(path, rng, number)

    return change
