"""tools/testing/aftermath.py: each kind of thing that a run can leave behind is named, and ended or removed."""

import os
import subprocess
import sys
from multiprocessing import shared_memory

import aftermath
import pytest

LEAVES = {
    "still running": "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(100)'])",
    "still listening": """subprocess.Popen([sys.executable, '-c', '''
import socket, time
with socket.create_server(('127.0.0.1', 0)):
    time.sleep(100)
''']); time.sleep(2)""",
    "shared memory": "open('shared/psm_123', 'w').close()",
    "temporary file": "tempfile.mkstemp(prefix='forgotten')",
    "temporary file: pymp-full": "os.makedirs(os.path.join(tempfile.gettempdir(), 'pymp-full', 'socket'))",
    "in the project": "open('forgotten.txt', 'w').close()",
}


@pytest.fixture
def project(tmp_path):
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "begin"]):
        names = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
        subprocess.run(["git", *names, *command], cwd=tmp_path, check=True)
    (tmp_path / "shared").mkdir()
    return tmp_path


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(aftermath, "FREED_WITHIN", 0.5)


def after(program, project):
    """What is said to be left by a program that runs in the project."""
    with aftermath.watched(project, shared=project / "shared") as run:
        imports = "import os, subprocess, sys, tempfile, time\n"
        environment = os.environ | run.environment
        subprocess.run([sys.executable, "-c", imports + program], cwd=project, env=environment, check=True)
    assert not run.temporary.exists()
    assert aftermath.processes.family(run.mark) == []
    return run.left


@pytest.mark.parametrize("kind", LEAVES)
def test_what_is_left_is_named(project, kind):
    left = after(LEAVES[kind], project)
    assert any(line.startswith(kind) for line in left), left


@pytest.mark.skipif(not aftermath.SHARED.is_dir(), reason="the system lists no shared memory")
def test_what_another_program_has_in_its_memory_is_not_left():
    before = aftermath.shared_memory(begins="psm_")
    segment = shared_memory.SharedMemory(create=True, size=64)
    try:
        assert aftermath.shared_memory(begins="psm_") - before >= {segment.name}
        assert segment.name not in aftermath.abandoned(before, begins="psm_")
        segment.close()
        assert segment.name in aftermath.abandoned(before, begins="psm_")
    finally:
        segment.unlink()


def test_a_tidy_program_leaves_nothing(project):
    tidy = "with tempfile.TemporaryDirectory(): subprocess.run([sys.executable, '-c', ''])\n"
    kept = "for name in ('torchinductor_me', 'pymp-empty'): os.mkdir(os.path.join(tempfile.gettempdir(), name))"
    assert after(tidy + kept, project) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no sockets among its files")
def test_the_socket_of_a_worker_that_was_ended_is_nothing_left(project):
    assert (
        after("import socket; socket.socket(socket.AF_UNIX).bind(tempfile.mkdtemp(prefix='pymp-') + '/s')", project)
        == []
    )
