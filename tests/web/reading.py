"""A page read without a browser: addresses, pictures, headings, what it loads."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """What the tests ask of one page. `loaded`: what a browser fetches with it; `links`: what may be followed."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.ids, self.links, self.loaded, self.pictures, self.headings = path, set(), [], [], [], []
        self.classes: set[str] = set()
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag, attrs):
        """Collect."""
        given = dict(attrs)
        self.ids |= {given[name] for name in ("id", "name") if given.get(name)}
        self.classes |= set((given.get("class") or "").split())
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in ("script", "img") and given.get("src"):
            self.loaded.append(given["src"])
        if tag == "link" and given.get("rel") in ("stylesheet", "icon", "preload"):
            self.loaded.append(given["href"])
        if tag == "img":
            self.pictures.append((given.get("src"), given.get("alt")))
        if found := re.fullmatch(r"h([1-6])", tag):
            self.headings.append(int(found[1]))


class Target(NamedTuple):
    """Where a local address leads: a file, and an anchor in it or ""."""

    path: Path
    anchor: str


def target(page: Page, address: str) -> Target | None:
    """Return where an address leads from `page`; None for one outside of the site."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return None
    path = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
    return Target(path, unquote(parts.fragment))


def names(folder: Path):
    """Every page by its path below `folder`."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))
