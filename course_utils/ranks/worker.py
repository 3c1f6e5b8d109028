"""One rank: the process that `launch.run_ranks` starts, from its first line to its last."""

import faulthandler
import json
import os
import pickle
import shutil
import sys
import threading
import time
import traceback
from datetime import timedelta
from pathlib import Path


def main():
    """Does the job that the command line describes, in JSON; leaves a report, and stays until it is let go."""
    job = json.loads(sys.argv[1])
    folder, rank = Path(job["folder"]), job["rank"]
    os.dup2(2, 1)  # what C++ writes goes into the log; what Python prints goes to the parent, see below
    stack = (folder / f"{rank}.stack").open("w", encoding="utf-8")
    stack.write(f"{threading.get_ident()}\n")
    stack.flush()
    faulthandler.enable(stack)
    faulthandler.dump_traceback_later(max(0.01, job["until"] - time.time()), file=stack)  # needs no GIL
    go = threading.Event()
    threading.Thread(target=_watch, args=(go, folder), daemon=True).start()
    sys.stdout = (folder / f"{rank}.out").open("w", buffering=1, encoding="utf-8", errors="replace")
    sys.stderr = (folder / f"{rank}.err").open("w", buffering=1, encoding="utf-8", errors="replace")
    try:
        (folder / f"{rank}.result").write_bytes(_work(job, folder, rank))
        report = {"kind": "returned"}
    except BaseException as error:  # noqa: BLE001 (SystemExit too: the parent must hear of it)
        report = {"kind": "raised", "headline": _headline(error), "trace": _trace(error)}
    _leave(report, folder / f"{rank}.report")
    # Also after an error: whoever leaves closes its connections, and its peers would fail of that.
    go.wait()
    faulthandler.cancel_dump_traceback_later()
    import torch.distributed as dist

    if dist.is_initialized():  # the function may have left the group by itself
        dist.destroy_process_group()


def _work(job, folder, rank):
    """Joins the group and calls the function; returns its packed result."""
    import torch  # not at the top of the file: a rank that hangs in the import shall say so
    import torch.distributed as dist

    from course_utils.ranks import pickling

    torch.set_num_threads(1)
    if "nccl" in job["backend"]:
        torch.cuda.set_device(rank % torch.cuda.device_count())
    fn, args, by_value = pickling.unpack_job((folder / "job").read_bytes())
    # The parent's limit comes first, and names what every rank was doing.
    patience = timedelta(seconds=job["until"] - time.time() + 60)
    store = dist.FileStore(str(folder / "meeting_point"), job["world_size"])
    store.set_timeout(patience)
    dist.init_process_group(job["backend"], store=store, rank=rank, world_size=job["world_size"], timeout=patience)
    return pickling.pack(fn(rank, *args), known=by_value)


def _leave(report, path):
    """Writes the report under its name in one go: the parent may look at any moment."""
    part = path.with_suffix(".part")
    part.write_bytes(pickle.dumps(report | {"when": time.monotonic()}))
    part.replace(path)


def _watch(go, folder):
    """Waits for the parent's word; without a parent, ends this process, its children, and the common folder."""
    if os.read(0, 1):
        go.set()
        return
    import psutil

    from course_utils.system import orphans

    for child in psutil.Process().children(recursive=True):
        if not orphans.is_tracker(child):
            child.kill()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def _headline(error):
    """`ValueError: text`, without the module's name, as notebooks show it."""
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def _trace(error):
    """The traceback from the function's own frame on."""
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames))
