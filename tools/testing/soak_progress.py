"""Eight kernels check answers at once for a minute; every check must be noted, once.

    python tools/testing/soak_progress.py                  60 seconds, 8 kernels
    python tools/testing/soak_progress.py --seconds 5 --kernels 2

Each is a real kernel in a work folder made for the purpose, and checks an exercise of its own as fast as it can;
this process reads meanwhile. Says how many checks were made and noted, and how long a note with the page took.
A check that others keep from being noted for longer than a learner waits says so, and is noted with the next one:
each kernel makes a last one when the others are done.
Exit status: 0 all were noted and nobody was told anything, 1 otherwise.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from jupyter_client.manager import start_new_kernel

from lessonkit.progress import record, start_page
from lessonkit.progress.database import PATIENCE, NotKept, connected_to_read

EXERCISES = {
    "survives": "tensors",
    "windows": "tensors",
    "group_means": "tensors",
    "standardise": "tensors",
    "nearest": "tensors",
    "gradient_in_pieces": "autograd",
    "sum_to": "autograd",
    "matmul_backward": "autograd",
}
PROGRAM = """
import json, time
from lessonkit.checks import listeners
from course_utils.exercises import {module} as ex
from lessonkit.progress import database
from lessonkit.progress.listener import ProgressListener

database.PATIENCE = {patience}
noting = ProgressListener()
seconds, count = [], 0

def timed(*arguments):
    begin = time.perf_counter()
    noting(*arguments)
    seconds.append(time.perf_counter() - begin)

listeners.registered = lambda: (timed,)
answers = (None, 0)  # not attempted, and wrong: judged at once, as it is the notes that are tried here
until = time.time() + {seconds}
while time.time() < until:
    ex.{name}.check(answers[count % 2])
    count += 1
taken = sum(seconds), max(seconds)
time.sleep(2)
ex.{name}.check(None)
print(json.dumps([count + 1, *taken]))
"""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kernels", type=int, default=8, choices=range(1, 9))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        return soak(Path(folder), arguments.seconds, arguments.kernels)


def soak(work, seconds, kernels, patience=PATIENCE):
    """Run the kernels in the folder `work` and compare; the exit status. `patience`: seconds that a check waits."""
    exercises = dict(list(EXERCISES.items())[:kernels])
    env = {name: value for name, value in os.environ.items() if name not in ("CI", "COURSE_PROGRESS")}
    env["COURSE_WORK"] = str(work)
    # One after the other: kernels choose ports when they start, and two could choose the same.
    quiet = {"stderr": subprocess.DEVNULL}  # each would warn of TCP, which here stays on this machine
    started = [start_new_kernel(startup_timeout=300, cwd=str(work), env=env, **quiet) for _ in exercises]
    try:
        for (_, client), module in zip(started, exercises.values(), strict=True):
            client.execute_interactive(f"import course_utils.exercises.{module}", timeout=600)
        asked = [
            client.execute(PROGRAM.format(module=module, name=name, seconds=seconds, patience=patience))
            for (_, client), (name, module) in zip(started, exercises.items(), strict=True)
        ]
        until, reads, locked = time.time() + seconds, 0, 0
        while time.time() < until:
            try:
                record.read(work / record.FILE)
                reads += 1
            except NotKept:  # on a busy machine one that holds the lock may not get its turn for a second
                locked += 1
            time.sleep(0.05)
        said = [
            written(client, message, seconds + 120) for (_, client), message in zip(started, asked, strict=True)
        ]
    finally:
        for manager, client in started:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
    complaints = "".join(error for _, error in said)
    counts, spent, longest = zip(*(json.loads(text) for text, _ in said), strict=True)
    noted = noted_checks(work / record.FILE)
    stale = start_page.write(work)
    print(f"{kernels} kernels, {seconds:g} s: {sum(counts)} checks, {sum(noted.values())} noted")
    print(f"{reads} reads meanwhile, and {locked} that found it locked")
    print(f"a note with the start page: {1000 * sum(spent) / sum(counts):.1f} ms, {max(longest):.3f} s at most")
    print(f"the start page was {'behind' if stale else 'up to date'}; {complaints or 'nobody was told anything'}")
    return int(noted != dict(zip(exercises, counts, strict=True)) or stale or bool(complaints))


def written(client, message, seconds):
    """(standard output, standard error) of what was asked for in `message`."""
    texts, until = {"stdout": "", "stderr": ""}, time.time() + seconds
    while True:
        answer = client.get_iopub_msg(timeout=max(0.1, until - time.time()))
        if answer["parent_header"].get("msg_id") != message:
            continue
        kind, content = answer["msg_type"], answer["content"]
        if kind == "stream":
            texts[content["name"]] += content["text"]
        elif kind == "error":
            raise RuntimeError("\n".join(content["traceback"]))
        elif kind == "status" and content["execution_state"] == "idle":
            return texts["stdout"], texts["stderr"]


def noted_checks(path):
    """How many notes there are of each exercise, those of checks without an answer too."""
    with connected_to_read(path) as connection:
        return dict(connection.execute("SELECT exercise, count(*) FROM notes GROUP BY exercise"))


if __name__ == "__main__":
    sys.exit(main())
