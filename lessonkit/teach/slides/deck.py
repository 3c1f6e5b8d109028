"""The door of this room: one chapter as one HTML file that needs no network."""

import base64
from dataclasses import dataclass
from pathlib import Path

import nbformat
from markupsafe import Markup
from nbformat import NotebookNode
from nbformat.reader import NotJSONError
from nbformat.validator import ValidationError
from pygments.util import ClassNotFound

from lessonkit.notebook.catalog import Chapter, Refused
from lessonkit.notebook.cells import code_cells, tags
from lessonkit.notebook.core import keep_core
from lessonkit.notebook.solutions import Unsolvable
from lessonkit.notebook.title import minutes
from lessonkit.system import atomic
from lessonkit.system.templates import templates
from lessonkit.teach.slides import opening, sizes
from lessonkit.teach.slides.block import Slide
from lessonkit.teach.slides.cut import cut
from lessonkit.teach.slides.prose import inline
from lessonkit.teach.slides.shown import hints

HERE = Path(__file__).parent
REVEAL = HERE / "reveal"
# Each at least 4.5 : 1 on the ground of code.
COLOURS = {
    ".k, .kn, .kc, .kd, .ow": "color: #7a1fa2",
    ".nf, .nc, .nd": "color: #0b5394",
    ".s, .s1, .s2, .sa, .sd, .si, .se, .sx": "color: #8a3b12",
    ".c, .c1, .ch, .cm": "color: #4d6154; font-style: italic",
    ".mi, .mf, .mh, .m": "color: #1b6e3c",
    ".gd": "color: #a31515",
    ".gi": "color: #1b6e3c",
    ".gh, .gu": "color: #0b5394",
}


@dataclass(frozen=True)
class Written:
    """The file that was written, its slides and minutes; `bare` exercises have no stored hints to show."""

    path: Path
    slides: int
    minutes: int
    bare: int


def write(chapter: Chapter, out: Path, *, further: bool = False, solved: bool = False) -> Written:
    """Write the deck of a chapter to `out`, its core or with `further` all of it; the folder is made if missing.

    Raises `Refused` for a file that is no chapter, has no outputs, or holds what no slide can show.
    """
    nb = _read(chapter)
    if not further:
        keep_core(nb)
    if not any(cell.outputs for cell in code_cells(nb)):
        raise Refused(
            f"{chapter.path} has no outputs, and slides show them: execute it first, "
            f"`course run {chapter.number:02}`, and take the notebook that it writes (--notebooks build/run)"
        )
    try:
        slides = [*opening.slides(nb, number=chapter.number, further=further), *cut(nb, solved=solved)]
        total = minutes(nb.cells[0].source)[further]
    except (ValueError, Unsolvable, ClassNotFound) as error:
        raise Refused(f"{chapter.path} cannot be cut into slides: {error}") from error
    page = render(slides, f"{chapter.number:02} · {chapter.slug.replace('_', ' ')}", total)
    try:
        atomic.make_folder(out.parent)
        atomic.write(out, page.encode("utf-8"))
    except OSError as error:
        raise Refused(f"{out} cannot be written ({error.strerror or error}); name another file by --out") from error
    asked = [cell for cell in nb.cells if "exercise" in tags(cell)]
    return Written(out, len(slides), total, sum(not hints(cell) for cell in asked))


def _read(chapter: Chapter) -> NotebookNode:
    try:
        nb = nbformat.read(chapter.path, as_version=4)
        nbformat.validate(nb)
    except (NotJSONError, ValidationError, AttributeError, KeyError, UnicodeDecodeError) as error:
        reason = (str(error).splitlines() or ["no reason given"])[0][:120]
        raise Refused(f"{chapter.path} is not a notebook: {reason}") from error
    return nb


def render(slides: list[Slide], title: str, total: int) -> str:
    """Return the page; the slides' own minutes are stretched to `total`, those that the chapter's title says."""
    pages = templates(HERE)
    pygments = "\n".join(f".reveal {_each(names)} {{ {style}; }}" for names, style in COLOURS.items())
    ours = pages.get_template("deck.css.j2").render(s=sizes, pygments=Markup(pygments))
    styles = [*(_reveal(name) for name in ("reset.css", "reveal.css")), ours]
    scripts = [base64.b64encode(_reveal(name).encode()).decode() for name in ("reveal.js", "notes.js")]
    return pages.get_template("deck.html.j2").render(
        title=title,
        s=sizes,
        slides=list(_timed(slides, total)),
        styles=[Markup(style) for style in styles],
        scripts=scripts,
    )


def _each(names):
    return ", .reveal ".join(f"pre {name}" for name in names.split(", "))


def _reveal(name):
    return (REVEAL / name).read_text(encoding="utf-8")


def _timed(slides, total):
    """Yield what the template needs of each slide; the clock begins at 0 and ends at `total` minutes."""
    stretch = total / sum(slide.minutes for slide in slides)
    clock = 0.0
    for number, slide in enumerate(slides, start=1):
        end = clock + slide.minutes * stretch
        yield {
            "kind": slide.kind,
            "part": Markup(inline(slide.part)),
            "title": Markup(inline(slide.title)),
            "continued": slide.continued,
            "cell": slide.cell,
            "size": round(sizes.TEXT * slide.scale, 1),
            "blocks": [{"html": Markup(block.html), "reveals": block.reveals} for block in slide.blocks],
            "notes": [Markup(note) for note in slide.notes],
            "seconds": max(1, round(60 * (end - clock))),
            "when": _when(slide, clock, end, total) + f" Slide {number} of {len(slides)}.",
        }
        clock = end


def _when(slide, start, end, total):
    spent = f"Minute {start:.0f} to {end:.0f} of {total}." if end > start else f"Minute {start:.0f} of {total}."
    return f"{spent} In the notebook: cell [{slide.cell}]." if slide.cell else spent
