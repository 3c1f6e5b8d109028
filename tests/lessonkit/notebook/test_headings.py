"""Headings of Markdown cells, and a title as a terminal, a link and a list show it."""

import pytest

from lessonkit.notebook.headings import headings, in_a_link, plain, text_of, without_minutes


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("## One\ntext\n### Two ##", [(2, "One"), (3, "Two")]),
        ("#hashtag\n####### seven\n    # code\n## ", []),
        ("```python\n# a comment\n```\n# After", [(1, "After")]),
        ("~~~\n```\n# inside\n~~~\n## Out", [(2, "Out")]),
        ("````\n```\n# inside\n````\n## Out", [(2, "Out")]),
        ("## See [01 tensors](01_tensors.ipynb), again", [(2, "See 01 tensors, again")]),
        ("## C# and F#", [(2, "C# and F#")]),
    ],
)
def test_headings_are_those_that_markdown_shows(markdown, expected):
    assert [*map(tuple, headings(markdown))] == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Exercise 1: windows (8 min, ★★★)", "Exercise 1: windows"),
        ("Exercise 2: far (about 10 min)", "Exercise 2: far"),
        ("Exercise 3: the minimum (of two)", "Exercise 3: the minimum (of two)"),
        ("Exercise 4: f(x) (★)", "Exercise 4: f(x)"),
    ],
)
def test_minutes_and_stars_are_no_part_of_a_title(title, expected):
    assert without_minutes(title) == expected


@pytest.mark.parametrize(
    ("title", "in_a_terminal", "as_a_link"),
    [
        ("the way back of `@`", "the way back of @", "the way back of `@`"),
        ("*safetensors*, a **format**", "safetensors, a format", "*safetensors*, a **format**"),
        ("`a[0] * b[1] * c`", "a[0] * b[1] * c", "`a[0] * b[1] * c`"),
        ("x[0] < 3", "x[0] < 3", r"x\[0\] \< 3"),
        ("2 * 3 * 4", "2 * 3 * 4", "2 * 3 * 4"),
    ],
)
def test_a_title_is_shown_by_a_terminal_and_in_a_link(title, in_a_terminal, as_a_link):
    assert plain(title) == in_a_terminal
    assert in_a_link(title) == as_a_link


def test_a_cell_may_keep_its_text_as_lines():
    assert text_of({"source": ["## One\n", "two"]}) == text_of({"source": "## One\ntwo"}) == "## One\ntwo"
