"""From verdicts to marks: what counts, points by hand, the list to look at, and the tables."""

import csv
import io
import json

import pytest

from lessonkit.notebook.catalog import find
from lessonkit.system.errors import Refused
from lessonkit.teach.room import overrides, tables
from lessonkit.teach.room.by_hand import looks
from lessonkit.teach.room.gradebook import Gradebook
from lessonkit.teach.room.rows import Graded, Row
from lessonkit.teach.room.tally import read_manifest, tally

FIRST, SECOND = "00_start_here", "01_tensors"
CHAPTERS = tuple(find())
HEAD = {"isolation": "namespaces", "promises": "", "limits": {}, "versions": {}, "judged_by": "0" * 16, "secret": 1}
LONG = """
def hit_rates(guesses, targets):
    rates = []
    for digit in range(10):
        asked = targets == digit
        rates.append((guesses[asked] == digit).float().mean().item())
    return rates

ex.hit_rates.check(hit_rates)
"""


def handed_in(learner, states, *, chapter=FIRST, again="", further=(), notes=(), code=None, own=""):
    """What was graded of one file; `states`: exercise -> state."""
    rows = tuple(
        Row(exercise=name, state=state, message=f"about {name}", further=name in further)
        for name, state in states.items()
    )
    return Graded(
        learner=learner,
        file=f"{learner}/{chapter}{again}.ipynb",
        sha256=f"{learner}{again}",
        own=own,
        chapter=chapter,
        rows=rows,
        notes=notes,
        code=code or {},
    )


def added_up(*results, by_hand=(), handed_out=None):
    book = Gradebook(None, HEAD, {one.file: one for one in results}, chapters=CHAPTERS, handed_out=handed_out)
    book.by_hand = list(by_hand)
    return book.tally()


CORE = {"half_dtype": "passed", "to_unit": "passed", "hit_rates": "passed"}
FURTHER = {"ink": "missing", "halvings": "missing"}


def test_a_full_core_is_three_of_three_without_a_manifest_and_with_one():
    given = {**CORE, **FURTHER}
    whole = added_up(handed_in("ana", given, further=FURTHER))[0].learners["ana"][FIRST]
    assert (whole.points, whole.possible) == (3, 3)
    asked = {FIRST: (*CORE, "ink")}
    by_manifest = added_up(handed_in("ana", given, further=FURTHER), handed_out=asked)[0].learners["ana"][FIRST]
    assert (by_manifest.points, by_manifest.possible) == (3, 4)


def test_further_counts_where_most_of_the_room_have_it_and_is_extra_where_few_do():
    done = {**CORE, "ink": "passed", "halvings": "wrong"}
    few = [handed_in(name, {**CORE, **FURTHER}, further=FURTHER) for name in ("bob", "carol", "dora")]
    room, _ = added_up(handed_in("ana", done, further=FURTHER), *few)
    assert [(one[FIRST].points, one[FIRST].possible) for one in room.learners.values()] == [(3, 3)] * 4
    assert room.extras == {FIRST: ("ink", "halvings")}
    most = [handed_in(name, done, further=FURTHER) for name in ("bob", "carol")]
    room, _ = added_up(handed_in("ana", {**CORE, **FURTHER}, further=FURTHER), *most)
    assert {name: (one[FIRST].points, one[FIRST].possible) for name, one in room.learners.items()} == {
        "ana": (3, 5), "bob": (4, 5), "carol": (4, 5)
    }  # fmt: skip


def test_a_second_hand_in_is_never_added_to_the_first():
    half = {"half_dtype": "passed", "to_unit": "wrong", "hit_rates": "passed"}
    for files, points in (("", "-2"), 2), (("-2", ""), 3):  # the later one is the worse, or the better
        results = [handed_in("theo", CORE, again=files[0]), handed_in("theo", half, again=files[1])]
        room, _ = added_up(*results, handed_in("eve", half))
        assert room.learners["theo"][FIRST].points == points and room.learners["theo"][FIRST].possible == 3
        assert len(room.counting) == 2
        told = [one for one in looks(room) if "This is one of 2 hand-ins of this chapter and the latest" in one.why]
        assert [one.learners for one in told] == [("theo",)]


def line(number=2, **changed):
    said = {"learner": "ana", "chapter": FIRST, "exercise": "to_unit", "points": "1", "reason": "shown to me"}
    return said | {"line": str(number)} | changed


@pytest.mark.parametrize(
    "changed",
    [{}, {"learner": "ANA"}, {"learner": " ana "}, {"chapter": "0"}, {"chapter": "00"}, {"chapter": "start_here"}],
    ids=str,
)
def test_points_by_hand_take_the_place_of_the_check(changed):
    room, found = added_up(handed_in("ana", {**CORE, "to_unit": "raised"}), by_hand=[line(**changed)])
    assert found.troubles == () and room.learners["ana"][FIRST].points == 3
    room, _ = added_up(handed_in("ana", CORE), by_hand=[line(**changed, points="0,5")])
    assert room.learners["ana"][FIRST].points == 2.5


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"learner": "anna"}, "'anna' is nobody on the roster or in the room; did you mean ana?"),
        ({"chapter": SECOND}, "01_tensors has no exercise called 'to_unit'"),
        ({"chapter": "99"}, "no chapter called '99'"),
        ({"exercise": "to_units"}, "00_start_here has no exercise called 'to_units'; it has half_dtype, to_unit"),
        ({"points": "one"}, "a number from 0 to 1000, and here stands 'one'"),
        ({"points": "-1"}, "here stands '-1'"),
        ({"points": "nan"}, "here stands 'nan'"),
        ({"points": ""}, "here stands ''"),
    ],
    ids=str,
)
def test_a_line_that_gives_no_points_is_said_with_its_number(changed, said):
    room, found = added_up(handed_in("ana", CORE), by_hand=[line(7, **changed)])
    assert room.learners["ana"][FIRST].points == 3 and not found.by_row
    assert (
        len(found.troubles) == 1
        and found.troubles[0].startswith("overrides.csv, line 7: ")
        and said in found.troubles[0]
    )


def test_two_who_are_called_alike_and_two_lines_of_one_row_are_said():
    both = [handed_in("Ana", CORE), handed_in("ANA", CORE)]
    _, found = added_up(*both, by_hand=[line()])
    assert "'ana' fits several learners: ANA, Ana" in found.troubles[0]
    room, found = added_up(
        *both, by_hand=[line(2, learner="Ana", points="0"), line(3, learner="Ana", points="0.5")]
    )
    assert "is about the same row as line 2; the later line counts" in found.troubles[0]
    assert room.learners["Ana"][FIRST].points == 2.5 and room.learners["ANA"][FIRST].points == 3


TEXT = 'learner,chapter,exercise,points,reason\nMüller_7,00,ink,0.5,nearly\n\nJosé,01,windows,1,"oral, on Monday"\n'
SAVED = {
    "as it is": TEXT.encode(),
    "with a mark": TEXT.encode("utf-8-sig"),
    "lines end as on Windows": TEXT.replace("\n", "\r\n").encode(),
    "Excel in German": TEXT.replace(",", ";").replace("0.5", "0,5").replace("oral;", "oral,").encode("cp1252"),
    "Unicode text": TEXT.replace(",", "\t").replace("oral\t", "oral,").encode("utf-16"),
    "other order": (
        "points;reason;exercise;chapter;learner;more\n0.5;nearly;ink;00;Müller_7\n"
        '1;"oral, on Monday";windows;01;José;x\n'
    ).encode(),
}  # fmt: skip


@pytest.mark.parametrize("name", SAVED)
def test_a_spreadsheet_may_save_the_points(tmp_path, name):
    (tmp_path / overrides.NAME).write_bytes(SAVED[name])
    first, second = overrides.read(tmp_path)
    assert (first["learner"], first["points"].replace(",", "."), first["exercise"]) == ("Müller_7", "0.5", "ink")
    assert (second["learner"], second["reason"]) == ("José", "oral, on Monday")


@pytest.mark.parametrize("data", [b"", b"name,points\nana,1\n", b"\x00\x01\x02", b'learner,"chapter\n'], ids=str)
def test_a_file_with_other_columns_is_refused_before_anything_is_graded(tmp_path, data):
    (tmp_path / overrides.NAME).write_bytes(data)
    with pytest.raises(Refused, match=r"overrides\.csv"):
        overrides.read(tmp_path)


def test_points_by_hand_are_kept_and_shown_by_the_next_run(tmp_path):
    book = Gradebook(tmp_path, HEAD, chapters=CHAPTERS)
    book.graded = {
        one.file: one for one in [handed_in("ana", {**CORE, "to_unit": "raised"}), handed_in("bob", CORE)]
    }
    book.save()
    path = tmp_path / overrides.NAME
    assert path.read_text(encoding="utf-8") == "learner,chapter,exercise,points,reason\n"
    mine = b"learner,chapter,exercise,points,reason\nana,00,to_unit,0.5,<b>half</b> of it\nzoe,00,ink,1,gone\n"
    path.write_bytes(mine)
    book.by_hand = overrides.read(tmp_path)
    book.save()
    assert path.read_bytes() == mine
    page = (tmp_path / "grades.html").read_text(encoding="utf-8")
    assert "✎0.5" in page and "&lt;b&gt;half&lt;/b&gt; of it" in page and "2.5 of 3" in page
    assert "line 3: &#39;zoe&#39; is nobody on the roster or in the room" in page
    sent = (tmp_path / "feedback" / "ana.html").read_text(encoding="utf-8")
    assert "0.5 points, given by your instructor" in sent and "&lt;b&gt;half&lt;/b&gt;" in sent
    with (tmp_path / "grades.csv").open(encoding="utf-8", newline="") as file:
        told = {(row["learner"], row["exercise"]): row for row in csv.DictReader(file)}
    assert told["ana", "to_unit"]["points"] == "0.5" and told["ana", "to_unit"]["by hand"] == "<b>half</b> of it"
    assert told["bob", "to_unit"]["points"] == "1" and told["bob", "to_unit"]["by hand"] == ""


def test_a_platform_gets_one_row_a_learner_safe_from_formulas():
    evil = "=HYPERLINK(1)"
    room, _ = added_up(
        handed_in(evil, CORE),
        handed_in(evil, {**CORE, "to_unit": "wrong"}, again="-2"),
        handed_in("@bob", {"windows": "passed", "survives": "wrong"}, chapter=SECOND),
        handed_in("carol", {"": "unreadable"}, chapter=""),
    )
    table = list(csv.DictReader(io.StringIO(tables.for_lms(room, CHAPTERS))))
    assert table == [
        {"learner": f"'{evil}", FIRST: "2", SECOND: "", "points": "2", "total": "5"},
        {"learner": "'@bob", FIRST: "", SECOND: "1", "points": "1", "total": "5"},
        {"learner": "carol", FIRST: "", SECOND: "", "points": "0", "total": "5"},
    ]


def seen(*results, **given):
    return {(one.learners, one.exercise): one.why for one in looks(added_up(*results, **given)[0])}


@pytest.mark.parametrize(
    "state", ["raised", "unreadable", "ended", "not judged", "not judged here", "never heard of"]
)
def test_what_no_check_decides_is_on_the_list_to_look_at(state):
    found = seen(handed_in("ana", {**CORE, "to_unit": state}), handed_in("bob", CORE))
    assert list(found) == [(("ana",), "to_unit")]
    assert not seen(handed_in("ana", {**CORE, "to_unit": state}), by_hand=[line()]), "somebody has looked"


@pytest.mark.parametrize("state", ["passed", "wrong", "known mistake", "not attempted", "missing", "too slow"])
def test_what_a_check_decides_is_not(state):
    assert seen(handed_in("ana", {**CORE, "to_unit": state})) == {}


def test_a_file_that_cannot_be_read_is_on_it_once_and_what_many_have_in_common_too():
    note = "Made from another version of the chapter."
    broken = dict.fromkeys(CORE, "unreadable")
    found = seen(handed_in("ana", broken), *(handed_in(name, CORE, notes=(note,)) for name in ("bob", "carol")))
    assert list(found) == [(("ana",), "half_dtype"), (("bob", "carol"), "")] and found[("bob", "carol"), ""] == note


def alike(*codes):
    """Groups of learners with the same text of `hit_rates`, of learners a, b, c …"""
    results = [handed_in(chr(97 + n), CORE, code={"hit_rates": code}) for n, code in enumerate(codes)]
    return sorted("".join(learners) for learners, exercise in seen(*results) if exercise == "hit_rates")


def test_answers_of_the_same_text_are_on_it():
    spaced = LONG.replace("    ", "  ").replace("= []", "=   [ ] # mine")
    assert alike(f"# cell 3\n{LONG}", f"# cell 9\n{spaced}") == ["ab"]
    assert alike(LONG, LONG.replace("rates", "shares"), LONG) == ["ac"]
    assert alike("%%time\n" + LONG, "%%time\n" + LONG) == ["ab"], "no Python by itself"
    assert alike("half_dtype = torch.float32", "half_dtype = torch.float32") == [], "too short to be a copy"
    assert alike("", "") == []


def test_untouched_stubs_are_nobodys_copy_and_one_learners_two_files_are_no_pair():
    untouched = dict.fromkeys(CORE, "not attempted")
    given = {"code": {"hit_rates": LONG}, "own": "f" * 24}
    same_code = {"code": {"hit_rates": LONG}}
    assert seen(handed_in("ana", untouched, **same_code), handed_in("bob", untouched, **same_code)) == {}
    twice = seen(handed_in("ana", CORE, **given), handed_in("ana", CORE, again="-2", **given))
    assert [key for key in twice if len(key[0]) > 1] == []
    same = seen(handed_in("ana", CORE, **given), handed_in("bob", CORE, **given))
    assert list(same) == [(("ana", "bob"), "")] and "All their answers are the same" in same[("ana", "bob"), ""]


def test_a_manifest_without_exercises_is_refused(tmp_path):
    for text in ("[]", '{"notebooks": {"a.ipynb": {"chapter": "00_start_here"}}}', "{"):
        (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
        with pytest.raises(Refused, match="does not say which exercises were handed out"):
            read_manifest(tmp_path)
    with pytest.raises(Refused, match="is not there"):
        read_manifest(tmp_path / "empty.json")
    left = {"notebooks": {"a.ipynb": {"chapter": FIRST, "exercises": ["ink"]}, "b.ipynb": {"sha256": "0"}}}
    (tmp_path / "manifest.json").write_text(json.dumps(left), encoding="utf-8")
    assert read_manifest(tmp_path) == read_manifest(tmp_path / "manifest.json") == {FIRST: ("ink",)}


def test_tally_alone_needs_no_course():
    room = tally([handed_in("a", {"x": "passed"}, chapter="mine")], overrides=overrides.Overrides({}))
    assert room.learners["a"]["mine"].points == 1


@pytest.mark.parametrize("state", ["not judged", "not judged here"])
def test_what_could_not_be_judged_is_neither_passed_nor_failed_until_somebody_decides(state):
    given = {**CORE, "to_unit": state}
    one = added_up(handed_in("ana", given))[0].learners["ana"][FIRST]
    assert (one.points, one.possible) == (2, 2)
    one = added_up(handed_in("ana", given), by_hand=[line(points="0.5")])[0].learners["ana"][FIRST]
    assert (one.points, one.possible) == (2.5, 3)
