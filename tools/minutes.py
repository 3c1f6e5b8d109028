"""How many minutes a chapter takes to work through, core and whole.

    python tools/minutes.py 00 05      what the rule gives, and what the titles say; all chapters unless named
    python tools/minutes.py --sections 05      the core, heading by heading: minutes gone before it, its own

The rule, rounded to five, is lessonkit/notebook/pace.py's; a folded cell, the imports, is not read, nor counted.
"""

import argparse
import copy
import re
import sys

import nbformat
from nbformat.v4 import new_markdown_cell, new_notebook

from lessonkit.notebook import catalog
from lessonkit.notebook.cells import code_cells, tags
from lessonkit.notebook.core import FURTHER, keep_core
from lessonkit.notebook.pace import MINUTES_A_CELL, exercise
from lessonkit.notebook.pace import prose as reading
from lessonkit.notebook.title import MINUTES

WITHIN = 0.25  # how far a title may be from the rule


def minutes(nb):
    """Minutes for all cells of `nb`, not rounded."""
    prose = [cell.source for cell in nb.cells if cell.cell_type == "markdown"]
    words = sum(len(source.split()) for source in prose)
    unfolded = [cell for cell in code_cells(nb) if not cell.metadata.get("jupyter", {}).get("source_hidden")]
    return reading(words) + len(unfolded) * MINUTES_A_CELL + sum(exercise(source) for source in prose)


def sections(nb):
    """Pairs (heading, minutes not rounded) of `nb`, in order; what stands before the first is called ""."""
    found, counted = [["", 0.0]], {id(cell) for cell in code_cells(nb)}
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            for part in re.split(r"^(?=#{1,4} )", cell.source, flags=re.MULTILINE):
                if heading := re.match(r"#+ (.*)", part):
                    found.append([heading.group(1).strip(), 0.0])
                found[-1][1] += minutes(new_notebook(cells=[new_markdown_cell(part)]))
        elif id(cell) in counted:
            found[-1][1] += minutes(new_notebook(cells=[cell]))
    return [tuple(one) for one in found if any(one)]


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
    parser.add_argument("--sections", action="store_true", help="the core, heading by heading")
    asked = parser.parse_args()
    chosen = catalog.select(catalog.find(), asked.chapters)
    if asked.sections:
        return show_sections(chosen)
    print(f"{'chapter':16} {'by the rule':>12} {'in the title':>13}   (core, whole)")
    for chapter in chosen:
        nb = nbformat.read(chapter.path, 4)
        rule, title = (" ".join(f"{part or '-':>4}" for part in pair) for pair in (by_rule(nb), said(nb)))
        print(f"{chapter.name:16} {rule:>12} {title:>13}")


def show_sections(chapters):
    for chapter in chapters:
        keep_core(nb := nbformat.read(chapter.path, 4))
        gone = 0.0
        for heading, each in sections(nb):
            print(f"{gone:5.1f} + {each:4.1f}  {heading}")
            gone += each
        print(f"{gone:5.1f}")


if __name__ == "__main__":
    sys.exit(main())
