"""How many minutes a chapter takes to work through, core and whole.

    python tools/minutes.py 00 05      what the rule gives, and what the titles say; all chapters unless named

Minutes = words of prose / 44 + code cells x 0.53 + the exercises' own minutes x 0.37, rounded to five. The
numbers were fitted (least squares of the relative error) to how long readers who did not know the chapters
thought that each of the thirteen takes, 92 to 162 minutes as they then were: the largest miss was 17 %. A code
cell stands for reading, betting, running and its output (a folded one, the imports, is not read, nor counted); an
exercise's own minutes are a slow reader's.
"""

import argparse
import copy
import re
import sys

import nbformat

from course_utils.notebook import catalog
from course_utils.notebook.cells import code_cells, tags
from course_utils.notebook.core import FURTHER, keep_core
from course_utils.notebook.title import MINUTES

WORDS_A_MINUTE, MINUTES_A_CELL, OF_AN_EXERCISE = 44, 0.53, 0.37
WITHIN = 0.25  # how far a title may be from the rule


def minutes(nb):
    """Minutes for all cells of `nb`, not rounded."""
    prose = [cell.source for cell in nb.cells if cell.cell_type == "markdown"]
    exercises = [re.search(r"\((?:about )?(\d+) min\b[^)]*★", source) for source in prose]
    own = sum(int(found.group(1)) for found in exercises if found)
    words = sum(len(source.split()) for source in prose)
    unfolded = [cell for cell in code_cells(nb) if not cell.metadata.get("jupyter", {}).get("source_hidden")]
    return words / WORDS_A_MINUTE + len(unfolded) * MINUTES_A_CELL + own * OF_AN_EXERCISE


def by_rule(nb):
    """(core, whole) in minutes, rounded to five; core is None for a chapter that is not divided."""
    whole = copy.deepcopy(nb)
    divided = any(FURTHER in tags(cell) for cell in nb.cells)
    keep_core(nb := copy.deepcopy(nb))
    return (rounded(minutes(nb)) if divided else None), rounded(minutes(whole))


def rounded(number):
    return max(5, 5 * round(number / 5))


def said(nb):
    """(core, whole) as the title cell says; core is None where it names one number only."""
    first, second = MINUTES.search(nb.cells[0].source).groups()
    return (int(first), int(second)) if second else (None, int(first))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("chapters", nargs="*", metavar="NN")
    chosen = catalog.select(catalog.find(), parser.parse_args().chapters)
    print(f"{'chapter':16} {'by the rule':>12} {'in the title':>13}   (core, whole)")
    for chapter in chosen:
        nb = nbformat.read(chapter.path, 4)
        rule, title = (" ".join(f"{part or '-':>4}" for part in pair) for pair in (by_rule(nb), said(nb)))
        print(f"{chapter.name:16} {rule:>12} {title:>13}")


if __name__ == "__main__":
    sys.exit(main())
