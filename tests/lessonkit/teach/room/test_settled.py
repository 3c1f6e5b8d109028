"""What the rows of a room say of several hand-ins: which counts, whose text is the same, which cell was odd."""

import copy
import json
from dataclasses import replace

import pytest
from command_line import course
from nbformat import NotebookNode
from submissions import FIRST, WRONG, mistaken, notebook, with_answer

from lessonkit.notebook.catalog import find
from lessonkit.teach.room import submission
from lessonkit.teach.room.chapters_in_file import parts
from lessonkit.teach.room.own_text import own_text
from lessonkit.teach.room.rows import Graded, Row
from lessonkit.teach.room.settled import Known, file_of, settled

CHAPTERS = tuple(find())
START = CHAPTERS[0]


def graded(learner, file, *states, own="", chapter=FIRST):
    rows = tuple(Row(exercise=f"e{n}", state=state, message="m") for n, state in enumerate(states))
    return Graded(learner=learner, file=file, sha256="", chapter=chapter, rows=rows, own=own)


TWO = [graded("ana", "ana/s.ipynb", "passed", "passed"), graded("ana", "ana/s-2.ipynb", "passed", "wrong")]


@pytest.mark.parametrize(("rule", "counts"), [("latest", [False, True]), ("best", [True, False])])
def test_of_two_hand_ins_one_counts_and_both_say_so(rule, counts):
    found = settled(TWO, rule=rule)
    assert [one.counts for one in found] == counts
    assert all(f"the {rule}" in one.flags[0] and "one of 2 hand-ins" in one.flags[0] for one in found)
    assert settled(found, rule=rule) == found, "a second look adds nothing"


def test_the_latest_is_what_the_manifest_says_and_by_what():
    known = {"ana/s.ipynb": Known(order=(2,), by="by the date in its name"), "ana/s-2.ipynb": Known(order=(1,))}
    first, second = settled(TWO, known=known)
    assert (first.counts, second.counts) == (True, False)
    assert "the latest (by the date in its name): it counts" in first.flags[0]
    assert "it does not count: ana/s.ipynb does" in second.flags[0]


def test_without_a_manifest_the_number_in_the_name_is_the_order():
    files = ["ana/s.ipynb", "ana/s-2.ipynb", "ana/s-10.ipynb"]
    found = settled([graded("ana", file, "passed") for file in files])
    assert [one.file for one in found if one.counts] == ["ana/s-10.ipynb"]


def test_a_file_that_cannot_be_read_does_not_replace_one_that_can():
    found = settled([TWO[0], replace(TWO[1], rows=(Row(exercise="e0", state="unreadable", message="m"),))])
    assert [one.counts for one in found] == [True, False] and "of those that can be read" in found[0].flags[0]


def test_other_chapters_and_other_learners_are_no_second_hand_in():
    found = settled([TWO[0], replace(TWO[1], chapter="01_tensors"), replace(TWO[1], learner="ben")])
    assert all(one.counts and not one.flags for one in found)


def test_the_same_text_is_said_on_both_rows_and_accuses_nobody():
    names = ["ana", "ben", "cara", "dora"]
    found = settled(
        [graded(name, f"{name}/s.ipynb", "passed", own="x" if name != "dora" else "y") for name in names]
    )
    assert found[0].flags == (
        "Its answers are the same text as in ben's hand-in (ben/s.ipynb), cara's hand-in (cara/s.ipynb). "
        "Look at them by hand.",
    )
    assert "ana's hand-in" in found[1].flags[0] and found[3].flags == () and all(one.counts for one in found)


def test_one_persons_two_files_and_a_pairs_are_no_same_text():
    known = {"a/s.ipynb": Known(with_=frozenset({"b"})), "b/s.ipynb": Known(with_=frozenset({"a"}))}
    found = settled([graded(name, f"{name}/s.ipynb", "passed", own="x") for name in "ab"], known=known)
    assert [one.flags for one in found] == [(), ()]
    assert not any(
        "same text" in flag for one in settled([replace(one, own="x") for one in TWO]) for flag in one.flags
    )


def spaced(nb):
    nb = copy.deepcopy(nb)
    for cell in nb.cells:
        cell.source = (
            cell.source.replace("    ", "\t").replace("\n", "\n\n") if cell.cell_type == "code" else "words"
        )
    return nb


def test_own_text_is_that_of_the_answers_whatever_stands_around_them():
    solved, untouched = notebook(FIRST, solved=True), notebook(FIRST, solved=False)
    text = own_text(solved, START)
    assert text and own_text(untouched, START) == ""
    more = copy.deepcopy(solved)
    more.cells.insert(3, NotebookNode(cell_type="code", source="plt.plot([1, 2])", metadata={}, id="scratch"))
    assert own_text(spaced(solved), START) == own_text(more, START) == text
    other = mistaken(*WRONG[0])[0]
    assert own_text(other, START) not in ("", text)
    short = with_answer(untouched, "half_dtype", "half_dtype = torch.float16\nex.half_dtype.check(half_dtype)")
    assert own_text(short, START) == "", "anybody may type this line"


def together():
    both = notebook(FIRST, solved=True)
    both.cells = [*both.cells, *notebook("01_tensors", solved=True).cells]
    return both


def test_two_chapters_in_one_file_are_both_found():
    both = together()
    found = parts(both, START, CHAPTERS)
    assert [chapter.name for chapter, _ in found] == [FIRST, "01_tensors"]
    for chapter, nb in found:
        answers = submission.submission(nb, chapter)
        assert set(answers.answers) == {task.name for task in submission.tasks(chapter)} and answers.unknown == ()
        assert len(nb.cells) == len(both.cells), "so that the numbers of cells stay"
    one = notebook(FIRST, solved=True)
    one.cells.append(NotebookNode(cell_type="code", source="from course_utils.exercises import nets", metadata={}))
    assert parts(one, START, CHAPTERS) == [(START, one)], "an import alone is no chapter"


def test_a_room_of_odd_hand_ins_is_graded_and_each_is_said(tmp_path, apart, monkeypatch, capsys):
    source = tmp_path / "in"
    solved = notebook(FIRST, solved=True)
    odd = json.loads(json.dumps(with_answer(solved, "ink", "x = 1")))
    numbers = {}
    for number, cell in enumerate(odd["cells"]):
        if "exercise" in cell["metadata"].get("tags", []):
            name = next(
                one
                for one in ("half_dtype", "to_unit", "hit_rates", "ink", "halvings")
                if one in "".join(cell["source"]) or cell["source"] == "x = 1"
            )
            numbers[name if cell["source"] != "x = 1" else "ink"] = number
    odd["cells"][numbers["ink"]]["source"] = None
    odd["cells"][numbers["halvings"]]["id"] = None
    odd["cells"][numbers["to_unit"]]["source"] = (
        "<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> b\nex.to_unit.check(a)"
    )
    files = {
        "ana/00_start_here.ipynb": json.dumps(solved).encode("utf-16"),
        "ben/00_start_here.ipynb": json.dumps(spaced(solved) | {"metadata": {}}).encode(),
        "cara/00_start_here.ipynb": json.dumps(notebook(FIRST, solved=False)).encode(),
        "cara/00_start_here (1).ipynb": json.dumps(mistaken(*WRONG[0])[0]).encode(),
        "dora/00_start_here.ipynb": json.dumps(together()).encode(),
        "emil/00_start_here.ipynb": json.dumps(odd).encode(),
        "fay/00_start_here.pdf": b"%PDF",
        "gus/00_start_here.ipynb": b"<html><title>Log in</title>",
    }
    for name, data in files.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(data)
    (tmp_path / "names.csv").write_text("Name\nana\nben\ncara\ndora\nemil\nfay\ngus\nhanna\n", encoding="utf-8")
    room, out = tmp_path / "room", tmp_path / "out"
    status, told, error = course(
        monkeypatch, capsys, "collect", source, "--to", room, "--roster", tmp_path / "names.csv"
    )
    assert (
        status == 1
        and "fay/00_start_here.pdf: it is a PDF" in error
        and "1 of the roster handed in nothing: hanna." in told
    )
    status, told, _ = course(monkeypatch, capsys, "grade", room, "--out", out)
    results = json.loads((out / "grades.json").read_text(encoding="utf-8"))["submissions"]
    found = {(one["learner"], one["chapter"], one["counts"]): one for one in results}
    rows = {key: {row["exercise"]: row for row in one["rows"]} for key, one in found.items()}
    assert {row["state"] for row in rows["ana", FIRST, True].values()} == {"passed"}
    assert "The file is in UTF-16, not in UTF-8; it was read all the same." in found["ana", FIRST, True]["notes"]
    assert "the same text as in ben's hand-in" in " ".join(found["ana", FIRST, True]["flags"])
    assert "ana's hand-in" in " ".join(found["ben", FIRST, True]["flags"])
    assert rows["cara", FIRST, True]["ink"]["state"] == "known mistake"
    assert rows["cara", FIRST, False]["ink"]["state"] == "not attempted"
    for chapter in (FIRST, "01_tensors"):
        assert {row["state"] for row in rows["dora", chapter, True].values()} == {"passed"}
        assert "The file holds 2 chapters" in found["dora", chapter, True]["notes"][0]
    emil = rows["emil", FIRST, True]
    assert emil["half_dtype"]["state"] == emil["halvings"]["state"] == "passed"
    assert f"Cell {numbers['ink']} (" in emil["ink"]["message"] and "`source` is null" in emil["ink"]["message"]
    assert (
        emil["to_unit"]["state"] == "raised" and "Line 1 is a conflict marker of git" in emil["to_unit"]["message"]
    )
    assert "a PDF" in rows["fay", FIRST, True]["ink"]["message"]
    assert "asks for a login" in rows["gus", FIRST, True]["ink"]["message"]
    assert rows["hanna", "", True][""]["message"] == "Handed in nothing, and stands on the roster."
    page = (out / "grades.html").read_text(encoding="utf-8")
    assert "does not count" in page and "the same text as in" in page
    before = (out / "grades.json").read_bytes()
    _, told, _ = course(monkeypatch, capsys, "grade", room, "--out", out)
    assert "submissions were graded before and are kept" in told
    assert (out / "grades.json").read_bytes() == before
    course(monkeypatch, capsys, "grade", room, "--out", out, "--resubmissions", "best")
    again = json.loads((out / "grades.json").read_text(encoding="utf-8"))["submissions"]
    assert [one["counts"] for one in again if one["learner"] == "cara"].count(True) == 1
    assert {file_of(Graded.from_json(one)) for one in again if one["learner"] == "dora"} == {
        "dora/00_start_here.ipynb"
    }
