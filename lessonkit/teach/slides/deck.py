"""One chapter as one HTML file that needs no network: nbconvert's slides, with reveal.js in the file."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.exporters import SlidesExporter
from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from lessonkit.notebook.catalog import Chapter, minutes, notebook_of
from lessonkit.notebook.cells import code_cells, keep_core, tags
from lessonkit.notebook.solutions import Unsolvable, imported_exercises, own_hints
from lessonkit.notebook.tags import EXERCISE
from lessonkit.system import atomic
from lessonkit.system.errors import Refused
from lessonkit.teach.slides.cut import cut, opening
from lessonkit.teach.slides.guide import Marks, begins, marks
from lessonkit.teach.slides.prose import to_html
from lessonkit.teach.slides.shown import hints
from lessonkit.teach.slides.slide import CONTINUED, Slide

HERE = Path(__file__).parent
REVEAL = HERE / "reveal"


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
    nb = notebook_of(chapter)
    if not further:
        keep_core(nb)
    if not any(cell.outputs for cell in code_cells(nb)):
        raise Refused(
            f"{chapter.path} has no outputs, and slides show them: execute it first, "
            f"`course run {chapter.number:02}`, and take the notebook that it writes (--notebooks build/run)"
        )
    try:
        slides = [*opening(nb, number=chapter.number, further=further), *cut(nb, solved=solved)]
        total = minutes(nb.cells[0].source)[further]
    except (ValueError, Unsolvable) as error:
        raise Refused(f"{chapter.path} cannot be cut into slides: {error}") from error
    note_marks(slides, marks(chapter))
    page = render(slides, f"{chapter.number:02} · {chapter.slug.replace('_', ' ')}", total)
    try:
        atomic.make_folder(out.parent)
        atomic.write(out, page.encode("utf-8"))
    except OSError as error:
        raise Refused(f"{out} cannot be written ({error.strerror or error}); name another file by --out") from error
    modules = imported_exercises(nb)
    asked = [cell for cell in nb.cells if EXERCISE in tags(cell)]
    return Written(
        out, len(slides), total, sum(not (hints(cell) or own_hints(cell.source, modules)) for cell in asked)
    )


def note_marks(slides: list[Slide], said: Marks | None) -> None:
    """Let the notes of the first slide under a heading begin with what the instructor's guide says of it."""
    words = {
        "half_time": "**Half-time.** A pair is here after half of the chapter's time in the room.",
        "late": "**Late.** Up to the next heading: leave it out when you are late, and run its cells.",
        "home": "**Home.** Up to the next heading: this is homework. Run its cells.",
    }
    told = set()
    for slide in slides if said else ():
        for kind, sentence in words.items():
            title = slide.title.removesuffix(CONTINUED)
            if begins(title, getattr(said, kind)) and (kind, title) not in told:
                told.add((kind, title))
                slide.notes.insert(0, sentence)


class _Exporter(SlidesExporter):
    """nbconvert's slides, with a template and a Markdown of ours, neither of which names an address."""

    @pass_context
    def markdown2html(self, context: Context, source: str) -> str:
        """Return Markdown as HTML; overrides nbconvert's filter of this name."""
        return to_html(source)


def render(slides: list[Slide], title: str, total: int) -> str:
    """Return the page; the slides' own minutes are stretched to `total`, those that the chapter's title says."""
    cells = list(_timed(slides, total))
    for number, cell in enumerate(cells):
        cell.id = str(number)  # nbformat's are drawn at random, and the same notebook gives the same file
    scripts = [base64.b64encode(_shipped(name).encode()).decode() for name in ("reveal.js", "notes.js")]
    styles = [*(_shipped(name) for name in ("reset.css", "reveal.css")), (HERE / "deck.css").read_text("utf-8")]
    exporter = _Exporter(
        template_file=str(HERE / "deck.html.j2"), exclude_input_prompt=True, exclude_output_prompt=True
    )
    nb = new_notebook(cells=cells, metadata={"language_info": {"name": "python", "pygments_lexer": "ipython3"}})
    page, _ = exporter.from_notebook_node(nb, {"deck": {"title": title, "styles": styles, "scripts": scripts}})
    return page


def _shipped(name):
    return (REVEAL / name).read_text(encoding="utf-8")


def _timed(slides: list[Slide], total: int) -> Iterator[NotebookNode]:
    """Yield the cells of all slides; the clock begins at 0 and ends at `total` minutes."""
    stretch = total / sum(slide.minutes for slide in slides)
    clock = 0.0
    for number, slide in enumerate(slides, start=1):
        end = clock + slide.minutes * stretch
        span = f"Minute {clock:.0f} to {end:.0f}" if slide.minutes else f"Minute {clock:.0f}"
        cell = f" In the notebook: cell [{slide.cell}]." if slide.cell else ""
        when = f"{span} of {total}.{cell} Slide {number} of {len(slides)}."
        yield from slide.cells(when, max(1, round(60 * (end - clock))))
        clock = end
