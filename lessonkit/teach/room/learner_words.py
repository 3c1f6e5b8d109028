"""Say to a learner what a row says to their instructor: what the file was, and what to hand in."""

import re

from lessonkit.teach.room.not_here import LOOK
from lessonkit.teach.room.rows import Row

NOTHING_YET = "We have nothing from you yet."
ELSEWHERE = "It could not be judged on the grading machine; your instructor looks at it."
_HAND_IN = "Hand that in."
_NO_NOTEBOOK = re.compile(r"it is (?P<what>an? .+?), not a notebook; ask for the \.ipynb\.?", re.IGNORECASE)
_ASKED = (  # an instructor's words -> the learner's
    (
        r"; (?:unpack it, or )?ask for (?:the \.ipynb or )?a \.zip",
        ". Hand in the notebook (.ipynb), or a .zip with it",
    ),
    (r"; ask for the \.ipynb", ". Hand in the notebook (.ipynb)"),
    (r"; download it, and hand", ". Download it, and hand"),
)


def of_file(message: str) -> str:
    """Return what a learner reads of a file in which nothing could be judged.

    >>> of_file("It is a PDF, not a notebook; ask for the .ipynb.")
    'Your file is a PDF, and this course needs the notebook (.ipynb). Hand that in.'
    """
    text = plain(message)
    if found := _NO_NOTEBOOK.fullmatch(message.strip()):
        return f"Your file is {found['what']}, and this course needs the notebook (.ipynb). {_HAND_IN}"
    for pattern, words in _ASKED:
        text = re.sub(pattern, words, text)
    text = re.sub(r"^It is (?=an? |empty)", "Your file is ", text)
    text = re.sub(r"^The folder is empty", "Your folder is empty", text)
    text = re.sub(r"^There is the platform's receipt and no file", "Your hand-in came without a file", text)
    if not text.startswith("Your "):
        text = f"Your file could not be read. {text}"
    text = text if text.endswith(".") else f"{text}."
    if not re.search(r"hand (?:\S+ ){0,6}in\b|hand in\b|hands? it in", text, re.IGNORECASE):
        text += " Hand in the notebook (.ipynb)."
    return text


def of_row(row: Row) -> str:
    """Return what a learner reads of one exercise."""
    if row.state == "not judged here":
        return f"{ELSEWHERE} {plain(row.message)}".strip()
    if row.state == "not judged":
        return ELSEWHERE
    return plain(row.message)


def plain(message: str) -> str:
    """Return a message without what is said to an instructor alone."""
    return message.replace(f" {LOOK}", "").replace(LOOK, "").strip()
