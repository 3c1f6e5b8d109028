"""A child of the fork server is what a new process would be, and nothing of either is left."""

import json
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from lessonkit.system import fork_server, processes
from lessonkit.system.fork_server import Ended, ForkServer, Unavailable
from lessonkit.system.place import PROJECT

pytestmark = pytest.mark.skipif(not fork_server.SUPPORTED, reason="only Linux forks")
PROGRAM = """
import json, os, sys, subprocess, time
import numpy

def tell():
    found = {"arguments": sys.argv[1:], "cwd": os.getcwd(), "mark": os.environ["COURSE_RUN"]}
    found |= {"said": sys.stdin.readline(), "own": os.environ.get("OF_THE_TEST")}
    found |= {"session": os.getsid(0) == os.getpid(), "drawn": numpy.random.random()}
    found |= {"open": sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1]}
    print(json.dumps(found))
    print("to the log", file=sys.stderr)

def leave():
    sys.exit(7)

def fail():
    raise ValueError("as it was told to")

def wait():
    if os.fork() == 0:
        time.sleep(600)
    sys.stdin.read()
    time.sleep(600)
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A module of programs; returns a function that has a child of a server call one of them."""
    (tmp_path / "programs_of_the_test.py").write_text(PROGRAM, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    env = {**os.environ, "OF_THE_TEST": "set", "OMP_NUM_THREADS": "1"}  # numpy would start threads
    server, log = ForkServer.start(["numpy"], env), tmp_path / "log"
    mark, children = processes.new_mark("of-a-test"), []

    def start(name, *arguments):
        with log.open("ab") as file:
            child = server.fork(f"programs_of_the_test:{name}", arguments, cwd=tmp_path, mark=mark, log=file)
        children.append(child)
        return child

    start.server, start.log, start.mark = server, log, mark
    yield start
    for child in children:
        child.kill()
        child.communicate()
    server.stop()
    assert server.process.returncode == 0
    assert processes.leftovers(mark, patience=1) == []


def lines(log):
    return [json.loads(line) for line in log.read_text().splitlines() if line[0] == "{"]


def test_a_child_has_what_it_was_started_with(here, tmp_path):
    child = here("tell", "one", "two words")
    child.stdin.write("hello\n")
    child.stdin.flush()
    assert child.wait(timeout=60) == 0 and child.poll() == 0
    (found,) = lines(here.log)
    assert (found["arguments"], found["cwd"]) == (["one", "two words"], str(tmp_path))
    assert (found["mark"], found["said"], found["own"]) == (here.mark, "hello\n", "set")
    assert found["session"] and found["open"][:3] == [0, 1, 2] and "to the log" in here.log.read_text()


def test_each_child_draws_its_own_numbers_and_holds_no_file_of_another(here):
    children = [here("tell") for _ in range(3)]
    for child in children:
        child.communicate()  # closed without a word
    found = lines(here.log)
    assert len({one["drawn"] for one in found}) == 3
    assert {tuple(one["open"]) for one in found} == {(0, 1, 2)}


@pytest.mark.parametrize(("name", "code"), [("leave", 7), ("fail", 1)])
def test_how_a_child_ended_is_told(here, name, code):
    assert here(name).wait(timeout=60) == code
    assert name != "fail" or "ValueError: as it was told to" in here.log.read_text()


def test_a_child_is_killed_with_what_it_has_forked_by_its_mark(here):
    child = here("wait")
    assert child.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        child.wait(timeout=0.1)
    until = time.monotonic() + 30
    while len(processes.family(here.mark)) < 2 and time.monotonic() < until:
        time.sleep(0.02)
    assert len(processes.family(here.mark)) == 2
    processes.end(here.mark)
    assert child.wait(timeout=10) == -signal.SIGKILL


def test_a_server_that_has_died_is_said_and_ends_its_children(here):
    child = here("wait")
    here.server.process.kill()
    here.server.process.wait()
    assert child.wait(timeout=10) == -signal.SIGKILL
    processes.end(here.mark)  # what the child has forked
    with pytest.raises(Ended, match="the fork server has ended"):
        here("tell")
    here.server.process.returncode = 0  # as the fixture asks


COPIED = """
import json, os, sys
from pathlib import Path
from lessonkit.system import processes
from lessonkit.system.fork_server import ForkServer
os.environ[processes.MARK] = "copied/"
server, noted = ForkServer.of_this_process(), Path("{folder}")
with (noted / "out").open("wb") as log, (noted / "err").open("wb") as errors, open("/dev/null") as empty:
    where = {"cwd": noted, "log": log, "errors": errors, "stdin": empty}
    child = server.fork("programs_of_the_test:tell", ["one"], mark="copied/child/", **where)
    print(child.wait(60), child.stdin)
    print(server.fork("programs_of_the_test:leave", [], mark="m", **where).wait(60))
"""


def test_a_process_forks_from_a_copy_of_itself(here, tmp_path):
    """Its outputs go to two files, its input comes from one that is given, and the copy ends with the process."""
    code = COPIED.replace("{folder}", str(tmp_path))
    # A process whose mark was set when it began has room for another one.
    env = {**os.environ, "COURSE_RUN": " " * 200, "PYTHONPATH": f"{tmp_path}:{PROJECT}"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "0 None\n7\n"), done.stderr
    assert (tmp_path / "err").read_text() == "to the log\n"
    (found,) = lines(tmp_path / "out")
    assert (found["arguments"], found["mark"], found["said"]) == (["one"], "copied/child/", "")
    assert processes.leftovers("copied/", patience=5) == []


def test_a_server_that_nobody_asks_ends_by_itself():
    server = ForkServer.start([], os.environ, idle=0.4)
    assert server.process.wait(timeout=60) == 0
    server.stop()


def test_a_server_with_a_thread_forks_nothing(tmp_path, monkeypatch):
    (tmp_path / "with_a_thread.py").write_text(
        "import threading, time\nthreading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    server = ForkServer.start(["with_a_thread"], os.environ)
    with (tmp_path / "log").open("wb") as log, pytest.raises(Unavailable, match="2 threads"):
        server.fork("no:matter", [], cwd=tmp_path, mark="m", log=log)
    server.stop()


def test_one_server_serves_until_the_environment_is_another(tmp_path):
    def pid(**variables):
        with (tmp_path / "log").open("wb") as log:
            where = {"cwd": tmp_path, "mark": processes.new_mark("of-a-test"), "log": log}
            child = fork_server.fork("os:getpid", [], preload=["json"], env={**os.environ, **variables}, **where)
        assert child.wait(timeout=60) == 0
        child.communicate()
        return fork_server._servers[os.getpid()][1].process.pid

    first = pid()
    assert pid() == first
    second = pid(OF_THE_TEST="other")
    assert second != first and not psutil.pid_exists(first)
    os.kill(second, signal.SIGKILL)
    assert pid(OF_THE_TEST="other") != second
    fork_server.stop()
    assert fork_server._servers == {}


OWNER = """
import os, sys, time
from pathlib import Path
from lessonkit.system import fork_server, processes
with open(os.devnull, "wb") as log:
    where = {"cwd": Path.cwd(), "mark": "m", "env": os.environ, "log": log}
    child = fork_server.fork("builtins:input", [], preload=["json"], **where)  # waits for a word
print(fork_server._servers[os.getpid()][1].process.pid, child.pid, flush=True)
{then}
"""


@pytest.mark.parametrize("then", ["time.sleep(600)", "sys.exit()"], ids=["killed", "ended"])
def test_a_server_and_a_child_that_reads_end_with_their_owner(then):
    command = [sys.executable, "-c", OWNER.replace("{then}", then)]
    owner = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    pids = [int(number) for number in owner.stdout.readline().split()]
    if "sleep" in then:
        owner.kill()
    owner.communicate()
    until = time.monotonic() + 20
    while any(map(psutil.pid_exists, pids)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(psutil.pid_exists, pids))
