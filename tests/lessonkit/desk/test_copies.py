"""The learner's copies on the disk: filled, updated, begun anew, and whole whatever happens meanwhile."""

import errno
import json
import os
import shutil
import subprocess
import sys

import nbformat
import pytest
import toys
from filelock import FileLock
from nbformat.sign import NotebookNotary
from places import read_only

from lessonkit.desk import storage
from lessonkit.desk.copies import bring, reset
from lessonkit.desk.merge import CHANGED
from lessonkit.notebook.catalog import find
from lessonkit.system import atomic
from lessonkit.system.errors import Refused


def sources(path):
    return [cell.source for cell in nbformat.read(path, as_version=4).cells]


def course_changes(desk, edit, name="b", source="print(x + 1)"):
    with edit(desk.originals / "05_training.ipynb") as chapter:
        chapter[name]["source"] = source


def learner_answers(desk, edit):
    with edit(desk.copy("05_training")) as copy:
        copy["task"]["source"] = "def double(x):\n    return 2 * x\n\n\nex.double.check(double)"


def trusted(path, folder):
    notary = NotebookNotary(data_dir=str(folder))
    try:
        return notary.check_signature(nbformat.read(path, as_version=4))  # as JupyterLab reads it
    finally:
        notary.store.close()


def test_copies_are_made_on_first_use_trusted_and_left_alone_afterwards(desk, tmp_path):
    before = {path: path.read_bytes() for path in desk.originals.iterdir()}
    outcome = bring(desk)
    assert outcome.troubles == []
    assert outcome.said == [f"2 chapters are copied to {desk.work}: write there, the originals stay as they are."]
    for name in ("00_start", "05_training"):
        assert sources(desk.copy(name)) == sources(desk.originals / f"{name}.ipynb")
        assert trusted(desk.copy(name), tmp_path / "jupyter")
    made = {path: path.read_bytes() for path in desk.work.glob("*.ipynb")}
    outcome = bring(desk)
    assert (outcome.said, outcome.troubles) == ([], [])
    assert made == {path: path.read_bytes() for path in desk.work.glob("*.ipynb")}
    assert before == {path: path.read_bytes() for path in desk.originals.iterdir()}


def test_a_chapter_that_was_only_run_is_replaced(desk, edit):
    bring(desk)
    with edit(desk.copy("05_training")) as copy:
        copy["b"]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "1"}]
    course_changes(desk, edit)
    assert bring(desk).said == ["05_training: replaced by its new version; you had changed nothing."]
    assert sources(desk.copy("05_training"))[-1] == "print(x + 1)"
    assert not desk.old.exists()


def test_an_answer_is_carried_over_and_the_copy_before_it_kept_byte_by_byte(desk, edit, tmp_path):
    bring(desk)
    learner_answers(desk, edit)
    before = desk.copy("05_training").read_bytes()
    course_changes(desk, edit)
    (sentence,) = bring(desk).said
    (old,) = desk.old.iterdir()
    assert sentence == f"05_training: its new version, with 1 answer of yours; your copy before it is {old}."
    assert old.read_bytes() == before
    assert "return 2 * x" in sources(desk.copy("05_training"))[2]
    assert sources(desk.copy("05_training"))[3] == "print(x + 1)"
    assert bring(desk).said == [], "once is enough"


def test_the_next_update_starts_from_the_last(desk, edit):
    bring(desk)
    learner_answers(desk, edit)
    for number in range(3):
        course_changes(desk, edit, source=f"print({number})")
        bring(desk)
        found = sources(desk.copy("05_training"))
        assert len(found) == 4 and "return 2 * x" in found[2] and found[3] == f"print({number})"
    assert len(list(desk.old.iterdir())) == 3, "one name for each, also within one minute"


def test_a_copy_that_an_editor_saved_over_the_update_is_merged_again(desk, edit):
    bring(desk)
    learner_answers(desk, edit)
    stale = desk.copy("05_training").read_bytes()
    course_changes(desk, edit)
    bring(desk)
    desk.copy("05_training").write_bytes(stale)  # JupyterLab's “Overwrite”
    course_changes(desk, edit, source="print(3)")
    bring(desk)
    assert sources(desk.copy("05_training"))[3] == "print(3)"
    assert not any(CHANGED in source for source in sources(desk.copy("05_training")))


@pytest.mark.parametrize("lost", ["metadata", "the base as well", "the base's bytes"])
def test_a_copy_that_does_not_say_what_it_was_made_from_loses_nothing(desk, edit, lost):
    bring(desk)
    learner_answers(desk, edit)
    with edit(desk.copy("05_training")) as copy:
        copy.notebook["metadata"] = {}
    if lost == "the base as well":
        shutil.rmtree(desk.machinery)
    if lost == "the base's bytes":  # as the death of a machine leaves it
        for path in desk.bases.iterdir():
            path.write_bytes(b"")
    course_changes(desk, edit)
    assert bring(desk).troubles == []
    found = sources(desk.copy("05_training"))
    assert any("return 2 * x" in source for source in found)
    assert "print(x + 1)" in found
    assert (len(found) == 4) == (lost == "metadata")


def test_reset_begins_anew_and_keeps_what_was_there(desk, edit):
    bring(desk)
    learner_answers(desk, edit)
    before = desk.copy("05_training").read_bytes()
    outcome = reset(desk, [find(desk.originals)[1]])
    (old,) = desk.old.iterdir()
    assert outcome.said == [f"05_training: replaced by a new copy; your old copy is now {old}."]
    assert old.read_bytes() == before
    assert sources(desk.copy("05_training")) == sources(desk.originals / "05_training.ipynb")


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (b"{ not json", "not JSON"),
        (b'"text"', "not a notebook"),
        (b"[1, 2]", "not a notebook"),
        (b"", "it is empty"),
        (
            b'{"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": []}',
            "a notebook of format 3, older",
        ),
        (
            b'{"nbformat": 5, "nbformat_minor": 0, "metadata": {}, "cells": []}',
            "notebook of format 5, newer than",
        ),
        (b'{"nbformat": 4, "metadata": {}}', "no list of cells"),
        (b'{"cells": [\n<<<<<<< HEAD\n', "conflict markers of git (line 2): a merge was not finished; finish it"),
        (b'{"cells": [{"source": "x =', "it is cut off"),
        (b"<!DOCTYPE html><html></html>", "a web page"),
        (
            b"version https://git-lfs.github.com/spec/v1\n",
            "a git-lfs pointer, not the file itself; run `git",
        ),
        ('{"cells": ["\n\u00e9"]}'.encode("latin-1"), "line 2 has the byte 0xe9, which is no UTF-8"),
    ],
)
def test_a_copy_that_is_no_notebook_is_left_and_the_others_are_updated(desk, edit, damage, complaint):
    bring(desk)
    desk.copy("00_start").write_bytes(damage)
    course_changes(desk, edit)
    outcome = bring(desk)
    (sentence,) = outcome.troubles
    assert complaint in sentence and "`course reset 00`" in sentence
    assert desk.copy("00_start").read_bytes() == damage
    assert sources(desk.copy("05_training"))[3] == "print(x + 1)"
    reset(desk, find(desk.originals)[:1])
    assert [path.read_bytes() for path in desk.old.iterdir()] == [damage]


def test_an_original_with_a_conflict_in_it_changes_no_copy(desk):
    bring(desk)
    before = desk.copy("05_training").read_bytes()
    (desk.originals / "05_training.ipynb").write_text("<<<<<<< HEAD\n{}\n=======\n", encoding="utf-8")
    (sentence,) = bring(desk).troubles
    assert "git pull" in sentence and "conflict markers of git (lines 1 to 3)" in sentence
    assert desk.copy("05_training").read_bytes() == before


def test_a_renamed_chapter_takes_its_copy_along(desk, edit):
    bring(desk)
    learner_answers(desk, edit)
    before = desk.copy("05_training").read_bytes()
    (desk.originals / "05_training.ipynb").rename(desk.originals / "06_to_train.ipynb")
    said = bring(desk).said
    assert said[0] == "05_training is called 06_to_train now, and so is your copy."
    assert not desk.copy("05_training").exists()
    assert "return 2 * x" in sources(desk.copy("06_to_train"))[2]
    assert [path.read_bytes() for path in desk.old.iterdir()] == [before]
    assert bring(desk).said == []


def test_a_chapter_that_is_gone_and_a_copy_that_was_renamed_stay(desk):
    bring(desk)
    (desk.originals / "00_start.ipynb").unlink()
    desk.copy("05_training").rename(desk.copy("my training"))
    before = {path: path.read_bytes() for path in desk.work.glob("*.ipynb")}
    outcome = bring(desk)
    assert outcome.troubles == []
    assert outcome.said[1:] == [
        "00_start: the course has no such chapter any more; your copy stays.",
        f"{desk.copy('my training')}: your own copy of 05_training, which is not updated.",
    ]
    assert {path: path.read_bytes() for path in before} == before
    assert sources(desk.copy("05_training")) == sources(desk.originals / "05_training.ipynb")


def test_the_glossary_lies_beside_the_copies_and_a_changed_one_is_kept(desk):
    page, copy = desk.originals / "glossary.md", desk.work / "glossary.md"
    page.write_text("one", encoding="utf-8")
    bring(desk)
    assert copy.read_text(encoding="utf-8") == "one"
    page.write_text("two", encoding="utf-8")
    assert bring(desk).said == [] and copy.read_text(encoding="utf-8") == "two"
    copy.write_text("two, and a note", encoding="utf-8")
    assert bring(desk).said == [] and copy.read_text(encoding="utf-8") == "two, and a note"
    page.write_text("three", encoding="utf-8")
    (sentence,) = bring(desk).said
    (old,) = desk.old.glob("glossary *.md")
    assert str(old) in sentence and old.read_text(encoding="utf-8") == "two, and a note"
    assert copy.read_text(encoding="utf-8") == "three"


def test_a_copy_of_another_chapter_under_a_chapters_name_is_left(desk, edit):
    bring(desk)
    shutil.copy(desk.copy("05_training"), desk.copy("00_start"))
    before = desk.copy("00_start").read_bytes()
    (sentence,) = bring(desk).troubles
    assert "it is a copy of 05_training" in sentence
    assert desk.copy("00_start").read_bytes() == before


ODD = {
    "no outputs": lambda cell: cell.pop("outputs"),
    "no outputs and no count": lambda cell: (cell.pop("outputs"), cell.pop("execution_count")),
    "null outputs": lambda cell: cell.update(outputs=None),
    "an object for outputs": lambda cell: cell.update(outputs={}),
    "a null among the outputs": lambda cell: cell.update(outputs=[None]),
    "a stream without its text": lambda cell: cell.update(outputs=[{"output_type": "stream", "name": "stdout"}]),
    "an output of format 3": lambda cell: cell.update(outputs=[{"output_type": "pyout"}]),
    "no metadata": lambda cell: cell.pop("metadata"),
    "null metadata": lambda cell: cell.update(metadata=None),
    "null tags": lambda cell: cell.update(metadata={"tags": None}),
    "a null id": lambda cell: cell.update(id=None),
    "a number as id": lambda cell: cell.update(id=7),
    "an empty id": lambda cell: cell.update(id=""),
    "a text as count": lambda cell: cell.update(execution_count="1"),
    "no type": lambda cell: cell.pop("cell_type"),
    "Markdown with outputs": lambda cell: cell.update(cell_type="markdown"),
    "pictures in a list": lambda cell: cell.update(attachments=[]),
}


@pytest.mark.parametrize("course_goes_on", [True, False])
@pytest.mark.parametrize("damage", ODD.values(), ids=ODD)
def test_an_odd_cell_costs_nothing_and_is_repaired_once(desk, edit, damage, course_goes_on):
    bring(desk)
    learner_answers(desk, edit)
    with edit(desk.copy("05_training")) as copy:
        damage(copy["b"])
    before = desk.copy("05_training").read_bytes()
    if course_goes_on:
        course_changes(desk, edit, name="a", source="x = 2")
    outcome = bring(desk)
    (sentence,) = outcome.said
    assert outcome.troubles == []
    assert "Cells that did not fit the format were repaired. Cell 4: " in sentence, sentence
    written = nbformat.read(desk.copy("05_training"), as_version=4)
    nbformat.validate(written)
    assert "return 2 * x" in written.cells[2].source
    assert [path.read_bytes() for path in desk.old.iterdir()] == [before]
    assert bring(desk).said == [], "once is enough"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (["x =", " 7"], "x = 7"),
        (None, ""),
        ("x = 7\r\ny = 8", "x = 7\ny = 8"),
        (["x", None, "=7"], "x=7"),
        (7, "7"),
        (["x = 'é'\r\n", "y"], "x = 'é'\ny"),
    ],
)
def test_a_source_of_any_kind_is_text_in_the_copy(desk, edit, source, expected):
    bring(desk)
    with edit(desk.copy("05_training")) as copy:
        copy["a"]["source"] = source
    course_changes(desk, edit)
    assert bring(desk).troubles == []
    assert sources(desk.copy("05_training"))[1] == expected


@pytest.mark.parametrize("cell", [None, "x = 7", ["x"], 7, {}], ids=repr)
def test_what_is_no_cell_stays_as_raw_text(desk, edit, cell):
    bring(desk)
    with edit(desk.copy("05_training")) as copy:
        copy.notebook["cells"].append(cell)
    (sentence,) = bring(desk).said
    written = nbformat.read(desk.copy("05_training"), as_version=4)
    nbformat.validate(written)
    assert written.cells[-1].cell_type == "raw" and "Cell 5: " in sentence
    assert json.dumps(cell)[1:-1].strip('"') in written.cells[-1].source


@pytest.mark.parametrize("minor", [0, 2, 4, 5, 9, None, "5"])
def test_a_copy_of_any_minor_format_is_updated(desk, edit, minor):
    bring(desk)
    learner_answers(desk, edit)
    with edit(desk.copy("05_training")) as copy:
        copy.notebook["nbformat_minor"] = minor
        if minor in (0, 2, 4):  # ids came with 4.5
            for cell in copy.notebook["cells"]:
                del cell["id"]
    course_changes(desk, edit)
    assert bring(desk).troubles == []
    nbformat.validate(nbformat.read(desk.copy("05_training"), as_version=4))
    found = sources(desk.copy("05_training"))
    assert "return 2 * x" in found[2] and found[3] == "print(x + 1)" and len(found) == 4


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_a_copy_in_another_encoding_is_updated(desk, edit, encoding):
    bring(desk)
    learner_answers(desk, edit)
    with edit(desk.copy("05_training")) as copy:
        copy["a"]["source"] = "x = 'é'"
    copy = desk.copy("05_training")
    copy.write_bytes(copy.read_text(encoding="utf-8").replace("\n", "\r\n").encode(encoding))
    course_changes(desk, edit)
    assert bring(desk).troubles == []
    assert sources(copy)[1] == "x = 'é'" and sources(copy)[3] == "print(x + 1)"


def test_two_cells_of_one_id_both_stay(desk, edit):
    bring(desk)
    with edit(desk.copy("05_training")) as copy:
        copy.notebook["cells"].append({**copy["a"], "source": "x = 8"})
    course_changes(desk, edit)
    assert bring(desk).troubles == []
    written = nbformat.read(desk.copy("05_training"), as_version=4)
    assert [cell.source for cell in written.cells][-2:] == ["print(x + 1)", "x = 8"]
    assert len({cell.id for cell in written.cells}) == 5


def test_a_merge_that_fails_keeps_no_other_chapter_from_its_update_and_is_kept_once(desk, edit, monkeypatch):
    bring(desk)
    with edit(desk.copy("00_start")) as copy:
        copy["c0"]["source"] = "1 + 2"
    for chapter, name in (("00_start", "c0"), ("05_training", "b")):
        with edit(desk.originals / f"{chapter}.ipynb") as original:
            original[name]["source"] = "3"
    real = storage.put

    def failing(desk, source, chapter, copy):
        if source.chapter == "00_start":
            raise KeyError("outputs")
        real(desk, source, chapter, copy)

    monkeypatch.setattr("lessonkit.desk.copies.put", failing)
    for _ in range(3):
        (sentence,) = bring(desk).troubles
        assert "00_start.ipynb is left as it is: the update failed with KeyError: 'outputs'" in sentence
    assert sources(desk.copy("05_training"))[3] == "3"
    assert len(list(desk.old.iterdir())) == 1, "the same bytes are not kept twice"


def test_a_copy_that_an_editor_holds_keeps_no_other_chapter_from_its_update(desk, edit, monkeypatch):
    """As on Windows, where a file that is open cannot be replaced."""
    bring(desk)
    course_changes(desk, edit, name="a")
    with edit(desk.originals / "00_start.ipynb") as chapter:
        chapter["c0"]["source"] = "3"
    held = desk.copy("00_start")
    real = atomic.write

    def write(path, data, **options):
        if path == held:
            raise PermissionError(errno.EACCES, "Access is denied", "temporary", None, str(held))
        real(path, data, **options)

    monkeypatch.setattr(atomic, "write", write)
    (sentence,) = bring(desk).troubles
    assert "00_start.ipynb is left as it is: it cannot be replaced (Access is denied)" in sentence
    assert sources(desk.copy("05_training"))[1] == "print(x + 1)"


@pytest.mark.skipif(sys.platform == "win32", reason="a link needs a right there that few have")
def test_a_link_to_nothing_is_left_and_a_reset_moves_it(desk, edit, tmp_path):
    bring(desk)
    desk.copy("00_start").unlink()
    desk.copy("00_start").symlink_to(tmp_path / "a drive" / "00_start.ipynb")
    course_changes(desk, edit)
    (sentence,) = bring(desk).troubles
    assert f"it is a link to {tmp_path / 'a drive' / '00_start.ipynb'}, which is not there" in sentence
    assert desk.copy("00_start").is_symlink()
    assert sources(desk.copy("05_training"))[3] == "print(x + 1)"
    assert reset(desk, find(desk.originals)).troubles == []
    assert sources(desk.copy("00_start")) == ["# 00 · Start", "1 + 1"]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO])
def test_a_copy_that_may_not_be_read_is_left_and_a_reset_moves_it(desk, edit, monkeypatch, number):
    """As root reads everything, reading is made to fail here."""
    bring(desk)
    course_changes(desk, edit)
    forbidden, before = desk.copy("00_start"), desk.copy("00_start").read_bytes()
    with edit(desk.originals / "00_start.ipynb") as chapter:
        chapter["c0"]["source"] = "3"

    def read(path):
        if path == forbidden:
            raise OSError(number, os.strerror(number), str(path))
        return path.read_bytes()

    monkeypatch.setattr("lessonkit.desk.copies.read_plain", read)
    (sentence,) = bring(desk).troubles
    assert f"it cannot be read ({os.strerror(number)}); `course reset 00` moves it to" in sentence
    assert sources(desk.copy("05_training"))[3] == "print(x + 1)"
    assert forbidden.read_bytes() == before
    assert reset(desk, find(desk.originals)[:1]).troubles == []
    assert [path.read_bytes() for path in desk.old.glob("00_start *")] == [before]
    assert forbidden.read_bytes() != before


def test_a_reset_moves_a_folder_that_has_the_name_of_a_copy(desk):
    bring(desk)
    desk.copy("00_start").unlink()
    desk.copy("00_start").mkdir()
    (desk.copy("00_start") / "mine.txt").write_text("mine", encoding="utf-8")
    outcome = reset(desk, find(desk.originals))
    assert outcome.troubles == []
    (kept,) = desk.old.glob("00_start *")
    assert (kept / "mine.txt").read_text(encoding="utf-8") == "mine"
    assert sources(desk.copy("00_start")) == ["# 00 · Start", "1 + 1"]


def test_a_page_that_cannot_be_read_keeps_no_chapter_from_its_update(desk, edit):
    (desk.originals / "glossary.md").write_text("one", encoding="utf-8")
    (desk.work / "glossary.md").mkdir(parents=True)
    outcome = bring(desk)
    assert "glossary.md is left as it is" in outcome.troubles[0] and len(outcome.troubles) == 1
    assert sources(desk.copy("05_training"))[1] == "x = 1"


def test_a_notebook_of_the_learners_own_is_nobodys_business(desk):
    toys.write(desk.work, mine=toys.notebook(toys.code("1")))
    (desk.work / "broken.ipynb").write_text("", encoding="utf-8")
    assert len(bring(desk).said) == 1
    assert bring(desk).said == []


def test_what_cannot_be_read_does_not_keep_the_others_from_their_update(desk, edit):
    bring(desk)
    desk.copy("00_start").unlink()
    for name in ("00_start", "a folder"):
        desk.copy(name).mkdir()  # nobody reads that as a file, root neither
    course_changes(desk, edit)
    outcome = bring(desk)
    assert (
        len(outcome.troubles) == 1 and "00_start.ipynb is left as it is: it cannot be read" in outcome.troubles[0]
    )
    assert "a folder.ipynb cannot be read" in outcome.said[0]
    assert sources(desk.copy("05_training"))[3] == "print(x + 1)"


class Died(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_death_at_any_write_loses_nothing_and_the_next_update_works(desk, edit, monkeypatch, step, moment):
    bring(desk)
    learner_answers(desk, edit)
    before = desk.copy("05_training").read_bytes()
    course_changes(desk, edit)
    real, count = atomic.atomic_write, iter(range(1, 100))

    class Dying:
        def __init__(self, path, **options):
            self.write, self.number = real(path, **options), next(count)

        def __enter__(self):
            if self.number == step and moment == "before":
                raise Died
            return self.write.__enter__()

        def __exit__(self, *error):
            self.write.__exit__(*error)
            if self.number == step and moment == "after":
                raise Died

    with monkeypatch.context() as patch:
        patch.setattr(atomic, "atomic_write", Dying)
        with pytest.raises(Died):
            bring(desk)
    assert before in [path.read_bytes() for path in [desk.copy("05_training"), *desk.work.glob("old/*.ipynb")]]
    bring(desk)
    found = sources(desk.copy("05_training"))
    assert len(found) == 4 and "return 2 * x" in found[2] and found[3] == "print(x + 1)"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS])
def test_a_disk_that_takes_nothing_more_is_one_sentence(desk, edit, monkeypatch, number):
    bring(desk)
    learner_answers(desk, edit)
    before = desk.copy("05_training").read_bytes()
    course_changes(desk, edit)

    def full(path, **_):
        raise OSError(number, os.strerror(number), str(path))

    with monkeypatch.context() as patch:
        patch.setattr(atomic, "atomic_write", full)
        with pytest.raises(Refused, match=os.strerror(number)) as refusal:
            bring(desk)
    assert "Your copies are unchanged" in str(refusal.value) and "COURSE_WORK" in str(refusal.value)
    assert desk.copy("05_training").read_bytes() == before
    bring(desk)
    assert "print(x + 1)" in sources(desk.copy("05_training"))


BRING = """
import sys
from pathlib import Path

from lessonkit.desk.copies import bring
from lessonkit.desk.folder import Desk
from lessonkit.system.errors import Refused

try:
    bring(Desk(*map(Path, sys.argv[1:])))
except Refused as refusal:
    print(refusal)
"""


@pytest.mark.parametrize("filled", [False, True])
def test_a_folder_that_cannot_be_written_is_refused(desk, edit, filled):
    desk.work.mkdir()
    if filled:
        bring(desk)
        learner_answers(desk, edit)
        course_changes(desk, edit)
    before = {path: path.read_bytes() for path in desk.work.rglob("*") if path.is_file()}
    with read_only(desk.work) as held:
        command = [*held, sys.executable, "-c", BRING, desk.work, desk.originals]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert "Permission denied. Your copies are unchanged" in ran.stdout, ran.stderr
    assert {path: path.read_bytes() for path in desk.work.rglob("*") if path.is_file()} == before


def test_a_drive_without_locks_is_refused(desk, monkeypatch):
    """As NFS without its lock service is."""
    fcntl = pytest.importorskip("fcntl", reason="Windows locks in another way")

    def refuse(file, operation):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(Refused, match=rf"{os.strerror(errno.ENOLCK)}\. .* let COURSE_WORK name a folder"):
        bring(desk)


def test_a_file_in_the_folders_place_is_refused(desk):
    desk.work.write_text("", encoding="utf-8")
    with pytest.raises(Refused, match="work"):
        bring(desk)


@pytest.mark.parametrize("place", ["notebooks", "notebooks/mine", "."])
def test_the_originals_folder_is_no_place_for_copies(desk, place):
    wrong = type(desk)(desk.originals.parent / place, desk.originals)
    with pytest.raises(Refused, match="with the originals"):
        bring(wrong)
    assert len(list(desk.originals.iterdir())) == 2


def test_two_updates_wait_for_each_other(desk, monkeypatch):
    bring(desk)
    monkeypatch.setattr(storage, "PATIENCE", 0.1)
    with FileLock(desk.machinery / "update.lock"), pytest.raises(Refused, match="another `course`"):
        bring(desk)


def test_a_copy_saved_while_it_is_updated_is_left_to_the_next_update(desk, edit, monkeypatch):
    bring(desk)
    learner_answers(desk, edit)
    course_changes(desk, edit)
    real = storage.keep_old

    def and_save(desk, path, data):
        kept = real(desk, path, data)
        with edit(path) as copy:
            copy["a"]["source"] = "x = 7"
        return kept

    with monkeypatch.context() as patch:
        patch.setattr("lessonkit.desk.copies.keep_old", and_save)
        (sentence,) = bring(desk).troubles
    assert "saved just now" in sentence
    assert sources(desk.copy("05_training"))[1] == "x = 7"
    bring(desk)
    assert sources(desk.copy("05_training"))[1::2] == ["x = 7", "print(x + 1)"]


def test_outputs_that_nobody_vouched_for_are_not_trusted_by_an_update(desk, edit, tmp_path):
    bring(desk)
    with edit(desk.copy("05_training")) as copy:
        copy["a"]["source"] = "x = 7"
        html = {"data": {"text/html": "<script>"}, "metadata": {}, "output_type": "display_data"}
        copy["a"]["outputs"] = [html]
    course_changes(desk, edit)
    bring(desk)
    assert not trusted(desk.copy("05_training"), tmp_path / "jupyter")


def test_a_copy_with_half_a_character_is_written_again(desk, edit):
    bring(desk)
    with edit(desk.copy("05_training")) as copy:
        copy["a"]["source"] = "x = '\ud83d'"
    course_changes(desk, edit)
    bring(desk)
    cells = json.loads(desk.copy("05_training").read_text(encoding="utf-8"))["cells"]
    assert "".join(cells[1]["source"]) == "x = '\ud83d'"
