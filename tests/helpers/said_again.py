"""Commands started at a moment's notice, to be stopped at any: `with Ready() as ready: ready.start(program, ...)`.

`course` imports torch before it does anything, which takes longer than all that a small case does. So one process
imports once, then forks for each command, which so begins at once and as itself: its own group, environment, output
and signals. Linux and macOS only.

    python tests/helpers/said_again.py    what `Ready` starts: reads a job a line, as JSON
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import traceback

PATIENCE = 900  # seconds: ends a hang, and no machine is so busy
COURSE = "import sys\nsys.argv = {words!r}\nfrom lessonkit import cli\ncli.main()"


def course(*words):
    """The program of a `course` command."""
    return COURSE.format(words=["course", *map(str, words)])


class Command:
    """One that runs; what it writes is in the file `log`."""

    def __init__(self, ready, pid, log):
        self.ready, self.pid, self.log, self.code = ready, pid, log, None

    def text(self):
        """All that it has written so far, to both of its outputs."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def ended(self):
        """Whether it has."""
        if self.code is None:
            self.code = self.ready.ask(wait=self.pid)
        return self.code is not None

    def until(self, condition):
        """Wait until it holds or the command has ended; return whether it runs still."""
        end = time.monotonic() + PATIENCE
        while not self.ended():
            if condition():
                return True
            assert time.monotonic() < end, f"it hangs:\n{self.text()}"
            time.sleep(0.01)
        return False

    def stop(self, name):
        """Send it that signal and wait for its end; return its exit status, below 0 that of a signal."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, name)
        return self.wait()

    def wait(self):
        """Wait for its end; return its exit status."""
        self.until(lambda: False)
        return self.code


class Ready:
    """The process that waits for commands."""

    def __enter__(self):
        command = [sys.executable, __file__]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, **pipes)
        assert self.process.stdout.readline() == "ready\n"
        return self

    def __exit__(self, *error):
        self.process.stdin.close()  # which ends it, and it all that it has started
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def ask(self, **job):
        """Hand over a job; return the answer."""
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def start(self, program, *, cwd, log, **environment):
        """Start a program, with this process's environment and what is added to it."""
        log.touch()
        job = {"program": program, "cwd": str(cwd), "log": str(log)}
        env = os.environ | {name: str(value) for name, value in environment.items()}
        return Command(self, self.ask(start=job, env=env), log)


def _fork(job, env):
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        os.setsid()
        os.environ.clear()
        os.environ.update(env)
        os.chdir(job["cwd"])
        log = os.open(job["log"], os.O_WRONLY | os.O_APPEND)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for number, here in ((0, nothing), (1, log), (2, log)):
            os.dup2(here, number)
        sys.stdout = open(1, "w", buffering=1, encoding="utf-8", closefd=False)  # noqa: SIM115 (until the end)
        sys.stderr = open(2, "w", buffering=1, encoding="utf-8", closefd=False)  # noqa: SIM115
        signal.signal(signal.SIGINT, signal.default_int_handler)
        exec(compile(job["program"], "program", "exec"), {"__name__": "program"})
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except KeyboardInterrupt:
        code = 130
    except BaseException:  # noqa: BLE001 (the fork may not go on as its parent)
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        os._exit(code)


def _has_ended(pid):
    there, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if there else None


def main():
    """Import what all commands need, say "ready", then do what is asked."""

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print("ready", flush=True)
    running = set()
    for line in sys.stdin:
        job = json.loads(line)
        if "start" in job:
            answer = _fork(job["start"], job["env"])
            running.add(answer)
        else:
            answer = _has_ended(job["wait"])
            running -= {job["wait"]} if answer is not None else set()
        print(json.dumps(answer), flush=True)
    for pid in running:
        os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
