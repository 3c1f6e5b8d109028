"""Saying yes and no: what is asked, what is said before, what is kept, and how it ends."""

import json

import pytest
from classroom_here import open_room

from lessonkit.reporting import join as joining
from lessonkit.reporting.join import enter, join, leave, note
from lessonkit.reporting.membership import FILE, read
from lessonkit.system.errors import Refused

ELSEWHERE = "http://127.0.0.1:9/join/abcd-efgh-jkmn-pqrs"


@pytest.fixture
def work(tmp_path, monkeypatch):
    folder = tmp_path / "mon école"
    monkeypatch.setenv("COURSE_WORK", str(folder))
    monkeypatch.delenv("CI", raising=False)
    return folder


def answering(*answers):
    """A function that asks, and gets these answers; `asked` is what was asked."""
    left = list(answers)

    def ask(words):
        ask.asked.append(words)
        return left.pop(0)

    ask.asked = []
    return ask


def agreed(classroom, work, *answers, nickname=None):
    return enter(classroom.opened.join_address, nickname, ask=answering(*answers), work=work, folder=work)


def test_a_yes_is_kept_and_shown_on_the_page_at_once(classroom, work, capsys):
    one = agreed(classroom, work, " Zoë ", "yes")
    assert read(work) == one and one.nickname == "Zoë"
    assert [learner.nickname for learner in classroom.room.learners.values()] == ["Zoë"]
    said = capsys.readouterr().out
    for word in ('nickname "Zoë"', "exercise", "verdict", "mistake", "Never your code", "`course leave`"):
        assert word in said


@pytest.mark.parametrize("answer", ["", "no", "n", "never", "yesterday"])
def test_anything_but_a_yes_is_a_no(classroom, work, answer, capsys):
    assert agreed(classroom, work, "Ada", answer) is None
    assert read(work) is None and classroom.room.learners == {}
    assert "nothing is told" in capsys.readouterr().out


def test_nobody_needs_a_name(classroom, work, capsys):
    assert agreed(classroom, work, "", "y").nickname == ""
    assert "no name: there you are a number" in capsys.readouterr().out


def test_a_cell_that_joins_asks_once_however_often_it_is_run(classroom, work, capsys):
    first = agreed(classroom, work, "Ada", "yes")
    assert agreed(classroom, work) == agreed(classroom, work, nickname="Ada") == first
    assert "already" in capsys.readouterr().out
    other = first.page + "/join/" + "zzzz-" * 3 + "zzzz"
    with pytest.raises(Refused, match="another room"):  # another room is asked about anew
        enter(other, None, ask=answering("Ada"), work=work, folder=work)


def test_in_the_same_room_a_learner_stays_the_same_one(classroom, work):
    first = agreed(classroom, work, "Ada", "yes")
    second = agreed(classroom, work, "yes", nickname="Ada L.")
    assert (first.learner, second.nickname) == (second.learner, "Ada L.")
    assert [learner.nickname for learner in classroom.room.learners.values()] == ["Ada L."]


ADDRESSES = [
    None,
    "",
    "x",
    "http://127.0.0.1:9/",
    "http://127.0.0.1/join/abcd-efgh",
    "ftp://h:1/join/abcd-efgh-jkmn-pqrs",
    "http://127.0.0.1:99999/join/abcd-efgh-jkmn-pqrs",
    "http://127.0.0.1:9/?token=abcdefghijkl",
    "http://[:1/join/a",
    "127.0.0.1/bfh-jkm",
    "127.0.0.1:9/bfh-jk",
    "127.0.0.1:9/aei-oul",
    "https://127.0.0.1:9/bfh-jkm",
    "bfh-jkm",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_that_is_none_is_said_before_anything_is_asked(work, address):
    ask = answering()
    with pytest.raises(Refused, match="is no address to join; expected one as your instructor shows it"):
        enter(address, None, ask=ask, work=work, folder=work)
    assert ask.asked == []


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("127.0.0.1:9/abc-def", "A code never has a, c, d or e; its letters are b f h j k m q r w x y z"),
        ("127.0.0.1:9/ABC-FHJ", "A code never has a or c;"),
        ("http://127.0.0.1:9/kqw-xf1", "A code never has 1;"),
        ("127.0.0.1:9/kqwxf", "A code has 6 letters, and this one has 5"),
        ("127.0.0.1:9/kqw-xfmm", "A code has 6 letters, and this one has 7"),
        ("abc-def", "A code never has a, c, d or e;"),
        ("kqw-xfm", "The address in front of the code is missing"),
    ],
)
def test_what_is_wrong_with_a_code_is_said(work, typed, said):
    with pytest.raises(Refused) as refused:
        enter(typed, None, ask=answering(), work=work, folder=work)
    assert "is no address to join" in str(refused.value) and said in str(refused.value)


@pytest.mark.parametrize("typed", ["127.0.0.1:9/", "127.0.0.1:9/join/x", "127.0.0.1:9/classroom", "localhost", "x"])
def test_what_looks_like_no_code_is_not_called_one(work, typed):
    with pytest.raises(Refused) as refused:
        enter(typed, None, ask=answering(), work=work, folder=work)
    assert "code" not in str(refused.value).lower()


@pytest.mark.parametrize("answer", ["no", "", "never"])
@pytest.mark.parametrize(("name", "shown"), [("Ada", 'as "Ada"'), ("", "without a name")])
def test_who_has_joined_and_says_no_to_another_name_is_told_that_they_stay(
    classroom, work, capsys, name, shown, answer
):
    first = agreed(classroom, work, "yes", nickname=name)
    capsys.readouterr()
    assert agreed(classroom, work, answer, nickname="Someone else") is None
    said = capsys.readouterr().out
    assert read(work) == first and "Not joined" not in said
    assert f"you are still joined to {first.page} {shown}; `course leave` ends that" in said


def test_who_says_no_to_another_room_stays_in_the_first(classroom, work, capsys):
    first = agreed(classroom, work, "Ada", "yes")
    with open_room() as other:
        capsys.readouterr()
        assert enter(other.opened.short_address, None, ask=answering("Bo", "no"), work=work, folder=work) is None
    assert read(work) == first and f'still joined to {first.page} as "Ada"' in capsys.readouterr().out


def test_a_page_that_is_not_there_is_said_and_nothing_kept(work):
    with pytest.raises(Refused, match=r"cannot be told .*same network\?"):
        enter(ELSEWHERE, "Ada", ask=answering(), work=work, folder=work)
    assert read(work) is None


def test_a_wrong_token_is_said(classroom, work):
    address = classroom.opened.join_address[:-4] + "zzzz"
    with pytest.raises(Refused, match="another room, or another program, answers there"):
        enter(address, "Ada", ask=answering(), work=work, folder=work)


@pytest.mark.parametrize(
    ("name", "shown"),
    [("N" * 41, "N" * 40), ("Ana " * 30, ("Ana " * 10).strip()), ("名" * 55, "名" * 40), ("x" * 400, "x" * 40)],
    ids=["41", "words", "55 in another script", "400"],
)
def test_a_name_that_is_too_long_is_cut_and_that_is_said(classroom, work, capsys, name, shown):
    assert agreed(classroom, work, name, "yes").nickname == shown
    assert [one.nickname for one in classroom.room.learners.values()] == [shown]
    said = capsys.readouterr().out
    assert f"has {len(name.strip())} characters, so it is cut to 40" in said and f'nickname "{shown}"' in said


def test_a_name_of_forty_is_not_called_too_long(classroom, work, capsys):
    assert agreed(classroom, work, f"  {'N' * 40}\n", "yes").nickname == "N" * 40
    assert "cut" not in capsys.readouterr().out


@pytest.mark.parametrize("way", ["{}", "http://{}", " {} ", "http://{}/"])
def test_the_short_address_joins_and_is_not_asked_about_again(classroom, work, capsys, way):
    address = way.format(classroom.opened.short_address)
    one = enter(address, None, ask=answering("Ada", "yes"), work=work, folder=work)
    assert (one.token, one.nickname) == (classroom.opened.tokens.learners, "Ada") and read(work) == one
    assert enter(address.upper().replace("HTTP", "http"), None, ask=answering(), work=work, folder=work) == one
    assert f"{one.page}/me/{one.learner}" in capsys.readouterr().out
    assert len(classroom.room.learners) == 1


def test_a_cell_that_joined_asks_nothing_while_the_page_is_away(work, capsys):
    with open_room() as there:
        address = there.opened.short_address
        one = enter(address, "Ada", ask=answering("yes"), work=work, folder=work)
    assert enter(address, None, ask=answering(), work=work, folder=work) == one
    with pytest.raises(Refused, match="cannot be told"):
        enter(address.replace(address[-7:], "bbb-bbb"), None, ask=answering(), work=work, folder=work)


def test_a_wrong_code_is_said(classroom, work):
    wrong = classroom.opened.short_address[:-7] + "bbb-bbb"
    with pytest.raises(Refused, match="No classroom has this code"):
        enter(wrong, "Ada", ask=answering(), work=work, folder=work)


def test_notes_are_put_up_from_a_cell(classroom, work, capsys):
    note("help")
    assert "No note: you have joined no classroom" in capsys.readouterr().out
    agreed(classroom, work, "Ada", "yes")
    [one] = classroom.room.learners.values()
    for what, said in (("help", "is now: help."), ("done", "is now: done."), ("", "off the page")):
        note(what)
        assert one.note == what and said in capsys.readouterr().out
    note("HELP!")
    assert one.note == "" and "'HELP!' is no note; there are help and done" in capsys.readouterr().out


def test_a_note_that_cannot_be_told_is_said(work, capsys):
    with open_room() as there:
        enter(there.opened.short_address, "Ada", ask=answering("yes"), work=work, folder=work)
    note("help")
    assert "No note: the page at http://127.0.0.1:" in capsys.readouterr().out


def test_in_ci_nobody_is_asked(classroom, work, monkeypatch, capsys):
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr("builtins.input", lambda words: pytest.fail("asked"))
    join(classroom.opened.join_address)
    assert capsys.readouterr().out == "Not joined: CI is set, so nobody sits here who could say yes.\n"


@pytest.mark.parametrize("error", [EOFError, NotImplementedError])
def test_where_nobody_can_be_asked_a_cell_says_so(classroom, work, monkeypatch, capsys, error):
    def nobody(words):
        raise error("raw_input was called, but this frontend does not support input requests.")

    monkeypatch.setattr("builtins.input", nobody)
    join(classroom.opened.join_address)
    assert "Not joined: here nobody can be asked" in capsys.readouterr().out


def test_a_cell_joins_and_leaves(classroom, work, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", answering("Ada", "yes"))
    join(classroom.opened.join_address)
    assert read(work).folder == str(tmp_path)  # VS Code starts kernels in the notebook's folder
    leave()
    assert read(work) is None and "Left: nothing is told any more." in capsys.readouterr().out
    leave()
    assert "have not joined a classroom" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_said(classroom, work, capsys, monkeypatch):
    work.write_text("in the folder's place", encoding="utf-8")
    monkeypatch.setattr("builtins.input", answering("Ada", "yes"))
    join(classroom.opened.join_address)
    said = capsys.readouterr().out
    assert "Not joined: " in said and "cannot be" in said and "COURSE_WORK" in said


@pytest.mark.parametrize(
    "other", [{"token": "../x"}, {"learner": "me"}, {"port": "9"}, {"more": 1}, {"host": None}]
)
def test_a_file_that_was_changed_is_refused_and_joining_again_mends_it(classroom, work, other):
    agreed(classroom, work, "Ada", "yes")
    kept = json.loads((work / FILE).read_text(encoding="utf-8"))
    (work / FILE).write_text(json.dumps(kept | other), encoding="utf-8")
    with pytest.raises(Refused, match="is damaged"):
        read(work)
    assert agreed(classroom, work, "Ada", "yes") == read(work)


def test_where_the_words_say_what_travels(work):
    assert "unencrypted" not in joining._TERMS  # on the loopback address nothing travels
    assert max(map(len, joining._TERMS.splitlines())) < 80
