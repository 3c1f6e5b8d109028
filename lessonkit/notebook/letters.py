"""Finds the questions that a course's notebooks ask with `ask(NAME, LETTER)`; the course itself knows them."""

from lessonkit.checks.letters import Question
from lessonkit.system.course import hook


def find_question(name: object) -> Question | None:
    """Return the question of that name, such as "case 7"; None where the course asks none so."""
    find = hook("letters")
    return find(name) if find else None
