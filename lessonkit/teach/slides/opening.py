"""The first slides, from a chapter's first cell: claim, minutes, licence; what one can do by the end."""

import html

from nbformat import NotebookNode

from lessonkit.notebook import pace
from lessonkit.notebook.title import claim, minutes
from lessonkit.teach.slides.block import Block, Slide, packed
from lessonkit.teach.slides.cut import set_up
from lessonkit.teach.slides.prose import inline, paragraph, passages

LICENCE = "Text and pictures: CC BY 4.0. Code: Apache-2.0."
KEYS = "Space: on · S: notes and clock · F: full screen · Esc: all slides · ?: all keys"


def slides(nb: NotebookNode, *, number: int, further: bool) -> list[Slide]:
    """Return the title slide and the goals. Raises ValueError where the first cell has no title or minutes."""
    source = nb.cells[0].source if nb.cells else ""
    core, whole = minutes(source)
    passage = next((one for one in passages(source) if one.level == 1), None)
    if passage is None:
        raise ValueError("the first cell has no title, `# 05 · …`")
    time = f"{whole} minutes, with Further" if further and whole != core else f"{core} minutes"
    lines = [
        ("number", f"A PyTorch course · chapter {number:02}"),
        ("claim", inline(claim(source) or passage.title)),
        ("minutes", html.escape(time)),
        ("licence", LICENCE),
        ("keys", KEYS),
    ]
    markup = "".join(f'<p class="{name}">{text}</p>' for name, text in lines if name != "claim")
    heading = f'<h1 class="claim">{dict(lines)["claim"]}</h1>'
    title = Slide("", kind="title", blocks=[Block(heading + markup, lambda _: 0.0)])
    title.notes = [*(piece.html for piece in passage.pieces), "<p>Cells that no slide shows:</p>", set_up(nb)]
    title.minutes = pace.prose(passage.words)
    return [title, *_goals(passage)]


def _goals(passage):
    lists = [piece for piece in passage.pieces if piece.kind == "bullet_list"]
    if not lists:
        return []
    built = [piece for piece in passage.pieces if piece.text.startswith("**Builds on**")]
    blocks = [block for piece in lists for block in piece.blocks()]
    blocks += [paragraph(piece.text, style="text") for piece in built]
    return packed(Slide("By the end you can"), blocks)
