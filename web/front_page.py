"""The first page: what the course is, for whom, how long it takes, how to start, and what each chapter is about."""

import base64
import html
import re

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

TOP = """\
# Learn PyTorch by predicting what it does

Fourteen chapters lead from a first tensor to training on several machines. Before a cell runs, you write down what you
think it will print. Then you run it, and the text explains the result.

<dl class="course-facts">
<div><dt>For whom</dt><dd>You know Python and want to understand what PyTorch does. You can learn alone or in a class.</dd></div>
<div><dt>How long</dt><dd>The first chapter takes {first} minutes. The cores of all fourteen chapters take about {core} hours,
and everything takes about {whole} hours.</dd></div>
<div><dt>What you need</dt><dd>You need a computer with Python 3.11, 3.12 or 3.13. You do not need a GPU, and every chapter
runs without a network.</dd></div>
</dl>

<p class="course-buttons"><a class="course-start" id="course-start" href="#start">Start</a>
<a class="course-read" href="notebooks/00_start_here.html">Read chapter 00 first</a></p>
"""
CAPTION = (
    "In chapter 00 you train a model with fourteen lines of code while you watch. These are the weights that it has "
    "learned, one picture for each digit."
)
EXAMPLE = """\
## What a chapter looks like

1. **You predict.** A model returns predictions of shape (4, 1), and the targets have shape (4,). Every prediction is
   right. Before you open the output below, write down the mean squared error.
2. **You run a cell.** It is the smallest program that decides the question.

   ```python
   targets = torch.tensor([1.0, 2.0, 3.0, 4.0])
   predictions = targets[:, None].clone()  # shape (4, 1), all of them right
   print((predictions - targets).pow(2).mean().item())
   ```

   <details class="course-fold"><summary>Show the output</summary><p><code>2.5</code>. Broadcasting compared each
   prediction with each target, and PyTorch raised no error. Chapter 01 explains why.</p></details>
3. **You write a function.** A check runs it on inputs that you have not seen. It recognises the usual mistakes and
   explains yours, and hints unfold one at a time.
"""
START = """\
## Start

{get} Open a terminal in that folder, and follow the lines for your system. Each system needs Python 3.11, 3.12 or 3.13.

<details class="course-system" id="start-windows" data-system="Windows"><summary>Windows</summary>

```
py -3.12 tools/install.py
.venv\\Scripts\\course lab
```

</details>
<details class="course-system" id="start-mac" data-system="a Mac"><summary>macOS</summary>

```
make setup
make lab
```

If your Mac has no `make`, macOS offers to install its command-line tools. Accept, and run the lines again.

</details>
<details class="course-system" id="start-linux" data-system="Linux"><summary>Linux</summary>

```
make setup
make lab
```

The first line downloads 3.3 GB and needs 6 GB of disk space. Without an NVIDIA GPU, `make setup TORCH=cpu` downloads
0.5 GB instead. Nobody has tried that smaller download yet. If it fails, delete the folder `.venv` and run `make setup`.

</details>
<details class="course-system" id="start-container" data-system="a container"><summary>Docker</summary>

```
docker build -t course .
mkdir -p work
docker run --rm -p 127.0.0.1:8888:8888 -v "$PWD/work:/home/learner/course/work" course
```

The last line prints an address. Open it in your browser.

</details>
<p class="course-phone" hidden>The course runs on a computer. On a phone or a tablet you can read the chapters.</p>

JupyterLab opens with your own copy of chapter 00. [How to install the course](install.md) explains proxies, conda and
GPUs, and [How to work with the chapters](learning.md) explains your copies and your progress.
{binder}
"""


def page() -> str:
    """Return the page in MyST, with the tables of contents of the side bar."""
    chapters = find()
    stated = [minutes(_title(chapter)) for chapter in chapters]
    core, whole = (round(sum(column) / 60) for column in zip(*stated, strict=True))
    url = repository.address()
    fetch = f"Run `git clone {url}`, or download the repository from [its page]({url})." if url else (
        "Clone the repository of the course, or download it."
    )  # fmt: skip
    picture = f'<figure class="course-picture">\n\n![{CAPTION}](/{PICTURE_FILE})\n\n<figcaption>{CAPTION}</figcaption></figure>\n'
    return "\n".join([
        TOP.format(first=stated[0][0], core=core, whole=whole),
        picture,
        EXAMPLE,
        START.format(get=fetch, binder=binder(url)),
        "## Chapters\n",
        "The first number of minutes is for the core, which later chapters need. The second is for the whole chapter.\n",
        "```{raw} html\n" + cards(chapters) + "\n```\n",
        side_bar.contents([chapter.name for chapter in chapters]),
    ])  # fmt: skip


def binder(url: str | None) -> str:
    """Return the sentence that offers chapter 00 on Binder, nothing where it could not work."""
    there = repository.binder(find()[0], url)
    return there and (
        f"\nWithout an installation you can [open chapter 00 on Binder]({there}), a free service that starts JupyterLab "
        f"in a container. What you write there is lost when the container ends. {repository.UNSEEN}\n"
    ) or ""  # fmt: skip


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
        f"The first page of the site shows the picture of cell {wanted} in chapter {name}, and there is no such cell "
        "with a picture. Name another one as PICTURE in web/front_page.py, and say in CAPTION what it shows."
    )


def _title(chapter: Chapter) -> str:
    return nbformat.read(chapter.path, 4).cells[0].source


def _card(chapter: Chapter, moment: str | None) -> str:
    if moment is None:
        raise ValueError(f"README.md has no row for {chapter.name}: the first page of the site shows its last column")
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
