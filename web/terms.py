"""Sphinx's part of the glossary: the first time a page says a term, it is a link with the definition on hover."""

import re
import runpy
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

TOOL = runpy.run_path(str(Path(__file__).resolve().parents[1] / "tools" / "glossary.py"))
ENTRY, SAID, PHRASES = TOOL["ENTRY"], TOOL["said"], TOOL["PHRASES"]
KEPT_OUT = (nodes.reference, nodes.literal, nodes.title, nodes.literal_block, nodes.raw, nodes.rubric)


def entries(text: str) -> dict[str, str]:
    """Return every term of notebooks/glossary.md with what it means, without any markup."""
    return {found["term"]: re.sub(r"[*`]", "", found["meaning"]) for found in ENTRY.finditer(text)}


def address(term: str) -> str:
    """Return the anchor of a term on the glossary's page."""
    return "term-" + re.sub(r"[^a-z0-9]+", "-", term.lower()).strip("-")


def indexed(term: str, anchor: str) -> str:
    """Return the entry of Sphinx's index for a term, which the search puts above other results, with its anchor."""
    return f"```{{index}} ! single: {term}\n:name: {anchor}\n```\n"


def introduced(text: str) -> dict[str, list[str]]:
    """Return the terms that each cell introduces, by the cell's id, as the links of notebooks/glossary.md say."""
    cells: dict[str, list[str]] = {}
    for found in ENTRY.finditer(text):
        for cell in re.findall(r"#cell-id=([\w-]+)", found["link"]):
            cells.setdefault(cell, []).append(found["term"])
    return cells


def page(text: str) -> str:
    """Return the glossary's page: each entry with its own anchor, and the link to the cell that says it first."""
    head, _, _ = text.partition("- **")
    rows = []
    for found in ENTRY.finditer(text):
        link = re.sub(r"\]\(\d\d_\w+\.ipynb#cell-id=([\w-]+)\)", r"](#cell-\1)", found["link"])
        entry = indexed(found["term"], address(found["term"]))
        rows.append(f"{entry}\n**{found['term']}** ({link})\n: {found['meaning']}\n")
    head = re.sub(r"; in JupyterLab[^.]*\.", ".", " ".join(head.split()).replace("# Glossary ", "", 1))
    head = head.partition("`python tools")[0].strip()
    return "# Glossary\n\n" + head + "\n\n" + "\n".join(rows)


class LinkTerms(SphinxPostTransform):
    """Turn the first mention of each term on a chapter's page into a link to the glossary."""

    default_priority = 900

    def run(self, **_) -> None:
        """Go through the page's prose once; code, headings and links are left alone."""
        if not re.fullmatch(r"notebooks/\d\d_\w+", self.env.docname):
            return
        waiting = dict(self.config.course_terms)
        for text in list(self.document.findall(nodes.Text)):
            if not waiting or _within(text, KEPT_OUT):
                continue
            mentions = [(found, term) for term in waiting if (found := _mention(term, text))]
            # The longest of those that begin at one place: "learning rate" before "rate".
            mentions.sort(key=lambda pair: (pair[0].start(), -pair[0].end()))
            parts, end = [], 0
            for found, term in mentions:
                if found.start() < end:
                    continue
                parts += [nodes.Text(text[end : found.start()]), self.link(term, found[0])]
                end = found.end()
                del waiting[term]
            if parts:
                text.parent.replace(text, [*parts, nodes.Text(text[end:])])

    def link(self, term: str, words: str) -> nodes.reference:
        """Return the link: `title` is what browsers show on hover and readers read out."""
        uri = self.app.builder.get_relative_uri(self.env.docname, "notebooks/glossary") + f"#{address(term)}"
        definition = f"{term}: {self.config.course_terms[term]}"
        return nodes.reference("", words, internal=True, refuri=uri, reftitle=definition, classes=["course-term"])


def _mention(term: str, text: nodes.Text) -> re.Match | None:
    if term in PHRASES:  # an everyday word: only where it stands alone in italics, as where it is explained
        alone = isinstance(text.parent, nodes.emphasis)
        return re.fullmatch(rf"{re.escape(term)}(?:e?s)?", str(text), re.IGNORECASE) if alone else None
    return SAID(term).search(str(text))


def _within(node: nodes.Node, kinds: tuple[type, ...]) -> bool:
    while node is not None:
        if isinstance(node, kinds):
            return True
        node = node.parent
    return False


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_config_value("course_terms", {}, "env")
    app.add_post_transform(LinkTerms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
