"""The call in a graded cell: while nbgrader grades, it raises an error unless the exercise is solved.

Assignments that instructors have released import this module by its name, so it stays where it is.
"""

import os

from lessonkit.checks.exercise import Exercise


class NotSolved(Exception):
    """An exercise that has not passed; the text is what its check says."""


def require(exercise: Exercise, answer: object) -> None:
    """Raise `NotSolved` for an answer that does not pass, while nbgrader grades or validates; else do nothing.

    So Run All in a learner's own kernel does not stop at what they have not solved yet.
    """
    if "NBGRADER_EXECUTION" not in os.environ:
        return
    verdict = exercise.check(answer)
    if not verdict.passed:
        raise NotSolved(str(verdict))
