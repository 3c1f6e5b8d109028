"""Bring the HTML of stored verdicts, hints and diagnoses up to date when their looks or a hint have changed.

    python tools/verdicts.py            write the notebooks whose verdicts look otherwise today
    python tools/verdicts.py --check    only say which; exit status 1 when there is one

Nothing is executed: what they say is in the stored text, and stays. Only `text/html` is written.
"""

import argparse
import re
import sys
from importlib import import_module

import nbformat

from lessonkit.checks.verdict import MIME, Note, Verdict
from lessonkit.checks.verdict_html import without_answer
from lessonkit.notebook.catalog import Chapter, find
from lessonkit.notebook.solutions import imported_exercises

PRINTED = "\nYour code printed:\n"
OURS = re.compile(r'<div (?:class="course-note"|style="border-left: 4px solid #3b7dc4;)')


def page(data: dict, exercises: dict) -> str | None:
    """The HTML that an output of this text and state has today, `exercises` by name; None for one not of ours."""
    text = data.get("text/plain", "")
    if told := data.get(MIME):
        name, state = told["exercise"], told["state"]
        message, _, printed = text.removeprefix(str(Verdict(name, state, ""))).partition(PRINTED)
        hints = exercises[name].hints if name in exercises else ()
        verdict = Verdict(name, state, message, printed=printed, hints=hints)
        assert str(verdict) == text, f"not the text of a verdict: {text!r}"
        return without_answer(verdict._repr_mimebundle_()["text/html"])
    if OURS.match(data.get("text/html", "")):
        return Note(text)._repr_mimebundle_()["text/html"]
    return None


def outdated(book: nbformat.NotebookNode) -> list[tuple[dict, str]]:
    """Each output's data whose HTML is not today's, with the HTML that is."""
    modules = [import_module(name) for name in imported_exercises(book).values()]
    exercises = {name: one for module in modules for name, one in vars(module).items() if hasattr(one, "hints")}
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    shown = [output.data for cell in cells for output in cell.outputs if "data" in output]
    pages = [(data, page(data, exercises)) for data in shown]
    return [(data, wanted) for data, wanted in pages if wanted is not None and data["text/html"] != wanted]


def renew(chapter: Chapter, *, check: bool) -> int:
    """Write today's HTML into a chapter, unless `check`; returns in how many outputs it was another."""
    book = nbformat.read(chapter.path, as_version=4)
    found = outdated(book)
    if found and not check:
        for data, wanted in found:
            data["text/html"] = wanted
        chapter.path.write_text(nbformat.writes(book, version=4) + "\n", encoding="utf-8", newline="\n")
    return len(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 when something is old")
    check = parser.parse_args().check
    counts = {chapter.name: renew(chapter, check=check) for chapter in find()}
    for name, count in counts.items():
        if count:
            print(f"{name}: {count} {'are old' if check else 'written'}")
    return int(check and any(counts.values()))


if __name__ == "__main__":
    sys.exit(main())
