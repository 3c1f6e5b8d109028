"""Kill a process that saves in a loop, again and again, and count what is left of its file.

    python scripts/kill_saves.py --how atomic --trials 100
    python scripts/kill_saves.py --how naive --trials 100

`atomic` is `save_checkpoint`; `naive` is `torch.save` onto the same name. In each trial a child saves one state
after the other under one name until it is killed, at a moment drawn evenly from about two saves. Then the file is
opened. Prints one line of JSON, in it "inside": how many kills fell into a save (atomic: a temporary file was left;
naive: the file does not open); "lost": how often neither the last state whose save had returned nor the next one
could be loaded; "stale": temporary files still there after one more save.
"""

import argparse
import json
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import torch

from course_utils.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from lessonkit.system import atomic


def model_at(step, megabytes):
    """A model all of whose weights are the number of the step: a mixture of two saves would be seen."""
    model = torch.nn.Linear(512, megabytes * 512, bias=False)  # 512 * 512 * 4 bytes = 1 MiB
    torch.nn.init.constant_(model.weight, float(step))
    return model


def save(path, how, step, megabytes):
    model = model_at(step, megabytes)
    if how == "atomic":
        save_checkpoint(path, model=model, step=step)
    else:
        torch.save({"model": model.state_dict(), "step": step}, path)


def step_in(path, how, megabytes):
    """The step whose state the file holds, all of it; None where it cannot be opened."""
    model = model_at(-1, megabytes)
    try:
        if how == "atomic":
            step = load_checkpoint(path, model=model, rng=False)["step"]
        else:
            content = torch.load(path, weights_only=True)
            step = content["step"]
            model.load_state_dict(content["model"])
    except (CheckpointError, RuntimeError, EOFError, OSError, ValueError, KeyError):
        return None
    return step if bool((model.weight == step).all()) else None


def save_for_ever(path, how, first, megabytes, done):
    """What the child does: `done` tells the parent the last step whose save has returned."""
    for step in range(first, sys.maxsize):
        save(path, how, step, megabytes)
        done.value = step


def start(arguments):
    """Starts a child that saves; returns a function that kills it and waits for its end."""
    if hasattr(os, "fork"):  # this process has imported torch once; a hundred spawned ones would import it each
        child = os.fork()
        if child == 0:
            try:
                save_for_ever(*arguments)
            finally:  # an error must not let the child go on as if it were the parent
                os._exit(1)

        def kill():
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    else:
        process = multiprocessing.get_context("spawn").Process(target=save_for_ever, args=arguments)
        process.start()

        def kill():
            process.kill()
            process.join()

    return kill


def trial(path, how, megabytes, *, done, first, delay):
    """(the last step whose save returned, the one found in the file afterwards or None)."""
    done.value = first - 1
    kill = start((path, how, first, megabytes, done))
    if not hasattr(os, "fork"):
        while done.value < first:  # a spawned child needs seconds to come up
            time.sleep(0.01)
    time.sleep(delay)
    kill()
    return done.value, step_in(path, how, megabytes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--how", choices=("atomic", "naive"), required=True)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--megabytes", type=int, default=4, help="size of the checkpoint")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    how, megabytes = arguments.how, arguments.megabytes
    torch.set_num_threads(1)  # a forked child has none of the parent's threads, and must not wait for them
    chance, begun = random.Random(arguments.seed), time.perf_counter()
    done = multiprocessing.get_context("spawn").RawValue("q")  # no lock: a killed child would keep it
    inside = lost = step = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "last.pt"
        save(path, how, step, megabytes)
        clock = time.perf_counter()
        save(path, how, step, megabytes)
        save(path, how, step, megabytes)
        cycle = (time.perf_counter() - clock) / 2
        for _ in range(arguments.trials):
            returned, found = trial(
                path, how, megabytes, done=done, first=step + 1, delay=chance.uniform(0, 2 * cycle)
            )
            left = [other for other in Path(folder).iterdir() if atomic.TEMPORARY.search(other.name)]
            inside += bool(left) if how == "atomic" else found is None
            # A kill between the rename and the report leaves one step more than was reported.
            good = found is not None and returned <= found <= returned + 1
            lost += not good
            step = max(returned, step) if found is None else found
            if found is None:
                save(path, how, step, megabytes)
        save(path, how, step, megabytes)
        stale = len([other for other in Path(folder).iterdir() if other != path])
    seconds = round(time.perf_counter() - begun, 1)
    facts = {"how": how, "trials": arguments.trials, "inside": inside, "lost": lost, "stale": stale}
    print(json.dumps(facts | {"megabytes": megabytes, "cycle_ms": round(1000 * cycle, 1), "seconds": seconds}))


if __name__ == "__main__":
    main()
