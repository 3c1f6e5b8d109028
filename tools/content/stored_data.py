"""What a chapter stores is made from the data that its text names, and holds nobody's photographs.

The course may not pass on the photographs of ants and bees; drawn ones stand in for them. A page that shows those
has to be refreshed where the photographs are not: with a COURSE_DATA without `hymenoptera_data`.
"""

import re

from course_utils.data import registry
from lessonkit.review.chapter import readable
from lessonkit.review.diagnostics import at, error

SENTENCE = re.compile(r"^(?:rank \d+: )?(?P<title>.+?): the (?P<which>full set|embedded sample) \(", re.MULTILINE)
NOT_TO_BE_PASSED_ON = registry.find("hymenoptera")
DRAWS = re.compile(r"\b(?:imshow|show_images)\(")
DRAWN_HERE = "The pictures stored in this page are the drawn ones."
SHOWN = re.compile(rf"^{NOT_TO_BE_PASSED_ON.title}: (?P<source>full|sample)$", re.MULTILINE)
# Cells after the photographs are there that show other pictures: {(chapter, id of the cell): what they show}.
OTHERS = {("07", name): "two pictures of scikit-learn" for name in ("bfb51167", "629e6ceb")}
OTHERS |= {("07", name): "digits" for name in ("7298d0a7", "f7a40001")}
OTHERS |= {("03", "hiss-draw"): "a recording and its spectrogram"}


def findings(chapters):
    """Yield each stored output that is of other data than the text says."""
    for chapter, book in readable(chapters):
        yield from at(chapter.name, faults(book, f"{chapter.number:02}"))
        yield from at(chapter.name, samples(book))


def printed(cell):
    """What a code cell printed, as stored."""
    return "".join(output.get("text", "") for output in cell.get("outputs", []))


def has_picture(cell):
    return any("image/png" in output.get("data", {}) for output in cell.get("outputs", []))


def faults(book, chapter):
    """Each stored output that is of other data than the text says, as a sentence."""
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    prose = " ".join(" ".join(c["source"].split()) for c in book["cells"] if c["cell_type"] == "markdown")
    named = {found["title"]: found["which"] for cell in cells for found in SENTENCE.finditer(printed(cell))}
    source = named.get(NOT_TO_BE_PASSED_ON.title)
    if (source == "embedded sample") != (DRAWN_HERE in prose):
        yield error(f"the text says drawn ones: {DRAWN_HERE in prose}, the output is of the {source}")
    loaded = False
    for cell in cells:
        loaded |= NOT_TO_BE_PASSED_ON.title in [found["title"] for found in SENTENCE.finditer(printed(cell))]
        if not (loaded and has_picture(cell) and DRAWS.search(cell["source"])):
            continue
        sources = {found["source"] for found in SHOWN.finditer(printed(cell))}
        sources |= {"sample"} if source == "embedded sample" and SENTENCE.search(printed(cell)) else set()
        if sources != {"sample"} and (chapter, cell["id"]) not in OTHERS:
            yield error(
                f"the picture of cell {cell['id']} is of {' and '.join(sorted(sources)) or 'nobody knows what'}"
            )


def samples(book):
    """Each set that is a sample: the prose quotes figures of the full ones, except of the one that is not shown."""
    for cell in book["cells"]:
        for found in SENTENCE.finditer(printed(cell)) if cell["cell_type"] == "code" else ():
            if found["which"] != "full set" and found["title"] != NOT_TO_BE_PASSED_ON.title:
                yield error(f"the output of cell {cell['id']} is of the {found['which']} of {found['title']}")
