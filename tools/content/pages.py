"""README's table of chapters, and the glossary: both name what stands in the notebooks."""

import re

import glossary
import nbformat
from chapter_map import shown

from course_utils import PROJECT
from lessonkit.notebook.catalog import minutes
from lessonkit.review.diagnostics import at, error, warning

README = PROJECT / "README.md"
ROW = re.compile(r"^\| \[(\d\d) (\w+)\]\((\S+)\) \| ([\d /]*?) ?\| \S", re.MULTILINE)
MOST_WORDS = 30  # of a meaning


def findings(chapters):
    """Yield what is wrong with README's rows of the chapters, and with the glossary."""
    text = README.read_text(encoding="utf-8")
    for chapter in chapters:
        yield from at(f"README.md, {chapter.name}", row(text, chapter))
    yield from at("notebooks/glossary.md", terms(glossary.GLOSSARY.read_text(encoding="utf-8"), glossary.places()))


def rows(text):
    """README's table: name -> (link, minutes)."""
    return {f"{number}_{slug}": (link, minutes) for number, slug, link, minutes in ROW.findall(text)}


def row(text, chapter):
    """Yield whether the row of a chapter is missing, or is not what its title says."""
    nb = nbformat.read(chapter.path, 4)
    wanted = (f"notebooks/{chapter.name}.ipynb", shown(*minutes(nb.cells[0].source)))
    if (found := rows(text).get(chapter.name)) != wanted:
        yield error(f"the table has {found or 'no row'}, expected {wanted}")


def terms(text, places):
    """Yield terms that are used before they are explained, links that are old, and (advice) long meanings."""
    renewed, faults = glossary.relink(text, places)
    yield from map(error, faults)
    if renewed != text:
        yield error("a link is old, since a chapter was edited: run `python tools/glossary.py`")
    entries = list(glossary.ENTRY.finditer(text))
    names = [entry["term"].lower() for entry in entries]
    if names != sorted(set(names)):
        yield error("the terms are not in order, or one is there twice")
    if len(names) != len(re.findall(r"^- ", text, re.MULTILINE)):
        yield error("a line is no entry: expected `- **term** ([NN](link)): meaning`")
    for entry in entries:
        if (count := len(entry["meaning"].split())) > MOST_WORDS:
            yield warning(f"the meaning of {entry['term']} has {count} words, expected at most {MOST_WORDS}")
