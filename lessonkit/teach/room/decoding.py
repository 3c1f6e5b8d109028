"""Turn the bytes of a file into text, whichever usual encoding it was saved in, and say what was assumed."""

import json
import re
from typing import NamedTuple

_ENCODINGS = {  # as `json.detect_encoding` names them -> as a person knows them
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "utf-32": "UTF-32",
    "utf-32-le": "UTF-32",
    "utf-32-be": "UTF-32",
}
_WIDE = re.compile(rb"\A(?:\xff\xfe|\xfe\xff|\0\0\xfe\xff)")


class Decoded(NamedTuple):
    """A file's text. `remark`: a sentence on its encoding, empty for UTF-8, as nothing had to be assumed."""

    text: str
    remark: str = ""


def decoded(data: bytes) -> Decoded:
    """Return the text in `data`: UTF-8, UTF-16 or UTF-32 with or without a byte order mark, else Windows-1252.

    No bytes are refused: where they are in no encoding that can be known for certain, the remark says what was
    assumed and which line to look at.

    >>> decoded("a ü".encode("cp1252")).text
    'a ü'
    """
    encoding = json.detect_encoding(data)  # by its mark, or by where the zeros of the first ASCII characters are
    if encoding in _ENCODINGS:
        name = _ENCODINGS[encoding]
        text = data.decode(encoding, "replace").lstrip("\ufeff")
        if "\ufffd" not in text or _WIDE.match(data):
            cut = " Its last character is cut off." if text.endswith("\ufffd") else ""
            return Decoded(text, f"The file is in {name}, not in UTF-8; it was read all the same.{cut}")
    try:
        return Decoded(data.decode("utf-8").lstrip("\ufeff"))
    except UnicodeDecodeError as error:
        return _single_bytes(data, error.start)


def _single_bytes(data: bytes, first: int) -> Decoded:
    """Decode what is not UTF-8: mostly UTF-8 with damaged bytes, or an encoding of one byte a character."""
    line = data.count(b"\n", 0, first) + 1
    loose = data.decode("utf-8", "surrogateescape")
    damaged = sum("\udc80" <= one <= "\udcff" for one in loose)
    if sum(one > "\x7f" for one in loose) - damaged > damaged:
        words = f"{damaged} bytes of it are damaged, the first in line {line}, and were replaced by �"
        return Decoded(data.decode("utf-8", "replace").lstrip("\ufeff"), f"The file is UTF-8, but {words}.")
    remark = (
        f"The file is not in UTF-8 (line {line}); it was read as Windows-1252, so a letter that is not English may "
        "be a wrong one."
    )
    try:
        return Decoded(data.decode("cp1252"), remark)
    except UnicodeDecodeError:  # one of the five bytes that Windows-1252 does not have
        return Decoded(data.decode("latin-1"), remark.replace("Windows-1252", "Latin-1"))
