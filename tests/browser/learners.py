"""Simulated learners, in a process of their own: they join as people do, and tell of checks as a kernel does.

    python learners.py checks ADDRESS LEARNERS PER_SECOND SECONDS    prints a JSON line: what was sent, and when
    python learners.py seconds ADDRESS ROUNDS                        prints a JSON line: what a check takes

Each has a work folder, a membership and a listener of its own; the listener is called with real exercises and
verdicts, as `check` does it.
"""

import json
import random
import socket
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from course_utils.exercises import start_here, tensors, training
from lessonkit.checks import listeners
from lessonkit.checks.verdict import STATES, Verdict
from lessonkit.reporting.join import enter
from lessonkit.reporting.listener import ClassroomListener
from lessonkit.reporting.membership import keep, member

MODULES = {"start_here": start_here, "tensors": tensors, "training": training}
EXERCISES = [getattr(start_here, name) for name in ("half_dtype", "to_unit", "hit_rates")]
EXERCISES += [getattr(tensors, name) for name in ("survives", "windows", "standardise")]
EXERCISES += [getattr(training, name) for name in ("train_step", "measure", "choices")]


class Learner:
    """One learner: `name` is what the page shows, `sent` every verdict that was told, with the time."""

    def __init__(self, number, name, address, folder):
        self.number, self.name, self.sent, self.seconds = number, name, [], []
        folder.mkdir()
        answers = iter([name, "yes"])
        assert enter(address, None, ask=lambda words: next(answers), work=folder, folder=Path.cwd())
        self.listener = ClassroomListener(lambda: folder)

    def check(self, draw):
        """Tell of some verdict on some exercise; the later a learner has come, the further on."""
        exercise = EXERCISES[draw.randrange(1 + min(len(EXERCISES) - 1, self.number // 2))]
        [state] = draw.choices(STATES, [0.04 if state == "passed" else 0.19 for state in STATES])
        mistake = draw.choice(exercise.mistakes)
        words = " ".join(mistake.__doc__.split()) if state == "known mistake" else "in words"
        before = time.perf_counter()
        at = time.time()
        self.listener(exercise, Verdict(exercise.name, state, words), 0.01, "check")
        self.seconds.append(time.perf_counter() - before)
        chapter = exercise.reference.__module__.split(".")[-2]  # of `….start_here.answers`
        self.sent.append(
            (at, chapter, exercise.name, state, mistake.__name__ if state == "known mistake" else None)
        )


def checks(address, count, per_second, seconds):
    with tempfile.TemporaryDirectory() as folder:
        room = [Learner(n, f"learner {n}", address, Path(folder) / str(n)) for n in range(1, count + 1)]
        start = time.monotonic() + 0.5

        def work(learner):
            draw = random.Random(learner.number)
            for turn in range(int(per_second * seconds)):
                # Evenly spread over the second, whoever the learner is.
                due = start + (turn + learner.number / count) / per_second
                time.sleep(max(0.0, due - time.monotonic()))
                learner.check(draw)

        threads = [threading.Thread(target=work, args=(learner,)) for learner in room]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took = time.monotonic() - start
        done = all([learner.listener.finish(30) for learner in room])
    calls = [one for learner in room for one in learner.seconds]
    return {
        "sent": {learner.name: learner.sent for learner in room},
        "seconds": took,
        "done": done,
        "call": {"median": statistics.median(calls), "worst": max(calls)},
    }


def seconds(address, rounds):
    """Seconds of a real check: nobody joined, the page there, away, one that listens and never answers."""
    hanging = socket.create_server(("127.0.0.1", 0))
    away = socket.create_server(("127.0.0.1", 0))
    nobody = away.getsockname()[1]
    away.close()
    token = address.rpartition("/")[2]
    pages = {"nobody": None, "there": address}
    pages["away"] = f"http://127.0.0.1:{nobody}/join/{token}"
    pages["hanging"] = f"http://127.0.0.1:{hanging.getsockname()[1]}/join/{token}"
    with tempfile.TemporaryDirectory() as folder:
        told = {}
        for name, page in pages.items():
            work = Path(folder) / name
            work.mkdir()
            if page:
                keep(work, member(page, name, folder=Path.cwd()))
            told[name] = ClassroomListener(lambda work=work: work)
        found = {name: [] for name in pages}
        for turn in range(rounds + 3):
            for name in random.Random(turn).sample(list(pages), len(pages)):
                listeners.registered = lambda name=name: (told[name],)
                time.sleep(0.02)  # what an earlier check has set off is not this one's
                before = time.perf_counter()
                start_here.half_dtype.check(None)
                if turn >= 3:
                    found[name].append(time.perf_counter() - before)
        start = time.perf_counter()
    hanging.close()
    ends = {name: {"median": statistics.median(all_), "worst": max(all_)} for name, all_ in found.items()}
    return ends | {"rounds": rounds, "folder removed after": time.perf_counter() - start}


if __name__ == "__main__":
    what, address, *numbers = sys.argv[1:]
    print(json.dumps({"checks": checks, "seconds": seconds}[what](address, *map(int, numbers))), flush=True)
