"""Say what a file is that should be a notebook and is none: a web page, a PDF, a merge that was not finished."""

import ast
import contextlib
import io
import json
import re
from typing import NamedTuple

CONFLICT = re.compile(r"^(?:<{7}|>{7}|\|{7}|={7})(?= |$)", re.MULTILINE)
_BEGINS, _ENDS = re.compile(r"^<{7}(?: |$)", re.MULTILINE), re.compile(r"^>{7}(?: |$)", re.MULTILINE)


class Kind(NamedTuple):
    """What a file is; the words follow "it is". `fix`: how to get at the notebook; empty where this file has none.

    Whoever says it adds where the notebook goes then: at home in the file's place, from a class to the teacher.
    """

    found: str
    fix: str = ""


_DOWNLOAD, _POINTS = "download the notebook itself", "take the file that it points to"
_UNPACK = "unpack the .ipynb that is in it"
_STARTS = (  # what a file begins with -> what it is
    (b"%PDF", Kind("a PDF")),
    (b"\x1f\x8b", Kind("a gzip archive", _UNPACK)),
    (b"7z\xbc\xaf\x27\x1c", Kind("a 7z archive", _UNPACK)),
    (b"Rar!\x1a\x07", Kind("a RAR archive", _UNPACK)),
    (b"\xfd7zXZ", Kind("an xz archive", _UNPACK)),
    (b"BZh", Kind("a bzip2 archive", _UNPACK)),
    (b"\x89PNG", Kind("a PNG picture")),
    (b"\xff\xd8\xff", Kind("a JPEG picture")),
    (b"GIF8", Kind("a GIF picture")),
    (b"{\\rtf", Kind("an RTF document, as TextEdit or Word saves it")),
    (b"\xd0\xcf\x11\xe0", Kind("an Office document of the old kind")),
    (b"bplist00", Kind("a placeholder or property list of macOS, not the file itself", _DOWNLOAD)),
    (b"book\0\0\0\0mark\0\0\0\0", Kind("an alias of macOS, not the file itself", _POINTS)),
    (b"L\0\0\0\x01\x14\x02\0", Kind("a shortcut of Windows, not the file itself", _POINTS)),
    (b"[InternetShortcut]", Kind("a link to a web page, not the notebook", _DOWNLOAD)),
    (b"\0\x05\x16\x07", Kind("macOS's notes on a file (AppleDouble), not the file itself")),
    (
        b"version https://git-lfs",
        Kind("a git-lfs pointer, not the file itself", "run `git lfs pull`, which fetches the file"),
    ),
)
_INSIDE = (  # what a file in a zip is called -> what the zip is
    (r"word/", "a Word document"),
    (r"xl/", "an Excel workbook"),
    (r"ppt/", "a PowerPoint presentation"),
    (r"mimetype$", "an OpenDocument file"),
    (r".*/data\.pkl$", "a file of torch.save"),
)
_LOGIN = re.compile(
    r"type=[\"']?password|<title>[^<]*(log ?in|sign ?in|log ?on|anmeld|connexion|iniciar|single sign)",
    re.IGNORECASE,
)


def kind_of(data: bytes, text: str) -> Kind:
    """Return what a file is that is not JSON, with the line where there is one. `text`: the bytes, decoded.

    Example: `Kind("a git-lfs pointer, not the file itself", "run `git lfs pull`, …")`.
    """
    if not data:
        return Kind("empty (0 bytes)")
    if not data.strip(b"\0"):
        return Kind(f"{len(data):,} bytes that are all zero, as a broken download or disk leaves them")
    if not text.strip("\ufeff \t\r\n\0"):
        return Kind(f"empty but for white space ({len(data):,} bytes)")
    begins = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    for start, kind in _STARTS:
        if begins.startswith(start):
            return kind
    if begins.startswith(b"PK"):
        return _zip(data)
    if re.match(r"\s*<(?:!doctype|html|head|body|\?xml|!--|script|meta|title)", text, re.IGNORECASE):
        return _page(text)
    if _BEGINS.search(text) or (_ENDS.search(text) and CONFLICT.search(text)):
        return _conflict(text)
    return _python(text) or _json(text)


def _zip(data: bytes) -> Kind:
    import zipfile  # only here: whoever reads notebooks imports this module

    names = []
    with contextlib.suppress(zipfile.BadZipFile, ValueError, OSError, NotImplementedError, RuntimeError):
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    for pattern, what in _INSIDE:
        if any(re.match(pattern, name) for name in names):
            return Kind(what)
    inside = f" (it holds {', '.join(names[:3])[:120]})" if names else ""
    return Kind(f"a zip archive{inside}", _UNPACK)


def _page(text: str) -> Kind:
    title = re.search(r"<title[^>]*>\s*([^<]{1,200}?)\s*</title", text, re.IGNORECASE)
    named = f" with the title “{' '.join(title[1].split())}”" if title else ""
    if re.search(r"jp-Notebook|nbconvert|class=\"?[^\">]*\bnbinput|jp-Cell", text):
        return Kind(f"a web page{named} into which a notebook was exported (HTML)")
    if _LOGIN.search(text):
        return Kind(f"a web page{named} that asks for a login, not the notebook", f"log in, {_DOWNLOAD}")
    if re.search(r"github\.com|githubassets", text) and "GitHub" in text:
        return Kind(f"a web page of GitHub{named}, not the notebook", "take *Download raw file* there")
    if "<html" not in text.lower() and re.match(r"\s*<\?xml", text):
        return Kind("an XML file, not the notebook", _DOWNLOAD)
    return Kind(f"a web page (HTML){named}, not the notebook", _DOWNLOAD)


def _conflict(text: str) -> Kind:
    lines = [text.count("\n", 0, one.start()) + 1 for one in CONFLICT.finditer(text)]
    where = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} to {lines[-1]}"
    return Kind(
        f"a notebook with conflict markers of git ({where}): a merge was not finished",
        "finish it, for example with `git checkout --ours FILE`",
    )


def _python(text: str) -> Kind | None:
    if text.lstrip()[:1] in "{[\"'":
        return None
    try:
        nodes = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not any(isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Assign)) for node in nodes):
        return None
    form = " in jupytext's form" if re.search(r"^# (?:%%|\+)", text, re.MULTILINE) else ""
    return Kind(f"a Python script{form}, not a notebook")


def _json(text: str) -> Kind:
    try:
        json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        if not re.match(r"\s*[{\[]", text):
            start = " ".join(text[:60].split())
            return Kind(f"not JSON, so it is no notebook: it begins with {start[:40]!r}")
        if error.pos >= len(text.rstrip()) or "Unterminated string" in error.msg:
            lines = text.count("\n") + 1
            return Kind(f"cut off: its JSON ends in the middle, in line {lines} ({len(text):,} characters)")
        if error.msg == "Extra data":
            return Kind(f"a notebook with more text behind its end (line {error.lineno})", "remove that text")
        return Kind(f"not JSON, so it is no notebook: line {error.lineno}, column {error.colno}: {error.msg}")
    except ValueError as error:  # a number of more digits than Python converts
        return Kind(f"JSON that cannot be read ({error})")
    return Kind("JSON, but not a notebook")
