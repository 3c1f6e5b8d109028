"""A question with a few answers to choose from; each wrong one has an explanation of its own."""

from difflib import get_close_matches
from types import EllipsisType

from course_utils.checks.verdict import Verdict
from course_utils.clinic.cases import read_cases


def ask(case_id: str, answer: str | EllipsisType | None = None) -> Verdict:
    """Judge a letter as the answer to that case's question; never raises for an answer, whatever it is.

    Without an answer (None or ...) the verdict is "not attempted" and shows the question with its options. A wrong
    letter is a "known mistake", anything else "wrong". Raises ValueError for a case that asks nothing.
    """
    asking = {name: case for name, case in read_cases().items() if case.question}
    if case_id not in asking:
        near = ", ".join(get_close_matches(str(case_id), asking)) or ", ".join(list(asking)[:5])
        raise ValueError(f"No case {case_id!r} with a question; there are {near}.")
    case = asking[case_id]
    if answer is None or answer is ...:
        lines = [f"{letter}  {option.text}" for letter, option in case.options.items()]
        return Verdict(case_id, "not attempted", "\n".join([case.question, *lines]))
    letter = answer.strip().lower() if isinstance(answer, str) else None
    if letter not in case.options:
        return Verdict(
            case_id, "wrong", f"Found {answer!r}, expected one of {', '.join(case.options)}, as a string."
        )
    state = "passed" if letter == case.answer else "known mistake"
    return Verdict(case_id, state, case.options[letter].why)
