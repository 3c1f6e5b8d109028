"""Whose each file is, by the conventions of platforms and of people, all paths of a hand-in looked at together."""

from pathlib import PurePosixPath

import pytest

from lessonkit.notebook.catalog import find
from lessonkit.teach.room.handed_in import places
from lessonkit.teach.room.people import People
from lessonkit.teach.room.whose import whose_all

CHAPTERS = find()
START = "00_start_here.ipynb"
TENSORS = "01_tensors.ipynb"


def learners(*paths):
    return [place.learner for place in places([PurePosixPath(path) for path in paths], CHAPTERS)]


def said(*paths):
    """The sentences on what was decided."""
    told = []
    people = People(run="hw1.zip")
    people.assign(whose_all([PurePosixPath(path) for path in paths], CHAPTERS, told=told))
    return " / ".join(told + people.sentences)


PLATFORMS = {
    "Moodle's folders": (
        [
            f"Anna Müller_12345_assignsubmission_file_/{START}",
            f"Ben Okafor_12346_assignsubmission_file_/hw/{START}",
        ],
        ["Anna_Müller_12345", "Ben_Okafor_12346"],
    ),
    "Moodle, flat and with online text": (
        [f"Anna Müller_12345_assignsubmission_file_{START}", "Ben_7_assignsubmission_onlinetext_onlinetext.html"],
        ["Anna_Müller_12345", "Ben_7"],
    ),
    "Moodle without names": (
        [f"Participant_901_assignsubmission_file_/{START}", f"Participant_902_assignsubmission_file_/{START}"],
        ["Participant_901", "Participant_902"],
    ),
    "Canvas": (
        [
            "muelleranna_LATE_12345_67890_00_start_here-1.ipynb",
            "obrieneoin_777_9991_Copy of 00_start_here.ipynb",
            "obrieneoin_777_9992_01_tensors.ipynb",
            "zhangli_888_text.html",
        ],
        ["muelleranna_12345", "obrieneoin_777", "obrieneoin_777", "zhangli_888"],
    ),
    "Blackboard": (
        [
            "hw1_amueller_attempt_2026-11-20-10-11-12_00_start_here.ipynb",
            "hw1_b_okafor_attempt_2026-11-20-10-11-13_00_start_here.ipynb",
            "hw1_b_okafor_attempt_2026-11-20-10-11-13.txt",
        ],
        ["amueller", "b_okafor", "b_okafor"],
    ),
    "Brightspace, in English and French, and flat": (
        [
            f"12345-67890 - Anna Müller - Nov 20, 2026 1011 AM/{START}",
            f"12346-67890 - Ben Okafor - 20 novembre, 2026 1011/{START}",
            f"12347-67890 - Cara - Nov 20, 2026 1011 AM - {START}",
            f"hw1 Download Nov 21, 2026 1200 PM/12348-67890 - Ben-Ami Levi - Nov 20, 2026 10:11 AM/{START}",
        ],
        ["Anna_Müller_12345", "Ben_Okafor_12346", "Cara_12347", "Ben-Ami_Levi_12348"],
    ),
    "ILIAS": (
        [
            f"hw1/Abgaben/Mueller_Anna_amueller_12345/20261120101112_{START}",
            f"hw1/Abgaben/Okafor_Ben_bokafor_12346/{START}",
        ],
        ["Anna_Mueller_12345", "Ben_Okafor_12346"],
    ),
    "Teams": (
        [
            f"Submitted files/Anna Müller/hw1/Version 1/{START}",
            f"Submitted files/Anna Müller/hw1/Version 2/{START}",
            f"Submitted files/Ben Okafor/hw1/Version 1/{START}",
        ],
        ["Anna_Müller", "Anna_Müller", "Ben_Okafor"],
    ),
    "Google Drive's archives": (
        [
            f"hw1-20241120T101112Z-001.zip/hw1/Anna Müller/{START}",
            f"hw1-20241120T101112Z-1-002.zip/hw1/Ben Okafor/{START}",
        ],
        ["Anna_Müller", "Ben_Okafor"],
    ),
    "Google Classroom and Forms": (
        [
            f"hw1/Anna Müller - Copy of {START}",
            f"hw1/Ben Okafor - Kopie von {START}",
            "hw1/00_start_here - Cara Díaz.ipynb",
        ],
        ["Anna_Müller", "Ben_Okafor", "Cara_Díaz"],
    ),
    "GitHub Classroom": (
        [f"hw1-submissions/hw1-annamueller/{START}", f"hw1-submissions/hw1-bokafor/{START}"],
        ["annamueller", "bokafor"],
    ),
    "GitHub Classroom, an assignment in words": (
        [f"intro-torch-submissions/intro-torch-{name}/{START}" for name in ("annamueller", "bokafor", "cd-42")],
        ["annamueller", "bokafor", "cd-42"],
    ),
    "GitHub's archives of repositories": (
        [f"hw1-annamueller-main.zip/hw1-annamueller-main/{START}", f"hw1-bokafor-master/{START}"],
        ["annamueller", "bokafor"],
    ),
    "Gradescope without its list": (
        [f"assignment_4_export/submission_12345/{START}", f"assignment_4_export/submission_12346/{START}"],
        ["submission_12345", "submission_12346"],
    ),
    "Sakai": (
        [f"hw1/Müller, Anna(amueller)/Submission attachment(s)/{START}", f"hw1/Li, Wei (wli)/{START}"],
        ["Anna_Müller", "Wei_Li"],
    ),
    "Stud.IP": (
        [f"Hausaufgaben/Müller_Anna_{START}", f"Hausaufgaben/Okafor_Ben_{START}"],
        ["Müller_Anna", "Okafor_Ben"],
    ),
    "nbgrader": (
        [f"submitted/ana/00_start_here/{START}", f"submitted/ben/00_start_here/{START}"],
        ["ana", "ben"],
    ),
    "a shared folder in a folder of any name": (
        [f"Einführung WS26/Anna/{START}", f"Einführung WS26/Ben/work/{START}", "Einführung WS26/Cara/scan.pdf"],
        ["Anna", "Ben", "Cara"],
    ),
    "tutorials": (
        [f"Gruppe 1/Anna/{START}", f"Gruppe 1/Ben/{START}", f"Gruppe 2/Cara/{START}"],
        ["Anna", "Ben", "Cara"],
    ),
    "an archive with a folder of its own name in it": (
        [f"Kurs Herbst.zip/Kurs Herbst/Anna/{START}", f"Kurs Herbst.zip/Kurs Herbst/Ben/{START}"],
        ["Anna", "Ben"],
    ),
    "archives of tutorials": (
        [f"Tutorium A.zip/Anna/{START}", f"Tutorium A.zip/Ben/{START}", f"Tutorium B.zip/Cara/{START}"],
        ["Anna", "Ben", "Cara"],
    ),
    "archives of single people": (
        [f"anna müller.zip/{START}", f"Ben_Okafor_abgabe.zip/hw1/{START}", f"hw1 (1).zip/hw1/cara/{START}"],
        ["anna_müller", "Ben_Okafor", "cara"],
    ),
}


@pytest.mark.parametrize(("paths", "expected"), PLATFORMS.values(), ids=PLATFORMS)
def test_a_convention_says_whose_a_file_is(paths, expected):
    assert learners(*paths) == expected


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["00_start_here_anna_mueller.ipynb", "01_tensors anna_mueller FINAL v2.ipynb"], ["anna_mueller"] * 2),
        (["Copy of 00_start_here_ben.ipynb", "Kopie von ben_01-tensors (1).ipynb"], ["ben"] * 2),
        (["cara_abgabe_00_start_here.ipynb", "cara_01_tensors_2026-11-20.ipynb"], ["cara"] * 2),
        (["dora 20.11.2026 00 start here.ipynb", "dora_01_Tensors_v3.ipynb"], ["dora"] * 2),
        (["emil_00_start_here-Copy1.ipynb", "emil - Copy of 01_tensors.IPYNB"], ["emil"] * 2),
        (
            ["00_start_here.ipynb", "00_start_here (1).ipynb", "01_tensors.ipynb"],
            ["unnamed", "unnamed_2", "unnamed"],
        ),
        ([f"Submissions/hw1 (1)/{START}"], ["unnamed"]),
        (["start_here_fay.ipynb", "multi-gpu fay.ipynb", "text_gus.ipynb"], ["fay", "fay", "text_gus"]),
        ([f"Neu, Anna/{START}", f"Anna Late/{START}", f"Week, Bo/{START}"], ["Neu_Anna", "Anna_Late", "Week_Bo"]),
        ([f"ana/first try/{START}", f"ana/second try/{START}", f"ben/{START}"], ["ana", "ana", "ben"]),
        ([f"ana/1/{START}", f"ana/2/{START}"], ["ana", "ana"]),
        ([f"team-1/{START}", f"team-2/{START}"], ["team-1", "team-2"]),
    ],
)
def test_what_is_added_to_a_name_makes_no_other_learner(paths, expected):
    assert learners(*paths) == expected


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("अनिता शर्मा", "अनीता शर्मा"),
        ("น้ำ ใจดี", "นา ใจดี"),
        ("Müller", "Muller"),
        ("Strauß", "Strauss"),
        ("さくら", "ざくら"),
        ("כֹּהֵן", "כהן"),
        ("عليّ", "علي"),
        ("민준", "민주"),
    ],
)
def test_a_mark_makes_another_name(one, two):
    first, second = learners(f"{one}/{START}", f"{two}/{START}")
    assert first != second and first.casefold() != second.casefold()


@pytest.mark.parametrize("name", ["Núñez", "Nguyễn Thị Hà", "각각", "Йосиф", "ガルシア", "กำ"])
def test_a_name_composed_or_not_is_one(name):
    import unicodedata

    forms = [unicodedata.normalize(form, name) for form in ("NFC", "NFD")]
    assert len(set(learners(*(f"{one}/{n}/{START}" for n, one in enumerate(forms))))) == 1


@pytest.mark.parametrize(
    ("paths", "words"),
    [
        ([f"Anna Müller/{START}", f"anna müller/{TENSORS}"], "Spelled differently, and taken for one person"),
        ([f"A_Li/{START}", f"A Li/{TENSORS}"], "Spelled differently, and taken for one person: A_Li (A_Li, A Li)"),
        ([f"Nu\u0301n\u0303ez/{START}", f"N\u00fa\u00f1ez/{TENSORS}"], "NFC and NFD"),
        (
            [f"hw1/Anna/{START}", f"hw2/Anna/{START}", f"hw2/Ben/{START}"],
            "The same name was found in several places",
        ),
        (
            [f"Li Wei_1_assignsubmission_file_/{START}", f"Li Wei_2_assignsubmission_file_/{START}"],
            "each is taken for a person of their own: Li_Wei_1, Li_Wei_2",
        ),
        ([f"Anna Müller/{START}", f"Anna Mueller/{START}"], "Anna_Müller and Anna_Mueller may be one person"),
        ([f"Kurs Herbst/Anna/{START}", f"Kurs Herbst/Ben/{START}"], "'Kurs Herbst' was taken for nobody's"),
        ([START, "x/README.md"], "1 file names nobody"),
        ([f"anna_and_ben/{START}"], "the name is that of several people"),
        ([f"Anna Müller & Ben Okafor/{START}"], "the name is that of several people"),
        ([f"anna+ben_{START}"], "the name is that of several people"),
    ],
)
def test_each_decision_has_its_sentence(paths, words):
    assert words in said(*paths)


def test_a_moodle_number_of_another_assignment_is_the_same_person():
    both = enumerate((START, TENSORS))
    paths = [f"hw{n}/Anna Müller_{n}345_assignsubmission_file_/{chapter}" for n, chapter in both]
    assert len(set(learners(*paths))) == 1 and "The same name was found in several places" in said(*paths)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["con", "PRN.txt", "com1", "LPT¹"], ["_con", "_PRN.txt", "_com1", "_LPT¹"]),
        (["a:b", "a?b", "a*b"], ["a_b"] * 3),
        (["trailing. ", "x" * 90], ["trailing", "x" * 60]),
        (["Ana\u202eevil", "=cmd|x"], ["Anaevil", "cmd_x"]),
    ],
)
def test_a_folder_is_safe_on_every_system(names, expected):
    assert [learners(f"{name}/{START}")[0] for name in names] == expected


def test_long_names_that_begin_alike_get_folders_of_their_own():
    one, two = learners(f"{'x' * 80} Anna/{START}", f"{'x' * 80} Ben/{START}")
    assert one != two and max(len(one), len(two)) < 70
