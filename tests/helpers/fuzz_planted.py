"""Readers with a planted fault each, which a fuzzer that works must find; and one without."""

import ctypes
import os
import subprocess
import sys
import time
from pathlib import Path

from fuzz_readers import Reader


class Told(Exception):
    """The readers' own error."""


def _whole(folder):
    path = folder / "file.txt"
    path.write_bytes(b"whole")
    return path


def _damage(path, rng, number):
    path.write_bytes(b"damaged")


def _reader(name, fault):
    def read(folder, path):
        if path.read_bytes() == b"damaged":
            fault(folder, path)

    return Reader(name, _whole, read, lambda: (Told,), {"damaged": _damage})


def _tell(folder, path):
    raise Told(f"{path} is damaged: found seven letters, expected five")


def _outside(folder):
    return folder.parent / "outside" / "secret.txt"


def _name_nothing(folder, path):
    raise Told("the file is damaged, and which one nobody is told")


def _say_little(folder, path):
    raise Told("no")


def _fall(folder, path):
    raise KeyError("header")


def _eat(folder, path):
    b"x" * (200 << 20)


def _hang(folder, path):
    while True:
        time.sleep(0.01)


FAULTS = {
    "no fault": (_tell, None),
    "a raw error": (_fall, "KeyError: 'header' (fuzz_planted.py"),
    "a wrong result": (
        lambda folder, path: Path(path).stat().st_size == 5 or _assert(),
        "AssertionError: it is wrong",
    ),
    "no name": (_name_nothing, "a sentence that names no file"),
    "few words": (_say_little, "a sentence that says too little"),
    "reads past": (lambda folder, path: _outside(folder).read_bytes(), "it read outside its folder"),
    "reads elsewhere": (lambda folder, path: Path("/etc/hostname").read_bytes(), "it read outside its folder"),
    "writes past": (lambda folder, path: _outside(folder).write_bytes(b"x"), "it altered something outside"),
    "leaves a file beside": (
        lambda folder, path: os.mkfifo(folder.parent / "left"),
        "it left left beside its folder",
    ),
    "leaves a temporary file": (
        lambda folder, path: (folder.parent / "tmp" / "x").write_bytes(b"x"),
        "it left x in",
    ),
    "starts a program": (lambda folder, path: subprocess.run([sys.executable, "-V"]), "it started something"),
    "eats memory": (_eat, "MiB of memory for a file of 7 bytes"),
    "eats all memory": (lambda folder, path: b"x" * (1 << 40), "MemoryError"),
    "exits": (lambda folder, path: sys.exit(0), "SystemExit: 0"),
    "ends the interpreter": (lambda folder, path: os._exit(0), "the interpreter ended (exit status 0)"),
    "crashes": (lambda folder, path: ctypes.string_at(0), "the interpreter ended (signal SIGSEGV)"),
    "hangs": (_hang, "no end within"),
}


def _assert():
    raise AssertionError("it is wrong")


READERS = {name: _reader(name, fault) for name, (fault, _) in FAULTS.items()}
