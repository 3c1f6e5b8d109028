"""Run the benchmarks one after another, keep their figures, draw them, and write the table in README.md here.

    python benchmarks/all.py                    every benchmark of benchmarks.toml
    python benchmarks/all.py loader overhead    only these
    python benchmarks/all.py --readme           no run: the table from the results that are there

Results go to results/MACHINE.json beside this file, one picture each to results/MACHINE-NAME.png. A benchmark
ends with exit status 0 (goal met), 1 (goal missed) or 2 (cannot run here: a sentence says why), its last line a
JSON object; anything else is a failure. All of them run, also after one has failed. Exit status 1, with the names,
where one failed, missed its goal or was ended by its time limit; one that cannot run here is named, no more.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import psutil
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from course_utils import machine
from lessonkit.system import processes

import book  # isort: skip  (this folder's own, found because the script lies beside it)
import plots  # isort: skip

HERE = Path(__file__).resolve().parent
LIMIT = 1800.0  # seconds for one benchmark
STYLES = dict(zip(book.OUTCOMES, ("green", "yellow", "cyan", "red", "red"), strict=True))


def run(name, row, *, folder, limit, facts):
    """Run one benchmark in a process of its own; its entry for the results file. Leaves no process behind."""
    mark = f"bench-{os.getpid()}-{name}."
    script = folder / f"{name}.py"
    entry = {
        "benchmark": name,
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "versions": {key: facts[key] for key in ("python", "torch", "torchvision")},
        "busy_percent": psutil.cpu_percent(interval=0.5),  # by others: nothing of ours runs yet
    }
    # stdin, stdout: pipes; stderr: a file, so that a benchmark that writes much of it does not wait for us.
    environment = {**os.environ, "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1", "MPLBACKEND": "Agg"}
    start, late = time.perf_counter(), False
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        command = [sys.executable, str(script), *row.get("arguments", [])]
        process = processes.start(command, cwd=folder.parent, mark=mark, env=environment, stderr=errors)
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            late = True
            processes.end(mark)
            output, _ = process.communicate()
        else:
            left = processes.leftovers(mark, patience=3)
        finally:
            processes.end(mark)
        seconds = time.perf_counter() - start
        errors.seek(0)
        complaint = errors.read()
    if late:
        outcome, sentence, result = book.OUTCOMES[4], f"It had not ended after {limit:g} s.", None
    else:
        outcome, sentence, result = judge(process.returncode, output, complaint)
        if left:
            outcome, result = book.OUTCOMES[3], None
            sentence = f"It left processes behind, which were ended: {', '.join(left)}."
    status = None if late else process.returncode
    entry |= {"status": status, "outcome": outcome, "sentence": sentence, "seconds": round(seconds, 1)}
    return {**entry, "result": result}


def judge(status, output, complaint):
    """(outcome, sentence, result or None) of a benchmark that ended by itself."""
    met, not_met, cannot, failed, _ = book.OUTCOMES
    said = [line.strip() for line in complaint.splitlines() if line.strip()]
    last = said[-1] if said else ""
    if status == 2:
        said += [line.strip() for line in output.splitlines() if line.strip()] if not said else []
        return cannot, said[-1] if said else "It gave no reason.", None
    if status not in (0, 1):
        return failed, f"Exit status {status}. {last}".strip(), None
    try:
        result = book.last_line(output)
    except ValueError as error:
        ended = f"Exit status {status}, and {error}"
        return failed, f"{ended} {last}".strip(), None
    missed = [line.strip() for line in (output + "\n" + complaint).splitlines() if line.startswith("Missed")]
    return (met, "", result) if status == 0 else (not_met, missed[-1] if missed else last, result)


def show(console, rows, entries):
    """The table of this run."""
    shown = Table(title="Benchmarks")
    for column in ("benchmark", "outcome", "figures", "seconds"):
        shown.add_column(column, justify="right" if column == "seconds" else "left", overflow="fold")
    for entry in entries:
        words = [
            f"{figure['key']} {book.in_words(figure, *numbers)} {book.goal_in_words(figure)}".strip()
            for figure, *numbers in book.figures(rows[entry["benchmark"]], entry["result"] or {})
        ]
        words += [escape(entry["sentence"])] if entry["sentence"] else []
        outcome = f"[{STYLES[entry['outcome']]}]{entry['outcome']}[/]"
        shown.add_row(entry["benchmark"], outcome, "\n".join(words), f"{entry['seconds']:.0f}")
    console.print(shown)


def parse(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks to run (default: all)")
    parser.add_argument(
        "--readme", action="store_true", help="run nothing, only write the table in benchmarks/README.md again"
    )
    parser.add_argument("--limit", type=float, default=LIMIT, help=f"seconds for each one (default: {LIMIT:g})")
    parser.add_argument("--folder", type=Path, default=HERE, help="where benchmarks.toml and the scripts are")
    options = parser.parse_args(arguments)
    options.folder = options.folder.resolve()
    rows = tomllib.loads((options.folder / "benchmarks.toml").read_text(encoding="utf-8"))
    if unknown := sorted(set(options.names) - set(rows)):
        parser.error(f"no benchmark called {', '.join(unknown)}: there are {', '.join(rows)}")
    if options.readme and options.names:
        parser.error("--readme runs nothing: leave the names out")
    return options, rows


def measure(options, rows, console):
    """Run what was asked for; every entry is in the results file as soon as its benchmark has ended."""
    facts = machine.describe()
    name = book.machine_name(facts)
    path = options.folder / "results" / f"{name}.json"
    book.read(path)  # a damaged file is refused before hours of measuring
    entries = []
    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("benchmarks", total=len(options.names or rows))
        for benchmark in options.names or rows:
            bar.update(task, description=f"{benchmark} on {name}")
            entry = run(benchmark, rows[benchmark], folder=options.folder, limit=options.limit, facts=facts)
            book.add(path, facts, entry)
            if entry["result"] is not None:
                plots.draw(path.with_name(f"{name}-{benchmark}.png"), rows[benchmark], entry, machine=name)
            entries.append(entry)
            colour = STYLES[entry["outcome"]]
            console.print(
                f"{benchmark}: [{colour}]{entry['outcome']}[/], {entry['seconds']:.0f} s", highlight=False
            )
            bar.advance(task)
    return entries


def main(arguments=None):
    options, rows = parse(arguments)
    console, entries = Console(), []
    page = options.folder / "README.md"
    try:
        if not options.readme:
            entries = measure(options, rows, console)
            show(console, rows, entries)
        book.part_of(page).put(book.table(rows, options.folder / "results", beside=page.parent))
    except (book.ResultsError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    fine = (book.OUTCOMES[0], book.OUTCOMES[2])
    bad = [f"{entry['benchmark']} ({entry['outcome']})" for entry in entries if entry["outcome"] not in fine]
    if bad:
        print(f"Not as claimed: {', '.join(bad)}.", file=sys.stderr)
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
