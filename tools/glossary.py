"""Give every term of notebooks/glossary.md a link to the cell that says it first.

`python tools/glossary.py` writes the links anew, after a chapter was edited, and ends with 1 when a term is used
before the cell that explains it (where it stands in italics); each such place is printed. `--check` writes nothing.
"""

import argparse
import re
import sys
from typing import NamedTuple

import nbformat

from lessonkit.notebook.catalog import NOTEBOOKS, find

GLOSSARY = NOTEBOOKS / "glossary.md"
ENTRY = re.compile(
    r"^- \*\*(?P<term>[^*]+)\*\* \((?P<link>(?:\[\d+\]\([^)]*\))?)\): (?P<meaning>.+)$", re.MULTILINE
)
# Terms that are everyday words too: only these turns of phrase count as the term (between asterisks: in italics).
PHRASES = {
    "alpha": r"\*Alpha\*",
    "anomaly detection": r"\*anomaly\s+detection\*",
    "beta": r"\*Beta\*",
    "body": r"The \*body\* turns",
    "cell": r"\*cells?\*",
    "chunk": r"\*chunks\*",
    "event": r"event files|\*Events\*",
    "features": r"\*features\*",
    "frame": r"\*frames\*",
    "head": r"the \*head\*",
    "hook": r"\*(forward )?hooks?\*",
    "in place": r"\*in place\*",
    "kernel": r"\*kernels?\*",
    "loss": r"\*loss\*",
    "model": r"\*model\*",
    "node": r"machine, or \*node\*",
    "parameter": r"\*parameters\*",
    "pickle": r"\*pickled?\*",
    "rank": r"\*ranks\*",
    "ring": r"\*ring\*",
    "tensor": r"\*tensor\*",
    "view": r"\*view\*",
    "weight": r"\*weights?\*",
}


class Place(NamedTuple):
    """A markdown cell: its notebook's file name, its id, and its prose."""

    notebook: str
    cell: str
    text: str


def prose(source):
    """What of a markdown cell counts as using a word: no code, no link targets, no headings, no list of aims."""
    source = source.partition("**By the end you can**")[0]  # promises may name what is yet to come
    source = re.sub(r"```.*?```|`[^`]*`|\$[^$]*\$", "", source, flags=re.DOTALL)
    source = re.sub(r"\]\([^)]*\)", "]", source)
    return re.sub(r"^#.*$", "", source, flags=re.MULTILINE)


def places(folder=NOTEBOOKS):
    """Every markdown cell of the series in reading order; a chapter's last cell, its sources, is left out."""
    found = []
    for chapter in find(folder):
        cells = nbformat.read(chapter.path, 4).cells[:-1]
        found += [
            Place(chapter.path.name, cell.id, prose(cell.source)) for cell in cells if cell.cell_type == "markdown"
        ]
    return found


def said(term):
    """The pattern that finds a term, in the plural and at the beginning of a sentence too."""
    return re.compile(PHRASES.get(term) or rf"(?<![\w-]){re.escape(term)}(?:e?s)?(?![\w-])", re.IGNORECASE)


def explained(term, place):
    """Whether the cell has the term in italics, alone or within a phrase in italics."""
    if r"\*" in PHRASES.get(term, ""):
        return bool(said(term).search(place.text))
    return any(said(term).search(f"*{words}*") for words in re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", place.text))


def relink(text, cells):
    """The glossary with each link renewed, and one sentence for each term that is used before it is explained."""
    faults = []

    def renew(match):
        term = match["term"]
        first = next((place for place in cells if said(term).search(place.text)), None)
        if first is None:
            faults.append(f"{term}: no chapter says it")
            return match[0]
        if not explained(term, first):
            later = next((place for place in cells if explained(term, place)), None)
            where = f"explained in {later.notebook} cell {later.cell}" if later else "never explained in italics"
            use = said(term).search(first.text)
            around = first.text[max(0, use.start() - 40) : use.end() + 40].replace("\n", " ")
            faults.append(f"{term}: used in {first.notebook} cell {first.cell} (…{around}…), {where}")
        link = f"[{first.notebook[:2]}]({first.notebook}#cell-id={first.cell})"
        return f"- **{term}** ({link}): {match['meaning']}"

    return ENTRY.sub(renew, text), faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if something would change")
    options = parser.parse_args()
    text = GLOSSARY.read_text(encoding="utf-8")
    renewed, faults = relink(text, places())
    for fault in faults:
        print(fault, file=sys.stderr)
    if not options.check:
        GLOSSARY.write_text(renewed, encoding="utf-8")
    return int(bool(faults) or (options.check and renewed != text))


if __name__ == "__main__":
    sys.exit(main())
