"""`course classroom`, `course join`, `course leave` as they are typed: what is refused, and in which words."""

import pytest
from click.testing import CliRunner

from lessonkit.cli import course
from lessonkit.notebook.catalog import find, select
from lessonkit.progress.contents import contents
from lessonkit.reporting.membership import keep, member, read
from lessonkit.system.errors import Refused
from lessonkit.teach.classroom.questions import handed_out, questions
from lessonkit.teach.room.release import release
from lessonkit.teach.room.tally import read_manifest

ADDRESS = "http://127.0.0.1:9/join/abcd-efgh-jkmn-pqrs"


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_WORK", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    return tmp_path


def run(*arguments, text=None):
    return CliRunner().invoke(course, arguments, input=text, catch_exceptions=False)


def test_join_without_an_address_and_leave_say_how_it_stands(work):
    assert run("join").output == run("leave").output == "You have not joined a classroom, so nothing is reported.\n"
    keep(work, member(ADDRESS, "Zoë", folder=work))
    assert run("join").output == 'You have joined http://127.0.0.1:9 as "Zoë". `course leave` ends it.\n'
    assert run("leave").output.startswith("Left: nothing is told any more.")
    assert read(work) is None


def test_join_refuses_what_is_no_address_and_a_page_that_is_away(work):
    with pytest.raises(Refused, match="is no address to join"):
        run("join", "http://127.0.0.1:9")
    with pytest.raises(Refused, match=r"page at http://127.0.0.1:9 cannot be told"):
        run("join", ADDRESS, "--name", "Ada")
    with pytest.raises(Refused, match=r"page at http://127.0.0.1:9 cannot be told"):
        run("join", ADDRESS, text="Ada\n")
    assert read(work) is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--chapters", "77"], "no chapter called 77"),
        (["--address", "203.0.113.9"], "cannot listen at 203.0.113.9"),
        (["--keep", "{folder}/no/such.json"], "cannot be written"),
        (["--keep", "{folder}/other.json"], "was not written by `course classroom`"),
        (["--notebooks", "{folder}"], "no chapter"),
    ],
)
def test_classroom_refuses_in_words(tmp_path, arguments, said):
    (tmp_path / "other.json").write_text("[]", encoding="utf-8")
    with pytest.raises(Refused, match=said):
        run("classroom", *(argument.format(folder=tmp_path) for argument in arguments))


@pytest.fixture(scope="module")
def release_of(tmp_path_factory):
    """A function that releases the core, or all, of chapters and returns the folder."""

    def write(*chapters, core):
        to = tmp_path_factory.mktemp("released")
        release(select(find(), chapters), to, core=core)
        return to

    return write


@pytest.mark.parametrize(("chapters", "core"), [(["00"], True), (["05", "12"], True), (["00"], False)])
def test_the_page_has_the_columns_that_were_handed_out(release_of, chapters, core):
    asked = questions(contents())
    found = handed_out(asked, read_manifest(release_of(*chapters, core=core)))
    there = [one for one in asked if one.chapter[:2] in chapters and not (core and one.further)]
    assert found == there and (core or any(one.further for one in found))


@pytest.mark.parametrize("case", ["another folder", "other chapters", "no manifest"])
def test_a_release_that_does_not_fit_is_refused_in_words(release_of, tmp_path, case):
    arguments = {
        "another folder": (tmp_path, []),
        "other chapters": (release_of("00", core=True), ["--chapters", "05"]),
        "no manifest": (tmp_path / "manifest.json", []),
    }
    (tmp_path / "manifest.json").write_text("[]", encoding="utf-8")
    if case == "another folder":
        (tmp_path / "manifest.json").unlink()
    released, more = arguments[case]
    with pytest.raises(Refused, match=r"is not there|does not say which exercises|has none of the exercises"):
        run("classroom", "--released", str(released), *more)
