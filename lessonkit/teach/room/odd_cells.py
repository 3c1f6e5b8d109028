"""Say on the rows of exercises which odd cell of the notebook cost them, where one did."""

import re
from collections.abc import Sequence
from dataclasses import replace

from lessonkit.notebook.reader import HandIn
from lessonkit.notebook.repair import in_words
from lessonkit.teach.room.rows import Row


def on_odd_cells(rows: Sequence[Row], read: HandIn) -> tuple[Row, ...]:
    """Return the rows; one without an answer names the cells that are lost, one that raised the conflict in it."""
    return tuple(_row(row, read) for row in rows)


def _row(row: Row, read: HandIn) -> Row:
    lacks = row.state in ("missing", "not attempted") or row.message.startswith(f"No `{row.exercise}`")
    if lacks and read.lost:
        lost = " ".join(f"{in_words([cell])} could not be read: {why}." for cell, why in read.lost.items())
        return replace(row, message=f"{row.message} {lost}"[:4000])
    found = re.match(r"cell (\d+)\b", row.message, re.IGNORECASE) if row.state == "raised" else None
    if found and (why := read.conflicts.get(int(found[1]))):
        return replace(row, message=f"{row.message}. {why[0].upper()}{why[1:]}.")
    return row
