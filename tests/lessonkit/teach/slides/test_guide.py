"""What an instructor's guide says of a chapter is read as it is written, and nothing is made up."""

import pytest

from lessonkit.notebook.catalog import find
from lessonkit.teach.slides.guide import Marks, begins, marks, marks_in

GUIDE = """## Chapter by chapter

### 06 save_load

- **Say:** Two sentences. “Not a heading.”
- **Bet** in “Everything”: how many? “None”, says nobody.
- **Mistake** `a`, `b`: print.
- **Half-time:** “Two”. **Late:** “Three”,
  “Four”.
- **Home:** “Five”, “Six”.

### 07 other

- **Home:** “Seven”.

## After
"""


def test_an_entry_is_read_kind_by_kind():
    expected = Marks(("Everything",), ("Two",), ("Three", "Four"), ("Five", "Six"))
    assert marks_in(GUIDE, "06_save_load") == expected
    assert marks_in(GUIDE, "07_other") == Marks(home=("Seven",))


@pytest.mark.parametrize("name", ["06_save", "6_save_load", "08_other", "After"])
def test_what_has_no_entry_has_no_marks(name):
    assert marks_in(GUIDE, name) is None


def test_every_chapter_of_the_course_has_its_bet():
    assert all(len(marks(chapter).bet) == 1 for chapter in find())


@pytest.mark.parametrize(
    ("heading", "marked", "right"),
    [
        ("Exercise 3: mend this loss (8 min)", ("Exercise 3",), True),
        ("`eval()` and `no_grad()` are two", ("eval() and",), True),
        ("Equal is not `==`", ("Equal is not",), True),
        ("The net", ("The network",), False),
        ("The net", (), False),
    ],
)
def test_a_heading_is_known_by_how_it_begins(heading, marked, right):
    assert begins(heading, marked) == right
