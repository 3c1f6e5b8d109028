"""Export the classroom as CSV for a spreadsheet: a row for each learner and exercise that was checked."""

import csv
import io
from datetime import UTC, datetime

from lessonkit.system.spreadsheet import as_text
from lessonkit.teach.classroom.state import ClassroomState

COLUMNS = (
    "number",
    "nickname",
    "chapter",
    "exercise",
    "passed",
    "latest",
    "mistake",
    "tries",
    "mistakes",
    "first",
    "last",
)


def table(room: ClassroomState) -> str:
    """Return the CSV, by learner and in the chapters' order; times are ISO 8601, UTC."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    for learner in sorted(room.learners.values(), key=lambda one: one.number):
        for index, cell in sorted(learner.cells.items()):
            question = room.questions[index]
            met = "; ".join(f"{name} {count}" for name, count in cell.met.items())
            row = (
                learner.number,
                learner.nickname,
                question.chapter,
                question.exercise,
                "yes" if cell.passed else "no",
            )
            row += (cell.state, cell.mistake or "", cell.tries, met, _time(cell.first), _time(cell.last))
            writer.writerow([as_text(value) for value in row])
    return file.getvalue()


def _time(seconds):
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
