"""Turn the bytes of a file into text, whichever usual encoding it was saved in, and say what was assumed."""

import json
import re
from typing import NamedTuple

_MARKED = re.compile(rb"\A(?:\xff\xfe|\xfe\xff|\0\0\xfe\xff)")


class Decoded(NamedTuple):
    """A file's text. `remark`: a sentence on its encoding, empty for UTF-8, as nothing had to be assumed.

    `guessed`: the first byte that no certain encoding explains, and its line; empty where the text is certain.
    """

    text: str
    remark: str = ""
    guessed: str = ""


def decoded(data: bytes) -> Decoded:
    """Return the text in `data`: UTF-8, UTF-16 or UTF-32 with or without a byte order mark, else Windows-1252.

    No bytes are refused: where they are in no encoding that can be known for certain, the remark says what was
    assumed and which line to look at, and `guessed` is not empty.

    >>> decoded("a ü".encode("cp1252")).text
    'a ü'
    """
    for encoding in (json.detect_encoding(data), "utf-8"):  # the first by the mark, or by the zeros of ASCII
        name = "-".join(encoding.upper().split("-")[:2])
        remark = "" if name == "UTF-8" else f"The file is in {name}, not in UTF-8; it was read all the same."
        try:
            return Decoded(data.decode(encoding).lstrip("\ufeff"), remark)
        except UnicodeDecodeError as error:
            first, line = error.start, data.count(b"\n", 0, error.start) + 1
        guessed = f"line {line} has the byte 0x{data[first]:02x}, which is no {name}"
        if remark and _MARKED.match(data):
            text = data.decode(encoding, "replace").lstrip("\ufeff")
            cut = " Its last character is cut off." if text.endswith("\ufffd") else ""
            return Decoded(text, f"{remark}{cut}", guessed)
    return Decoded(*_single_bytes(data, line), guessed)


def _single_bytes(data: bytes, line: int) -> tuple[str, str]:
    """Decode what is not UTF-8: mostly UTF-8 with damaged bytes, or an encoding of one byte a character."""
    loose = data.decode("utf-8", "surrogateescape")
    damaged = sum("\udc80" <= one <= "\udcff" for one in loose)
    if sum(one > "\x7f" for one in loose) - damaged > damaged:
        words = f"{damaged} bytes of it are damaged, the first in line {line}, and were replaced by �"
        return data.decode("utf-8", "replace").lstrip("\ufeff"), f"The file is UTF-8, but {words}."
    remark = (
        f"The file is not in UTF-8 (line {line}); it was read as Windows-1252, so a letter that is not English may "
        "be a wrong one."
    )
    try:
        return data.decode("cp1252"), remark
    except UnicodeDecodeError:  # one of the five bytes that Windows-1252 does not have
        return data.decode("latin-1"), remark.replace("Windows-1252", "Latin-1")
