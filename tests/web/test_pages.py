"""The site as files: warnings, links, sizes, alternative texts, headings, nothing given away."""

import html
import re
import sys
from collections import Counter

import nbformat
import pytest
from reading import Page, names, target

from course_utils import PROJECT, exercises
from lessonkit.notebook.catalog import NOTEBOOKS, claim, find
from lessonkit.notebook.folds import is_folded

sys.path.insert(0, str(PROJECT / "web"))
from lessonkit.notebook import predictions

MOST_BYTES = 1_500_000
BY_SCRIPT = {"search.html", "genindex.html"}  # Sphinx's own


@pytest.fixture(scope="module")
def read(pages):
    return {name: Page(pages / name) for name in names(pages)}


def test_it_is_built_without_a_word_of_complaint(built, record_property):
    folder, printed, alone = built
    assert printed.strip() == f"{len(names(folder))} pages: {folder / 'index.html'}"
    record_property("without a network", alone)


def test_every_chapter_has_its_page_and_its_notebook_to_download(read, pages):
    for chapter in find():
        page = read[f"notebooks/{chapter.name}.html"]
        (link,) = [link for link in page.links if link.endswith(".ipynb")]
        assert target(page, link).path.read_bytes() == chapter.path.read_bytes()


def test_every_link_leads_to_a_page_and_an_anchor_that_are_there(read, pages):
    by_path = {page.path.resolve(): page for page in read.values()}
    tried, dead = 0, []
    for name, page in read.items():
        for address in [*page.links, *page.loaded]:
            if (leads := target(page, address)) is None:
                continue
            tried += 1
            ids = by_path[leads.path].ids if leads.path in by_path else set()
            if not leads.path.is_file() or (leads.anchor and leads.path in by_path and leads.anchor not in ids):
                dead.append(f"{name}: {address}")
    assert dead == []
    assert tried > 2000


def test_a_page_loads_nothing_from_elsewhere_and_little_in_all(read):
    for name, page in read.items():
        leads = {address: target(page, address) for address in page.loaded}
        assert None not in leads.values(), f"{name} loads {[one for one in leads if leads[one] is None]}"
        weight = page.path.stat().st_size + sum(
            path.stat().st_size for path in {lead.path for lead in leads.values()}
        )
        assert weight <= MOST_BYTES, f"{name}: {weight:,} bytes"


def test_every_picture_says_what_it_shows(read):
    pictures = [(name, src, alt) for name, page in read.items() for src, alt in page.pictures]
    assert len(pictures) > 80
    assert [one for one in pictures if not one[2] or len(one[2]) < 8 or one[2].endswith(".png")] == []


def test_headings_come_in_order_under_one_title(read):
    for name, page in read.items():
        if name in BY_SCRIPT:
            continue
        assert page.headings.count(1) == 1 and page.headings[0] == 1, name
        jumps = [(a, b) for a, b in zip(page.headings, page.headings[1:], strict=False) if b > a + 1]
        assert jumps == [], name


def test_hints_are_folded_and_no_solution_is_on_a_page(read):
    folded = 0
    for chapter in find():
        page = read[f"notebooks/{chapter.name}.html"]
        folded += page.text.count('<details class="course-hint">')
        assert "course-answer" not in page.classes
        asked = sum("exercise" in cell.metadata.get("tags", []) for cell in nbformat.read(chapter.path, 4).cells)
        assert page.text.count('class="course-verdict"') >= asked, chapter.name
    assert folded > 150 and exercises


def test_outputs_that_answer_a_prediction_are_folded_and_the_others_are_not(read):
    folded = 0
    for chapter in find():
        text, cells = read[f"notebooks/{chapter.name}.html"].text, nbformat.read(chapter.path, 4).cells
        answered = len(predictions.answered(cells))
        shown = sum(bool(cell.get("outputs")) for cell in cells) - answered
        assert text.count("hide below-input") == answered, chapter.name
        assert shown > 0 and text.count('<div class="cell_output') == shown + answered, chapter.name
        folded += answered
    assert folded > 250
    assert "<details open" not in text and "Toggle hidden content" not in text


def test_folded_code_is_folded_on_the_site_and_its_summary_says_what_is_in_it(read):
    told = Counter()
    for chapter in find():
        text = read[f"notebooks/{chapter.name}.html"].text
        cells = [cell for cell in nbformat.read(chapter.path, 4).cells if is_folded(cell, "source_hidden")]
        folds = re.findall(
            r'<details class="[^"]*hide above-input[^"]*">\s*<summary[^>]*>(.*?)</summary>', text, re.DOTALL
        )
        assert len(folds) == len(cells) == text.count("above-input"), chapter.name
        for fold, cell in zip(folds, cells, strict=True):
            words = re.findall(r"Show the [^<]+", fold)
            draws = any("image/png" in output.get("data", {}) for output in cell.outputs)
            imports = re.match(r"(?:#.*\n|\s)*(?:import|from) ", cell.source)
            other = "Show the imports" if imports else "Show the code of this cell"
            expected = ["Show the code that draws this" if draws else other]
            assert words == expected or "Show the source" in words, (chapter.name, cell.id)
            told.update(words)
    assert told["Show the imports"] > 5 and told["Show the code that draws this"] > 0


def test_the_side_bar_names_chapters_by_their_titles_and_keeps_maintainers_pages_in_a_drawer(read):
    bar = re.search(r'<div class="sidebar-tree">(.*?)</div>', read["index.html"].text, re.DOTALL)[1]
    top = re.findall(r'<li class="toctree-l1[^"]*"><a [^>]*>(.*?)</a>', bar)
    plain = [html.unescape(re.sub(r"<[^>]*>", "", words)).replace("’", "'") for words in top]
    for chapter in find():
        title = nbformat.read(chapter.path, 4).cells[0].source
        assert f"{chapter.number:02d} · {claim(title)}".replace("’", "'") in plain
    assert not [words for words in plain if "_" in words]
    assert len(plain) <= 14 + 8 and "For maintainers" in plain
    assert "How to change the course" not in plain and "How to change the course" in bar


def test_a_term_is_a_link_with_its_definition(read):
    page = read["notebooks/05_training.html"]
    found = re.search(
        r'<a class="course-term[^"]*"[^>]*href="([^"]+)"[^>]*title="(learning rate: [^"]+)"', page.text
    )
    assert found, [line for line in page.text.splitlines() if "course-term" in line][:3]
    leads = target(page, found[1])
    assert leads.path.name == "glossary.html" and leads.anchor == "term-learning-rate"
    text = (NOTEBOOKS / "glossary.md").read_text(encoding="utf-8")
    assert found[2].partition(": ")[2].split(" ")[0] in text
