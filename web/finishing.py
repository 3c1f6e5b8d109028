"""What the theme's and Sphinx's pages lack for people who do not see or do not use a mouse."""

import re
from pathlib import Path

import code_lines
import search_page

CAPTION = 'class="caption" role="heading"'
# Each must be found somewhere: one that is not says that theme or Sphinx has changed, and this line with it.
CHANGES = {
    "headings of the sidebar have a level": (f"{re.escape(CAPTION)}(?! aria-level)", f'{CAPTION} aria-level="2"'),
    "the sidebar has a name": (
        r'<aside class="sidebar-drawer">',
        '<aside class="sidebar-drawer" aria-label="All pages">',
    ),
    "so has the list of headings": (
        r'<aside class="toc-drawer',
        '<aside aria-label="On this page" class="toc-drawer',
    ),
    "what scrolls can be reached by keyboard": (r"<pre>", '<pre tabindex="0">'),
    "an empty head of a column is an empty cell": (r'<th class="head"><p></p></th>', "<td></td>"),
    "what is further is marked among the headings": (
        r'<a class="reference internal"([^>]*)>(Further\b)',
        r'<a class="reference internal course-further"\1>\2',
    ),
    "a fold is called what can be read on it": (r'<summary aria-label="Toggle hidden content">', "<summary>"),
    **search_page.CHANGES,
}


def finish(folder: Path) -> None:
    """Change every page in `folder`. Raises ValueError for a change that no page asks for any more."""
    needed = set()
    for path in folder.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for name, (pattern, new) in CHANGES.items():
            text, count = re.subn(pattern, new, text)
            needed |= {name} if count else set()
        path.write_text(code_lines.wrapped(text), encoding="utf-8")
    for name, (script, pattern, new) in search_page.SCRIPTS.items():
        path = folder / "_static" / script
        text, count = re.subn(pattern, lambda _, new=new: new, path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")
        needed |= {name} if count else set()
    if idle := [name for name in (*CHANGES, *search_page.SCRIPTS) if name not in needed]:
        raise ValueError(
            f"web/finishing.py: nothing to change any more for: {'; '.join(idle)}. Take it away, or fix it."
        )
