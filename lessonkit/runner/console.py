"""Show the progress of a run: one live line per chapter in a terminal, plain lines elsewhere."""

import textwrap
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Table
from rich.text import Text

from lessonkit.runner.report import Report
from lessonkit.runner.result import ChapterResult

STYLES = {"passed": "green", "failed": "bold red", "timeout": "bold red", "interrupted": "yellow"}


class Lines:
    """Plain lines: one when a chapter starts, one when it has ended."""

    def __init__(self, console: Console):
        self.console = console

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def heard(self, name: str, event: dict) -> None:
        """Show that the chapter `name` has begun; other events of its worker are passed over."""
        if event["event"] == "begin":
            self.say(f"{name}: started")

    def done(self, result: ChapterResult) -> None:
        """Show how a chapter ended, and its error."""
        self.say(f"{result.name}: {result.status}, {result.cells} cells, {result.seconds:.1f} s")
        if result.error:
            self.say(indented(result.error))

    def note(self, name: str, sentence: str) -> None:
        """Show what is worth knowing of a chapter while it runs."""
        self.say(f"{name}: {sentence}")

    def say(self, text: str) -> None:
        """Write `text` as it is, in lines as long as they are."""
        self.console.print(Text(text), soft_wrap=True)


class Seconds(ProgressColumn):
    """Seconds since the chapter began; counts on while a long cell runs."""

    def render(self, task: Task) -> Text:
        """Return the seconds of one chapter's line, whole ones."""
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

    def __enter__(self) -> Self:
        self.bars.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.bars.stop()

    def heard(self, name: str, event: dict) -> None:
        """Draw a line for a chapter that begins, and on it the cell that begins."""
        if event["event"] == "begin":
            self.tasks[name] = self.bars.add_task(name, total=None, cells="?", state="the kernel starts")
        elif event["event"] == "start":
            done = {"total": event["of"], "cells": event["of"], "completed": event["number"]}
            self.bars.update(self.tasks[name], **done, state=event["cell"])

    def note(self, name: str, sentence: str) -> None:
        """Write what is worth knowing of a chapter above the lines."""
        self.bars.console.print(Text(f"{name}: {sentence}"), soft_wrap=True)

    def done(self, result: ChapterResult) -> None:
        """Draw how a chapter ended."""
        self.bars.update(self.tasks[result.name], state=result.status)
        self.bars.stop_task(self.tasks[result.name])


def indented(text: str) -> str:
    """Return `text` with four spaces before each line."""
    return textwrap.indent(text, "    ")


def display_for(console: Console) -> Lines | Live:
    """Return the display that fits `console`: live lines in a terminal, plain ones elsewhere."""
    return Live(console) if console.is_terminal else Lines(console)


def summary(console: Console, report: Report) -> None:
    """Print the table at the end, each failure with its cell, and where to look."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("chapter", "status", "seconds", "cells", "slowest (s)", "slowest cell", "exercises", "data"):
        side = "right" if title in ("seconds", "cells", "slowest (s)") else "left"
        table.add_column(title, justify=side, no_wrap=True)
    for result in report.results:
        table.add_row(
            result.name,
            Text("kept" if result.kept else result.status, style=STYLES[result.status]),
            f"{result.seconds:.1f}",
            str(result.cells),
            f"{result.slowest_cell_seconds:.1f}",
            Text(result.slowest_cell),
            "{passed} of {total} passed".format(**result.exercises),
            result.data_used,
        )
    console.print()
    console.print(table)
    for result in report.results:
        if result.error:
            text = f"\n{result.name} {result.status}:\n{indented(result.error)}"
            console.print(Text(text, style=STYLES[result.status]), soft_wrap=True)
            executed = report.out / f"{result.name}.ipynb"
            if executed.exists():
                console.print(Text(f"    see {executed}"), soft_wrap=True)
    for result in report.results:
        for note in result.notes:
            console.print(Text(f"{result.name}: {note}", style="yellow"), soft_wrap=True)
    console.print(Text(f"\n{report.wall_seconds():.1f} s; report: {report.out / 'report.html'}"), soft_wrap=True)
