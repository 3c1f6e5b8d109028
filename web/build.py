"""Make the site: `python web/build.py` (`make site`). Sources into build/site/source, pages into build/site/html.

Nothing is executed and nothing fetched: chapters are shown as they are kept. Any warning of Sphinx is an error.
"""

import argparse
import shutil
import sys
from pathlib import Path

import benchmark_pages
import chapters
import clinic_data
import clinic_page
import documents
import finishing
import nbformat
import nightly
import terms
from sphinx.cmd.build import build_main

from lessonkit.notebook.catalog import NOTEBOOKS, find, minutes

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "tools"))  # behind web/, whose modules come first
from chapter_map import shown  # noqa: E402

BUILD = HERE.parent / "build" / "site"
SHOWN = ("Start", "Chapters")  # sections of README on the first page
LEARN, TEACH = (
    ("install.md", "learning.md"),
    ("teaching.md", "people.md", "online.md", "room.md"),
)  # parts of the sidebar


def assemble(source: Path) -> None:
    """Write everything that Sphinx reads into `source`, which is emptied first."""
    shutil.rmtree(source, ignore_errors=True)
    for folder in ("notebooks", "downloads", "benchmarks", "pictures"):
        (source / folder).mkdir(parents=True)
    pages = documents.texts() | {
        "clinic.md": clinic_page.page(),
        "notebooks/glossary.md": terms.page((NOTEBOOKS / "glossary.md").read_text(encoding="utf-8")),
    }
    benchmarks = benchmark_pages.pages()
    pages |= {f"benchmarks/{name}.md": text for name, text in benchmarks.items()}
    pages["benchmarks/index.md"] = benchmark_index(list(benchmarks))
    pages["nightly.md"] = nightly.page(nightly.summaries(HERE.parent / "build" / "nightly"))
    pages["index.md"] = index(pages)
    for name, text in pages.items():
        (source / name).write_text(text, encoding="utf-8")
    for chapter in find():
        nbformat.write(chapters.page(chapter), source / "notebooks" / chapter.path.name)
        shutil.copy(chapter.path, source / "downloads")
    for plot in benchmark_pages.plots():
        shutil.copy(plot, source / "benchmarks")
    for picture in ("chapter.png", "chapters.svg"):
        shutil.copy(HERE.parent / "docs" / picture, source / "pictures")


def index(pages: dict[str, str]) -> str:
    """Return the first page: README's opening, how to start, the table of chapters, and the sidebar."""
    readme = (HERE.parent / "README.md").read_text(encoding="utf-8")
    opening = documents.with_links(readme.partition("\n## ")[0], "README.md")
    start, table = (documents.with_links(documents.section(readme, name), "README.md") for name in SHOWN)
    names = [f"{entry(chapter)} <notebooks/{chapter.name}>" for chapter in find()]
    beside = [page for page in (*documents.TEXTS.values(), "nightly.md") if page in pages]
    house = [page for page in beside if page not in (*LEARN, *TEACH)]
    begin, room = ([page for page in beside if page in wanted] for wanted in (LEARN, TEACH))
    return "\n".join([
        opening, "", start, "", table, "",
        toctree("Begin", begin),
        toctree("Chapters · minutes: core / all", names),
        toctree("Look up", ["clinic.md", "notebooks/glossary.md", "benchmarks/index.md"]),
        toctree("Teach", room),
        toctree("Contribute", house),
    ])  # fmt: skip


def entry(chapter: chapters.Chapter) -> str:
    """Return a chapter's words in the sidebar: number, name, minutes."""
    first = nbformat.read(chapter.path, 4).cells[0].source
    return f"{chapter.name.replace('_', ' ', 1)} · {shown(*minutes(first))}"


def toctree(caption: str, entries: list[str]) -> str:
    """Return a part of the sidebar, nothing where there are no entries."""
    lines = "\n".join(entry.removesuffix(".md") for entry in entries)
    return f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n" if entries else ""


def benchmark_index(names: list[str]) -> str:
    """Return the page that leads to each benchmark."""
    return (
        "# Figures, and how they were measured\n\nA page for each benchmark: what is claimed, what was seen on "
        "which machine and when, its plot, and the method. Every figure is a ratio within one run.\n\n"
        "```{toctree}\n:maxdepth: 1\n\n" + "\n".join(names) + "\n```\n"
    )


def main() -> int:
    """Build; return Sphinx's exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--to", type=Path, default=BUILD, help="folder for sources and pages (build/site)")
    options = parser.parse_args()
    source, pages = options.to / "source", options.to / "html"
    assemble(source)
    shutil.rmtree(pages, ignore_errors=True)
    status = build_main(
        ["-q", "-W", "--keep-going", "-c", str(HERE), "-d", str(options.to / "trees"), str(source), str(pages)]
    )
    if status == 0:
        finishing.finish(pages)
        (pages / "_static" / "clinic-data.js").write_text(clinic_data.script(), encoding="utf-8")
        print(f"{sum(path.suffix == '.html' for path in pages.rglob('*'))} pages: {pages / 'index.html'}")
    return status


if __name__ == "__main__":
    sys.exit(main())
