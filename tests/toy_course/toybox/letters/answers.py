"""The questions with letters, and their answers. A submission that is graded never sees this file."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Option:
    """One of the answers to choose from."""

    text: str
    why: str


@dataclass(frozen=True)
class Question:
    """What is asked, as `lessonkit.checks.multiple_choice` reads it."""

    id: str
    question: str
    options: dict[str, Option]
    answer: str
    number: int = 0


SPACES = Question(
    id="two spaces",
    question="How many words does `split` find in `one  two`, where two spaces stand between the words?",
    options={
        "a": Option("two", "Two: without an argument, `split` cuts at each run of spaces."),
        "b": Option("three", "Three: that is what `split(' ')` finds, for which each space is an end."),
    },
    answer="a",
)
QUESTIONS = {SPACES.id: SPACES}
