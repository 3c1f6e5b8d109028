"""The code behind a row of the gradebook, and which learners' answers have the same text."""

import ast
from collections.abc import Iterable, Mapping, Sequence

from lessonkit.teach.room.submission import Answer

LONGEST = 20_000  # characters that are kept of an answer
FEWEST = 160  # of a text's characters as Python writes it: a shorter answer is the same in many heads


def code_of(answers: Sequence[Answer], sources: Mapping[str, str]) -> str:
    """Return what a learner wrote for one exercise: the cells of the answers, and those that the answers need.

    `sources`: the learner's code cells as typed, by label. Each stands under its label, such as `# cell 12`. The
    chapter's own statements are left out.
    """
    own = {one.cell for one in answers}
    needed = {piece.label for one in answers for piece in (*one.pieces, *([one.given] if one.given else []))}
    labels = sorted((own | needed) & set(sources), key=lambda label: int(label.rpartition(" ")[2]))
    parts = [
        f"# {label}{'' if label in own else ', which the answer needs'}\n{sources[label].strip(chr(10))}"
        for label in labels
    ]
    text = "\n\n".join(parts)
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
