"""How many minutes a chapter takes to work through, core and whole.

    python tools/minutes.py 00 05      what the rule gives, and what the titles say; all chapters unless named
    python tools/minutes.py --sections 05      the core, heading by heading: minutes gone before it, its own

The rule is lessonkit/notebook/pace.py's, rounded to five.
"""

import argparse
import sys

import nbformat

from lessonkit.notebook import catalog
from lessonkit.notebook.core import keep_core
from lessonkit.notebook.pace import by_rule, in_the_title, of_sections


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
        rule, title = (" ".join(f"{part or '-':>4}" for part in pair) for pair in (by_rule(nb), in_the_title(nb)))
        print(f"{chapter.name:16} {rule:>12} {title:>13}")


def show_sections(chapters):
    for chapter in chapters:
        keep_core(nb := nbformat.read(chapter.path, 4))
        gone = 0.0
        for heading, each in of_sections(nb):
            print(f"{gone:5.1f} + {each:4.1f}  {heading}")
            gone += each
        print(f"{gone:5.1f}")


if __name__ == "__main__":
    sys.exit(main())
