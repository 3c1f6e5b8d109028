"""Which outputs answer a prediction: on the site they stand behind a fold, so that a reader can predict first.

A text asks for a prediction if, from its last heading on, it asks a question or tells the reader to predict. It
speaks of the code cells that follow it, up to the next text or exercise. A fold too many costs one click, and an
output that stands below its question spoils it; so a question that the text itself answers counts as well.
"""

import re

import nbformat

from lessonkit.notebook.tags import EXERCISE, QUESTION

FENCE = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
ADDRESS = re.compile(r"\]\([^)\s]*\)|<https?:[^>\s]*>|https?://\S+")
HEADING = re.compile(r"^ {0,3}#{1,6} ", re.MULTILINE)
QUESTIONED = re.compile(r"[^.!?:;()\n]*(?:\n(?!\s*\n)[^.!?:;()\n]*)*\?")
# One or two words are a question of their own only with one of these: "Which?" is one, "Stuck?" is none.
ASKING = re.compile(r"\b(?:what|which|who|whose|whom|how|where|when|why|bets?|guess|prediction)\b", re.IGNORECASE)
TOLD = re.compile(
    r"\bbefore (?:you|we) (?:run (?!anything|any\b)|look|open|scroll|read (?:on|the output)|execute)"
    r"|\bbefore (?:running|executing|looking)\b"
    r"|\b(?:make|note|write|place|state|put|say) (?:down )?(?:your|a|one) (?:own )?(?:bet|guess|prediction|estimate)\b"
    r"|(?:^|[.!?:;,(]\s+|\*\*|\b(?:and|then|first|now|so|please)\s+)"
    r"(?:bet|predict|guess|estimate|sketch|write down|rank (?:the|these|them)"
    r"|say (?:both|which|what|how|whether|where|when|why|who|if))\b",
    re.IGNORECASE | re.MULTILINE,
)


def asks(text: str) -> bool:
    """Return whether a text of a chapter asks the reader for a prediction.

    >>> asks("What is the sum? Say it before you run the cell.")
    True
    >>> asks("Write down how many pages the query reads.")
    True
    >>> asks("Stuck? Each call gives one more hint.")
    False
    """
    plain = ADDRESS.sub("]", INLINE.sub("code", FENCE.sub("", text)))
    headings = list(HEADING.finditer(plain))
    plain = plain[headings[-1].end() :] if headings else plain
    return bool(TOLD.search(plain)) or any(_is_question(found[0]) for found in QUESTIONED.finditer(plain))


def answered(cells: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Return the code cells whose outputs answer a prediction, in order; a verdict on an exercise is none."""
    found, texts, asked = [], [], False
    for cell in cells:
        if cell.cell_type != "code":
            texts.append(cell.source)
            asked = asks("\n\n".join(texts))
            continue
        texts = []
        if {EXERCISE, QUESTION} & set(cell.metadata.get("tags", [])):
            asked = False
        elif asked and cell.outputs:
            found.append(cell)
    return found


def _is_question(words: str) -> bool:
    return len(re.findall(r"\w+", words)) > 2 or bool(ASKING.search(words))
