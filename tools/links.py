"""Ask every web address that the course's pages name whether it is still there.

    python tools/links.py              all notebooks, and the pages for people (PAGES)
    python tools/links.py 00 05        these chapters only

An address counts as gone where its server says so (404, 410), as unsure where it refuses programs or is busy (401,
403, 429, 5xx) or does not answer: those are listed to be tried by hand. Exit status 1 where one is gone, 2 where
nothing at all answers, since then it is the network that is missing.
"""

import argparse
import re
import sys
from concurrent.futures import ThreadPoolExecutor

import nbformat
import requests

from course_utils import PROJECT
from lessonkit.notebook import catalog

ADDRESS = re.compile(r"https?://[^\s<>`\"'\]]+")
GONE = {404, 410}
PATIENCE = 20  # seconds for one answer
# The pages for people, whose links, commands and variables tests/course/test_docs.py tries too.
NAMED = ("README.md", "CONTRIBUTING.md", "data/README.md", "benchmarks/README.md", "torch_clinic/README.md")
PAGES = [PROJECT / name for name in (*NAMED, "notebooks/glossary.md")]
PAGES += [*sorted((PROJECT / "docs").glob("*.md")), *sorted((PROJECT / "scripts").glob("*/README.md"))]
LOCAL = re.compile(r"https?://(localhost|127\.|teacher|\$|\{)")


def addresses(text):
    """The web addresses in a page of Markdown, without the bracket or the full stop that follows one."""
    for found in ADDRESS.findall(text):
        while found.endswith((".", ",", ";", ":", "!", "?", "*")) or found.count(")") > found.count("("):
            found = found[:-1]
        if not LOCAL.match(found):
            yield found.partition("#")[0]


def pages(chapters):
    """{page: its text}: the prose of the chapters and, unless some are named, the pages for people."""
    found = {}
    for chapter in catalog.select(catalog.find(), chapters):
        nb = nbformat.read(chapter.path, 4)
        found[chapter.name] = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")
    if not chapters:
        for path in PAGES:
            found[path.relative_to(PROJECT).as_posix()] = path.read_text(encoding="utf-8")
    return found


def ask(address):
    """What its server says: a status, or the name of what went wrong."""
    headers = {"User-Agent": "Mozilla/5.0 (a course that looks after its links)"}
    try:
        with requests.get(address, headers=headers, timeout=PATIENCE, stream=True) as response:
            return response.status_code
    except requests.RequestException as error:
        return type(error).__name__


def judge(said):
    """`good`, `gone` or `unsure`, by what `ask` returned."""
    if said in GONE:
        return "gone"
    return "good" if isinstance(said, int) and said < 400 else "unsure"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("chapters", nargs="*", metavar="NN")
    where = {}
    for page, text in pages(parser.parse_args().chapters).items():
        for address in addresses(text):
            where.setdefault(address, []).append(page)
    with ThreadPoolExecutor(8) as pool:
        said = dict(zip(where, pool.map(ask, where), strict=True))
    verdicts = {address: judge(answer) for address, answer in said.items()}
    for address in sorted(where, key=lambda address: (verdicts[address], address)):
        if verdicts[address] != "good":
            print(
                f"{verdicts[address]:6}  {said[address]}  {address}  ({', '.join(dict.fromkeys(where[address]))})"
            )
    counts = {verdict: list(verdicts.values()).count(verdict) for verdict in ("good", "gone", "unsure")}
    print(f"{len(where)} addresses: " + ", ".join(f"{number} {verdict}" for verdict, number in counts.items()))
    if where and not any(isinstance(answer, int) for answer in said.values()):
        print("None of them answers: is there a network?")
        return 2
    return int(counts["gone"] > 0)


if __name__ == "__main__":
    sys.exit(main())
