"""The first page: what the course is, for whom, how long it takes, how to start, and what each chapter is about."""

import base64
import html
import re
from pathlib import Path

import documents
import nbformat
import repository
import side_bar
from chapter_map import shown
from markdown_it import MarkdownIt

from lessonkit.notebook.catalog import Chapter, claim, find, minutes

# The picture at the top is stored by this cell, so that it is what a learner gets, and whole.
PICTURE = ("00_start_here", "8f8328ed")
PICTURE_FILE = "pictures/learned.png"
DATA = {
    "mnist": "handwritten digits",
    "fashion_mnist": "pictures of clothes",
    "hymenoptera": "photographs of ants and bees",
    "free_spoken_digits": "spoken digits",
    "python_topics": "texts about Python",
}

CAPTION = (
    "In chapter 00 you train a model with fourteen lines of code while you watch. "
    "These are the weights that it has learned, one picture for each digit."
)
TEMPLATE = Path(__file__).with_suffix(".md")


def page() -> str:
    """Return the page in MyST, with the tables of contents of the side bar."""
    chapters = find()
    stated = [minutes(_title(chapter)) for chapter in chapters]
    core, whole = (round(sum(column) / 60) for column in zip(*stated, strict=True))
    url = repository.address()
    fetch = "Clone the repository of the course, or download it."
    if url:
        fetch = f"Run `git clone {url}`, or download the repository from [its page]({url})."
    return TEMPLATE.read_text(encoding="utf-8").format(
        first=stated[0][0],
        core=core,
        whole=whole,
        picture=(
            f'<figure class="course-picture">\n\n![{CAPTION}](/{PICTURE_FILE})\n\n'
            f"<figcaption>{CAPTION}</figcaption></figure>\n"
        ),
        get=fetch,
        binder=binder(url),
        chapters=f"```{{raw}} html\n{cards(chapters)}\n```",
        side_bar=side_bar.contents([chapter.name for chapter in chapters]),
    )


def binder(url: str | None) -> str:
    """Return the sentence that offers chapter 00 on Binder, nothing where it could not work."""
    there = repository.binder(find()[0], url)
    if there is None:
        return ""
    return (
        f"\nWithout an installation you can [open chapter 00 on Binder]({there}), a free service that starts "
        "JupyterLab in a container. What you write there is lost when the container ends. "
        f"{repository.UNSEEN}\n"
    )


def cards(chapters: list[Chapter]) -> str:
    """Return the list of chapters in HTML: title, what happens in it, minutes, what it builds on, its data."""
    moments = told()
    return "\n".join([
        '<ol class="course-chapters">',
        *(_card(chapter, moments.get(chapter.name)) for chapter in chapters),
        "</ol>",
    ])  # fmt: skip


def told() -> dict[str, str]:
    """Return what README's table tells of each chapter, as Markdown, by the name of the chapter."""
    text = (documents.PROJECT / "README.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| \[[^\]]*\]\(notebooks/(\w+)\.ipynb\) \|.*\| *(\S.*?) *\|$", text, re.MULTILINE))


def picture() -> bytes:
    """Return the picture at the top as a PNG. Raises ValueError where the chapter no longer has it."""
    name, wanted = PICTURE
    for chapter in find():
        for cell in nbformat.read(chapter.path, 4).cells if chapter.name == name else ():
            for output in cell.get("outputs", []) if cell.get("id") == wanted else ():
                if "image/png" in output.get("data", {}):
                    return base64.b64decode(output.data["image/png"])
    raise ValueError(
        f"The first page of the site shows the picture of cell {wanted} in chapter {name}, and there is no such "
        "cell with a picture. Name another one as PICTURE in web/front_page.py, and say in CAPTION what it shows."
    )


def _title(chapter: Chapter) -> str:
    return nbformat.read(chapter.path, 4).cells[0].source


def _card(chapter: Chapter, moment: str | None) -> str:
    if moment is None:
        raise ValueError(
            f"README.md has no row for {chapter.name}, and the first page of the site shows the row's last column. "
            "Add the row to the table of chapters."
        )
    title, about = _title(chapter), nbformat.read(chapter.path, 4).metadata["course"]
    facts = [f"{shown(*minutes(title))} minutes"]
    if about["builds_on"]:
        facts.append(f"builds on {', '.join(about['builds_on'])}")
    if about["data"]:
        facts.append("data: " + ", ".join(DATA.get(name, name) for name in about["data"]))
    if about["accelerator"] != "not needed":
        facts.append(f"a GPU {about['accelerator']}")
    words = MarkdownIt().renderInline(moment[:1].upper() + moment[1:])
    return (
        f'<li><a href="notebooks/{chapter.name}.html"><b>{chapter.number:02d}</b> '
        f"{MarkdownIt().renderInline(claim(title))}</a><p>{words}.</p>"
        f'<p class="course-card-facts">{html.escape(" · ".join(facts))}</p></li>'
    )
