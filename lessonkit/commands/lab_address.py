"""Say what `course lab` is doing until JupyterLab answers, and then its address, as the last line."""

import json
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

OFTEN = 0.3  # seconds between two looks for the address
PATIENCE = 15  # seconds after which a sentence says that it still goes on
MOST = 8  # such sentences
STILL = (
    "JupyterLab is still starting after {:.0f} s. Its programs are being read from the disk, which takes long the "
    "first time and while the machine is busy."
)
READY = (
    "\nYour chapters are open. If no browser has opened, copy the address below into one. Ctrl-C here ends "
    "JupyterLab.\n    {}"
)


def announce(
    process: subprocess.Popen, folder: Path, root: Path, *, say: Callable[[str], None]
) -> threading.Thread:
    """Start a thread that says the address of the JupyterLab that `process` is starting, and return the thread.

    `folder`: where Jupyter's servers write their addresses, a file each. `root`: the folder that it serves. Until
    it answers, a sentence comes every 15 seconds, for two minutes.
    """
    before = set(_files(folder))
    began = time.monotonic()

    def wait() -> None:
        said = 0
        while process.poll() is None:
            for path in set(_files(folder)) - before:
                if address := address_in(path, root, process.pid):
                    say(READY.format(address))
                    return
            if said < MOST and time.monotonic() - began > PATIENCE * (said + 1):
                said += 1
                say(STILL.format(time.monotonic() - began))
            time.sleep(OFTEN)

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread


def _files(folder: Path) -> list[Path]:
    return [*folder.glob("jpserver-*.json")]


def address_in(path: Path, root: Path, number: int) -> str:
    """Return the address that a server has written; empty for half a file, and for a server that is another one.

    It is the one that was started if it has its process number; on Windows, where a virtual environment's Python
    starts another, also if it serves the folder `root`.
    """
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        if said["pid"] != number and Path(said["root_dir"]).resolve() != root.resolve():
            return ""
        return f"{said['url']}lab" + (f"?token={said['token']}" if said["token"] else "")
    except (OSError, ValueError, LookupError, TypeError):  # half written: the next look finds it whole
        return ""
