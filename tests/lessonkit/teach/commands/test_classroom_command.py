"""`course classroom`, `course join`, `course leave` as they are typed: what is refused, and in which words."""

import pytest
from click.testing import CliRunner

from lessonkit.cli import course
from lessonkit.reporting.membership import keep, member, read
from lessonkit.system.errors import Refused

ADDRESS = "http://127.0.0.1:9/join/abcd-efgh-jkmn-pqrs"


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_WORK", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    return tmp_path


def run(*arguments, text=None):
    return CliRunner().invoke(course, arguments, input=text, catch_exceptions=False)


def test_join_without_an_address_and_leave_say_how_it_stands(work):
    assert run("join").output == run("leave").output == "You have joined no classroom: nothing is told.\n"
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
