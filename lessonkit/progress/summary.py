"""Sum up what there is to solve, what the learner has solved, what comes next, and the minutes left."""

from collections.abc import Iterable
from dataclasses import dataclass

from lessonkit.progress.contents import Contents, Task
from lessonkit.progress.record import Standing


@dataclass(frozen=True)
class ChapterProgress:
    """A chapter and the names of its tasks that have been passed."""

    contents: Contents
    passed: frozenset[str]

    def tasks(self, *, further: bool) -> list[Task]:
        """Return the tasks of the core, or of *Further*, in their order."""
        return [task for task in self.contents.tasks if task.further == further]

    def open(self, *, further: bool) -> list[Task]:
        """Return those of them that have not been passed."""
        return [task for task in self.tasks(further=further) if task.name not in self.passed]

    def done(self, *, further: bool) -> tuple[int, int]:
        """Return how many of them have been passed, and how many there are."""
        there = self.tasks(further=further)
        return len(there) - len(self.open(further=further)), len(there)

    def minutes_left(self, *, further: bool) -> float:
        """Return the minutes of the open tasks of the core, or of *Further*: of all that is read for them."""
        return sum(task.minutes for task in self.open(further=further))

    def finished(self) -> bool:
        """Return whether the core has tasks and all of them have been passed."""
        return bool(self.tasks(further=False)) and not self.open(further=False)

    def parts(self) -> list["Part"]:
        """Return the parts that ask something, in the order of the chapter."""
        found: dict[tuple[bool, str], list[Task]] = {}
        for task in self.contents.tasks:
            found.setdefault((task.further, task.part), []).append(task)
        return [Part(title, further, tuple(there), self.passed) for (further, title), there in found.items()]


@dataclass(frozen=True)
class Part:
    """A section of a chapter that asks something: its heading, its tasks, and the names of those passed."""

    title: str
    further: bool
    tasks: tuple[Task, ...]
    passed: frozenset[str]

    def done(self) -> tuple[int, int]:
        """Return how many of its tasks have been passed, and how many there are."""
        return sum(task.name in self.passed for task in self.tasks), len(self.tasks)


@dataclass(frozen=True)
class Summary:
    """All chapters, and the task to go on with (None when everything has been passed).

    `begun`: whether an answer was ever checked. `at_hand`: the chapter whose check was noted last, if any.
    """

    chapters: list[ChapterProgress]
    next: tuple[ChapterProgress, Task] | None
    begun: bool
    at_hand: ChapterProgress | None = None

    def done(self, *, further: bool) -> tuple[int, int]:
        """Return how many tasks of the core, or of *Further*, have been passed, and how many there are."""
        done, there = zip(*(one.done(further=further) for one in self.chapters), strict=True)
        return sum(done), sum(there)

    def cores(self) -> tuple[int, int]:
        """Return how many cores are finished, and how many chapters have a core that asks something."""
        return sum(one.finished() for one in self.chapters), sum(
            bool(one.done(further=False)[1]) for one in self.chapters
        )

    def minutes_left(self, *, further: bool) -> float:
        """Return the minutes that are left of all cores, or of all that is *Further*."""
        return sum(one.minutes_left(further=further) for one in self.chapters)


def summarise(standings: list[Standing], chapters: Iterable[Contents]) -> Summary:
    """Put together how all exercises stand (the one noted latest last) and what the chapters hold.

    Next is the first open task of the core, in the order of the chapters: whoever looks into a later one is not led
    away. Only then *Further*, in the same order. What no chapter asks any more is not counted.
    """
    rows = []
    for one in chapters:
        passed = {standing.exercise for standing in standings if standing.passed and _belongs(standing, one)}
        rows.append(ChapterProgress(one, frozenset(passed)))
    following = ((row, task) for further in (False, True) for row in rows for task in row.open(further=further))
    tried = [standing for standing in standings if standing.passed or standing.tries]
    at_hand = next((row for row in rows if tried and _belongs(tried[-1], row.contents)), None)
    return Summary(rows, next(following, None), begun=bool(tried), at_hand=at_hand)


def _belongs(standing: Standing, contents: Contents) -> bool:
    return standing.chapter == contents.chapter.slug
