"""scripts/train_horovod.py: the same file on the course's `hvd` and on the real Horovod, with the same weights."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from course_utils import PROJECT
from lessonkit.system import loopback, processes

OURS = "course_utils.chapters.multi_gpu.hvd"
SCRIPT = PROJECT / "scripts" / "train_horovod.py"
VENV = PROJECT / "build" / "horovod_venv"
BUILD = PROJECT / "scripts" / "build_horovod.sh"

needs_horovod = pytest.mark.skipif(
    not (VENV / "bin" / "horovodrun").exists(),
    reason="Horovod's venv build/horovod_venv is not there: scripts/build_horovod.sh makes it",
)
needs_bash = pytest.mark.skipif(
    sys.platform == "win32" or not shutil.which("bash"), reason="no bash, or one of Windows that sees other paths"
)


def output_of(command, *, limit=240):
    """What a command that starts processes prints, on the embedded sample; all of them are ended."""
    mark = processes.new_mark("horovod")
    env = {name: value for name, value in os.environ.items() if name not in ("COURSE_DATA", "RANK", "LOCAL_RANK")}
    env |= {"COURSE_OFFLINE": "1", "OMP_NUM_THREADS": "1", "PYTHONPATH": str(PROJECT)}
    if loopback.INTERFACE:
        env["GLOO_SOCKET_IFNAME"] = loopback.INTERFACE
    process = processes.start(
        [str(part) for part in command], cwd=PROJECT, mark=mark, env=env, stderr=subprocess.STDOUT
    )
    try:
        output, _ = process.communicate(timeout=limit)
    finally:
        left = processes.leftovers(mark, patience=5)
        processes.end(mark)
    assert process.returncode == 0, output
    assert left == []
    return output


def on_ours(compression):
    rendezvous = ("--rdzv-backend=c10d", "--rdzv-endpoint=localhost:0", "--local-addr=127.0.0.1")
    torchrun = (sys.executable, "-m", "torch.distributed.run", *rendezvous, "--nproc-per-node=2")
    return output_of([*torchrun, SCRIPT, "--library", OURS, "--compression", compression])


def on_horovod(compression):
    horovodrun = (VENV / "bin" / "horovodrun", "-np", "2", "--gloo", "-H", "localhost:2", VENV / "bin" / "python")
    return output_of([*horovodrun, SCRIPT, "--library", "horovod.torch", "--compression", compression])


def results(output):
    """([loss after each epoch], [weights of each rank])."""
    losses = [float(text) for text in re.findall(r"loss of the last batches (\S+)", output)]
    weights = dict(re.findall(r"rank (\d) of 2: weights ([0-9a-f]{16})", output))
    return losses, [weights[rank] for rank in sorted(weights)]


def test_on_ours_both_ranks_end_with_the_same_weights():
    losses, weights = results(on_ours("none"))
    assert len(losses) == 3 and losses[-1] < losses[0]
    assert len(weights) == 2 and len(set(weights)) == 1


@needs_horovod
@pytest.mark.parametrize("compression", ["none", "fp16"])
def test_horovod_itself_gives_the_same_losses_and_weights(compression):
    real, ours = on_horovod(compression), on_ours(compression)
    print(f"horovodrun:\n{real}\ntorchrun:\n{ours}")
    assert results(real) == results(ours)
    assert [len(part) for part in results(real)] == [3, 2]


@needs_horovod
def test_a_second_build_builds_nothing():
    done = subprocess.run(["bash", BUILD], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "nothing to build" in done.stdout


@needs_bash
def test_the_build_says_what_is_missing_before_it_writes(tmp_path):
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("dirname", "uname"):
        (tools / name).symlink_to(shutil.which(name))
    env = {**os.environ, "PATH": str(tools), "PYTHON": sys.executable}
    command = [shutil.which("bash"), BUILD, tmp_path / "venv"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    for tool in ("cmake (3.13 or newer)", "make:", "a C++ compiler"):
        assert f"build_horovod: missing: {tool}" in done.stderr
    assert "pip install cmake" in done.stderr and done.stdout == ""
    assert not (tmp_path / "venv").exists()


@needs_bash
def test_the_build_never_removes_a_folder_that_is_no_venv(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    done = subprocess.run(["bash", BUILD, tmp_path], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "is no venv" in done.stderr
    assert (tmp_path / "thesis.txt").exists()
