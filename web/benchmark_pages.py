"""A page for each benchmark: what is claimed, what was seen, where and when, its plot, how it is measured."""

import ast
import json
import re
import tomllib
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "benchmarks"
FACTS = (
    "os",
    "cores",
    "threads",
    "cpu_capability",
    "bf16_in_hardware",
    "matmul_gflops",
    "python",
    "torch",
    "accelerator",
)


def pages() -> dict[str, str]:
    """Return name -> page in MyST, for every table of benchmarks.toml."""
    tables = tomllib.loads((FOLDER / "benchmarks.toml").read_text(encoding="utf-8"))
    return {name: _page(name, table) for name, table in tables.items()}


def plots() -> list[Path]:
    """Return every plot that a page shows."""
    return sorted((FOLDER / "results").glob("*.png"))


def _page(name: str, table: dict) -> str:
    docstring = ast.get_docstring(ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))) or ""
    parts = [f"# {_plain(table['claim'])}\n", docstring.partition("\n")[0] + "\n"]
    for path in sorted((FOLDER / "results").glob("*.json")):
        results = json.loads(path.read_text(encoding="utf-8"))
        if entry := results["entries"].get(name):
            parts += [
                f"## Seen on {path.stem}\n",
                _seen(table["figures"], entry),
                _facts(results["machine"], entry),
            ]
            plot = path.with_name(f"{path.stem}-{name}.png")
            if plot.exists():
                parts.append(f"![{_plain(table['claim'])}, as measured on {path.stem}]({plot.name})\n")
        if missing := results["without_figure"].get(name):
            parts.append(f"A later run gave no figure ({missing['outcome']}, {missing['date']}).\n")
    parts += ["## How it is measured\n", _method(name) or f"`benchmarks/{name}.py` says it in its first lines.\n"]
    return "\n".join(parts)


def _seen(figures: list[dict], entry: dict) -> str:
    rows = ["| figure | goal | seen |", "| --- | --- | --- |"]
    for figure in figures:
        value = entry["result"].get(figure["key"])
        spread = [entry["result"].get(figure.get(end)) for end in ("low", "high")]
        seen = f"{value} {figure.get('unit', '')}".strip() + (
            f" ({spread[0]} to {spread[1]})" if all(spread) else ""
        )
        sign = {"higher": "≥", "lower": "≤"}[figure["better"]] if "goal" in figure else ""
        rows.append(f"| {figure.get('says', figure['key'])} | {sign} {figure.get('goal', '')} | {seen} |")
    return "\n".join(rows) + f"\n\n{entry['outcome'].capitalize()}. {entry.get('sentence') or ''}\n"


def _facts(machine: dict, entry: dict) -> str:
    facts = ", ".join(
        f"{name.replace('_', ' ')} {machine[name]}" for name in FACTS if machine.get(name) is not None
    )
    return f"{entry['date']}, {entry['seconds']} s. Machine: {facts}.\n"


def _method(name: str) -> str:
    """Return the section of benchmarks/README.md about this script, links into the repository as plain words."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    words = name.replace("_", " ")
    found = next((one for one in sections if f"{name}.py" in one.partition("\n")[0]), None)
    found = found or next((one for one in sections if words.split()[0] in one.partition("\n")[0].lower()), "")
    return re.sub(r"\]\((?!https?:)[^)]*\)", "]", found.partition("\n")[2]).replace("[", "").replace("]", "")


def _plain(words: str) -> str:
    return words.replace("`", "")
