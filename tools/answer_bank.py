"""Write answers for the bank: what a learner sees of an exercise, and what its check says to a draft.

    python tools/answer_bank.py statement CHAPTER [NAME] [--before N]   what a learner sees before answering
    python tools/answer_bank.py try FILE [FILE ...]                     what the check says to these answers
    python tools/answer_bank.py missing                                 what the bank still lacks

A file to try is called CHAPTER/NAME.py, wherever it lies; it may be written in cells as those of `answers/`
(lessonkit/review/bank.py says how), or be one answer without a heading.
"""

import argparse
import sys
from pathlib import Path

import nbformat

from course_utils import PROJECT
from lessonkit.notebook.catalog import find, select
from lessonkit.review import bank
from lessonkit.review.exercises import questions
from lessonkit.system.course import course

PACKAGE = course().exercises
ANSWERS = PROJECT / "answers"


def show_statements(chapter, name, before):
    """Print the statement of one exercise, or of every exercise of a chapter."""
    (found,) = select(find(), [chapter])
    nb = nbformat.read(found.path, 4)
    for full, exercise in questions(PACKAGE, found.slug).items():
        if name in (None, full.partition(".")[2]):
            print(bank.statement(full, exercise, nb=nb, before=before), end="\n\n")


def try_answers(path):
    """Print what the check says to each answer of a file, on the inputs that the bank is tested with."""
    exercises = questions(PACKAGE)
    for answer in bank.read_answers(path, exercises, plain=True):
        exercise = exercises[answer.exercise]
        verdict = exercise.check(answer.run(), seed=bank.SEED)
        twin = bank.foreseen(exercise).get(answer.form)
        note = f" (A COPY of {twin}: write another)" if twin else ""
        print(f"{answer.label}: {verdict.state.upper()}{note}\n    {verdict.message}")


def show_missing():
    """Print how many answers each exercise lacks."""
    exercises = questions(PACKAGE)
    for name in exercises:
        path = ANSWERS / f"{name.replace('.', '/')}.py"
        answers = bank.read_answers(path, exercises) if path.exists() else []
        wrong, right = (len(bank.of_kind(answers, kind)) for kind in ("wrong", "right"))
        if wrong < bank.WRONG or right < bank.RIGHT:
            print(f"{name}: {wrong} wrong of {bank.WRONG}, {right} right of {bank.RIGHT}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    ask = commands.add_parser("statement")
    ask.add_argument("chapter")
    ask.add_argument("name", nargs="?")
    ask.add_argument("--before", type=int, default=0)
    commands.add_parser("try").add_argument("files", nargs="+", type=Path)
    commands.add_parser("missing")
    options = parser.parse_args()
    if options.command == "statement":
        show_statements(options.chapter, options.name, options.before)
    elif options.command == "try":
        for path in map(Path.resolve, options.files):
            try_answers(path)
    else:
        show_missing()


if __name__ == "__main__":
    try:
        main()
    except bank.BankError as error:
        sys.exit(f"{error}")
