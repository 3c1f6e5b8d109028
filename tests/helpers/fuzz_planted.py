"""Readers with a planted fault each, which a fuzzer that works must find; and one without."""

import ctypes
import os
import subprocess
import sys
import time
from pathlib import Path

from fuzz import Reader


class Told(Exception):
    """The readers' own error."""


def _raise(error):
    raise error


def _hang():
    while True:
        time.sleep(0.01)


def _secret(folder):
    return folder.parent / "outside" / "secret.txt"


# name -> what the reader does with a damaged file, and what the fuzzer must say; None where nothing is wrong.
FAULTS = {
    "no fault": (lambda folder: _raise(Told("file.txt is damaged: found seven letters, expected five")), None),
    "a raw error": (lambda folder: _raise(KeyError("header")), "KeyError: 'header' (fuzz_planted.py"),
    "a wrong result": (lambda folder: _raise(AssertionError("it is wrong")), "AssertionError: it is wrong"),
    "no name": (
        lambda folder: _raise(Told("the file is damaged, and which one nobody is told")),
        "a sentence that names no file",
    ),
    "few words": (lambda folder: _raise(Told("no")), "a sentence that says too little"),
    "reads past": (lambda folder: _secret(folder).read_bytes(), "it read outside its folder"),
    "reads elsewhere": (lambda folder: Path("/etc/hostname").read_bytes(), "it read outside its folder"),
    "writes past": (lambda folder: _secret(folder).write_bytes(b"x"), "it altered something outside"),
    "leaves a file beside": (lambda folder: os.mkfifo(folder.parent / "left"), "it left left beside its folder"),
    "leaves a temporary file": (
        lambda folder: (folder.parent / "tmp" / "x").write_bytes(b"x"),
        "it left x in",
    ),
    "starts a program": (lambda folder: subprocess.run([sys.executable, "-V"]), "it started something"),
    "eats memory": (lambda folder: b"x" * (200 << 20), "MiB of memory for a file of 7 bytes"),
    "eats all memory": (lambda folder: b"x" * (1 << 40), "MemoryError"),
    "exits": (lambda folder: sys.exit(0), "SystemExit: 0"),
    "ends the interpreter": (lambda folder: os._exit(0), "the interpreter ended (exit status 0)"),
    "crashes": (lambda folder: ctypes.string_at(0), "the interpreter ended (signal SIGSEGV)"),
    "hangs": (lambda folder: _hang(), "no end within"),
}


def _reader(name, fault):
    def read(folder, path):
        if path.read_bytes() == b"damaged":
            fault(folder)

    kinds = {"damaged": lambda path, rng, number: path.write_bytes(b"damaged") and None}
    return Reader(name, lambda folder: {"file.txt": b"whole"}, read, (Told,), kinds)


READERS = {name: _reader(name, fault) for name, (fault, _) in FAULTS.items()}
