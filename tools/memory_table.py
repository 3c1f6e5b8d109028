"""Writes the table of what memory each chapter needs into docs/room.md, from tools/testing/costs.json.

python tools/side_by_side.py --ways all --answers untouched solved --keep memory    measures it
python tools/memory_table.py                                                        writes the table
"""

import argparse
import sys

from course_utils import PROJECT
from lessonkit.notebook import catalog, costs
from lessonkit.system.marked_section import Section

PAGE = PROJECT / "docs" / "room.md"
START = "<!-- memory: from here on written by tools/memory_table.py -->"
END = "<!-- memory: to here -->"
ANSWERS = ("untouched", "solved")


def table(names, record):
    """The table's lines for chapters of these names, by what is on record; below them the machines."""
    lines = ["| chapter | untouched, MiB | solved, MiB |", "| --- | ---: | ---: |"]
    for name in names:
        mib = record.get(name, {"mib": {}})["mib"]
        shown = [f"{mib[answers]:,}" if answers in mib else "not measured" for answers in ANSWERS]
        lines.append(f"| {name.replace('_', ' ', 1)} | {' | '.join(shown)} |")
    machines = sorted({found["on"] for found in record.values()})
    return [*lines, "", f"Seen on: {'; '.join(machines) or 'no machine yet'}."]


def part():
    """The part of the page that holds the table."""
    return Section(PAGE, START, END)


def written():
    """The text that stands there as it is on record."""
    return "\n".join(table([chapter.name for chapter in catalog.find()], costs.memory_on_record()))


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    part().put(written())
    return 0


if __name__ == "__main__":
    sys.exit(main())
