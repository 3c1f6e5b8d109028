"""The README's pictures are those that the browser's test takes, with words for whoever does not see them."""

import re

from PIL import Image

from course_utils import PROJECT

NAMED = re.compile(r"^!\[([^]]*)\]\((docs/[\w-]+\.png)\)$", re.MULTILINE)
MOST = 150 * 1024  # bytes


def test_each_picture_of_the_readme_is_taken_by_the_browser_s_test_is_small_and_is_said_in_a_sentence():
    named = NAMED.findall((PROJECT / "README.md").read_text(encoding="utf-8"))
    taken = (PROJECT / "tests" / "browser" / "test_journey.py").read_text(encoding="utf-8")
    assert len(named) == 3
    for words, path in named:
        file = PROJECT / path
        assert f'journey.picture("{file.stem}"' in taken
        assert words.endswith(".") and len(words.split()) > 8
        with Image.open(file) as picture:
            assert picture.width >= 800
        assert file.stat().st_size < MOST


def test_no_picture_of_the_desk_is_left_over():
    named = {path for _, path in NAMED.findall((PROJECT / "README.md").read_text(encoding="utf-8"))}
    assert {path.relative_to(PROJECT).as_posix() for path in (PROJECT / "docs").glob("desk-*.png")} == named
