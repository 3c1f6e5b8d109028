"""Advice on sentences: words that the field does not use, and sentences that are too long to be read once.

It reads the Markdown cells of a chapter, the hints and explanations of its exercises, and the pages of docs/.
"""

import re
import tomllib
from pathlib import Path

from course_utils import PROJECT
from lessonkit.checks.answer import explanation
from lessonkit.review import exercises
from lessonkit.review.chapter import readable
from lessonkit.review.diagnostics import at, warning
from lessonkit.system.course import course

MOST_WORDS = 28  # of a sentence
PAGES = ("README.md", "CONTRIBUTING.md", "docs/*.md", "notebooks/glossary.md")
CODE = re.compile(r"^```.*?^```$|^~~~.*?^~~~$|<!--.*?-->|\$\$.*?\$\$", re.M | re.S)
# A full stop, not one of an abbreviation; a sentence may begin with a command's name, in small letters.
END = re.compile(r"(?<=[.?!…])(?<!e\.g\.)(?<!i\.e\.)(?<! vs\.)(?<! cf\.)[”’\")]*\s+")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.|#+|>|\|)\s*", re.M)


def findings(chapters):
    """Yield advice on each chapter, on its exercises, and, where it is about more than one, on the pages."""
    words = listed()
    for chapter, book in readable(chapters):
        for number, cell in enumerate(book.cells):
            if cell.cell_type == "markdown":
                where = f"{chapter.name}, Markdown cell {number}"
                yield from at(where, check(cell.source, words, chapter=chapter.number))
        for name, exercise in exercises.questions(course().exercises, chapter.slug).items():
            said = [*exercise.hints, *map(explanation, exercise.mistakes)]
            yield from at(name, check("\n\n".join(said), words, chapter=chapter.number))
    pages = [path for pattern in PAGES for path in PROJECT.glob(pattern)] if len(chapters) > 1 else []
    for path in sorted(pages):
        yield from at(path.relative_to(PROJECT).as_posix(), check(path.read_text(encoding="utf-8"), words))


def listed():
    """Return (expression, what to write, the chapters' numbers or None) for each entry of words.toml."""
    text = Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
    return [
        (re.compile(rf"\b(?:{entry['word']})\b", re.I), entry["write"], entry.get("only"))
        for entry in tomllib.loads(text)["words"]
    ]


def check(markdown, words, *, chapter=None):
    """Yield a warning for each word on the list, once for a text, and for each sentence that is too long."""
    plain = prose(markdown)
    for expression, instead, only in words:
        found = expression.search(plain) if only is None or chapter in only else None
        if found:
            yield warning(f"“{found.group()}” is not the field's word; write: {instead}")
    for sentence in sentences(plain):
        count = len(sentence.split())
        if count > MOST_WORDS:
            start = " ".join(sentence.split()[:6])
            yield warning(f"a sentence of {count} words, expected at most {MOST_WORDS}: “{start} …”")


def prose(markdown):
    """Return a Markdown text as words: without blocks of code and tables, with inline code as one word.

    >>> prose("Run `a = b + c` in [the lab](lab.md).")
    'Run CODE in the lab.'
    """
    text = CODE.sub("\n\n", markdown)
    text = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("|"))
    text = re.sub(r"(`+).+?\1", "CODE", text, flags=re.S)
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)|<https?://[^>]*>", r"\1", text)
    return re.sub(r"[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}", "", text)


def sentences(plain):
    """Return the sentences of a text; a heading, an item of a list and a paragraph end one.

    >>> sentences("One is short. Is this 0.5 of it? Yes: e.g. here.")
    ['One is short.', 'Is this 0.5 of it?', 'Yes: e.g. here.']
    """
    blocks = [" ".join(block.split()) for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.|#+|>)\s)", plain)]
    parts = [part for block in blocks for part in END.split(ITEM.sub("", block))]
    return [part for part in parts if part]
