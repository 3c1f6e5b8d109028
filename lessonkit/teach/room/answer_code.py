"""The code behind a row of the gradebook, and which learners' answers have the same text."""

import ast
import re
from collections.abc import Iterable

from lessonkit.teach.room.submission import Answer

LONGEST = 20_000  # characters that are kept of an answer
FEWEST = 160  # of a text's characters as Python writes it: a shorter answer is the same in many heads
_THEIRS = re.compile(r"cell \d+")  # a label of the learner's own; a cell of the chapter is called so, and more


def code_of(answer: Answer) -> str:
    """Return what a learner wrote for one exercise: the answer's cells, below what they need of the other cells.

    Each part stands under its label, such as `# cell 12`. The chapter's own statements are left out.
    """
    needed = [piece for piece in answer.pieces if _THEIRS.fullmatch(piece.label)]
    own = {piece.label for piece in answer.cells}
    before = [
        (f"{piece.label}, which the answer needs", piece.source) for piece in needed if piece.label not in own
    ]
    parts = before + [(piece.label, piece.source) for piece in answer.cells]
    text = "\n\n".join(f"# {label}\n{source.strip(chr(10))}" for label, source in parts)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}\n# … cut after {LONGEST:,} characters"


def same_text(codes: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return groups of learners whose code is the same but for comments, spaces and the numbers of cells.

    `codes` are pairs of learner and code. Short texts are left out, because many people write them alike.
    """
    found: dict[str, list[str]] = {}
    for learner, code in codes:
        plain = _plain(code)
        if len(plain) >= FEWEST and learner not in found.setdefault(plain, []):
            found[plain].append(learner)
    return [sorted(group, key=str.casefold) for group in found.values() if len(group) > 1]


def _plain(code: str) -> str:
    try:
        return ast.unparse(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # magics, or no Python: compared as it stands
        return "\n".join(
            line.strip() for line in code.splitlines() if line.strip() and not line.startswith("# cell")
        )
