"""The one reader of notebooks: what it accepts can be written, and what it refuses is called what it is."""

import copy
import json
import random

import command_line
import nbformat
import pytest
import toys
from toys import code, notebook, parameters, text

from lessonkit.desk import merge_base
from lessonkit.desk.merge import merge
from lessonkit.notebook import catalog
from lessonkit.notebook.reader import Unreadable, load, parse, read, read_hand_in, read_json
from lessonkit.system.errors import Refused
from lessonkit.teach.assignments import course_directory
from lessonkit.teach.assignments.points import Points
from lessonkit.teach.room.release import release
from lessonkit.teach.slides import deck

WHOLE = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {"kernelspec": {"name": "python3"}},
    "cells": [
        {"cell_type": "markdown", "id": "m", "metadata": {}, "source": ["# 00\n", "text"], "attachments": {}},
        {
            "cell_type": "code",
            "id": "c",
            "metadata": {"tags": ["exercise"]},
            "source": "x = 1",
            "execution_count": 1,
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["1\n", "2"]},
                {"output_type": "display_data", "data": {"text/plain": ["1"], "a/json": {"a": 1}}, "metadata": {}},
                {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["a", "b"]},
            ],
        },
        {"cell_type": "raw", "id": "r", "metadata": {}, "source": ""},
    ],
}
JUNK = (None, 7, 0.5, True, "", "text", [], [None], ["a", 1], {}, {"a": None})


def test_a_notebook_in_the_format_is_read_as_it_is_and_nothing_is_repaired():
    found, repaired = read(json.dumps(WHOLE).encode())
    assert repaired == ()
    assert [cell.source for cell in found.cells] == ["# 00\ntext", "x = 1", ""]
    assert found.cells[1].outputs[0].text == "1\n2" and found.cells[1].id == "c"


def places(value, path=()):
    """Yield the way to each key and item below a value."""
    for key, below in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key)
        if isinstance(below, (dict, list)):
            yield from places(below, (*path, key))


def damaged(rng):
    book = copy.deepcopy(WHOLE)
    for _ in range(rng.choice((1, 1, 2, 3))):
        *way, last = rng.choice(list(places(book)))
        inner = book
        for key in way:
            inner = inner[key]
        if rng.random() < 0.4:
            del inner[last]
        else:
            inner[last] = copy.deepcopy(rng.choice(JUNK))
    return book


def test_what_the_reader_accepts_can_be_written_read_again_and_merged():
    """A thousand notebooks of which one to three parts are missing or of another kind."""
    accepted, whole = 0, parse(json.dumps(WHOLE).encode())
    for seed in range(1000):
        book = damaged(random.Random(seed))
        try:
            found, _ = read(json.dumps(book).encode())
        except Unreadable:
            assert not isinstance(book.get("cells"), list) or book.get("nbformat") != 4, (seed, book)
            continue
        accepted += 1
        again, repaired = read(merge_base.text(found))
        assert (again, repaired) == (found, ()), (seed, book)
        merged = merge(whole, found, whole).notebook
        nbformat.validate({**merged, "metadata": {}}, relax_add_props=True)  # the cells; metadata are the editor's
        merge_base.version_of(found)
    assert accepted > 800


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "it is empty"),
        (b"\n \n", "it is empty but for white space (3 bytes)"),
        (b"\0" * 4096, "it is 4,096 bytes that are all zero"),
        (b"%PDF-1.7\n", "a PDF"),
        (b"PK\x03\x04....", "a zip archive; unpack"),
        (b"\x1f\x8b\x08", "a gzip archive; unpack the .ipynb"),
        (b"<?xml version='1.0'?>", "an XML file"),
        (b"\xef\xbb\xbf\n<html>", "a web page (HTML)"),
        (b"import torch\n", "it is a Python script, not a notebook"),
        (json.dumps(WHOLE, indent=1).encode()[:200], "it is cut off"),
        (b'{"cells": [\n "a"\n>>>>>>> theirs\n]}', "conflict markers of git (line 3)"),
        (b'{"cells": [], "nbformat": 3}', "format 3, older than the course reads; open it in JupyterLab"),
        (b'{"cells": [], "nbformat": "x"}', "format x"),
        (b'{"a": 1}', "it is JSON, but not a notebook"),
        (b'[{"cells": []}]', "it is JSON, but not a notebook"),
        (b'{"nbformat": 4, "cells": {}}', "it has no list of cells"),
        (b"[" * 100_000, "nested too deep"),
        ('{"cells": ["é"]}'.encode("cp1252"), "line 1 has the byte 0xe9, which is no UTF-8"),
    ],
)
def test_what_is_no_notebook_is_called_what_it_is(data, said):
    with pytest.raises(Unreadable) as refused:
        parse(data)
    assert said in str(refused.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_parameters_and_data_sets_are_read_in_any_encoding(tmp_path, encoding):
    book = notebook(text("# 00 · é"), parameters("SEED = 3"), code("SEED"))
    book.metadata["course"] = {"data": ["mnist"]}
    path = toys.write(tmp_path, _00_a=book) / "00_a.ipynb"
    path.write_bytes(path.read_text(encoding="utf-8").encode(encoding))
    assert catalog.defaults(catalog.Chapter(path)) == {"SEED": 3}
    assert catalog.data_sets(catalog.Chapter(path)) == ["mnist"]
    assert load(path).cells[0].source == "# 00 · é"
    assert read_json(path.read_bytes())[1] == []


def test_a_folder_in_the_place_of_a_chapter_is_refused_with_a_sentence(tmp_path):
    path = tmp_path / "00_a.ipynb"
    path.mkdir()
    for ask in (catalog.defaults, catalog.data_sets):
        with pytest.raises(Refused, match=r"00_a\.ipynb is not a notebook"):
            ask(catalog.Chapter(path))


def book(*cells, **more):
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells)} | more


CODE = {"cell_type": "code", "id": "c", "metadata": {}, "source": "a = 'ü'", "execution_count": None, "outputs": []}
OLD = {"cell_type": "code", "input": "a = 'ü'", "outputs": [], "language": "python", "metadata": {}}
GUESSED = {
    "Windows-1252": (
        json.dumps(book(CODE), ensure_ascii=False, indent=1).encode("cp1252"),
        "line 10 has the byte 0xfc, which is no UTF-8: likely an editor saved it in another encoding; save it as",
    ),
    "a damaged byte": (
        json.dumps(book(CODE), ensure_ascii=False).encode().replace("ü".encode(), "üüü".encode() + b"\xc3"),
        "line 1 has the byte 0xc3, which is no UTF-8",
    ),
    "half a character of UTF-16": (
        "\ufeff".encode("utf-16-le")
        + json.dumps(book(CODE), ensure_ascii=False).replace("ü", "ü\ud800").encode("utf-16-le", "surrogatepass"),
        "line 1 has the byte 0x00, which is no UTF-16",
    ),
    "format 3": (
        json.dumps({"nbformat": 3, "metadata": {}, "worksheets": [{"cells": [OLD]}]}).encode(),
        "it is a notebook of format 3, older than the course reads; open it in JupyterLab and save it",
    ),
    "format 2": (
        json.dumps({"nbformat": 2, "metadata": {}, "worksheets": [{"cells": [OLD]}]}).encode(),
        "it is a notebook of format 2, older",
    ),
}


@pytest.mark.parametrize(("data", "said"), GUESSED.values(), ids=GUESSED)
def test_what_would_be_guessed_is_refused_in_ones_own_copy_and_remarked_in_a_hand_in(data, said):
    with pytest.raises(Unreadable) as refused:
        read(data)
    assert said in str(refused.value) and "hand" not in str(refused.value)
    found = read_hand_in(data)
    assert found.notebook.cells[0].source.startswith("a = 'ü") and len(found.remarks) == 1


CERTAIN = {
    "a bare tab in a text": (json.dumps(book(CODE)).replace("a = ", "a =\t").encode(), 1),
    "a format as a text": (json.dumps(book(CODE, nbformat="4")).encode(), 1),
    "no format": (json.dumps({"metadata": {}, "cells": [CODE]}).encode(), 1),
    "zeros behind the end": (json.dumps(book(CODE)).encode() + bytes(512), 0),
    "a byte order mark": (json.dumps(book(CODE)).encode("utf-8-sig"), 0),
}


@pytest.mark.parametrize(("data", "sentences"), CERTAIN.values(), ids=CERTAIN)
def test_what_is_certain_is_read_and_said_alike_by_both(data, sentences):
    own, handed_in = read(data), read_hand_in(data)
    assert own.notebook == handed_in.notebook and own.notebook.cells[0].source.split()[-1] == "'ü'"
    assert own.repaired == handed_in.remarks and len(own.repaired) == sentences


def test_cells_are_counted_from_1_for_a_learner_and_from_0_in_the_rows_of_a_room():
    odd = CODE | {"id": "odd", "outputs": None}
    data = json.dumps(book(CODE, odd, CODE | {"id": None}, odd | {"id": "other"})).encode()
    text = "was read as empty; the text is whole."
    assert read(data).repaired[0] == f"Cells 2 and 4: `outputs` is null and {text}"
    assert read_hand_in(data).remarks[0] == f"Cells 1 and 3 (counted from 0): `outputs` is null and {text}"
    assert read(data).repaired[1].startswith("Cell 3: `id` is null")
    assert read_hand_in(data).remarks[1].startswith("Cell 2 (the 3rd from the top): `id` is null")


@pytest.mark.parametrize("source", [7, {"a": 1}, True, 0.5])
def test_what_is_no_text_stays_in_ones_own_copy_and_is_not_run_of_a_hand_in(source):
    data = json.dumps(book(CODE, CODE | {"id": "odd", "source": source}, 7)).encode()
    own, handed_in = read(data), read_hand_in(data)
    assert [cell.source for cell in own.notebook.cells[1:]] == [json.dumps(source), "7"]
    assert "its JSON stands in its place" in own.repaired[0]
    assert [cell.source for cell in handed_in.notebook.cells] == ["a = 'ü'", "", ""]
    assert sorted(handed_in.lost) == [1, 2] and "was read as empty" in handed_in.remarks[0]


def test_a_merge_in_a_cell_and_two_cells_of_one_id_are_no_repair():
    merging = CODE | {"source": "<<<<<<< mine\na = 1\n=======\na = 2\n>>>>>>> theirs"}
    data = json.dumps(book(CODE, merging)).encode()
    assert read(data).repaired == () and len(read_hand_in(data).remarks) == 2


@pytest.mark.parametrize(
    "data", [b"%PDF-1.7", b"Rar!\x1a\x07\0", b"<html><title>Log in</title>", b"{", b"\xff\xfe no"]
)
def test_a_chapter_that_is_no_notebook_is_named_with_what_it_is(tmp_path, data):
    path = tmp_path / "00_a.ipynb"
    path.write_bytes(data)
    for ask in (catalog.notebook_of, catalog.data_sets, lambda chapter: catalog.notebook_of(chapter, data)):
        with pytest.raises(Refused, match=r"00_a\.ipynb is not a notebook: it is "):
            ask(catalog.Chapter(path))


@pytest.mark.parametrize("write", ["slides", "nbgrader", "release"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_what_an_instructor_writes_is_made_from_a_chapter_in_any_certain_encoding(tmp_path, write, encoding):
    path = tmp_path / "00_start_here.ipynb"
    text_ = (catalog.NOTEBOOKS / path.name).read_text(encoding="utf-8")
    written = []
    for name in ("utf-8", encoding):
        path.write_bytes(text_.encode(name))
        made = tmp_path / name / ("deck.html" if write == "slides" else "out")
        if write == "slides":
            deck.write(catalog.Chapter(path), made)
        elif write == "nbgrader":
            course_directory.write([catalog.Chapter(path)], made, core=True, points=Points())
        else:
            release([catalog.Chapter(path)], made, core=True)
        files = [made] if made.is_file() else sorted(made.rglob("*.ipynb"))
        written.append([file.read_bytes() for file in files])
    assert written[0] == written[1] and written[0]


@pytest.mark.parametrize("command", ["slides 00 --out OUT/deck.html", "nbgrader --to OUT", "release --to OUT"])
@pytest.mark.parametrize(("key", "value"), [("outputs", None), ("id", 7), ("metadata", [])])
def test_what_an_instructors_command_repaired_is_said(monkeypatch, capsys, tmp_path, command, key, value):
    chapter = json.loads((catalog.NOTEBOOKS / "00_start_here.ipynb").read_text(encoding="utf-8"))
    number = next(n for n, cell in enumerate(chapter["cells"]) if cell["cell_type"] == "code")
    chapter["cells"][number][key] = value
    (tmp_path / "00_start_here.ipynb").write_text(json.dumps(chapter), encoding="utf-8")
    given = [word.replace("OUT", str(tmp_path / "out")) for word in command.split()]
    status, _, error = command_line.course(monkeypatch, capsys, *given, "--notebooks", tmp_path)
    assert status == 0 and f"00_start_here: Cell {number + 1}: `{key}` is " in error
