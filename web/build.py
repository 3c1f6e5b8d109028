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
import side_bar
import terms
from sphinx.cmd.build import build_main

from lessonkit.notebook.catalog import NOTEBOOKS, find

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "tools"))  # behind web/, whose modules come first
import front_page  # noqa: E402  (it reads minutes as tools/chapter_map.py does)

BUILD = HERE.parent / "build" / "site"


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
    pages |= side_bar.drawers(pages)
    pages["index.md"] = front_page.page()
    for name, text in pages.items():
        (source / name).write_text(text, encoding="utf-8")
    for chapter in find():
        nbformat.write(chapters.page(chapter), source / "notebooks" / chapter.path.name)
        shutil.copy(chapter.path, source / "downloads")
    for plot in benchmark_pages.plots():
        shutil.copy(plot, source / "benchmarks")
    (source / front_page.PICTURE_FILE).write_bytes(front_page.picture())
    for picture in documents.pictures():
        shutil.copy(picture, source / documents.images(picture.name))


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
