"""The program of one rank: the process that `Members` starts."""

import atexit
import contextlib
import faulthandler
import importlib
import json
import os
import pickle
import queue
import sys
import threading
import time
import traceback
from datetime import timedelta
from pathlib import Path

from lessonkit.system.fast_imports import without_collection

# For what ranks wait for each other. The parent's limit comes first, and names what every rank was doing.
PATIENCE = timedelta(days=1)


def main() -> None:
    """Join the group that the command line describes, in JSON; run what the parent says, and stay until let go."""
    job = json.loads(sys.argv[1])
    folder, rank = Path(job["folder"]), job["rank"]
    os.dup2(2, 1)  # what C++ writes goes into the log; what Python prints goes to the parent, see below
    stack = (folder / f"{rank}.stack").open("w", encoding="utf-8")
    faulthandler.enable(stack)
    words = queue.SimpleQueue()
    threading.Thread(target=_watch, args=(words, folder), daemon=True).start()
    sys.stdout = (folder / f"{rank}.out").open("w", buffering=1, encoding="utf-8", errors="replace")
    sys.stderr = (folder / f"{rank}.err").open("w", buffering=1, encoding="utf-8", errors="replace")
    joined = False
    while word := words.get():
        _arm(stack, until=word["until"])
        run = Path(word["folder"])
        try:
            if not joined:
                _join(job, folder, rank)
                joined = True
            (run / f"{rank}.result").write_bytes(_work(run / "job", rank, path=word["path"]))
            report = {"kind": "returned"}
        except BaseException as error:  # noqa: BLE001 (SystemExit too: the parent must hear of it)
            report = {"kind": "raised", "headline": _headline(error), "trace": _trace(error)}
        faulthandler.cancel_dump_traceback_later()
        for stream in (sys.stdout, sys.stderr):  # the function may have put others there, or closed them
            with contextlib.suppress(Exception):
                stream.flush()
        # After an error, too, the rank stays: leaving, it would close its connections, and its peers fail of that.
        _leave(report, run / f"{rank}.report")
    import torch.distributed as dist

    if dist.is_initialized():  # the function may have left the group by itself
        dist.destroy_process_group()
    _end()


def _arm(stack, *, until):
    """Have this run's stacks dumped at `until`, if it is not over by then; in the file, the last run's are gone."""
    stack.seek(0)
    stack.truncate()
    stack.write(f"{threading.get_ident()}\n")
    stack.flush()
    faulthandler.dump_traceback_later(max(0.01, until - time.time()), file=stack)  # needs no GIL


def _join(job, folder, rank):
    with without_collection():
        import torch  # not at the top of the file: a rank that hangs in the import shall say so
        import torch.distributed as dist

    if "nccl" in job["backend"]:
        torch.cuda.set_device(rank % torch.cuda.device_count())
    store = dist.FileStore(str(folder / "meeting_point"), job["world_size"])
    store.set_timeout(PATIENCE)
    dist.init_process_group(job["backend"], store=store, rank=rank, world_size=job["world_size"], timeout=PATIENCE)


def _work(job, rank, *, path):
    """Call the function of the file `job`; return its packed result. `path`: the parent's `sys.path`."""
    import torch

    from course_utils.ranks import pickling

    torch.set_num_threads(1)
    sys.path += [entry for entry in path if entry not in sys.path]  # of later cells
    importlib.invalidate_caches()  # files of later cells
    fn, args, by_value = pickling.unpack_job(job.read_bytes())
    return pickling.pack(fn(rank, *args), known=by_value)


def _leave(report, path):
    """Write the report under its name in one go: the parent may look at any moment."""
    part = path.with_suffix(".part")
    part.write_bytes(pickle.dumps(report | {"when": time.monotonic()}))
    part.replace(path)


def _end():
    """End this process as multiprocessing ends a fork: threads and what was registered for the end have their turn.

    Python would then take every module apart, which for those that torch imports costs 0.3 s of processor time.
    """
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(0)


def _watch(words, folder):
    """Hand on the parent's words; without a parent, end this process, its children, and the common folder."""
    with open(0, "rb", buffering=0, closefd=False) as pipe:
        for line in pipe:
            words.put(json.loads(line))
    from lessonkit.system import processes, scratch

    processes.kill_below(os.getpid(), spare=processes.is_tracker)
    try:
        scratch.remove(folder)  # in which another rank may just be making its files
    finally:
        os._exit(1)


def _headline(error):
    """`ValueError: text`, without the module's name, as notebooks show it."""
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def _trace(error):
    """Return the traceback from the function's own frame on."""
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames))
