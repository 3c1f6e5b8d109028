"""Every file that is handed in has a row: taken, or not taken and why; who is on the roster and absent is named."""

import io
import json
import tarfile
import zipfile

import pytest

from lessonkit.notebook.catalog import find
from lessonkit.system.errors import Refused
from lessonkit.teach.room import manifest
from lessonkit.teach.room.collect import collect
from lessonkit.teach.room.hand_in_notes import known, rows
from lessonkit.teach.room.roster import match, read_roster

CHAPTERS = find()
START = "00_start_here"
NOTEBOOK = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'


def put(folder, *names, data=NOTEBOOK):
    for number, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data + b" " * number)
    return folder


def zipped(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def files(room):
    return json.loads((room / "collected.json").read_text(encoding="utf-8"))["files"]


@pytest.mark.parametrize(
    "name",
    ["{}.IPYNB", "{}.ipynb.txt", "{}.ipynb.json", "{}.Ipynb", "{}.ipynb.download", "{}.json", "{}.ipynb (1)", "{}"],
)
def test_a_notebook_under_an_odd_name_is_taken_and_it_is_said(tmp_path, name):
    put(tmp_path / "in", "ben/00_start_here.ipynb", f"ana/{name.format(START)}", "cara/00_start_here.ipynb")
    done = collect(tmp_path / "in", tmp_path / "room", CHAPTERS)
    assert (tmp_path / "room" / "ana" / f"{START}.ipynb").exists() and done.refused == []
    assert any(name.format(START) in one and "was taken as the notebook" in one for one in done.told)
    remarks = known(manifest.load(tmp_path / "room"))[f"ana/{START}.ipynb"].remarks
    assert "was taken as the notebook that it holds." in remarks[0]


NOT_TAKEN = {
    "start.py": "a Python script",
    "start.html": "a web page",
    "scan.pdf": "a PDF",
    "work.docx": "a document of a word processor",
    "all.rar": "a RAR archive",
    "all.7z": "a 7z archive",
    "photo.JPG": "a picture",
    "photo.heic": "a picture",
    "table.xlsx": "a table",
    "00_start_here.ipynb.pdf": "a PDF",
    "00_start_here.ipynb.gz": "a packed file",
    "video.mp4": "a recording",
    "notes.txt": "a text",
    "00_start_here.gdoc": "a link",
    "model.pt": "a file of data or parameters",
    "thing.xyz": "a file that ends in .xyz",
}


@pytest.mark.parametrize(("name", "words"), NOT_TAKEN.items())
@pytest.mark.parametrize("packed", [False, True], ids=["folder", "archive"])
def test_what_is_no_notebook_is_named_with_its_learner(tmp_path, name, words, packed):
    given = {f"ana/{name}": b"bytes", f"ben/{START}.ipynb": NOTEBOOK}
    source = tmp_path / "in"
    if packed:
        source = zipped(tmp_path / "in.zip", given)
    else:
        for path, data in given.items():
            put(source, path, data=data)
    done = collect(source, tmp_path / "room", CHAPTERS)
    assert len(done.refused) == 1 and done.refused[0].startswith(f"ana/{name}: it is {words}")
    (one,) = [item for item in files(tmp_path / "room") if item["learner"] == "ana"]
    assert one["state"] == "not taken" and words in one["said"]
    (row,) = rows(manifest.load(tmp_path / "room"), CHAPTERS)
    assert row.learner == "ana" and row.rows[0].state == "unreadable" and words in row.rows[0].message


def test_a_chapter_that_is_handed_in_as_a_pdf_has_the_rows_of_its_exercises(tmp_path):
    put(tmp_path / "in", f"ana/{START}.ipynb", "ana/01_tensors.pdf", "ana/plot.png")
    collect(tmp_path / "in", tmp_path / "room", CHAPTERS)
    (row,) = rows(manifest.load(tmp_path / "room"), CHAPTERS)
    assert row.chapter == "01_tensors" and len(row.rows) > 2 and "a PDF" in row.rows[0].message
    beside = known(manifest.load(tmp_path / "room"))[f"ana/{START}.ipynb"].remarks
    assert beside == ("Handed in with it and not taken: 01_tensors.pdf, plot.png.",)


def test_empty_folders_receipts_and_empty_archives_have_a_row(tmp_path):
    source = put(tmp_path / "in", f"Ana_1001_assignsubmission_file_/{START}.ipynb")
    (source / "Ben_1002_assignsubmission_file_").mkdir()
    (source / "Cara_1003_assignsubmission_file_" / "__MACOSX").mkdir(parents=True)
    put(source, "hw1_dora_attempt_2026-11-20-10-11-12.txt", data=b"Name: Dora")
    zipped(source / "emil.zip", {})
    done = collect(source, tmp_path / "room", CHAPTERS)
    told = " / ".join(done.refused)
    assert "Ben_1002_assignsubmission_file_: the folder is empty" in told and "Cara_1003" in told
    assert (
        "there is the platform's receipt and no file" in told
        and "emil.zip: it is an archive without a file" in told
    )
    assert {row.learner for row in rows(manifest.load(tmp_path / "room"), CHAPTERS)} == {
        "Ben_1002",
        "Cara_1003",
        "dora",
        "emil",
    }


def test_an_empty_folder_in_an_archive_has_a_row(tmp_path):
    data = {"hw1/Ana/": b"", f"hw1/Ben/{START}.ipynb": NOTEBOOK, f"hw1/Cara/{START}.ipynb": NOTEBOOK}
    done = collect(zipped(tmp_path / "in.zip", data), tmp_path / "room", CHAPTERS)
    assert done.refused == ["hw1/Ana: the folder is empty"]
    with tarfile.open(tmp_path / "in.tar.gz", "w:gz") as archive:
        for name, content in data.items():
            entry = tarfile.TarInfo(name.rstrip("/"))
            entry.type, entry.size = (tarfile.DIRTYPE, 0) if name.endswith("/") else (tarfile.REGTYPE, len(content))
            archive.addfile(entry, io.BytesIO(content))
    assert collect(tmp_path / "in.tar.gz", tmp_path / "two", CHAPTERS).refused == ["hw1/Ana: the folder is empty"]


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "archive"])
def test_what_systems_leave_is_counted_and_no_row(tmp_path, packed):
    names = [".DS_Store", "ana/desktop.ini", "ana/Thumbs.db", "ana/.ipynb_checkpoints/x-checkpoint.ipynb"]
    names += ["__MACOSX/ana/._00_start_here.ipynb", "ana/~$work.docx", "ana/.git/config", "ana/__pycache__/x.pyc"]
    source = put(tmp_path / "in", f"ana/{START}.ipynb", *names)
    if packed:
        given = {
            path.relative_to(source).as_posix(): path.read_bytes() for path in source.rglob("*") if path.is_file()
        }
        source = zipped(tmp_path / "in.zip", given)
    done = collect(source, tmp_path / "room", CHAPTERS)
    assert done.refused == [] and sum(done.rubbish.values()) == len(names) and len(files(tmp_path / "room")) == 1


def test_lists_of_platforms_are_no_hand_in(tmp_path):
    given = {f"1-2 - Ana - Nov 20, 2026 1011 AM/{START}.ipynb": NOTEBOOK, "index.html": b"<html>"}
    done = collect(zipped(tmp_path / "in.zip", given), tmp_path / "room", CHAPTERS)
    assert done.refused == [] and "What the platform itself has written is no hand-in: index.html" in done.told


def test_gradescope_names_who_handed_in_and_with_whom(tmp_path):
    listed = """submission_1:
  :submitters:
  - :name: Anna Müller
    :sid: '77'
submission_2:
  :submitters:
  - :name: Ben Okafor
  - :name: Cara Díaz
"""
    given = {f"assignment_9_export/submission_{n}/{START}.ipynb": NOTEBOOK + b" " * n for n in (1, 2, 3)}
    given["assignment_9_export/submission_metadata.yml"] = listed.encode()
    (tmp_path / "names.csv").write_text("Name\nAnna Müller\nBen Okafor\nCara Díaz\n", encoding="utf-8")
    source = zipped(tmp_path / "in.zip", given)
    done = collect(source, tmp_path / "room", CHAPTERS, roster=read_roster(tmp_path / "names.csv"))
    assert {path.parent.name for path in done.written} == {"Anna_Müller", "Ben_Okafor", "Cara_Díaz", "submission_3"}
    assert done.absent == []


def test_names_in_an_archive_of_macos_are_read_as_utf_8(tmp_path):
    name, fake = f"Zoë Müller/{START}.ipynb", f"Zo__ M__ller/{START}.ipynb"  # as long as the other in UTF-8
    data = zipped(tmp_path / "in.zip", {fake: NOTEBOOK, f"Ben/{START}.ipynb": NOTEBOOK}).read_bytes()
    (tmp_path / "in.zip").write_bytes(data.replace(fake.encode(), name.encode()))
    done = collect(tmp_path / "in.zip", tmp_path / "room", CHAPTERS)
    assert {path.parent.name for path in done.written} == {"Zoë_Müller", "Ben"}


def test_names_of_an_unknown_encoding_stay_two_and_it_is_said(tmp_path):
    with tarfile.open(tmp_path / "in.tar", "w", format=tarfile.GNU_FORMAT, encoding="latin-1") as archive:
        for name in ("Müller", "Möller"):
            entry = tarfile.TarInfo(f"{name}/{START}.ipynb")
            entry.size = len(NOTEBOOK)
            archive.addfile(entry, io.BytesIO(NOTEBOOK))
    done = collect(tmp_path / "in.tar", tmp_path / "room", CHAPTERS)
    assert {path.parent.name for path in done.written} == {"Müller", "Möller"}
    assert any("2 names in an archive are in an encoding that it does not say" in one for one in done.told)


def test_one_learner_in_a_folder_called_as_the_archive_is_named(tmp_path):
    source = zipped(tmp_path / "Kurs Herbst (2).zip", {f"Kurs Herbst/Anna/{START}.ipynb": NOTEBOOK})
    done = collect(source, tmp_path / "room", CHAPTERS)
    assert [path.parent.name for path in done.written] == ["Anna"]


ROSTERS = {
    "one column": "Name\nAnna Müller\nBen Okafor\n",
    "no heading": "Anna Müller\nBen Okafor\n",
    "Last, First": 'Name\n"Müller, Anna"\n"Okafor, Ben"\n',
    "Last, First without quotes": "Name\nMüller, Anna\nOkafor, Ben\n",
    "Moodle": "First name,Last name,ID number,Email address\nAnna,Müller,77,a@x.org\nBen,Okafor,78,b@x\n",
    "Moodle in German": "Vorname;Nachname;E-Mail-Adresse\nAnna;Müller;a@x.org\nBen;Okafor;b@x.org\n",
    "Moodle's grading worksheet": "Identifier,Full name\nParticipant 77,Anna Müller\nParticipant 78,Ben Okafor\n",
    "Canvas": "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"
    '"Müller, Anna",77,x77,amueller,A\n"Okafor, Ben",78,x78,bokafor,A\n"Student, Test",79,,,A\n',
    "Blackboard": '"Last Name"\t"First Name"\t"Username"\n"Müller"\t"Anna"\t"am"\n"Okafor"\t"Ben"\t"bo"\n',
    "Brightspace": "OrgDefinedId,Username,Last Name,First Name\n#77,#am,Müller,Anna\n#78,#bo,Okafor,Ben\n",
    "Excel's sep=": "sep=;\nsurname;first name\nMüller;Anna\nOkafor;Ben\n",
}


@pytest.mark.parametrize("text", ROSTERS.values(), ids=ROSTERS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_roster_is_read_as_platforms_and_excel_write_it(tmp_path, text, encoding):
    (tmp_path / "names.csv").write_bytes(text.replace("\n", "\r\n").encode(encoding))
    assert [one.name for one in read_roster(tmp_path / "names.csv")] == ["Anna Müller", "Ben Okafor"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "holds no names"),
        (b"Points,Grade\n1,2\n", "no column of names that is known"),
        (b"PK\x03\x04", "is an Excel workbook"),
        (b"Name,Points\n", "a line of headings and no names"),
        ("Müller,Anna\nOkafor,Ben\n".encode(), "does not say which column is the first name"),
    ],
)
def test_a_roster_that_names_nobody_is_refused(tmp_path, data, words):
    (tmp_path / "names.csv").write_bytes(data)
    with pytest.raises(Refused, match=words):
        read_roster(tmp_path / "names.csv")


PEOPLE = """Name,ID,Login
Anna Maria Müller,501,amueller
Ben Okafor,502,bokafor
Nguyễn Thị Hà,503,
José García,504,
王 小明,505,
Jürgen Groß,506,
अनिता शर्मा,507,
अनीता शर्मा,508,
Li Wei,509,lwei
Li Wei,510,lwei2
Άννα Παπαδοπούλου,511,
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Anna Müller", "Anna Maria Müller"),
        ("Müller, Anna", "Anna Maria Müller"),
        ("mueller_anna", "Anna Maria Müller"),
        ("muelleranna maria", None),
        ("okaforben", "Ben Okafor"),
        ("Ha Nguyen Thi", "Nguyễn Thị Hà"),
        ("jose garcia", "José García"),
        ("小明王", "王 小明"),
        ("juergen gross", "Jürgen Groß"),
        ("Jurgen Gross", "Jürgen Groß"),
        ("अनिता शर्मा", "अनिता शर्मा"),
        ("अनीता शर्मा", "अनीता शर्मा"),
        ("ΑΝΝΑ ΠΑΠΑΔΟΠΟΥΛΟΥ", "Άννα Παπαδοπούλου"),
        ("Anna", None),
        ("Maria", None),
        ("Anna Schmidt", None),
        ("B. Okafor", None),
        ("bokafor", "Ben Okafor"),
    ],
)
def test_a_name_is_found_on_the_roster_or_not_guessed(tmp_path, name, expected):
    (tmp_path / "names.csv").write_text(PEOPLE, encoding="utf-8")
    found = match(name, read_roster(tmp_path / "names.csv"))
    assert [one.name for one in found.entries] == ([expected] if expected else [])


def test_two_people_of_one_name_are_told_apart_by_number_or_login_only(tmp_path):
    (tmp_path / "names.csv").write_text(PEOPLE, encoding="utf-8")
    roster = read_roster(tmp_path / "names.csv")
    assert len(match("Li Wei", roster).entries) == 2
    assert [one.numbers for one in match("Li Wei", roster, number="510").entries] == [frozenset({"510"})]
    assert [one.numbers for one in match("", roster, login="lwei").entries] == [frozenset({"509"})]
    assert [one.name for one in match("b okafor", roster).likely] == ["Ben Okafor"]
    source = put(
        tmp_path / "in",
        f"Li Wei/{START}.ipynb",
        f"okaforben_502_1001_{START}.ipynb",
        f"lwei2_901_1002_{START}.ipynb",
    )
    done = collect(source, tmp_path / "room", CHAPTERS, roster=roster)
    assert {path.parent.name for path in done.written} == {"Li_Wei", "Ben_Okafor", "Li_Wei_510"}
    assert "Li Wei may be Li Wei (509) or Li Wei (510) of the roster; nobody of them is credited" in done.told
    assert len(done.absent) == 9


def test_a_pair_is_credited_where_the_roster_names_both(tmp_path):
    (tmp_path / "names.csv").write_text("Name\nAnna Müller\nBen Okafor\nJosé Ortega y Gasset\n", encoding="utf-8")
    roster = read_roster(tmp_path / "names.csv")
    for number, pair in enumerate(
        ("anna_mueller_and_ben_okafor", "Anna Müller & Ben Okafor", "annamüller+benokafor")
    ):
        source = put(tmp_path / f"in{number}", f"{pair}/{START}.ipynb", f"José Ortega y Gasset/{START}.ipynb")
        done = collect(source, tmp_path / f"room{number}", CHAPTERS, roster=roster)
        folders = {path.parent.name for path in done.written}
        assert folders == {"Anna_Müller", "Ben_Okafor", "José_Ortega_y_Gasset"} and done.absent == []
        assert any("handed it in together, and each of them is credited" in one for one in done.told)
        notes = known(manifest.load(tmp_path / f"room{number}"))[f"Anna_Müller/{START}.ipynb"]
        assert notes.with_ == {"Ben Okafor"} and notes.remarks == ("It was handed in together with Ben Okafor.",)


def test_a_later_archive_adds_to_the_same_people(tmp_path):
    first = zipped(tmp_path / "hw1.zip", {f"Anna Müller_11111_assignsubmission_file_/{START}.ipynb": NOTEBOOK})
    later = {f"ANNA MÜLLER/{START}.ipynb": NOTEBOOK + b" ", f"Ben/{START}.ipynb": NOTEBOOK}
    second = zipped(tmp_path / "late.zip", later)
    collect(first, tmp_path / "room", CHAPTERS)
    done = collect(second, tmp_path / "room", CHAPTERS)
    folders = [path.relative_to(tmp_path / "room").as_posix() for path in done.written]
    assert folders == [f"Anna_Müller_11111/{START}-2.ipynb", f"Ben/{START}.ipynb"]
    assert any("Spelled differently" in one for one in done.told)
    assert any("Handed in more than once" in one and "Anna_Müller_11111" in one for one in done.told)
    notes = known(manifest.load(tmp_path / "room"))
    assert notes[f"Anna_Müller_11111/{START}-2.ipynb"].order > notes[f"Anna_Müller_11111/{START}.ipynb"].order
    assert notes[f"Anna_Müller_11111/{START}.ipynb"].by == "by when it was collected"
    before = (tmp_path / "room" / "collected.json").read_bytes()
    assert collect(second, tmp_path / "room", CHAPTERS).there == 2
    assert (tmp_path / "room" / "collected.json").read_bytes() == before


def test_a_manifest_that_is_none_is_refused(tmp_path):
    put(tmp_path / "room", "collected.json", data=b"[]")
    with pytest.raises(Refused, match=r"no manifest of `course collect`"):
        collect(put(tmp_path / "in", f"ana/{START}.ipynb"), tmp_path / "room", CHAPTERS)
