"""What a run shows while it goes on: one live line per chapter, or plain lines where there is no terminal."""

import textwrap
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Table
from rich.text import Text

from course_utils.runner import report_page

STYLES = {"passed": "green", "failed": "bold red", "timeout": "bold red", "interrupted": "yellow"}


class Lines:
    """Plain lines: one when a chapter starts, one when it has ended."""

    def __init__(self, console: Console):
        self.console = console

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def heard(self, name: str, event: dict) -> None:
        if event["event"] == "begin":
            self.say(f"{name}: started")

    def done(self, entry: dict) -> None:
        self.say(f"{entry['name']}: {entry['status']}, {entry['cells']} cells, {entry['seconds']:.1f} s")
        if entry["error"]:
            self.say(indented(entry["error"]))

    def say(self, text: str) -> None:
        self.console.print(Text(text), soft_wrap=True)


class Seconds(ProgressColumn):
    """Seconds since the chapter began; counts on while a long cell runs."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.elapsed or 0:.0f} s", justify="right")


class Live:
    """One line per chapter that is redrawn as cells finish."""

    def __init__(self, console: Console):
        self.bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("cell {task.completed:.0f} of {task.fields[cells]}"),
            Seconds(),
            TextColumn("{task.fields[state]}", markup=False),
            console=console,
        )
        self.tasks: dict[str, int] = {}

    def __enter__(self):
        self.bars.start()
        return self

    def __exit__(self, *error):
        self.bars.stop()

    def heard(self, name: str, event: dict) -> None:
        if event["event"] == "begin":
            self.tasks[name] = self.bars.add_task(name, total=None, cells="?", state="the kernel starts")
        elif event["event"] == "start":
            done = {"total": event["of"], "cells": event["of"], "completed": event["number"]}
            self.bars.update(self.tasks[name], **done, state=event["cell"])

    def done(self, entry: dict) -> None:
        self.bars.update(self.tasks[entry["name"]], state=entry["status"])
        self.bars.stop_task(self.tasks[entry["name"]])


def indented(text: str) -> str:
    return textwrap.indent(text, "    ")


def of(console: Console) -> Lines | Live:
    """The display that fits `console`."""
    return Live(console) if console.is_terminal else Lines(console)


def summary(console: Console, report: dict, out: Path) -> None:
    """The table at the end, each failure with its cell, and where to look."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("chapter", "status", "seconds", "cells", "slowest (s)", "slowest cell", "exercises", "data"):
        side = "right" if title in ("seconds", "cells", "slowest (s)") else "left"
        table.add_column(title, justify=side, no_wrap=True)
    for chapter in report["chapters"]:
        table.add_row(
            chapter["name"],
            Text(chapter["status"], style=STYLES[chapter["status"]]),
            f"{chapter['seconds']:.1f}",
            str(chapter["cells"]),
            f"{chapter['slowest_cell_seconds']:.1f}",
            Text(chapter["slowest_cell"]),
            "{passed} of {total} passed".format(**chapter["exercises"]),
            report_page.data(chapter),
        )
    console.print()
    console.print(table)
    for chapter in report["chapters"]:
        if chapter["error"]:
            text = f"\n{chapter['name']} {chapter['status']}:\n{indented(chapter['error'])}"
            console.print(Text(text, style=STYLES[chapter["status"]]), soft_wrap=True)
            if (out / f"{chapter['name']}.ipynb").exists():
                console.print(Text(f"    see {out / chapter['name']}.ipynb"), soft_wrap=True)
    console.print(Text(f"\n{report['wall_seconds']:.1f} s; report: {out / 'report.html'}"), soft_wrap=True)
