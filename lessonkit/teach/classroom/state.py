"""The state of a classroom: learners and their tries, as the page shows them. It is kept in memory only."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lessonkit.checks.verdict import STATES
from lessonkit.teach.classroom.questions import Question
from lessonkit.teach.classroom.report_parser import Event, Report

MOST_LEARNERS = 300
TRIED = tuple(state for state in STATES if state != "not attempted")


class Full(Exception):
    """The room has as many learners as it takes."""


@dataclass
class Cell:
    """One learner at one exercise. `state`, `mistake`: of the latest try; `passed`: once at least.

    `checks`: all of them; `tries`: those with an answer; `met`: known mistake -> how often.
    `first`, `last`: seconds since 1970.
    """

    state: str = "not attempted"
    mistake: str | None = None
    passed: bool = False
    checks: int = 0
    tries: int = 0
    met: dict[str, int] = field(default_factory=dict)
    first: float = 0.0
    last: float = 0.0


@dataclass
class Learner:
    """One learner: a number in the order of joining. `at`: the question tried last, its index.

    `open`: question -> since when it is tried without success, and how often since then; a success anywhere begins
    all of them anew. `note`: "help", "done" or none, put up at `noted`.
    """

    number: int
    nickname: str = ""
    at: int | None = None
    last: float = 0.0
    open: dict[int, tuple[float, int]] = field(default_factory=dict)
    cells: dict[int, Cell] = field(default_factory=dict)  # by the question's index
    joined: float = 0.0
    note: str = ""
    noted: float = 0.0


class ClassroomState:
    """The learners of one classroom.

    `checks`: how many verdicts were reported; `elsewhere`: how many of them were about questions not shown here.
    """

    def __init__(self, questions: Sequence[Question], *, clock: Callable[[], float] = time.time) -> None:
        self.questions, self.clock = list(questions), clock
        self.learners: dict[str, Learner] = {}  # by the number that each has drawn, which the page never shows
        self.checks = self.elsewhere = 0
        self._index = {(one.chapter.split("_", 1)[1], one.exercise): n for n, one in enumerate(self.questions)}
        self._changed: dict[int, set[int]] = {}  # learner's number -> questions

    def take(self, report: Report) -> None:
        """Take in what a learner did. Raises `Full` for one more learner than there is room for."""
        learner = self.learners.get(report.learner)
        if learner is None:
            if len(self.learners) >= MOST_LEARNERS:
                raise Full(f"The room is full: it takes {MOST_LEARNERS} learners.")
            learner = self.learners[report.learner] = Learner(len(self.learners) + 1, joined=self.clock())
        learner.nickname, learner.last = report.nickname, self.clock()
        self._changed.setdefault(learner.number, set())
        if report.note is not None:
            self.put_note(report.learner, report.note)
        for event in report.events:
            index = self._index.get((event.chapter, event.exercise))
            if index is None:
                self.elsewhere += 1
            else:
                self._note(learner, index, event)

    def put_note(self, learner: str, note: str) -> None:
        """Put a learner's note up, or with "" take it off."""
        one = self.learners[learner]
        if one.note != note:
            one.note, one.noted = note, self.clock()
            self._changed.setdefault(one.number, set())

    def take_notes_off(self) -> int:
        """Take every note off; return how many there were."""
        noted = [name for name, one in self.learners.items() if one.note]
        for name in noted:
            self.put_note(name, "")
        return len(noted)

    def _note(self, learner: Learner, index: int, event: Event) -> None:
        now = learner.last
        cell = learner.cells.setdefault(index, Cell(first=now))
        known = event.state == "known mistake" and event.mistake in self.questions[index].mistakes
        if event.state in TRIED or not cell.tries:  # a stub that is run once more does not undo a try
            cell.state, cell.mistake = event.state, event.mistake if known else None
        cell.checks, cell.last = cell.checks + 1, now
        if known:
            cell.met[event.mistake] = cell.met.get(event.mistake, 0) + 1
        if event.state in TRIED:
            cell.tries += 1
            learner.at = index
            if event.state == "passed":
                cell.passed = True
                learner.open.clear()
            elif not cell.passed:
                since, tries = learner.open.get(index, (now, 0))
                learner.open[index] = since, tries + 1
        self.checks += 1
        self._changed[learner.number].add(index)

    def everything(self) -> dict:
        """Return learners and cells as the page takes them, all of them."""
        return self._message({one.number: set(one.cells) for one in self.learners.values()})

    def changes(self) -> dict | None:
        """Return what has changed since the last call, None if nothing has."""
        changed, self._changed = self._changed, {}
        return self._message(changed) if changed else None

    def _message(self, which):
        by_number = {one.number: one for one in self.learners.values()}
        learners = [_learner(by_number[number]) for number in which]
        cells = [
            [number, index, *_cell(by_number[number].cells[index])]
            for number, indices in which.items()
            for index in sorted(indices)
        ]
        totals = {"checks": self.checks, "elsewhere": self.elsewhere, "now": self.clock()}
        return {"learners": learners, "cells": cells, **totals}


def _learner(one: Learner) -> dict:
    since, tries = (one.open.get(one.at) if one.at is not None else None) or (None, 0)
    said = {"number": one.number, "name": one.nickname, "at": one.at, "since": since, "tries": tries}
    return said | {"last": one.last, "joined": one.joined, "note": one.note, "noted": one.noted}


def _cell(cell: Cell) -> list:
    return [STATES.index(cell.state), cell.passed, cell.tries, cell.checks, cell.mistake, cell.met, cell.last]
