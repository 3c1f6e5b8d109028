"""Pages go back to Moodle in its folders; the roster is remembered; what lacks here is tried once."""

import io
import zipfile

import pytest
from test_marks import CHAPTERS, CORE, FIRST, HEAD, handed_in
from test_pairs import NOTEBOOK, ROSTER, START

from lessonkit.teach.room import gradebook, manifest, moodle
from lessonkit.teach.room.collect import collect
from lessonkit.teach.room.gradebook import Gradebook
from lessonkit.teach.room.grading_queue import waiting_in
from lessonkit.teach.room.hand_in_notes import names
from lessonkit.teach.room.handed_in import notebooks
from lessonkit.teach.room.rows import Graded, Row
from lessonkit.teach.room.sandbox.isolation import NAMESPACES
from lessonkit.teach.room.submission import digest


def hand_in(folder, *paths):
    for number, name in enumerate(paths):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(NOTEBOOK + b" " * number)
    return folder


def test_each_gets_their_own_page_in_moodles_folder(tmp_path):
    source = hand_in(
        tmp_path / "hw1",
        f"Ben Koch_12346_assignsubmission_file_/koch_ben_russo_chiara_{START}.ipynb",
        f"Anna Müller_12347_assignsubmission_file_{START}.ipynb",
        "王小明_12348_assignsubmission_file_/scan.pdf",
        f"Kim Lee/{START}.ipynb",
    )
    collect(source, tmp_path / "room", CHAPTERS, roster=ROSTER)
    found = manifest.load(tmp_path / "room")
    assert moodle.folders(found, names(found)) == {
        "hw1": {
            "Ben Koch_12346_assignsubmission_file_": "Ben Koch",
            "Anna Müller_12347_assignsubmission_file_": "Anna Müller",
            "王小明_12348_assignsubmission_file_": "王小明",
        }
    }
    book = Gradebook(tmp_path / "out", HEAD, chapters=CHAPTERS, moodle=moodle.folders(found, names(found)))
    for name in ("Ben Koch", "Anna Müller", "王小明", "Chiara Russo", "Kim Lee"):
        book.graded[name] = handed_in(name, CORE)
    book.save()
    packed = (tmp_path / "out" / "feedback" / "moodle.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    assert set(pages) == {f"{folder}/feedback.html" for folder in moodle.folders(found, names(found))["hw1"]}
    for folder, page in pages.items():
        assert f"<title>Feedback for {folder.partition('_')[0]}</title>" in page
    book.save()
    assert (tmp_path / "out" / "feedback" / "moodle.zip").read_bytes() == packed


def test_two_assignments_have_an_archive_each_and_none_has_none(tmp_path):
    for name, number in (("hw1", 11), ("hw2", 22)):
        source = hand_in(tmp_path / name, f"Ben Koch_{number}345_assignsubmission_file_/{START}.ipynb")
        collect(source, tmp_path / "room", CHAPTERS, roster=ROSTER)
    found = manifest.load(tmp_path / "room")
    made = moodle.archives(moodle.folders(found, names(found)), {"b.html": "x"}, {"Ben Koch": "b.html"})
    assert len(found.people) == 1, "Moodle has another number in each assignment"
    assert {name: zipfile.ZipFile(io.BytesIO(data)).namelist() for name, data in made.items()} == {
        "moodle-hw1.zip": ["Ben Koch_11345_assignsubmission_file_/feedback.html"],
        "moodle-hw2.zip": ["Ben Koch_22345_assignsubmission_file_/feedback.html"],
    }
    assert moodle.archives({}, {}, {}) == {}


@pytest.mark.parametrize(
    ("part", "folder"),
    [
        ("Ana_1_assignsubmission_file_", "Ana_1_assignsubmission_file_"),
        ("Ana_1_assignsubmission_onlinetext_", "Ana_1_assignsubmission_file_"),
        ("Ana de la O_77_assignsubmission_file_x.pdf", "Ana de la O_77_assignsubmission_file_"),
        ("muelleranna_123_456_x.ipynb", ""),
        ("Ana", ""),
    ],
)
def test_a_folder_of_moodles_is_known_by_its_form(part, folder):
    assert moodle.folder_of(part) == folder


def test_a_later_collect_uses_the_roster_of_an_earlier_one_and_says_so(tmp_path):
    first = collect(hand_in(tmp_path / "a", f"Ben Koch/{START}.ipynb"), tmp_path / "room", CHAPTERS, roster=ROSTER)
    later = collect(hand_in(tmp_path / "b", f"lee_kim/{START}.ipynb"), tmp_path / "room", CHAPTERS)
    assert not any("roster of an earlier" in one for one in first.told)
    assert "The roster of an earlier `course collect` is used (7 people); --roster gives another one" in later.told
    assert later.written[0].parent.name == "Kim_Lee"
    assert set(first.absent) - set(later.absent) == {"Kim Lee"} and later.roster == 7
    other = collect(tmp_path / "b", tmp_path / "room", CHAPTERS, roster=ROSTER[:2])
    assert other.roster == 2 == len(manifest.load(tmp_path / "room").roster) and other.absent == ["Chiara Russo"]
    assert not any("roster of an earlier" in one for one in other.told)


def test_a_room_without_a_roster_has_none(tmp_path):
    source = hand_in(tmp_path / "a", f"Ben Koch/{START}.ipynb")
    for _ in range(2):
        done = collect(source, tmp_path / "room", CHAPTERS)
        assert done.roster == 0 and done.absent == [] and not any("roster" in one for one in done.told)


@pytest.mark.parametrize(
    ("state", "installed", "waiting"),
    [
        ("not judged here", "the same", 0),
        ("not judged here", "another", 1),
        ("not judged", "the same", 1),
        ("passed", "another", 0),
        ("wrong", "another", 0),
    ],
)
def test_what_lacks_here_is_tried_again_only_where_something_has_come(
    tmp_path, monkeypatch, state, installed, waiting
):
    hand_in(tmp_path / "in", f"ana/{START}.ipynb")
    given = {"isolation": NAMESPACES, "limits": {}, "chapters": CHAPTERS}
    monkeypatch.setattr(gradebook, "installed", lambda: "the same")
    book = gradebook.opened(tmp_path / "out", anew=False, **given)
    row = Row(exercise="to_unit", state=state, message="It needs `x`.")
    data = digest((tmp_path / "in" / "ana" / f"{START}.ipynb").read_bytes())
    book.graded["x"] = Graded(learner="ana", file=f"ana/{START}.ipynb", sha256=data, chapter=FIRST, rows=(row,))
    book.save()
    monkeypatch.setattr(gradebook, "installed", lambda: installed)
    places = list(notebooks(tmp_path / "in", CHAPTERS))
    again = gradebook.opened(tmp_path / "out", anew=False, **given)
    assert len(waiting_in(tmp_path / "in", places, again)) == waiting
    anew = gradebook.opened(tmp_path / "out", anew=True, **given)
    assert len(waiting_in(tmp_path / "in", places, anew)) == 1


def test_what_is_installed_is_known_by_its_versions(monkeypatch):
    before = gradebook.installed()
    assert before == gradebook.installed()
    monkeypatch.setattr(gradebook.metadata, "distributions", lambda: [])
    assert gradebook.installed() != before
