"""`course lab` as a process: its address, and its end with everything it has started."""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

from browsers import PATIENCE

from course_utils import PROJECT
from lessonkit.system import processes

# A new user has set nothing: neither for the course nor for Jupyter, and is no CI.
UNSET = ("COURSE_", "JUPYTER", "IPYTHON", "XDG_", "MPL", "PYTHON", "PYTEST", "TQDM", "CI")


class LabServer:
    """JupyterLab on the samples, in a home and a work folder below `folder`, with `variables` beside a new user's.

    `url` is its address without the token, `work` the folder of the copies, `log` what it has written.
    """

    def __init__(self, folder, **variables):
        self.home, self.work, self._log = folder / "home", folder / "work", folder / "lab.log"
        self.home.mkdir()
        # Outputs off the screen are otherwise empty in the page; everything else is as it comes.
        tracker = self.home / ".jupyter" / "lab" / "user-settings" / "@jupyterlab" / "notebook-extension"
        tracker.mkdir(parents=True)
        (tracker / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}', encoding="utf-8")
        self._mark = processes.new_mark("browser")
        command = [sys.executable, "-m", "lessonkit.cli", "lab", "--no-browser"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command += ["--", "--allow-root"]  # JupyterLab asks root to say so
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                command, cwd=PROJECT, env=self._environment() | variables, stdout=log, stderr=subprocess.STDOUT
            )
        try:
            self.url, self.token = self._address()
        except BaseException:
            self.end()
            raise

    @property
    def log(self):
        return self._log.read_text(encoding="utf-8", errors="replace")

    def course(self, *words):
        """What a command of `course` prints that the learner says in a terminal meanwhile."""
        command = [sys.executable, "-m", "lessonkit.cli", *words]
        given = {"cwd": PROJECT, "env": self._environment(), "timeout": 300, "check": True}
        return subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", **given).stdout

    def _environment(self):
        env = {name: value for name, value in os.environ.items() if not name.startswith(UNSET)}
        own = {"HOME": self.home, "USERPROFILE": self.home, "APPDATA": self.home, "COURSE_WORK": self.work}
        own = {name: str(path) for name, path in own.items()}
        # One thread: beside other work two would wait for each other at the end of every operation.
        return env | own | {"COURSE_OFFLINE": "1", "OMP_NUM_THREADS": "1", processes.MARK: self._mark}

    def _address(self):
        """The address and token from the file in which a running server says them, once it answers."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self._process.poll() is not None:
                raise RuntimeError(f"`course lab` ended with {self._process.returncode}:\n{self.log}")
            for path in self.home.rglob("jpserver-*.json"):
                try:
                    said = json.loads(path.read_text(encoding="utf-8"))
                    urllib.request.urlopen(f"{said['url']}api", timeout=10).close()
                    return said["url"], said["token"]
                except (OSError, ValueError):  # half written, or not listening yet
                    continue
            time.sleep(0.2)
        raise RuntimeError(f"`course lab` did not answer within {PATIENCE} s:\n{self.log}")

    def end(self):
        """Ask the server to shut down, as its menu does, kill what is left after a while, and say what that was."""
        if self._process.poll() is None and hasattr(self, "url"):
            ask = urllib.request.Request(f"{self.url}api/shutdown", data=b"")
            ask.add_header("Authorization", f"token {self.token}")
            try:
                urllib.request.urlopen(ask, timeout=60).close()
                self._process.wait(timeout=60)
            except (urllib.error.URLError, subprocess.TimeoutExpired) as error:
                print(f"JupyterLab did not shut down when asked: {error}", file=sys.stderr)
        left = processes.leftovers(self._mark, patience=30)
        processes.end(self._mark)
        self._process.wait(timeout=30)
        return left
