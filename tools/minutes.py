"""How many minutes a chapter takes to work through, core and whole.

    python tools/minutes.py 00 05      what the rule gives, and what the titles say; all chapters unless named
    python tools/minutes.py --sections 05      the core, heading by heading: minutes gone before it, its own
    python tools/minutes.py --write      what notebooks/minutes.toml says into titles, README's table and its map

The minutes are changed in notebooks/minutes.toml. They are as readers took them; the rule, rounded to five, is that
of lessonkit/notebook/reading_time.py. A folded cell, the imports, is not read, nor counted.
"""

import argparse
import re
import sys
import tomllib
from pathlib import Path

import chapter_map
import nbformat
from chapter_map import shown

from course_utils import PROJECT
from lessonkit.notebook import catalog
from lessonkit.notebook.catalog import MINUTES, stated_minutes
from lessonkit.notebook.cells import keep_core
from lessonkit.notebook.reading_time import by_rule, of_sections
from lessonkit.system import atomic

HOME = PROJECT / "notebooks" / "minutes.toml"
README = PROJECT / "README.md"


def kept(path=HOME):
    """{chapter: (core, whole)} as minutes.toml says, equal for a chapter that is not divided.

    Raises ValueError for anything but two whole numbers, the first of them not the larger.
    """
    found = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    for name, each in found.items():
        numbers = [each.get(key) for key in ("core", "all")] if isinstance(each, dict) else []
        if not all(type(number) is int for number in numbers) or not 0 < numbers[0] <= numbers[1] or len(each) > 2:
            raise ValueError(f"{path}, [{name}]: {each}, expected `core` and `all`, whole numbers, core <= all")
    return {name: (each["core"], each["all"]) for name, each in found.items()}


def in_title(source, core, whole):
    """The text of a title cell with these minutes in place of those that it names."""
    said = f"{core} minutes for the core, {whole} with *Further*" if core < whole else f"{whole} minutes"
    if not MINUTES.search(source):
        raise ValueError(f"no minutes in the title cell that begins with {source.splitlines()[:1]}")
    return MINUTES.sub(said, source, count=1)


def in_table(readme, name, core, whole):
    """README's text with these minutes in the row of the chapter `name`."""
    row = re.compile(rf"^(\|[^|\n]*\(notebooks/{name}\.ipynb\) \| )[\d /]*\d(?= \|)", re.MULTILINE)
    text, rows = row.subn(rf"\g<1>{shown(core, whole)}", readme)
    if rows != 1:
        raise ValueError(f"README's table has {rows} rows with minutes for {name}, expected one")
    return text


def write(minutes_of, *, notebooks=catalog.NOTEBOOKS, readme=README):
    """Write {chapter: (core, whole)} into title cells and README's table; return the files that changed.

    Raises ValueError where the chapters that are there are not those that have minutes; then nothing is written.
    """
    chapters = {chapter.name: chapter.path for chapter in catalog.find(notebooks)}
    if odd := sorted(chapters.keys() ^ minutes_of.keys()):
        raise ValueError(f"{', '.join(odd)}: expected a notebook and its minutes in {HOME.name}, found one of them")
    texts = {readme: readme.read_text(encoding="utf-8")}
    for name, path in chapters.items():
        texts[readme] = in_table(texts[readme], name, *minutes_of[name])
        nb = nbformat.read(path, 4)
        nb.cells[0].source = in_title(nb.cells[0].source, *minutes_of[name])
        texts[path] = nbformat.writes(nb, version=4) + "\n"
    changed = [path for path, text in texts.items() if path.read_bytes() != text.encode()]
    for path in changed:
        atomic.write(path, texts[path].encode())
    return changed


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("chapters", nargs="*", metavar="NN")
    parser.add_argument("--sections", action="store_true", help="the core, heading by heading")
    parser.add_argument("--write", action="store_true", help="notebooks/minutes.toml into titles and README")
    asked = parser.parse_args()
    if asked.write:
        return write_all()
    chosen = catalog.select(catalog.find(), asked.chapters)
    if asked.sections:
        return show_sections(chosen)
    print(f"{'chapter':16} {'by the rule':>12} {'in the title':>13}   (core, whole)")
    for chapter in chosen:
        nb = nbformat.read(chapter.path, 4)
        pairs = by_rule(nb), stated_minutes(nb.cells[0].source)
        rule, title = (" ".join(f"{part or '-':>4}" for part in pair) for pair in pairs)
        print(f"{chapter.name:16} {rule:>12} {title:>13}")


def write_all():
    try:
        changed = write(kept())
    except ValueError as error:
        sys.exit(str(error))
    for path in changed:
        print(path.relative_to(PROJECT))
    chapter_map.MAP.write_text(chapter_map.draw(chapter_map.chapters()), encoding="utf-8")


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
