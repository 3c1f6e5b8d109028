"""The page of the last night: the newest torch, what passed, which chapter broke; with a badge of our own."""

import json
from html import escape
from pathlib import Path

GREEN, RED, GREY = "#0a7a5a", "#b3261e", "#5f6368"


def summaries(folder: Path) -> list[dict]:
    """Return every summary.json below `folder`, as tools/testing/all.py writes them; none without a folder."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("summary.json"))]


def page(found: list[dict]) -> str:
    """Return the page in MyST, also where no night is on record."""
    head = "# The last night: the newest torch\n\n" + f"```{{raw}} html\n{badge(found)}\n```\n\n"
    if not found:
        return (
            head
            + "No nightly run is on record where this site was made. `.github/workflows/nightly.yml` makes them.\n"
        )
    return head + "\n".join(map(_run, found))


def badge(found: list[dict]) -> str:
    """Return a small picture in words and colour: how the last night went."""
    failed = sum(step["failed"] for one in found for step in one["steps"].values())
    words = "not on record" if not found else f"{failed} failed" if failed else "passed"
    color = GREY if not found else RED if failed else GREEN
    return (
        f'<svg role="img" aria-label="nightly: {words}" xmlns="http://www.w3.org/2000/svg" width="170" height="22">'
        f'<rect width="60" height="22" fill="#333"/><rect x="60" width="110" height="22" fill="{color}"/>'
        f'<g fill="#fff" font-family="sans-serif" font-size="12"><text x="8" y="15">nightly</text>'
        f'<text x="70" y="15">{words}</text></g></svg>'
    )


def _run(one: dict) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in one["versions"].items() if version)
    rows = ["| step | passed | failed | skipped | seconds |", "| --- | --- | --- | --- | --- |"]
    rows += [
        f"| {name} | {step['passed']} | {step['failed']} | {step['skipped']} | {step['seconds']} |"
        for name, step in one["steps"].items()
    ]
    broken = [f"- {row['chapter']} ({row['step']}): {row['status']}" for row in one["broken"]]
    told = "\n".join(["", "Chapters that broke:", "", *broken]) if broken else "\nEvery chapter passed."
    title = f"## {one['date']}, {escape(one['system'])}, {escape(versions)}\n"
    return "\n".join([title, *rows, told, ""])
