"""Ask the questions of chapter 12, which are cases of torch_clinic, by number or by id."""

import re
from difflib import get_close_matches
from types import EllipsisType

from lessonkit.checks.listeners import notify
from lessonkit.checks.multiple_choice import judge
from lessonkit.checks.verdict import Verdict
from torch_clinic.cases import Case, read_cases


def ask(name: str, answer: str | EllipsisType | None = None) -> Verdict:
    """Judge a letter as the answer to a case's question; never raises for an answer, whatever it is.

    `name`: "case 7", its number in chapter 12, or its id. By number, only the right answer shows the id.
    Without an answer (None or ...) the verdict is "not attempted" and shows the question with its options. A wrong
    letter is a "known mistake", anything else "wrong". Raises ValueError for a case that asks nothing.
    """
    case = find(name)
    if case is None or not case.question:
        asking = [f"case {one.number}" if str(name).startswith("case") else one.id for one in _asking()]
        near = ", ".join(get_close_matches(str(name), asking)) or ", ".join(asking[:5])
        raise ValueError(f"No case {name!r} with a question; there are {near}.")
    verdict = judge(name, case, answer)
    notify(case, verdict, 0.0, "question")
    return verdict


def find(name: object) -> Case | None:
    """Return the case of chapter 12 with that id or number: "mm_shapes", "case 1"; None where there is none."""
    if isinstance(name, str) and (match := re.fullmatch(r"case (\d+)", name)):
        return next((case for case in read_cases().values() if case.number == int(match[1]) > 0), None)
    return read_cases().get(name) if isinstance(name, str) else None


def _asking() -> list[Case]:
    return sorted((case for case in read_cases().values() if case.question), key=lambda case: case.number)
