"""The repository's own texts as pages: what they link to on the site stays a link, the rest becomes words."""

import posixpath
import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(?P<image>!?)\[(?P<words>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)")
# Texts of the repository that are pages, in the order of the sidebar. Those that are not there are left out.
TEXTS = {
    "docs/install.md": "install.md",
    "docs/learning.md": "learning.md",
    "docs/teaching.md": "teaching.md",
    "docs/people.md": "people.md",
    "docs/online.md": "online.md",
    "docs/room.md": "room.md",
    "docs/checks.md": "checks.md",
    "docs/threats.md": "threats.md",
    "docs/grounds.md": "grounds.md",
    "docs/faults.md": "faults.md",
    "data/README.md": "data.md",
    "docs/status.md": "status.md",
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "docs/architecture.md": "architecture.md",
}


def texts() -> dict[str, str]:
    """Return file name -> page in MyST for every text of TEXTS that is there."""
    return {
        page: with_links((PROJECT / path).read_text(encoding="utf-8"), path)
        for path, page in TEXTS.items()
        if (PROJECT / path).exists()
    }


def pictures() -> list[Path]:
    """Return the pictures that the texts show, each once."""
    found = (
        (PROJECT / path).parent / link["target"]
        for path in TEXTS
        if (PROJECT / path).exists()
        for link in LINK.finditer((PROJECT / path).read_text(encoding="utf-8"))
        if link["image"] and not re.match(r"[a-z]+:", link["target"])
    )
    return sorted({path.resolve() for path in found})


def with_links(text: str, path: str) -> str:
    """Return `text`, which stands in the repository at `path`, with links that lead somewhere on the site."""

    def renew(found: re.Match) -> str:
        target, words = found["target"], found["words"]
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        place, _, anchor = target.partition("#")
        there = posixpath.normpath(posixpath.join(posixpath.dirname(path), place))
        if found["image"]:
            return f"![{words}](/{images(there)})"
        if page := page_of(there):
            return f"[{words}](/{page}{'#' + anchor if anchor and not anchor.startswith('cell-id') else ''})"
        return words if there in words else f"{words} (`{there}`)"

    return LINK.sub(renew, text)


def page_of(path: str) -> str | None:
    """Return the site's page for a file of the repository, None where there is none."""
    if path in TEXTS:
        return TEXTS[path] if (PROJECT / path).exists() else None
    if path == "README.md":
        return "index.md"
    if path == "benchmarks/README.md" or path.startswith("benchmarks/results/"):
        return "benchmarks/index.md"
    return path if re.fullmatch(r"notebooks/(?:\d\d_\w+\.ipynb|glossary\.md)", path) else None


def images(path: str) -> str:
    """Return where a picture of the repository lies among the site's sources."""
    return f"pictures/{posixpath.basename(path)}"
