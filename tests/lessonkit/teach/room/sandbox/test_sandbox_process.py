"""A submission's process: what it can see, what it can take, and that its end is seen for what it is."""

import socket
import sys
import sysconfig
import threading
import time
from pathlib import Path

import psutil
import pytest

from lessonkit.system import processes
from lessonkit.system.course import Course
from lessonkit.system.place import PROJECT
from lessonkit.teach.room.rows import ROW_STATES
from lessonkit.teach.room.sandbox import isolation
from lessonkit.teach.room.sandbox.isolation import BUBBLEWRAP, LIMITS, NAMESPACES
from lessonkit.teach.room.sandbox.process import NOT_STARTED, Limits, SandboxProcess, in_words

MODULE = "course_utils.exercises.start_here"
HEAD = "from course_utils.exercises import start_here as ex\n"
RIGHT = "def ink(images):\n    return (images / 255).mean(dim=(1, 2))\nex.ink.check(ink)"
LOOK = "raise ValueError({})"


def task(source, limit=90.0):
    pieces = [("cell 1", HEAD + source)]
    return {"name": "ink", "pieces": pieces, "seed": 3, "seconds": 30.0, "limit": limit}


def run(tree, apart, *tasks, forks=True, **limits):
    """What came of each task, in as many processes as it takes."""
    told, waiting = [], list(tasks)
    while waiting:
        one = SandboxProcess(MODULE, tree, apart, Limits(**limits), forks=forks and sys.platform == "linux")
        heard = list(one.run(waiting if one.forks else waiting[:1]))
        told += heard
        waiting = waiting[len(heard) :]
    return told


def seen(told):
    """The words of the error that a cell raised."""
    return told.message["failed"]["words"]


@pytest.fixture(scope="module", params=[BUBBLEWRAP, NAMESPACES], ids=lambda one: one.name)
def each(request):
    if sys.platform != "linux" or not isolation.works(request.param):
        pytest.skip(f"no {request.param.name} for this user")
    return request.param


def test_an_answer_is_run_and_what_it_gave_is_told(tree, each):
    (told,) = run(tree, each, task(RIGHT))
    assert told.ended == "answered" and told.message["ending"] == "finished" and len(told.message["outcomes"]) == 15


@pytest.mark.parametrize(
    ("ended", "state"),
    [
        (f"{NOT_STARTED}, out of time", "not judged"),
        ("the machine ran out of memory", "not judged"),
        ("used up", "too slow"),
        ("out of time", "too slow"),
        ("out of memory", "ended"),
        ("exit code 3", "ended"),
    ],
)
def test_only_what_is_no_fault_of_the_learners_is_not_judged(ended, state):
    """A row that is "not judged" is graded again by the next `course grade`, which a slow answer is not."""
    found, words = in_words(ended, Limits())
    assert found == state and found in ROW_STATES and words.endswith((".", "?"))


def test_files_processes_and_network_are_out_of_sight(tree, each, tmp_path, monkeypatch):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    monkeypatch.setenv("PRIVATE_TOKEN", "abc")
    server = socket.create_server(("127.0.0.1", 0))
    port = server.getsockname()[1]
    reference = PROJECT / "course_utils" / "exercises" / "start_here" / "answers.py"
    assert reference.exists()
    looks = [
        f"__import__('os').path.exists({str(secret)!r}), __import__('os').path.exists({str(reference)!r})",
        "sorted(int(one) for one in __import__('os').listdir('/proc') if one.isdigit())",
        f"__import__('socket').socket().connect_ex(('127.0.0.1', {port})) != 0",
        "'PRIVATE_TOKEN' in __import__('os').environ, __import__('pathlib').Path.home()",
        "__import__('subprocess').run(['id', '-u'], capture_output=True).stdout",
    ]
    told = run(tree, each, *(task(LOOK.format(look)) for look in looks))
    server.close()
    files, processes, refused, environment, user = map(seen, told)
    assert files == "(False, False)" and refused == "True" and environment == "(False, PosixPath('/room/home'))"
    assert processes.startswith("[1, ") and len(processes.split(",")) <= 4 and user != "b'0\\n'"


def test_nothing_can_be_written_but_scratch_and_that_is_gone(tree, each):
    write = "import pathlib\nfound = []\nfor place in ({}):\n    try:\n"
    write += "        pathlib.Path(place, 'mark').write_text('x')\n"
    write += "        found.append(place)\n    except OSError:\n        pass\nraise ValueError(found)"
    places = (
        "'/', '/usr', '/room', '/room/course', '/etc', __import__('sys').prefix, '/tmp', '/room/home', '/dev/shm'"
    )
    (told,) = run(tree, each, task(write.format(places)))
    assert seen(told) == "['/tmp', '/room/home', '/dev/shm']"
    (again,) = run(
        tree, each, task("import os\nraise ValueError([os.listdir(one) for one in ('/tmp', '/room/home')])")
    )
    assert seen(again) == "[[], []]" and not (tree / "mark").exists()


def test_what_ends_one_exercise_leaves_the_others(tree, each):
    endings = {
        "import os\nos._exit(0)": "exit code 0",
        "import os\nos.kill(os.getpid(), 11)": "signal SIGSEGV",
        "import os\nos.kill(-1, 9)": "signal SIGKILL",
        "import os\nos.kill(os.getppid(), 9)\nos.kill(1, 9)\n" + RIGHT: "answered",
        "while True: pass": "out of time",
    }
    told = run(tree, each, *(task(source, limit=8.0) for source in endings), task(RIGHT))
    # `kill(-1)` spares who calls it: that one goes on and answers nothing.
    assert [one.ended for one in told] == [
        "exit code 0",
        "signal SIGSEGV",
        told[2].ended,
        "answered",
        "out of time",
        "answered",
    ]
    assert told[-1].message["ending"] == "finished"


def test_processes_that_it_starts_are_few_and_end_with_it(tree, each):
    start = "import os, time\nstarted = 0\nfor _ in range(300):\n    try:\n        if os.fork() == 0:\n"
    start += "            time.sleep(900)\n        started += 1\n    except OSError:\n        pass\n"
    start += "raise ValueError(started)"
    before = {one.pid for one in psutil.process_iter()}
    (told,) = run(tree, each, task(start), processes=40)
    left = [one for one in psutil.process_iter(["cmdline"]) if one.pid not in before]
    left = [one for one in left if "lessonkit.teach.room.sandbox.child" in " ".join(one.info["cmdline"] or [])]
    psutil.wait_procs(left, timeout=240)  # those of a test that runs beside this one end as well
    assert not [one for one in left if processes.lives(one)]
    assert int(seen(told)) < 40


def test_memory_has_a_bound(tree, each):
    eat = "x = []\nwhile True: x.append(bytearray(b'1' * 10**7))"
    (told, after) = run(tree, each, task(eat), task(RIGHT), memory=2**30)
    assert told.ended in ("out of memory", "signal SIGKILL") or told.message["failed"]["name"] == "MemoryError"
    assert after.ended == "answered"


def test_many_processes_share_one_bound_of_memory(tree, each):
    eat = "import os, time\nfor _ in range(6):\n    if os.fork() == 0: break\n"
    eat += "x = bytearray(b'1' * (5 * 10**8))\ntime.sleep(300)"
    (told,) = run(tree, each, task(eat, limit=250.0), memory=2 * 2**30)
    assert told.ended == "out of memory"


def test_the_size_of_a_file_has_a_bound(tree, each):
    for write in ("f.write(bytes(10**8))", "f.truncate(10 * 2**30)"):
        (told,) = run(tree, each, task(f"with open('/tmp/large', 'wb') as f: {write}"))
        assert told.message["failed"]["name"] == "OSError"


def test_what_it_prints_is_dropped_and_what_it_writes_everywhere_is_no_message(tree, each):
    noise = "print('x' * 10**8)\nimport os\nfor number in range(3, 256):\n"
    noise += "    try: os.write(number, b'{\"size\": 0}\\n')\n    except OSError: pass\n"
    told = run(tree, each, task(noise + RIGHT), task(RIGHT))
    assert told[0].ended != "gone" and told[1].ended == "answered"


def test_limits_alone_run_an_answer_and_end_what_it_leaves(tree):
    sleep = "time.sleep(317)"  # no other test's process sleeps that long
    leave = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time; {sleep}'])\n"
    # Where the system has no `fork`, each task has a process of its own.
    exits = task("import os\nos._exit(3)")
    ended = [one.ended for one in run(tree, LIMITS, exits, task(leave + RIGHT), forks=False)]
    assert ended == ["gone", "answered"]
    ended = [one.ended for one in run(tree, LIMITS, exits, task(leave + RIGHT))]
    assert ended == ["exit code 3" if sys.platform == "linux" else "gone", "answered"]
    left = psutil.process_iter(["cmdline"])  # all there are: what has lost its parent is nobody's child
    assert not [one for one in left if sleep in " ".join(one.info["cmdline"] or [])]


def test_where_what_started_it_is_killed_nothing_of_it_goes_on(tree, each):
    before = {one.pid for one in psutil.Process().children()}
    told = SandboxProcess(MODULE, tree, each, Limits()).run([task("while True: pass", limit=300.0)])
    thread = threading.Thread(target=lambda: list(told), daemon=True)
    thread.start()
    deadline, mine = time.monotonic() + 60, []
    while time.monotonic() < deadline and not mine:
        time.sleep(0.1)
        started = [one for one in psutil.Process().children() if one.pid not in before]
        mine = [one for launcher in started for one in launcher.children(recursive=True)]
    started[0].kill()
    thread.join(60)
    psutil.wait_procs(mine, timeout=20)
    assert mine and not thread.is_alive()
    assert not [one for one in mine if processes.lives(one)]


PURELIB = Path(sysconfig.get_path("purelib"))


@pytest.mark.parametrize(
    ("project", "package", "hidden"),
    [
        (PURELIB / "psutil", "psutil", PURELIB / "psutil"),  # installed with its files
        (PROJECT, "psutil", PURELIB / "psutil"),  # a wheel beside the clone
        (PURELIB / "numpy", "", PURELIB / "numpy" / "linalg"),  # a clone in a folder of the system
        (Path(sys.prefix), "psutil", PURELIB / "psutil"),  # a clone that is its own environment
    ],
    ids=["installed", "beside a clone", "clone", "environment"],
)
def test_a_course_that_lies_in_what_is_shown_is_hidden(each, tmp_path, monkeypatch, project, package, hidden):
    """A library stands for the course, or for its package."""
    monkeypatch.setattr(isolation, "PROJECT", project)
    monkeypatch.setattr(isolation, "course", lambda: Course(package=package))
    monkeypatch.setattr(isolation, "package_folder", lambda name: None)  # it is imported from elsewhere
    root, tree = tmp_path / "root", tmp_path / "tree"
    root.mkdir()
    tree.mkdir()
    look = f"import os; print(os.listdir({str(hidden)!r}), len(os.listdir({str(PURELIB)!r})) > 20)"
    command = [sys.executable, "-I", "-S", "-c", look]
    process = isolation.start(each, command, tree=tree, root=str(root), home=str(tmp_path), mark="")
    assert process.communicate(timeout=60)[0] == b"[] True\n"
