"""The results of one machine in one JSON file, and the table of the latest in README.md here: what `all.py` writes.

A file is `{"machine": {facts}, "entries": {benchmark: entry}, "without_figure": {benchmark: entry}}`. A run that
gave no figure stands in `without_figure` until the next one that does; the last figure stays where it is.
"""

import json
import math
import re

from filelock import FileLock

from lessonkit.system import marked_section
from lessonkit.system.atomic import atomic_write

START = "<!-- benchmarks: from here on written by benchmarks/all.py -->"
END = "<!-- benchmarks: to here -->"
OUTCOMES = ("goal met", "goal missed", "cannot run here", "failed", "ended by the time limit")


class ResultsError(Exception):
    """A results file that must not be written over; the message says what to do."""


def machine_name(facts):
    """A file name made of facts (`linux-avx512-2cores`), never of the host's name."""
    system, *_, processor = facts["os"].split()
    capability = facts["cpu_capability"]
    words = [system, capability if "AVX" in capability and "NO" not in capability else processor]
    words.append(f"{facts['cores']}core{'s' * (facts['cores'] != 1)}")
    words += [re.sub(r"\(.*\)", "", facts["accelerator"])] if facts["accelerator"] else []
    return "-".join(re.sub(r"[^a-z0-9_]+", "-", word.lower()).strip("-") for word in words)


def read(path):
    """The results in a file, empty ones where it is not there; raises ResultsError for a damaged one."""
    empty = {"machine": {}, "entries": {}, "without_figure": {}}
    if not path.exists():
        return empty
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not all(isinstance(found[key], dict) for key in empty):
            raise ValueError("its parts are no tables")
    except (ValueError, KeyError, TypeError) as error:
        raise ResultsError(
            f"{path} is no results file ({error}): mend it, take it back from git, or move it away."
        ) from error
    return found


def add(path, facts, entry):
    """Put one benchmark's entry into the file and leave all others as they are, also with a second run beside."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_suffix(".lock")):
        results = read(path)
        name = entry["benchmark"]
        if entry["result"] is None:
            results["without_figure"][name] = entry
        else:
            results["without_figure"].pop(name, None)
            results["entries"][name] = entry
        results["machine"] = facts
        for part in ("entries", "without_figure"):
            results[part] = dict(sorted(results[part].items()))
        text = json.dumps(results, indent=1, ensure_ascii=False, allow_nan=False)
        with atomic_write(path) as file:
            file.write(f"{text}\n".encode())


def last_line(text):
    """The JSON object in the last line of a benchmark's output; raises ValueError with a sentence."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise ValueError("it printed nothing; its last line must be a JSON object.")
    try:
        found = json.loads(lines[-1], parse_constant=_refuse)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ValueError(f"its last line must be a JSON object, found {lines[-1].strip()[:80]!r}.")
    return found


def _refuse(word):
    raise ValueError(f"{word} is not JSON")


def figures(row, result):
    """The figures to show: (figure's row, value, low or None, high or None), those whose value is a number."""
    shown = []
    for figure in row.get("figures", []):
        values = [result.get(figure.get(key, "")) for key in ("key", "low", "high")]
        value, low, high = (number if _is_number(number) else None for number in values)
        if value is not None:
            shown.append((figure, value, low, high))
    return shown


def _is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def in_words(figure, value, low, high):
    """`84 times (52 to 97)`."""
    spread = ""
    if low is not None:
        spread = f" ({low:.4g} to {high:.4g})" if high is not None else f" (at least {low:.4g})"
    return f"{value:.4g}{' ' + figure['unit'] if 'unit' in figure else ''}{spread}"


def goal_in_words(figure):
    """`≥ 50`, or nothing where the figure has no goal."""
    if "goal" not in figure:
        return ""
    return f"{'≥' if figure['better'] == 'higher' else '≤'} {figure['goal']}"


def missed(figure, value):
    """Whether a figure misses its goal."""
    if "goal" not in figure:
        return False
    return value < figure["goal"] if figure["better"] == "higher" else value > figure["goal"]


def table(rows, folder, *, beside):
    """Return the table of benchmarks/README.md: the latest run of every figure and machine, as Markdown.

    `rows`: the tables of benchmarks.toml, whose order the lines have. `folder`: the folder of the results.
    `beside`: the folder of the page, from which links to the plots start.
    """
    lines, without = [], []
    machines = {path.stem: read(path) for path in sorted(folder.glob("*.json"))}
    for name, row in rows.items():
        for machine, results in machines.items():
            if entry := results["entries"].get(name):
                picture = folder / f"{machine}-{name}.png"
                where = f"{machine}, torch {entry['versions']['torch']}, {entry['date'][:10]}"
                for figure, *numbers in figures(row, entry["result"]):
                    seen = in_words(figure, *numbers)
                    if picture.exists():
                        seen = f"[{seen}]({picture.relative_to(beside).as_posix()})"
                    seen += ", **missed**" if missed(figure, numbers[0]) else ""
                    lines.append(
                        f"| {figure.get('says', row['claim'])} | {goal_in_words(figure)} | {seen} | {where} |"
                    )
            if entry := results["without_figure"].get(name):
                without.append(
                    f"- `{name}` on {machine}, {entry['date'][:10]}: {entry['outcome']}. {entry['sentence']}"
                )
    if not lines and not without:
        return "Nothing was measured yet: `make bench` does."
    head = ["| figure | goal | seen | where and when |", "| --- | --- | --- | --- |"]
    parts = ["\n".join(head + lines)] if lines else []
    parts += ["Without a figure:\n\n" + "\n".join(without)] if without else []
    return "\n\n".join(parts)


def part_of(page):
    """The part of a page that holds the table."""
    return marked_section.Section(page, START, END)
