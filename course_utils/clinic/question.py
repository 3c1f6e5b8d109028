"""A question with a few answers to choose from; each wrong one has an explanation of its own."""

from difflib import get_close_matches
from types import EllipsisType

from course_utils.clinic.cases import Case, find_case, read_cases
from lessonkit.checks.listeners import tell
from lessonkit.checks.verdict import Verdict


def ask(name: str, answer: str | EllipsisType | None = None) -> Verdict:
    """Judge a letter as the answer to a case's question; never raises for an answer, whatever it is.

    `name`: "case 7", its number in chapter 12, or its id, which who asks by the number learns last.
    Without an answer (None or ...) the verdict is "not attempted" and shows the question with its options. A wrong
    letter is a "known mistake", anything else "wrong". Raises ValueError for a case that asks nothing.
    """
    case = find_case(name)
    if case is None or not case.question:
        asking = [f"case {one.number}" if str(name).startswith("case") else one.id for one in _asking()]
        near = ", ".join(get_close_matches(str(name), asking)) or ", ".join(asking[:5])
        raise ValueError(f"No case {name!r} with a question; there are {near}.")
    verdict = judge(name, case, answer)
    tell(case, verdict, 0.0, "question")
    return verdict


def judge(name: str, case: Case, answer: object) -> Verdict:
    """Return what is said of a letter as the answer to a case that was asked for by `name`; nobody is told."""
    if answer is None or answer is ...:
        lines = [f"{letter}  {option.text}" for letter, option in case.options.items()]
        return Verdict(name, "not attempted", "\n".join([case.question, *lines]))
    letter = answer.strip().lower() if isinstance(answer, str) else None
    if letter not in case.options:
        return Verdict(name, "wrong", f"Found {answer!r}, expected one of {', '.join(case.options)}, as a string.")
    why = case.options[letter].why
    if letter != case.answer:
        return Verdict(name, "known mistake", why)
    return Verdict(name, "passed", why if name == case.id else f"{why} In the index: `{case.id}`.")


def _asking() -> list[Case]:
    return sorted((case for case in read_cases().values() if case.question), key=lambda case: case.number)
