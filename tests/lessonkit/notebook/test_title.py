"""A chapter's claim and minutes are read from its title cell."""

import pytest

from lessonkit.notebook.title import claim, minutes


def test_the_claim_stands_behind_the_number():
    assert claim("# 05 · The same net, 99 %\n\n**60 minutes") == "The same net, 99 %"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("**55 minutes for the core, 105 with *Further*.**", (55, 105)), ("About 55 minutes.", (55, 55))],
)
def test_minutes_for_the_core_and_for_all(text, expected):
    assert minutes(text) == expected


def test_a_title_without_minutes_is_named():
    with pytest.raises(ValueError, match="no minutes in the title cell that begins with"):
        minutes("# 05 · The same net")
