"""The one reader of notebooks: what it accepts can be written, and what it refuses is called what it is."""

import copy
import json
import random

import nbformat
import pytest
import toys
from toys import code, notebook, parameters, text

from lessonkit.desk import merge_base
from lessonkit.desk.merge import merge
from lessonkit.notebook import catalog
from lessonkit.notebook.reader import Unreadable, load, parse, read, read_json
from lessonkit.system.errors import Refused

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
