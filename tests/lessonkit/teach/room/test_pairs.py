"""Two people who hand in one file are both credited where the roster names both; else it is said what was seen."""

import pytest

from lessonkit.notebook.catalog import find
from lessonkit.teach.room import manifest
from lessonkit.teach.room.collect import collect
from lessonkit.teach.room.hand_in_notes import known
from lessonkit.teach.room.names_in_text import names_in
from lessonkit.teach.room.roster import Entry

CHAPTERS = find()
START = "00_start_here"
NOTEBOOK = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
BEN, CHIARA, ANNA, KIM = (Entry(name) for name in ("Ben Koch", "Chiara Russo", "Anna Müller", "Kim Lee"))
ROSTER = (BEN, CHIARA, ANNA, KIM, Entry("Anna Maria Sofia Díaz"), Entry("王小明"), Entry("Ben Müller"))
PAIRS = [
    "koch_ben_russo_chiara_{}",
    "ben-koch-chiara-russo-{}",
    "Ben Koch, Chiara Russo {}",
    "Koch, Ben; Russo, Chiara - {}",
    "koch_ben_and_russo_chiara_{}",
    "{}_Ben Koch und Chiara Russo",
    "russo_chiara+koch_ben_{}",
    "Chiara Russo & Ben Koch {} (1)",
    "KochBen_RussoChiara_{}",
    "Ben Koch with Chiara Russo {}",
]


def hand_in(tmp_path, *paths, roster=ROSTER):
    for number, name in enumerate(paths):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(NOTEBOOK + b" " * number)
    done = collect(tmp_path / "in", tmp_path / "room", CHAPTERS, roster=roster)
    return {path.parent.name for path in done.written}, " / ".join(done.told), done


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize(
    "folder",
    [
        "Ben Koch_12346_assignsubmission_file_/",
        "Ben Koch_12346_assignsubmission_file_",
        "kochben_123_456_",
        "",
        "Ben Koch/",
    ],
    ids=["Moodle", "Moodle flat", "Canvas", "flat", "a folder"],
)
def test_both_names_of_a_file_are_credited_wherever_it_lies(tmp_path, folder, name):
    whose, told, done = hand_in(tmp_path, f"{folder}{name.format(START)}.ipynb", f"Kim Lee/{START}.ipynb")
    assert whose == {"Ben_Koch", "Chiara_Russo", "Kim_Lee"} and "each of them is credited" in told
    assert set(done.absent) == {"Anna Müller", "Anna Maria Sofia Díaz", "王小明", "Ben Müller"}
    notes = known(manifest.load(tmp_path / "room"))
    assert notes[f"Ben_Koch/{START}.ipynb"].with_ == {"Chiara Russo"}
    assert notes[f"Chiara_Russo/{START}.ipynb"].remarks == ("It was handed in together with Ben Koch.",)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("mueller_anna_and_koch_ben", ["Anna Müller", "Ben Koch"]),
        ("anna mueller ben mueller", ["Anna Müller", "Ben Müller"]),
        ("Müller Anna Müller Ben", ["Anna Müller", "Ben Müller"]),
        ("anna_diaz_kim_lee", ["Anna Maria Sofia Díaz", "Kim Lee"]),
        ("anna maria sofia diaz kim lee", ["Anna Maria Sofia Díaz", "Kim Lee"]),
        ("王小明 & Kim Lee", ["王小明", "Kim Lee"]),
        ("lee_kim gruppe 3", ["Kim Lee"]),
        ("ben_chiara", []),
        ("kim", []),
    ],
)
def test_names_are_found_in_either_order_and_parts_of_names_are_not(text, names):
    assert [one.name for one in names_in(text, ROSTER).entries] == names


def test_two_people_of_one_name_are_not_credited_for_a_file_of_one_of_them(tmp_path):
    twins = (*ROSTER, Entry("Chiara Russo", frozenset({"77"})))
    path = f"Ben Koch_12346_assignsubmission_file_/koch_ben_russo_chiara_{START}.ipynb"
    whose, told, _ = hand_in(tmp_path, path, roster=twins)
    assert whose == {"Ben_Koch"} and "may also name Chiara Russo or Chiara Russo (77)" in told


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ben_and_chiara_{}", "may also name Chiara Russo; nobody but Ben Koch is credited"),
        ("koch_ben_russo_{}", "may also name Chiara Russo; nobody but Ben Koch is credited"),
        ("koch_ben_and_zoe_smith_{}", "names several people, and only Ben Koch is known"),
        ("russo_chiara_{}", "is called after Chiara Russo alone; it counts for Ben Koch, so look whose it is"),
    ],
)
def test_what_is_not_certain_is_said_and_not_credited(tmp_path, name, said):
    whose, told, _ = hand_in(tmp_path, f"Ben Koch_12346_assignsubmission_file_/{name.format(START)}.ipynb")
    assert whose == {"Ben_Koch"} and said in told


@pytest.mark.parametrize("name", ["{}", "koch_ben_{}", "{} final v2", "hw1_{}_Ben", "{} (2)", "Koch, Ben - {}"])
def test_a_file_of_one_person_is_one_persons_and_nothing_is_said(tmp_path, name):
    paths = [f"Ben Koch_12346_assignsubmission_file_/{name.format(START)}.ipynb", f"Kim Lee/{START}.ipynb"]
    whose, told, _ = hand_in(tmp_path, *paths)
    assert whose == {"Ben_Koch", "Kim_Lee"} and "Ben" not in told


def test_without_a_roster_it_is_said_that_a_file_names_another_one_who_handed_in(tmp_path):
    paths = [
        f"Ben Koch_12346_assignsubmission_file_/koch_ben_russo_chiara_{START}.ipynb",
        f"Chiara Russo_12347_assignsubmission_file_/{START}.ipynb",
    ]
    whose, told, _ = hand_in(tmp_path, *paths, roster=())
    assert whose == {"Ben_Koch_12346", "Chiara_Russo_12347"}
    assert "also names Chiara Russo; with --roster each of them is credited" in told


def test_the_same_file_from_both_is_one_hand_in_of_each(tmp_path):
    name = f"koch_ben_russo_chiara_{START}.ipynb"
    for folder in ("Ben Koch_1_assignsubmission_file_", "Chiara Russo_2_assignsubmission_file_"):
        (tmp_path / "in" / folder).mkdir(parents=True)
        (tmp_path / "in" / folder / name).write_bytes(NOTEBOOK)
    done = collect(tmp_path / "in", tmp_path / "room", CHAPTERS, roster=ROSTER)
    assert len(done.written) == 2 and not any("more than once" in one for one in done.told)
