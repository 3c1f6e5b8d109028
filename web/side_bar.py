"""The side bar: chapters by their titles, and a drawer each for teachers and for people who change the course.

A page that lists others in a table of contents is a drawer: Furo shows its entries when it is opened. So a learner
sees two links instead of a dozen pages that are written for somebody else.
"""

import documents

LEARN = ("install.md", "learning.md")
LOOK_UP = ("clinic.md", "notebooks/glossary.md", "data.md", "benchmarks/index.md")
TEACH = ("teaching.md", "people.md", "online.md", "room.md")
DRAWERS = {
    "for_teachers.md": (
        "For teachers",
        "These pages are for somebody who teaches the course to a class. The first one is the place to begin.",
    ),
    "for_maintainers.md": (
        "For maintainers",
        "These pages are for somebody who changes the course, or who wants to know how it is tested. "
        "You need none of them to learn PyTorch.",
    ),
}


def contents(chapters: list[str]) -> str:
    """Return the hidden tables of contents of the front page. `chapters`: their names, in order."""
    return "\n".join([
        toctree("Begin", LEARN),
        toctree("Chapters", [f"notebooks/{name}" for name in chapters]),
        toctree("Look up", LOOK_UP),
        toctree("Teach and contribute", DRAWERS),
    ])  # fmt: skip


def drawers(pages: dict[str, str]) -> dict[str, str]:
    """Return the two pages that are drawers: one lists TEACH, the other every text that is in no other place."""
    elsewhere = {*LEARN, *LOOK_UP, *TEACH}
    rest = [page for page in (*documents.TEXTS.values(), "nightly.md") if page in pages and page not in elsewhere]
    listed = (list(TEACH), rest)
    return {
        page: f"# {title}\n\n{words}\n\n{toctree('', entries)}"
        for (page, (title, words)), entries in zip(DRAWERS.items(), listed, strict=True)
    }


def toctree(caption: str, entries) -> str:
    """Return a table of contents: a part of the side bar if it has a caption, else a list that the page shows."""
    options = [":hidden:", f":caption: {caption}"] if caption else [":maxdepth: 1"]
    return "\n".join(["```{toctree}", *options, "", *(entry.removesuffix(".md") for entry in entries), "```", ""])
