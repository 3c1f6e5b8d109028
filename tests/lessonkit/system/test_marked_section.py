"""A program's part of a page is replaced, and nothing else; a page that has lost its marks is left alone."""

import pytest

from lessonkit.system.marked_section import Section

START, END = "<!-- here -->", "<!-- to here -->"


@pytest.fixture
def part(tmp_path):
    page = tmp_path / "Seite é.md"
    page.write_text(f"before\n{START}\nold\n{END}\nafter\n", encoding="utf-8")
    return Section(page, START, END)


def test_what_lies_between_the_marks_is_replaced_and_nothing_else(part):
    assert part.read() == "old"
    part.put("| new é |")
    assert part.read() == "| new é |"
    assert part.page.read_text(encoding="utf-8") == f"before\n{START}\n\n| new é |\n\n{END}\nafter\n"


def test_a_page_that_says_it_already_is_not_written(part):
    part.put("new")
    before = part.page.stat().st_mtime_ns, part.page.stat().st_ino
    part.put("new")
    assert (part.page.stat().st_mtime_ns, part.page.stat().st_ino) == before


@pytest.mark.parametrize("text", ["nothing to see", END + START, START + START + END, f"{START} alone"])
def test_a_page_without_its_marks_is_left_alone(part, text):
    part.page.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"must hold each of these two lines once.*found \d and \d"):
        part.put("new")
    with pytest.raises(ValueError, match="must hold each"):
        part.read()
    assert part.page.read_text(encoding="utf-8") == text
