"""Which outputs answer a prediction: the site folds them, and a copy hides the text below until the cell has run.

A text asks for a prediction if, from its last heading on, it asks a question or tells the reader to predict. It
speaks of the code cells that follow it, up to the next text or exercise. A fold too many costs one click, and an
output that stands below its question spoils it; so a question that the text itself answers counts as well.
"""

import re

import nbformat

from lessonkit.notebook.cells import wants_answer

FENCE = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
ADDRESS = re.compile(r"\]\([^)\s]*\)|<https?:[^>\s]*>|https?://\S+")
HEADING = re.compile(r"^ {0,3}#{1,6} ", re.MULTILINE)
BROKEN_LINE = re.compile(r"[ \t]*\n[ \t]*(?!\s|[-*+] |\d+[.)] )")  # within a paragraph or an item of a list
QUESTION_MARK = re.compile(r"\?[\s\"”’')*_]|\?$")
SENTENCE = re.compile(r"\n|(?<=[.!?])[\"”’)*_]*\s+")
# A word alone is a question of its own only if it is one of these: "Which?" is one, "Stuck?" is none.
ASKING = re.compile(r"\b(?:what|which|who|whose|whom|how|where|when|why|bets?|guess|prediction)\b", re.IGNORECASE)
FOLDED = re.compile(r"\bfolded\b")
HELP = re.compile(r"\.(?:hint|solution|example)\(")
TOLD = re.compile(
    r"\bbefore (?:you|we) (?:run (?!anything|any\b)|look|open|scroll|read (?:on|the output)|execute)"
    r"|\bbefore (?:running|executing|looking)\b"
    r"|\b(?:make|note|write|place|state|put|say) (?:down )?(?:your|a|one) (?:own )?"
    r"(?:bet|guess|prediction|estimate)\b"
    r"|(?:^\s*(?:[-*+] |\d+[.)] )?|[.!?:;,(]\s+|\*\*|\b(?:and|then|first|now|so|please)\s+)"
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
    heading, _, rest = plain.partition("\n") if headings else ("", "", plain)
    plain = f"{heading}\n{_joined(rest)}"
    return bool(TOLD.search(plain)) or any(map(_is_question, SENTENCE.split(plain)))


def answered(cells: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Return the code cells whose outputs answer a prediction, in order. A verdict or a hint answers none."""
    found, texts, asked = [], [], False
    for cell in cells:
        if cell.cell_type != "code":
            texts.append(cell.source)
            text = "\n\n".join(texts)
            # A text that only says what the next, folded cell draws stands between a question and its answer.
            asked = asks(text) or (asked and bool(FOLDED.search(text)) and not HEADING.search(text))
            continue
        texts = []
        if wants_answer(cell):
            asked = False
        elif asked and cell.outputs and not HELP.search(cell.source):
            found.append(cell)
    return found


def _joined(text: str) -> str:
    """Return `text` with each paragraph, and each item of a list, on a line of its own."""
    return re.sub(r"\n\s*\n", "\n", "\n\n".join(BROKEN_LINE.sub(" ", one) for one in re.split(r"\n\s*\n", text)))


def _is_question(sentence: str) -> bool:
    if not QUESTION_MARK.search(sentence):
        return False
    return len(re.findall(r"\w+", sentence)) > 1 or bool(ASKING.search(sentence))
