"""The sentences of a paragraph: which of them ask, and which a slide keeps."""

import re
from itertools import pairwise

FEWEST_WORDS = 4  # of a question
MOST_WORDS = 46  # of a bet, with what must be known to take it
LEAD_WORDS = 40  # of a passage that has nothing else to show
_SENTENCE = re.compile(r"(?<=[.?!…:])([)\"”*]*)\s+(?=[*_`(\"“]*[A-Z0-9`])")

# A question, or a demand to predict: a chapter may write either.
_ASKS = re.compile(
    r"\?|\bBet\b|\b[Bb]efore you run (?:it|this|the (?:next )?cell)\b|\b[Pp]redict (?:how|wh|the|if)"
)


def sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph; one, if an emphasis would be cut."""
    hidden = re.sub(r"`[^`]+`", lambda code: "\0" * len(code[0]), text)
    cuts = [0, *(found.end() for found in _SENTENCE.finditer(hidden)), len(text)]
    parts = [text[start:end].strip() for start, end in pairwise(cuts)]
    whole = all(part.count("*") % 2 == 0 for part in parts)
    return [part for part in parts if part] if whole else [text]


def is_question(sentence: str) -> bool:
    """Return whether a sentence asks the reader something; “Stuck?”, and what stands in brackets, does not."""
    bare = re.sub(r"\([^()]*\)", "", without_code(sentence))
    return bool(_ASKS.search(bare)) and len(bare.split()) >= FEWEST_WORDS


def bet(text: str) -> str:
    """Return what a room needs to bet: from the first question to the end, with sentences before it while few.

    Where that would be a long text, the questions alone.
    """
    parts = sentences(text)
    first = next((number for number, part in enumerate(parts) if is_question(part)), len(parts) - 1)
    if len(" ".join(parts[first:]).split()) > 1.5 * MOST_WORDS:
        return " ".join(filter(is_question, parts))
    while first and len(" ".join(parts[first - 1 :]).split()) <= MOST_WORDS:
        first -= 1
    return " ".join(parts[first:])


def lead(text: str) -> str:
    """Return the first sentences of a paragraph, `LEAD_WORDS` words of them or the first one."""
    parts = sentences(text)
    last = 1
    while last < len(parts) and len(" ".join(parts[: last + 1]).split()) <= LEAD_WORDS:
        last += 1
    return " ".join(parts[:last])


def without_code(text: str) -> str:
    """Return Markdown with a single backtick for each piece of code."""
    return re.sub(r"```.*?```|`[^`]*`", "`", text, flags=re.DOTALL)
