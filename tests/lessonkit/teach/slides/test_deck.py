"""The file that `course slides` writes: whole, without a request, timed; and what it refuses."""

import hashlib
import json
import re

import nbformat
import pytest

from course_utils import PROJECT
from lessonkit.notebook.catalog import Chapter, find, minutes, notebook_of, select
from lessonkit.notebook.cells import keep_core
from lessonkit.system.errors import Refused
from lessonkit.teach.slides import deck
from lessonkit.teach.slides.cut import cut
from lessonkit.teach.slides.guide import begins, marks

REVEAL = PROJECT / "lessonkit" / "teach" / "slides" / "reveal"
CHAPTERS = find()


@pytest.fixture
def training():
    [chapter] = select(CHAPTERS, ("training",))
    return chapter


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_the_clock_ends_with_the_minutes_of_the_title(chapter, tmp_path):
    done = deck.write(chapter, tmp_path / "a folder é" / "deck.html")
    page = done.path.read_text(encoding="utf-8")
    core, _ = minutes(nbformat.read(chapter.path, 4).cells[0].source)
    seconds = [
        int(found) for found in re.findall(r'<section [^>]*data-timing="(\d+)"', page)[::2]
    ]  # nbconvert says it twice
    assert done.minutes == core and len(seconds) == done.slides > 20
    assert abs(sum(seconds) - 60 * core) <= len(seconds)  # rounded, each of them
    assert page.count('<aside class="notes">') == done.slides
    assert f"of {core}. " in page and "Further:" not in "".join(re.findall(r"<h2>.*?</h2>", page))


def test_a_deck_asks_for_nothing(training, tmp_path):
    page = deck.write(training, tmp_path / "deck.html", further=True).path.read_text(encoding="utf-8")
    fetched = re.findall(r'<(?:script|img|link|iframe|source|video|audio)[^>]*?(?:src|href)="([^"]{0,12})', page)
    assert fetched and {start for start in fetched if not start.startswith("data:")} == set()
    assert "@import" not in page


def test_no_script_of_a_notebook_is_in_a_deck(training, tmp_path):
    def add(nb):
        script = "<script>alert(1)</script>"
        cells = [cell for cell in nb["cells"] if cell["cell_type"] == "code" and cell["outputs"]]
        cells[2]["source"] = f"print('{script}')  # {script}"
        cells[2]["outputs"] = [
            {"output_type": "stream", "name": "stdout", "text": script},
            {"output_type": "error", "ename": "E", "evalue": script, "traceback": ["Cell 1", f"E: {script}"]},
            {"output_type": "display_data", "metadata": {}, "data": {"text/html": script}},
            {"output_type": "display_data", "metadata": {}, "data": {"text/markdown": script}},
            {
                "output_type": "display_data",
                "metadata": {},
                "data": {"application/javascript": "alert(1)", "text/plain": "it"},
            },
        ]
        nb["cells"][3]["source"] = f"## Title {script}\n\n{script}\n\n- {script} ![x](https://x.org/x.png)"

    plain = deck.write(training, tmp_path / "a.html").path.read_text(encoding="utf-8")
    page = deck.write(changed(training, tmp_path, add), tmp_path / "b.html").path.read_text(encoding="utf-8")
    assert page.count("<script") == plain.count("<script") == 3
    assert page.count("&lt;script&gt;alert(1)") >= 6 and 'src="https' not in page


def test_further_adds_and_both_are_the_same_each_time(training, tmp_path):
    core = deck.write(training, tmp_path / "core.html")
    whole = deck.write(training, tmp_path / "all.html", further=True)
    assert (core.minutes, whole.minutes) == minutes(nbformat.read(training.path, 4).cells[0].source)
    assert whole.slides > core.slides
    assert deck.write(training, tmp_path / "again.html").path.read_bytes() == core.path.read_bytes()


def test_no_answer_of_ours_is_in_a_deck_unless_asked_for(training, tmp_path):
    assert "Our answer:" not in deck.write(training, tmp_path / "a.html").path.read_text(encoding="utf-8")
    assert "Our answer:" in deck.write(training, tmp_path / "b.html", solved=True).path.read_text(encoding="utf-8")


def changed(chapter, folder, change):
    nb = json.loads(chapter.path.read_text(encoding="utf-8"))
    change(nb)
    path = folder / chapter.path.name
    path.write_text(json.dumps(nb), encoding="utf-8")
    return Chapter(path)


def without_outputs(nb):
    for cell in nb["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = []


def with_first_cell(text):
    return lambda nb: nb["cells"][0].update(source=text)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (without_outputs, "has no outputs, and slides show them"),
        (with_first_cell("# A title"), "cannot be cut into slides: no minutes in the title cell"),
        (with_first_cell("**60 minutes**"), "the first cell has no title"),
        (lambda nb: nb.update(cells=[]), "has no outputs"),
        (lambda nb: nb["cells"][3].update(source=r"## A\n\n$\frac{1}{2}$"), "a formula in TeX"),
        (lambda nb: nb.pop("cells"), "is not a notebook"),
    ],
)
def test_what_is_no_chapter_is_refused_in_a_sentence_and_leaves_no_file(change, sentence, training, tmp_path):
    chapter = changed(training, tmp_path, change)
    with pytest.raises(Refused) as refusal:
        deck.write(chapter, tmp_path / "out" / "deck.html")
    assert sentence in str(refusal.value)
    assert not (tmp_path / "out").exists()


def test_a_file_that_is_no_json_is_refused(training, tmp_path):
    path = tmp_path / "05_training.ipynb"
    path.write_bytes(b"\xff\xfe not json")
    with pytest.raises(Refused, match="is not a notebook"):
        deck.write(Chapter(path), tmp_path / "deck.html")


def test_a_place_that_cannot_be_written_is_refused(training, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(Refused, match=r"cannot be written .*; name another file by --out"):
        deck.write(training, tmp_path / "file" / "deck.html")


def test_hints_come_from_the_notebook_or_the_course_and_exercises_without_are_counted(training, tmp_path):
    def release(nb):
        for cell in nb["cells"]:
            if "exercise" in cell["metadata"].get("tags", ()):
                cell["outputs"] = []

    assert deck.write(training, tmp_path / "a.html").bare == 0
    written = deck.write(changed(training, tmp_path, release), tmp_path / "b.html")
    assert written.bare == 0, "the course has the hints, too"
    for path in (tmp_path / "a.html", tmp_path / "b.html"):
        assert path.read_text(encoding="utf-8").count("<strong>Hint:</strong>") == 3

    def unknown(nb):
        release(nb)
        for cell in nb["cells"]:
            cell["source"] = [line.replace("ex.train_step.", "mine.train_step.") for line in cell["source"]]

    assert deck.write(changed(training, tmp_path, unknown), tmp_path / "c.html").bare == 1


def test_reveal_is_as_published():
    sums = [line.split() for line in (REVEAL / "SHA256SUMS").read_text(encoding="utf-8").splitlines()]
    assert len(sums) == 4
    for digest, name in sums:
        data = (REVEAL / name).read_bytes().replace(b"\r\n", b"\n")  # as a clone on Windows may have made it
        assert hashlib.sha256(data).hexdigest() == digest, name


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_the_notes_mark_half_time_late_and_home_as_the_guide_does(chapter):
    nb, said = notebook_of(chapter), marks(chapter)
    keep_core(nb)
    slides = cut(nb, solved=False)
    deck.note_marks(slides, said)
    kinds = {"**Half-time.**": said.half_time, "**Late.**": said.late, "**Home.**": said.home}
    for sign, headings in kinds.items():
        marked = [one.title for one in slides if any(note.startswith(sign) for note in one.notes)]
        assert len(marked) == len(headings) > 0, (sign, marked, headings)
        assert all(begins(title, headings) for title in marked)


def test_a_chapter_of_which_no_guide_speaks_has_no_marks(training):
    slides = cut(notebook_of(training), solved=False)
    before = [list(one.notes) for one in slides]
    deck.note_marks(slides, None)
    assert [one.notes for one in slides] == before
