"""How long a reader takes: words / 44 + code cells x 0.53 + the exercises' own minutes x 0.37.

The numbers were fitted (least squares of the relative error) to how long readers who did not know the chapters
thought that each of the thirteen takes, 92 to 162 minutes as they then were: the largest miss was 17 %. A code cell
stands for reading, betting, running and its output; an exercise's own minutes are a slow reader's.
"""

import re

WORDS_A_MINUTE, MINUTES_A_CELL, OF_AN_EXERCISE = 44, 0.53, 0.37
_OWN = re.compile(r"\((?:about )?(\d+) min\b[^)]*★")


def prose(words: int) -> float:
    """Return the minutes that so many words take."""
    return words / WORDS_A_MINUTE


def exercise(text: str) -> float:
    """Return the minutes that the first exercise in a text takes, beside its words; 0 where there is none."""
    found = _OWN.search(text)
    return int(found[1]) * OF_AN_EXERCISE if found else 0.0
