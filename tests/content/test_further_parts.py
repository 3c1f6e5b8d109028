"""*Further* behind the core: in every chapter, and what counts as a fault."""

import pytest
from content import CHAPTERS
from further_parts import check, findings
from toys import code, notebook, text

from lessonkit.notebook.folds import HEADING
from lessonkit.review.diagnostics import errors

SAID = "## Further: more of it\n\nThis part shows what else there is, for those who want to know it."


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_further_stands_behind_the_core_of_a_chapter(chapter):
    assert errors(findings([chapter])) == []


def book(*cells, heading=SAID, collapsed=True, tagged=True):
    part = text(heading)
    part.metadata.update({HEADING: True} if collapsed else {}, tags=["further"] if tagged else [])
    rest = text("### A question")
    rest.metadata.tags = ["further"]
    return notebook(text("# 00 · A title"), code("1"), part, rest, *cells, text("## What to take along"))


def numbered(*numbers):
    return [one for number in numbers for one in (text(f"### Exercise {number}: it (1 min, ★)"), code("..."))]


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (book(code("2")), "of the core stands behind"),
        (book(text("More of the core.")), "of the core stands behind"),
        (book(heading="### Further: more"), "has no heading `## Further"),
        (book(heading="## Further: more"), "0 words say what is in"),
        (book(heading="## Further: more\n\nShort."), "1 words say what is in"),
        (book(heading=SAID + "\n\n### A question\n\nIt?"), "does not stand in a cell of its own"),
        (book(heading="The answer is 3.\n\n" + SAID), "does not stand in a cell of its own"),
        (book(collapsed=False), "is not folded"),
        (book(tagged=False), "not tagged `further`"),
        (notebook(text("# 00"), *numbered(1, 3), text("## What to take along")), "the numbers [1, 3]"),
        (notebook(text("# 00"), *numbered(2, 1), text("## What to take along")), "the numbers [2, 1]"),
    ],
)
def test_a_fault_is_an_error(wrong, complaint):
    assert complaint in "; ".join(errors(check(wrong)))


def test_a_section_of_the_core_is_not_folded():
    folded = text("## A section")
    folded.metadata[HEADING] = True
    assert "is no heading of *Further*" in "; ".join(errors(check(notebook(text("# 00"), folded, text("## End")))))


def test_a_part_with_its_heading_and_a_chapter_without_parts_have_no_fault():
    assert errors(check(book())) == []
    plain = notebook(text("# 00"), code("1"), text("## What to take along"))
    assert errors(check(plain)) == []
