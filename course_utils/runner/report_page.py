"""The report as one self-contained HTML page."""

from html import escape
from pathlib import Path
from urllib.parse import quote

import nbformat

from course_utils.notebook import outcome

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .7rem; border-bottom: 1px solid #8885; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.passed { color: #0072b2; } .failed, .timeout, .interrupted { color: #d55e00; font-weight: 600; }
pre { overflow-x: auto; padding: .8rem; background: #8882; font-size: .85rem; }
code { overflow-wrap: anywhere; }
"""


def render(report: dict, out: Path) -> str:
    """The page for `report`; tracebacks are read from the executed notebooks in `out`."""
    passed = sum(chapter["status"] == "passed" for chapter in report["chapters"])
    title = f"{passed} of {len(report['chapters'])} chapters passed"
    about = f"{report['wall_seconds']:.0f} s, answers {report['answers']}, profile {report['profile']}"
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style></head>',
        f"<body><h1>{escape(title)}</h1><p>{escape(about)}, device {escape(report['device'])}</p>",
        _chapters(report["chapters"], out),
        *(_failure(chapter, out) for chapter in report["chapters"] if chapter["status"] != "passed"),
        "<h2>Machine</h2>" + _pairs(report["machine"]),
        "<h2>Versions</h2>" + _pairs(report["versions"]),
        "</body></html>\n",
    ]
    return "\n".join(parts)


def _chapters(chapters: list[dict], out: Path) -> str:
    rows = []
    for chapter in chapters:
        file = f"{chapter['name']}.ipynb"
        name = escape(chapter["name"])
        if (out / file).exists():
            name = f'<a href="{quote(file)}">{name}</a>'
        exercises = chapter["exercises"]
        rows.append(
            f'<tr><td>{name}</td><td class="{chapter["status"]}">{chapter["status"]}</td>'
            f'<td class="number">{chapter["seconds"]:.1f}</td><td class="number">{chapter["cells"]}</td>'
            f'<td class="number">{chapter["slowest_cell_seconds"]:.1f}</td>'
            f"<td><code>{escape(chapter['slowest_cell'])}</code></td>"
            f"<td>{exercises['passed']} passed, {exercises['attempted']} attempted of {exercises['total']}</td>"
            f"<td>{escape(data(chapter))}</td></tr>"
        )
    numbers = {"seconds", "cells", "slowest (s)"}
    titles = ("chapter", "status", "seconds", "cells", "slowest (s)", "slowest cell", "exercises", "data")
    heads = "".join(f"<th{' class=number' if title in numbers else ''}>{title}</th>" for title in titles)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _failure(chapter: dict, out: Path) -> str:
    path = out / f"{chapter['name']}.ipynb"
    text = outcome.traceback(nbformat.read(path, as_version=4)) if path.exists() else ""
    details = f"<details open><summary>Traceback</summary><pre>{escape(text)}</pre></details>" if text else ""
    title = f"<h2>{escape(chapter['name'])}: {chapter['status']}</h2>"
    return f"{title}<pre>{escape(chapter['error'] or '')}</pre>{details}"


def _pairs(pairs: dict) -> str:
    rows = (f"<tr><th>{escape(str(name))}</th><td>{escape(str(value))}</td></tr>" for name, value in pairs.items())
    return f"<table><tbody>{''.join(rows)}</tbody></table>"


def data(chapter: dict) -> str:
    """`mnist: full`, or nothing for a chapter that loads no data set."""
    return ", ".join(f"{name}: {source}" for name, source in chapter["data"].items())
