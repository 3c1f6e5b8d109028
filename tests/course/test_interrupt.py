"""Interrupt, pressed while a cell waits for processes of its own: the kernel lives, and they are gone.

JupyterLab sends the signal to the kernel and all that belongs to its process group; other editors send it to the
kernel alone, so that whoever started a process has to end it. Cells of chapters are run as they stand.
"""

import os
import signal
import sys
import time

import nbformat
import pytest
from jupyter_client.manager import KernelManager

from lessonkit.notebook.catalog import find, select
from lessonkit.runner.kernel import OwnPython
from lessonkit.system import processes

PATIENCE = 240  # seconds: a busy machine imports torch slowly, and several times here
SETUP = """
import os, subprocess, sys, time
from pathlib import Path

import torch

results = folder = Path(os.environ["RESULTS"])
waiting = "import pathlib, sys, time; pathlib.Path(sys.argv[1]).touch(); time.sleep(600)"
"""
RANKS = """
from course_utils.launch import Ranks, run_ranks


def wait(rank, folder):
    Path(folder, f"{rank}.up").touch()
    time.sleep(600)

"""
TORCHRUN = """
from course_utils.chapters.multi_gpu import torchrun

script = folder / "waits.py"
script.write_text("import os, pathlib, sys, time; pathlib.Path(sys.argv[1], os.environ['RANK'] + '.up').touch()\\n"
                  "time.sleep(600)")
torchrun.run(script, folder, nproc=2, timeout=600)
"""
TWO_NODES = TORCHRUN.replace("nproc=2", "nnodes=2, nproc=1")
PIPE = """
program = "import itertools, time\\nfor n in itertools.count(): print(n, flush=True); time.sleep(0.05)"
with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as child:
    for line in child.stdout:
        (folder / "0.up").touch()
"""
LOADER = """
from torch.utils.data import DataLoader

from course_utils.chapters.datasets import Waiting

options = {"multiprocessing_context": "spawn", "persistent_workers": True, "timeout": 200}
for number, batch in enumerate(DataLoader(Waiting(100_000, 0.01), num_workers=2, **options)):
    if number:  # both have sent one: over a worker that dies as it starts, torch ends the kernel in a later cell
        (folder / "0.up").touch()
"""
BY_HAND = """
import pathlib, time


def by_hand(rank, world_size, meeting_point, folder):
    pathlib.Path(folder, f"{rank}.up").touch()
    time.sleep(600)
"""
SPAWN = f"LIMIT, my_rank = 600, len\n(folder / 'by_hand.py').write_text({BY_HAND!r})\n"
SCRIPT = """
import json

from course_utils import recorded

enter = spread = print
"""
THREADS = """
from concurrent.futures import ThreadPoolExecutor


def child(program, **environment):
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, timeout=100).stdout

"""
LATER = """
import json

import psutil

enter = spread = print
child = subprocess.Popen([sys.executable, "-c", waiting, folder / "0.up"])
"""
COMPILED = """
(results / "compiled.py").write_text("import time; open('0.up', 'w'); time.sleep(600)")
"""


def cell(chapter, id_):
    """The source of a chapter's cell."""
    book = nbformat.read(select(find(), [chapter])[0].path, as_version=4)
    return next(cell.source for cell in book.cells if cell.id == id_)


CELLS = {
    "run_ranks": lambda: f"{RANKS}\nrun_ranks(wait, 2, str(folder), timeout=600)",
    "a pool of ranks": lambda: (
        f"{RANKS}\nranks = Ranks(2, timeout=600)\nranks.run(abs)\nranks.run(wait, str(folder))"
    ),
    "torchrun": lambda: TORCHRUN,
    "torchrun, two nodes": lambda: TWO_NODES,
    "subprocess.run": lambda: 'subprocess.run([sys.executable, "-c", waiting, folder / "0.up"], timeout=600)',
    "a pipe that is read": lambda: PIPE,
    "workers of a DataLoader": lambda: LOADER,
    "10: spawn": lambda: SPAWN + cell("10", "e0a9507e"),
    "05: TensorBoard": lambda: 'logs = folder / "logs" / "a run"\n' + cell("05", "46d551da"),
    "08: threads that wait for children": lambda: THREADS + cell("08", "c8bways0"),
    "09: a script with ranks": lambda: SCRIPT + cell("09", "d2cf4fc4"),
    "09: a compiler's child": lambda: COMPILED + cell("09", "f9cfc654"),
    "09: a child of the cell before": lambda: LATER + cell("09", "fc000008"),
}
# A DataLoader keeps its workers for the traceback of the interrupt; the signal of the group ends them.
GROUP = ("run_ranks", "torchrun", "10: spawn", "workers of a DataLoader", "09: a script with ranks")
TWO = ("run_ranks", "a pool of ranks", "torchrun", "torchrun, two nodes", "10: spawn")  # which say that they are up
# No file of ours says that these are up: as many processes do, and a second for what they are doing.
MANY = {"05: TensorBoard": 1, "08: threads that wait for children": 2, "09: a script with ranks": 3}
ALONE = [name for name in CELLS if name != "workers of a DataLoader"]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has one way to interrupt a kernel")


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """A kernel in a folder of its own, its client, and the mark of all that it starts."""
    folder = tmp_path_factory.mktemp("interrupted")
    mark = processes.new_mark("interrupted")
    manager = KernelManager(kernel_name="python3", kernel_spec_manager=OwnPython())
    manager.start_kernel(cwd=str(folder), env=os.environ | {processes.MARK: mark, "RESULTS": str(folder)})
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=PATIENCE)
        assert reply(client, client.execute(SETUP))["status"] == "ok"
        yield manager, client, mark, folder
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        processes.end(mark)


def reply(client, message):
    while (found := client.get_shell_msg(timeout=PATIENCE))["parent_header"]["msg_id"] != message:
        continue
    return found["content"]


def children(manager, mark):
    """What the kernel has started and what that has, but for what ends with it: resource tracker, fork server."""
    there = [one for one in processes.family(mark) if one.pid != manager.provisioner.pid]
    return [one for one in there if not processes.is_tracker(one) and not processes.is_fork_server(one)]


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "the cell never came to its point"
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("name", "alone"),
    [(name, False) for name in GROUP] + [pytest.param(name, True, marks=POSIX) for name in ALONE],
)
def test_an_interrupted_cell_leaves_no_process(kernel, name, alone):
    manager, client, mark, folder = kernel
    for path in folder.glob("*.up"):
        path.unlink()
    assert children(manager, mark) == []
    # An error ends what waits behind it, for a moment longer than the reply takes: not the line at the end of this.
    started = client.execute(f"%cd -q {folder}\n{CELLS[name]()}", stop_on_error=False)
    if name in MANY:
        until(lambda: len(children(manager, mark)) >= MANY[name])
        time.sleep(1)
    else:
        until(lambda: len(list(folder.glob("*.up"))) == (2 if name in TWO else 1))
    os.kill(manager.provisioner.pid, signal.SIGINT) if alone else manager.interrupt_kernel()
    assert reply(client, started).get("ename") == "KeyboardInterrupt"
    end = time.monotonic() + 60
    while (left := children(manager, mark)) and time.monotonic() < end:
        time.sleep(0.1)
    named = [processes.describe(one) for one in left]
    for one in left:
        one.kill()  # the next test begins with none
    assert named == []
    assert reply(client, client.execute("del results\nresults = folder"))["status"] == "ok"
