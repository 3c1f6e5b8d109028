"""Whether a WAV file is whole, whatever its samples are: integers, floats, compressed, or EXTENSIBLE.

Python's `wave` opens integers only, and soundfile reads a file that is cut off without a word. So the list of
chunks is walked here, and what the header promises is compared with what is there.

Format: http://soundfile.sapp.org/doc/WaveFormat, and EBU Tech 3306 for files of more than 4 GB (RF64).
"""

import struct
from typing import BinaryIO

_LONG = 0xFFFFFFFF  # a length that stands elsewhere (RF64)


def sound_bytes(file: BinaryIO, size: int) -> tuple[int, int]:
    """Return how many bytes of sound the header of a WAV file promises, and how many of them a file of `size` has.

    Raises ValueError for what is no WAV file, or has no description of its sound or no sound.
    """
    start = file.read(12)
    if len(start) < 12 or start[:4] not in (b"RIFF", b"RF64") or start[8:] != b"WAVE":
        raise ValueError(f"no RIFF header of a WAVE, but {start[:4]!r}")
    long_length, described = None, False
    while len(head := file.read(8)) == 8:
        name, length = head[:4], int.from_bytes(head[4:], "little")
        if name == b"data":
            if not described:
                raise ValueError("its sound is not described: no chunk `fmt ` before `data`")
            promised = long_length if length == _LONG and long_length is not None else length
            return promised, min(promised, size - file.tell())
        content = file.read(min(length, 64))
        if name == b"ds64":
            long_length = struct.unpack_from("<Q", content, 8)[0]
        if name == b"fmt ":
            _, channels, rate, _, frame = struct.unpack_from("<HHIIH", content)
            if 0 in (channels, rate, frame):
                raise ValueError(f"{channels} channels, {rate} samples a second, {frame} bytes each")
            described = True
        file.seek(length - len(content) + length % 2, 1)
    raise ValueError("no sound: no chunk `data`")
