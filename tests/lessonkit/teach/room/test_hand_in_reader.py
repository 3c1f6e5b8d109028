"""A notebook that somebody else saved is read as far as that is certain; what is none is called what it is."""

import io
import json
import zipfile

import pytest

from lessonkit.notebook.reader import Unreadable
from lessonkit.teach.room.submission import opened

CODE = {"cell_type": "code", "execution_count": 1, "id": "one", "metadata": {}, "outputs": [], "source": "a = 'ü'"}


def notebook(*cells, **more):
    value = {"cells": list(cells) or [CODE], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(value | more, ensure_ascii=False, indent=1)


def without(key):
    return {name: value for name, value in CODE.items() if name != key}


ENCODINGS = ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be", "cp1252", "latin-1"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_another_encoding_is_read_and_told(encoding):
    found = opened(notebook().encode(encoding))
    assert found.notebook.cells[0].source == "a = 'ü'" and len(found.remarks) == 1
    assert {"u": "The file is in UTF-", "c": "Windows-1252", "l": "Windows-1252"}[encoding[0]] in found.remarks[0]


@pytest.mark.parametrize(
    "data",
    [notebook().encode("utf-8-sig"), notebook().replace("\n", "\r\n").encode(), b" \n" + notebook().encode()],
)
def test_a_mark_or_line_ends_of_windows_are_nothing_to_tell(data):
    found = opened(data)
    assert found.notebook.cells[0].source == "a = 'ü'" and found.remarks == ()


def test_utf_8_with_a_damaged_byte_keeps_its_other_letters():
    data = notebook(CODE | {"source": "# äöüäöü é"}).encode().replace("é".encode(), b"\xc3")
    found = opened(data)
    assert found.notebook.cells[0].source == "# äöüäöü �" and "1 bytes of it are damaged" in found.remarks[0]


@pytest.mark.parametrize("end", [b"\0\0\0", b"\n\x1a", b"\r\n\0"])
def test_what_a_broken_copy_leaves_behind_the_end_does_not_matter(end):
    assert opened(notebook().encode() + end).notebook.cells[0].id == "one"


ODD = {
    "id null": (CODE | {"id": None}, "`id` is null"),
    "id a number": (CODE | {"id": 7}, "`id` is a number"),
    "id a list": (CODE | {"id": ["x"]}, "`id` is a list"),
    "tags null": (CODE | {"metadata": {"tags": None}}, "`tags` is null"),
    "tags a text": (CODE | {"metadata": {"tags": "exercise"}}, "`tags` is a text"),
    "tags of numbers": (
        CODE | {"metadata": {"tags": ["exercise", 3]}},
        "`tags` is a list with more than texts in it",
    ),
    "metadata null": (CODE | {"metadata": None}, "`metadata` is null"),
    "metadata a list": (CODE | {"metadata": []}, "`metadata` is a list"),
    "no metadata": (without("metadata"), "`metadata` is missing"),
    "outputs null": (CODE | {"outputs": None}, "`outputs` is null"),
    "no outputs": (without("outputs"), "`outputs` is missing"),
    "an output null": (CODE | {"outputs": [None]}, "an output is damaged"),
    "a stream without text": (CODE | {"outputs": [{"output_type": "stream"}]}, "an output is damaged"),
    "a type in capitals": (CODE | {"cell_type": "Code"}, "`cell_type` is 'Code' and was read as code"),
    "an unknown type": (CODE | {"cell_type": "python"}, "`cell_type` is 'python' and was read as code"),
    "no type": (without("cell_type"), "`cell_type` is missing and was read as code"),
    "attachments null": (CODE | {"attachments": None}, "`attachments` is null"),
}


@pytest.mark.parametrize(("cell", "words"), ODD.values(), ids=ODD)
def test_an_odd_cell_loses_nothing_and_is_named(cell, words):
    found = opened(notebook(CODE, CODE | {"id": "two"}, cell | {"id": cell.get("id", "three")}).encode())
    assert [one.source for one in found.notebook.cells] == ["a = 'ü'"] * 3 and found.lost == {}
    assert found.notebook.cells[2].cell_type == "code"
    told = [one for one in found.remarks if words in one]
    assert len(told) == 1 and told[0].startswith("Cell 2 (the 3rd from the top): ")


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (CODE | {"source": None}, "its `source` is null"),
        (CODE | {"source": 12}, "its `source` is a number"),
        (CODE | {"source": {"a": 1}}, "its `source` is a table of values"),
        (without("source"), "its `source` is null"),
        (None, "there is null in its place"),
        ("text", "there is a text in its place"),
        ([CODE], "there is a list in its place"),
    ],
)
def test_a_cell_without_a_text_costs_that_cell(cell, words):
    found = opened(notebook(CODE, cell, CODE | {"id": "last", "source": "b"}).encode())
    assert [one.source for one in found.notebook.cells] == ["a = 'ü'", "", "b"] and found.lost == {1: words}
    assert any(one.startswith("Cell 1 (the 2nd from the top): ") for one in found.remarks)


def test_one_oddity_of_many_cells_is_one_sentence():
    found = opened(notebook(*[CODE | {"id": f"c{n}", "outputs": None} for n in range(40)]).encode())
    (told,) = found.remarks
    assert told.startswith("Cells 0, 1, 2, 3, 4, 5 and 34 more (counted from 0): `outputs` is null")


def test_cells_of_one_id_are_both_there():
    found = opened(notebook(CODE, CODE | {"source": "b"}).encode())
    assert [one.source for one in found.notebook.cells] == ["a = 'ü'", "b"]
    assert found.remarks == (
        "Cells 0 and 1 (counted from 0): the same `id` (one) stands in each of them, and each is looked at.",
    )


def test_conflict_markers_in_a_cell_are_named_with_their_line():
    source = "a = 1\n<<<<<<< HEAD\na = 2\n=======\na = 3\n>>>>>>> theirs"
    found = opened(notebook(CODE, CODE | {"id": "two", "source": source}).encode())
    assert found.conflicts == {1: "line 2 is a conflict marker of git: a merge was not finished in this cell"}
    assert opened(notebook(CODE | {"source": "x = '''\n=======\n'''"}).encode()).conflicts == {}


@pytest.mark.parametrize(
    "more", [{"nbformat": "4"}, {"nbformat": None}, {"metadata": None}, {"nbformat_minor": "5"}]
)
def test_an_odd_head_costs_nothing(more):
    assert opened(notebook(**more).encode()).notebook.cells[0].source == "a = 'ü'"


def test_the_old_formats_are_converted():
    cells = [{"cell_type": "code", "input": ["a = 1\n", "b"], "outputs": [], "language": "python", "metadata": {}}]
    cells += [{"cell_type": "heading", "level": 2, "source": "T", "metadata": {}}]
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}
    found = opened(json.dumps(old).encode())
    assert [one.source for one in found.notebook.cells] == ["a = 1\nb", "## T"]
    assert found.remarks[0] == "The notebook is of the old format 3; it was converted to format 4 to be read."
    with pytest.raises(Unreadable, match="a notebook of the old format 3 that cannot be converted"):
        opened(json.dumps(old | {"worksheets": 5}).encode())


def archive(*names):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        for name in names:
            file.writestr(name, b"x")
    return data.getvalue()


LINES = notebook(CODE, CODE | {"id": "two"})
MERGED = LINES.replace('   "source"', '<<<<<<< HEAD\n   "source"', 1).replace(
    " ],\n", "=======\n>>>>>>> theirs\n ],\n", 1
)
KINDS = {
    "nothing": (b"", r"empty \(0 bytes\)"),
    "white space": (b"\r\n\r\n", "empty but for white space"),
    "zeros": (bytes(400), "400 bytes that are all zero"),
    "a PDF": (b"%PDF-1.7\n...", "a PDF"),
    "a Word document": (archive("[Content_Types].xml", "word/document.xml"), "a Word document"),
    "a workbook": (archive("xl/workbook.xml"), "an Excel workbook"),
    "a zip": (archive("00_start_here.ipynb"), r"a zip archive \(it holds 00_start_here.ipynb\)"),
    "a checkpoint": (archive("model/data.pkl"), "a file of torch.save"),
    "gzip": (b"\x1f\x8b\x08", "a gzip archive"),
    "a 7z archive": (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    "a picture": (b"\x89PNG\r\n", "a PNG picture"),
    "RTF": (b"{\\rtf1\\ansi", "an RTF document"),
    "git-lfs": (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "a git-lfs pointer"),
    "a login": (
        b"<!DOCTYPE html><html><title>Anmelden</title><input type='password'>",
        "a web page.*asks for a login",
    ),
    "GitHub": (
        b"<html><title>a.ipynb at main - GitHub</title>https://github.com/x",
        "a web page of GitHub.*Download raw",
    ),
    "an export": (
        b"<!DOCTYPE html><html><body class='jp-Notebook'>",
        "a web page into which a notebook was exported",
    ),
    "a page in UTF-16": (
        "<html><title>Fehler</title>".encode("utf-16"),
        "a web page .HTML. with the title “Fehler”",
    ),
    "a merge": (MERGED.encode(), r"conflict markers of git \(lines 9 to 21\)"),
    "cut off": (LINES[:-40].encode(), r"cut off: its JSON ends in the middle, in line 20"),
    "cut off in a text": (LINES[: LINES.index("ü")].encode(), "cut off: its JSON ends in the middle, in line 9"),
    "cut off in UTF-16": (LINES[:90].encode("utf-16"), "cut off"),
    "a comma too many": (LINES.replace("[],", "[],,", 1).encode(), "line 8, column .*: Expecting property name"),
    "two in one": ((LINES + LINES).encode(), r"more text behind its end \(line 23\)"),
    "a script": (b"import torch\nx = 1\n", "a Python script, not a notebook"),
    "jupytext": (b"# ---\n# %%\nimport torch\n", "a Python script in jupytext's form"),
    "words": (b"Dear all, here is my work", "not JSON.*it begins with 'Dear all"),
    "a list": (b"[1, 2]", "JSON, but not a notebook: it is a list"),
    "a number": (b"3", "JSON, but not a notebook: it is a number"),
    "a table": (b'{"a": 1}', r"JSON, but not a notebook: it has no list of cells \(it holds a\)"),
    "no cells": (notebook(cells=None).encode(), "it has no list of cells"),
    "format 5": (notebook(nbformat=5).encode(), "a notebook of format 5"),
    "nested": (b"[" * 200_000, "nested too deep"),
    "a shortcut": (b"[InternetShortcut]\r\nURL=https://x.org", "a link to a web page"),
}


@pytest.mark.parametrize(("data", "words"), KINDS.values(), ids=KINDS)
def test_what_is_no_notebook_is_called_what_it_is(data, words):
    with pytest.raises(Unreadable, match=f"it is .*{words}|{words}"):
        opened(data)
