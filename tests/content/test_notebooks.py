"""Every chapter's notebook has the anatomy of the course; what it computes is nbval's to compare."""

import pytest
from content import CHAPTERS

from lessonkit.review.chapter import following, notebook
from lessonkit.review.diagnostics import errors


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_a_notebook_has_no_error(chapter):
    found = errors(notebook(chapter.path, following(chapter, CHAPTERS)))
    assert not found, "\n".join(found)


def test_every_chapter_has_a_number_of_its_own():
    assert len({chapter.number for chapter in CHAPTERS}) == len(CHAPTERS), "two chapters with one number"
