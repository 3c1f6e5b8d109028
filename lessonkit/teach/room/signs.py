"""The sign and the words by which pages show the state of a row."""

SIGNS = {
    "passed": "✓",
    "not attempted": "○",
    "missing": "·",
    "not judged": "…",
    "not judged here": "?",
    "known mistake": "≠",
}
OTHER_SIGN = "✗"
_WORDS = {
    "passed": "passed",
    "not attempted": "not attempted",
    "missing": "not in your notebook",
    "known mistake": "not right yet: a known mistake",
    "wrong": "not right yet",
    "raised": "raised an error",
    "too slow": "took too long",
    "ended": "ended before it was judged",
    "unreadable": "the file could not be read",
    "not judged": "not judged",
    "not judged here": "not judged: it needs something that the grading machine does not have",
}


def in_short(state: str) -> str:
    """Return what a learner reads of a state; of one that is not known here, the state itself."""
    return _WORDS.get(state, state)
