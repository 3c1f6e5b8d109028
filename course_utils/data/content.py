"""Recordings and pictures read to their end: what tells a damaged file where no hash is published."""

import os
import struct
import wave
from pathlib import Path

from course_utils.data.errors import DataError, damaged
from lessonkit.system.plain_file import open_plain

FORMATS = ("JPEG", "PNG")
MOST_PIXELS = 20_000_000  # of a picture; those of the course have half a million
MOST_BYTES = 20_000_000  # of a picture's file: Pillow looks for a JPEG's parts byte by byte, 16 MB in 7 s
# What Python's wave and Pillow raise for damaged bytes; SyntaxError is Pillow's for a broken header.
BROKEN = (
    *(OSError, EOFError, wave.Error, SyntaxError, ValueError, RuntimeError, struct.error),
    *(LookupError, TypeError, AttributeError, ArithmeticError, AssertionError),
)


def check_content(path: Path, advice: str) -> None:
    """Read one file to its end. Raise `DataError` for what is cut off or is something else."""
    kind = "recording" if path.suffix.lower() == ".wav" else "picture"
    try:
        with open_plain(path) as file:
            _listen(path, file, advice) if kind == "recording" else _decode(file)
    except DataError:
        raise
    except BROKEN as error:
        why = getattr(error, "strerror", None) or error or type(error).__name__
        raise damaged(path, f"a file that does not read ({why})", f"a {kind}", advice) from error


def _listen(path, file, advice):
    with wave.open(file) as sound:
        promised = sound.getnframes() * sound.getnchannels() * sound.getsampwidth()
        if promised == 0:
            raise damaged(path, "a header and no sound", "a recording", advice)
        # Asked before it is read: `readframes` makes room for all that the header promises.
        left = os.fstat(file.fileno()).st_size - file.tell()
        came = left if promised > left else len(sound.readframes(sound.getnframes()))
    if came < promised:
        raise damaged(path, f"{came:,} bytes of sound", f"{promised:,}, as its header says", advice)


def _decode(file):
    """Decode a picture to its end, after the checksums of a format that has them: `load` does not ask for those.

    Only what the course has is opened: Pillow knows forty formats more, one of which is a program (PostScript).
    """
    from PIL import Image  # half the cost of importing this module, and only `verify` reads pictures

    if (size := os.fstat(file.fileno()).st_size) > MOST_BYTES:
        raise ValueError(f"{size:,} bytes, at most {MOST_BYTES:,} are read")
    try:
        for look in ("verify", "load"):
            file.seek(0)
            with Image.open(file, formats=FORMATS) as image:
                if image.width * image.height > MOST_PIXELS:
                    raise ValueError(f"{image.width:,} × {image.height:,} pixels, at most {MOST_PIXELS:,} are read")
                getattr(image, look)()
    except Image.DecompressionBombError as error:
        raise ValueError(str(error)) from None
