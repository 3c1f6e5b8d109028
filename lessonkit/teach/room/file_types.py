"""Tell by a file's name, and where that does not say it by its first bytes, what somebody has handed in."""

import re
from pathlib import Path

from lessonkit.system.plain_file import open_plain

LARGEST = 300 * 2**20  # bytes of a file that is taken; a notebook's stored pictures alone make some megabytes
_NOTEBOOK = re.compile(
    r"\.ipynb(?:\.(?:txt|json|download|bin|part|bak|dat))*(?:[\s_.]*\(\d+\)|[\s_.-]*copy\d*|[_~])?$", re.I
)
_ANY = re.compile(r"\.(?:json|txt|dat|bin|download)$|^[^.]+$", re.IGNORECASE)
_KINDS = {  # ending -> what it is, and what to ask for
    "py": "a Python script, not a notebook; ask for the .ipynb",
    "pdf": "a PDF, not a notebook; ask for the .ipynb",
    "html htm mht mhtml webarchive": "a web page (HTML), not a notebook; ask for the .ipynb",
    "docx doc odt rtf pages": "a document of a word processor, not a notebook; ask for the .ipynb",
    "xlsx xls ods csv tsv numbers": "a table, not a notebook; ask for the .ipynb",
    "pptx ppt odp key": "a presentation, not a notebook; ask for the .ipynb",
    "png jpg jpeg gif bmp webp heic tif tiff svg": "a picture, not a notebook; ask for the .ipynb",
    "rar": "a RAR archive, which is not unpacked here; unpack it, or ask for a .zip",
    "7z": "a 7z archive, which is not unpacked here; unpack it, or ask for a .zip",
    "gz bz2 xz zst lz4 tar.zst z": "a packed file, which is not unpacked here; ask for the .ipynb or a .zip",
    "md markdown txt rst tex": "a text, not a notebook; ask for the .ipynb",
    "mp4 mov avi mkv webm mp3 wav m4a": "a recording, not a notebook; ask for the .ipynb",
    "url webloc lnk gdoc gsheet desktop": "a link, not the file itself; ask for the .ipynb",
    "crdownload partial opdownload": "a download that was not finished; ask for the .ipynb",
    "pt pth ckpt safetensors pkl npy npz": "a file of data or parameters, not a notebook; ask for the .ipynb",
}
_OF_ENDING = {ending: words for endings, words in _KINDS.items() for ending in endings.split()}


def is_notebook(name: str) -> bool:
    """Return whether a file is called as a notebook is: `.ipynb`, also `.IPYNB`, `.ipynb.txt`, `.ipynb (1)`."""
    return bool(_NOTEBOOK.search(name))


def may_be_notebook(name: str) -> bool:
    """Return whether a file may hold a notebook though its name does not say so: `.json`, `.txt`, no ending."""
    return bool(_ANY.search(name))


def holds_notebook(file: Path) -> bool:
    """Return whether a file begins as the JSON of a notebook does; not, where it cannot be read."""
    try:
        data = open_plain(file)
    except OSError:
        return False
    with data:
        start = data.read(1 << 16).replace(b"\0", b"")  # of UTF-16 half of the bytes
        end = b""
        if data.seek(0, 2) > 1 << 16:
            data.seek(-4096, 2)
            end = data.read().replace(b"\0", b"")
    found = re.match(rb"[\xef\xbb\xbf\xff\xfe\s]*\{", start)
    return bool(found) and b'"cells"' in start and b'"nbformat"' in start + end


def stem_of(name: str) -> str:
    """Return a file's name without its endings: `00_start_here` of `00_start_here.ipynb.txt`."""
    if found := _NOTEBOOK.search(name):
        again = re.search(r"\(\d+\)$", name)
        return name[: found.start()] + (f" {again[0]}" if again else "")
    stem = re.sub(r"\.tar(?:\.\w{2,3})?$", "", name, flags=re.IGNORECASE)
    return re.sub(r"\.[A-Za-z0-9]{1,12}$", "", stem) if stem == name else stem


def kind_of_name(name: str) -> str:
    """Return what a file is by its ending, and what to ask for; the words follow "it is"."""
    ending = name.lower().rpartition(".")[2] if "." in name else ""
    if ending in _OF_ENDING:
        return _OF_ENDING[ending]
    named = f"a file that ends in .{ending[:20]}" if ending else "a file without an ending"
    return f"{named}, not a notebook; ask for the .ipynb"
