"""Say what a file is that should be a notebook and is none: a web page, a PDF, a merge that was not finished."""

import ast
import contextlib
import io
import json
import re
import zipfile

CONFLICT = re.compile(r"^(?:<{7}|>{7}|\|{7}|={7})(?= |$)", re.MULTILINE)
_BEGINS, _ENDS = re.compile(r"^<{7}(?: |$)", re.MULTILINE), re.compile(r"^>{7}(?: |$)", re.MULTILINE)
_STARTS = (  # what a file begins with -> what it is
    (b"%PDF", "a PDF; hand in the .ipynb itself"),
    (b"\x1f\x8b", "a gzip archive; hand in the .ipynb that is in it"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; hand in the .ipynb that is in it"),
    (b"Rar!\x1a\x07", "a RAR archive; hand in the .ipynb that is in it"),
    (b"\xfd7zXZ", "an xz archive; hand in the .ipynb that is in it"),
    (b"BZh", "a bzip2 archive; hand in the .ipynb that is in it"),
    (b"\x89PNG", "a PNG picture; hand in the .ipynb itself"),
    (b"\xff\xd8\xff", "a JPEG picture; hand in the .ipynb itself"),
    (b"GIF8", "a GIF picture; hand in the .ipynb itself"),
    (b"{\\rtf", "an RTF document, as TextEdit or Word saves it; hand in the .ipynb itself"),
    (b"\xd0\xcf\x11\xe0", "an Office document of the old kind; hand in the .ipynb itself"),
    (b"bplist00", "a placeholder or property list of macOS, not the file itself; download it and hand it in"),
    (b"book\0\0\0\0mark\0\0\0\0", "an alias of macOS, not the file itself; hand in the file that it points to"),
    (b"L\0\0\0\x01\x14\x02\0", "a shortcut of Windows, not the file itself; hand in the file that it points to"),
    (b"[InternetShortcut]", "a link to a web page, not the notebook; download the notebook and hand it in"),
    (b"\0\x05\x16\x07", "macOS's notes on a file (AppleDouble), not the file itself; hand in the .ipynb itself"),
    (
        b"version https://git-lfs.github.com/spec",
        "a git-lfs pointer, not the file itself; run `git lfs pull` and hand in the file that comes",
    ),
)
_OFFICE = (("word/", "a Word document"), ("xl/", "an Excel workbook"), ("ppt/", "a PowerPoint presentation"))
_LOGIN = re.compile(
    r"type=[\"']?password|<title>[^<]*(log ?in|sign ?in|log ?on|anmeld|connexion|iniciar|single sign)",
    re.IGNORECASE,
)


def kind_of(data: bytes, text: str) -> str:
    """Return what a file is that is not JSON, with the line where there is one, and what to do about it.

    The words follow "it is": "a PDF; hand in …". `text`: the bytes, decoded.
    """
    if not data:
        return "empty (0 bytes); hand the notebook in again"
    if not data.strip(b"\0"):
        return f"{len(data):,} bytes that are all zero, as a broken download or disk leaves them; hand it in again"
    if not text.strip("\ufeff \t\r\n\0"):
        return "empty but for white space; hand the notebook in again"
    begins = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    for start, words in _STARTS:
        if begins.startswith(start):
            return words
    if begins.startswith(b"PK"):
        return _zip(data)
    if re.match(r"\s*<(?:!doctype|html|head|body|\?xml|!--|script|meta|title)", text, re.IGNORECASE):
        return _page(text)
    if _BEGINS.search(text) or (_ENDS.search(text) and CONFLICT.search(text)):
        return _conflict(text)
    return _python(text) or _json(text)


def _zip(data: bytes) -> str:
    names = []
    with contextlib.suppress(zipfile.BadZipFile, ValueError, OSError, NotImplementedError, RuntimeError):
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    for start, words in _OFFICE:
        if any(name.startswith(start) for name in names):
            return f"{words}; hand in the .ipynb itself"
    if "mimetype" in names:
        return "an OpenDocument file; hand in the .ipynb itself"
    if any(name.endswith("/data.pkl") for name in names):
        return "a file of torch.save; hand in the .ipynb itself"
    inside = f" (it holds {', '.join(names[:3])[:120]})" if names else ""
    return f"a zip archive{inside}; hand in the .ipynb that is in it, or call the archive .zip"


def _page(text: str) -> str:
    title = re.search(r"<title[^>]*>\s*([^<]{1,200}?)\s*</title", text, re.IGNORECASE)
    named = f" with the title “{' '.join(title[1].split())}”" if title else ""
    if re.search(r"jp-Notebook|nbconvert|class=\"?[^\">]*\bnbinput|jp-Cell", text):
        return f"a web page{named} into which a notebook was exported (HTML); hand in the .ipynb itself"
    if _LOGIN.search(text):
        return f"a web page{named} that asks for a login, not the notebook; log in, download it and hand it in"
    if re.search(r"github\.com|githubassets", text) and "GitHub" in text:
        return f"a web page of GitHub{named}, not the notebook; take *Download raw file* there and hand that in"
    return f"a web page (HTML){named}, not the notebook; download the notebook itself and hand it in"


def _conflict(text: str) -> str:
    lines = [text.count("\n", 0, one.start()) + 1 for one in CONFLICT.finditer(text)]
    where = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} to {lines[-1]}"
    return (
        f"a notebook with conflict markers of git ({where}): a merge was not finished; finish it, "
        "for example with `git checkout --ours FILE`, and hand it in again"
    )


def _python(text: str) -> str:
    if text.lstrip()[:1] in "{[\"'":
        return ""
    try:
        nodes = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    if not any(isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Assign)) for node in nodes):
        return ""
    form = (
        "a Python script in jupytext's form"
        if re.search(r"^# (?:%%|\+)", text, re.MULTILINE)
        else "a Python script"
    )
    return f"{form}, not a notebook; hand in the .ipynb itself"


def _json(text: str) -> str:
    try:
        json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        lines = text.count("\n") + 1
        if not re.match(r"\s*[{\[]", text):
            start = " ".join(text[:60].split())
            return f"not JSON, so it is no notebook: it begins with {start[:40]!r}; hand in the .ipynb itself"
        if error.pos >= len(text.rstrip()) or "Unterminated string" in error.msg:
            return (
                f"cut off: its JSON ends in the middle, in line {lines} ({len(text):,} characters); "
                "hand the whole file in again"
            )
        if error.msg == "Extra data":
            return f"a notebook with more text behind its end (line {error.lineno}); remove it and hand it in again"
        return (
            f"not JSON, so it is no notebook: line {error.lineno}, column {error.colno}: {error.msg}; "
            "hand in the file as Jupyter saved it"
        )
    except RecursionError:
        return "nested too deep to be a notebook"
    return "JSON, but not a notebook"
