"""The observer that reports each verdict to the page a learner has joined; a check never waits for it."""

import sys
from collections.abc import Callable
from pathlib import Path

from lessonkit.checks.listeners import Kind
from lessonkit.checks.verdict import Note, Verdict
from lessonkit.desk.folder import started_below, started_in, work_folder
from lessonkit.progress.listener import as_entry, in_ci
from lessonkit.reporting import membership
from lessonkit.reporting.membership import Membership
from lessonkit.reporting.reporter import Reporter
from lessonkit.system.errors import Refused


class ClassroomListener:
    """Reports each verdict of a check or a question; hints and solutions are nobody's business.

    The membership is looked for at each check, so that joining and leaving count at once in every kernel.
    """

    def __init__(self, work: Callable[[], Path] = work_folder) -> None:
        """Take the function that says where the membership is kept."""
        self._work = work
        self._told: set[str] = set()
        self._state: tuple[float, int] | None = None  # of the file, as it was read last
        self._reporter: Reporter | None = None

    def __call__(self, subject: object, said: Verdict | Note, seconds: float, kind: Kind) -> None:
        """Report a verdict if the learner has joined a room; never raises and never waits."""
        try:
            if isinstance(said, Verdict) and (reporter := self._joined()):
                if entry := as_entry(subject, said, seconds, kind):
                    what = {"chapter": entry.chapter, "exercise": entry.exercise}
                    reporter.put({**what, "state": entry.state, "mistake": entry.mistake})
                if reporter.trouble:
                    self._tell(
                        f"The classroom's page at {reporter.membership.page} is not told of your checks "
                        f"({reporter.trouble}). They count as always; it is tried again now and then. "
                        "`course leave` ends the reporting."
                    )
        except Exception as error:  # noqa: BLE001 - said below; whatever it is, the learner gets the verdict
            why = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
            self._tell(f"The classroom's page is not told of your checks: {why}")

    def finish(self, patience: float) -> bool:
        """Wait until all has been sent or dropped, at most so many seconds; return whether it has."""
        return self._reporter is None or self._reporter.finish(patience)

    def _joined(self):
        if in_ci():
            return None
        work = self._work()
        try:
            found = (work / membership.FILE).stat()
        except (FileNotFoundError, NotADirectoryError):
            state = None
        else:
            state = found.st_mtime_ns, found.st_ino
        if state != self._state:
            self._change(membership.read(work), work)
            self._state = state
        return self._reporter

    def _change(self, now: Membership | None, work: Path):
        if self._reporter:
            self._reporter.stop()
        # Below the copies lie handouts; the folder in which somebody agreed may hold anything, so not below it.
        here = now and (started_in(work) or started_below(work) or started_in(Path(now.folder)))
        self._reporter = Reporter(now) if here else None

    def _tell(self, sentence):
        if not self._told:  # once in a kernel's life, whatever the reason is the next time
            self._told.add(sentence)
            print(sentence, file=sys.stderr)
