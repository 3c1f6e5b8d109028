"""Chapter 10's training scripts as learners start them: equal weights on 1, 2 and 3 ranks, and after a death."""

import contextlib
import importlib.util
import os
import re
import signal
import subprocess
import sys
import time

import pytest
import torch

from course_utils import PROJECT
from course_utils.chapters.multi_gpu import torchrun
from lessonkit.system import processes

SCRIPTS = PROJECT / "scripts"
PATIENCE = {"timeout": 200}  # a run takes 5 to 12 s where nothing else does, and waits for its turn elsewhere
# Runs a script as torchrun would, then saves what the rank's own model holds.
EACH_RANK = """
import os, runpy, sys, torch
folder, script, *sys.argv = sys.argv[1:2] + sys.argv[2:3] + sys.argv[2:]
model = runpy.run_path(script, run_name="__main__")["model"]
torch.save([tensor.detach().clone() for tensor in model.parameters()], f"{folder}/rank{os.environ['RANK']}.pt")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("train")


@pytest.fixture(scope="module")
def ran(folder):
    """What the three scripts printed, each of which has saved its weights in `folder`."""
    printed = {}
    command = [sys.executable, SCRIPTS / "train_single.py", "--save", folder / "single.pt"]
    printed["single"] = subprocess.run(command, capture_output=True, text=True, check=True, **PATIENCE).stdout
    (folder / "each_rank.py").write_text(EACH_RANK, encoding="utf-8")
    finished = torchrun.run(
        folder / "each_rank.py", folder, SCRIPTS / "train_ddp.py", "--save", folder / "ddp.pt", **PATIENCE
    )
    assert finished.code == 0, finished.errors + finished.agent
    printed["ddp"] = finished.output
    finished = torchrun.run(SCRIPTS / "train_fsdp.py", "--save", folder / "fsdp.pt", **PATIENCE)
    assert finished.code == 0, finished.errors + finished.agent
    printed["fsdp"] = finished.output
    return printed


def weights(path):
    return torch.load(path, weights_only=True)


def apart(one, other):
    """The largest difference between two files of weights, whose names and shapes must agree."""
    one, other = weights(one), weights(other)
    assert list(one) == list(other) == ["1.weight", "1.bias", "3.weight", "3.bias"]
    return max((one[name] - other[name]).abs().max().item() for name in one)


@pytest.mark.parametrize(("name", "most"), [("single", 50), ("ddp", 62), ("fsdp", 74), ("elastic", 70)])
def test_a_script_fits_on_a_screen(name, most):
    assert len((SCRIPTS / f"train_{name}.py").read_text(encoding="utf-8").splitlines()) <= most


def test_two_ranks_take_the_steps_of_one(ran, folder):
    losses = re.findall(r"^epoch (\d): loss (\d\.\d{3})$", ran["single"], re.MULTILINE)
    assert [epoch for epoch, _ in losses] == ["0", "1"]
    assert 0.2 < float(losses[1][1]) < 0.7 * float(losses[0][1]) < 0.7 * 2.0
    logged = re.findall(r"^rank 0: epoch \d: loss (\d\.\d{3})$", ran["ddp"], re.MULTILINE)
    assert [float(loss) for loss in logged] == pytest.approx([float(loss) for _, loss in losses], abs=0.0011)
    assert "rank 1:" not in ran["ddp"], "more than rank 0 logs"
    assert apart(folder / "single.pt", folder / "ddp.pt") < 1e-5


def test_both_ranks_hold_the_same_bits_and_the_file_is_theirs(ran, folder):
    first, second = (weights(folder / f"rank{rank}.pt") for rank in (0, 1))
    assert len(first) == 4 and all(torch.equal(a, b) for a, b in zip(first, second, strict=True))
    assert all(torch.equal(a, b) for a, b in zip(first, weights(folder / "ddp.pt").values(), strict=True))


def test_sharded_training_gives_the_same_weights_and_holds_half(ran, folder):
    assert apart(folder / "single.pt", folder / "fsdp.pt") < 1e-5
    lines = re.findall(r"rank (\d): .* momentum: ([\d,]+) bytes here, ([\d,]+) in all", ran["fsdp"])
    whole = 3 * 4 * (784 * 128 + 128 + 128 * 10 + 10)  # a weight, its gradient, its momentum; float32
    assert [(rank, here, all_) for rank, here, all_ in lines] == [
        (str(r), f"{whole // 2:,}", f"{whole:,}") for r in (0, 1)
    ]


def test_what_two_ranks_saved_goes_on_in_one_and_in_three(ran, folder):
    given = ("--load", folder / "ddp.pt", "--epochs", "1", "--save")
    command = [sys.executable, SCRIPTS / "train_single.py", *given, folder / "one.pt"]
    subprocess.run(command, check=True, capture_output=True, **PATIENCE)
    finished = torchrun.run(SCRIPTS / "train_ddp.py", *given, folder / "three.pt", nproc=3, **PATIENCE)
    assert finished.code == 0, finished.errors + finished.agent
    assert apart(folder / "one.pt", folder / "three.pt") < 1e-5
    assert apart(folder / "ddp.pt", folder / "one.pt") > 1e-3, "the epoch did nothing"


def ends(finished):
    """The hashes of the weights that the ranks printed at their end."""
    assert finished.code == 0, finished.errors + finished.agent
    return re.findall(r"weights at the end: ([0-9a-f]{16})", finished.output)


def test_a_job_that_lost_a_rank_ends_with_the_same_bits(tmp_path):
    script = SCRIPTS / "train_elastic.py"
    whole = ends(torchrun.run(script, tmp_path / "whole.pt", **PATIENCE))
    assert len(whole) == 2 and whole[0] == whole[1]
    killed = torchrun.run(script, tmp_path / "killed.pt", "--die-at", 27, max_restarts=1, **PATIENCE)
    assert "restart 1, rank 0: goes on after step 20\n" in killed.output
    assert "restart 1, rank 1: goes on after step 20\n" in killed.output
    assert "exitcode: -9" in killed.agent or sys.platform == "win32"
    assert ends(killed) == whole
    nodes = torchrun.run(script, tmp_path / "n.pt", "--die-at", 27, nproc=1, nnodes=2, max_restarts=1, **PATIENCE)
    assert nodes.output.count("goes on after step 20\n") == 2
    assert ends(nodes) == whole


@pytest.fixture
def two_nodes():
    spec = importlib.util.spec_from_file_location("two_nodes", SCRIPTS / "two_nodes.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


REPORT = """
import os, socket, sys, time
interfaces = sorted(name for _, name in socket.if_nameindex())
print("rank", os.environ["RANK"], "interfaces", interfaces, os.environ["MASTER_ADDR"])
if sys.argv[1:]:
    open(sys.argv[1] + os.environ["RANK"], "w").close()
    time.sleep(100)
"""


def namespaces(two_nodes):
    return [line for line in two_nodes.ip("netns", "list").splitlines() if line.startswith(two_nodes.PREFIX)]


def test_two_namespaces_are_two_networks_and_are_removed(two_nodes, tmp_path):
    if reason := two_nodes.missing():
        pytest.skip(reason)
    program = tmp_path / "report.py"
    program.write_text(REPORT, encoding="utf-8")
    script = [sys.executable, SCRIPTS / "two_nodes.py"]
    done = subprocess.run([*script, program], capture_output=True, text=True, **PATIENCE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "two network namespaces, joined by a cable",
        "node 0, local rank 0: rank 0 interfaces ['cablea', 'lo'] 10.77.0.1",
        "node 1, local rank 0: rank 1 interfaces ['cableb', 'lo'] 10.77.0.1",
    ]
    mark = f"test/{tmp_path}/"
    env = {**os.environ, processes.MARK: mark}
    ended = subprocess.Popen([*script, program, tmp_path / "up"], env=env, stdout=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while not all((tmp_path / f"up{rank}").exists() for rank in (0, 1)):
        assert ended.poll() is None and time.monotonic() < until
        time.sleep(0.05)
    assert len([name for name in namespaces(two_nodes) if f"-{ended.pid}-" in name]) == 2
    ended.send_signal(signal.SIGTERM)
    assert ended.wait(timeout=30) == 143
    assert not [name for name in namespaces(two_nodes) if str(ended.pid) in name]
    assert processes.leftovers(mark, patience=0) == []


def test_namespaces_of_a_killed_run_are_removed_by_the_next(two_nodes):
    if reason := two_nodes.missing():
        pytest.skip(reason)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    name = f"{two_nodes.PREFIX}{gone.pid}-a"
    two_nodes.ip("netns", "add", name)
    try:
        with two_nodes.cabled():
            assert not [line for line in namespaces(two_nodes) if name in line]
            assert len([line for line in namespaces(two_nodes) if f"{two_nodes.PREFIX}{os.getpid()}-" in line]) == 2
        assert not [line for line in namespaces(two_nodes) if f"{os.getpid()}-" in line]
    finally:
        with contextlib.suppress(RuntimeError):
            two_nodes.ip("netns", "delete", name)


def test_without_namespaces_the_reason_is_said(two_nodes, monkeypatch):
    monkeypatch.setattr(two_nodes.shutil, "which", lambda name: None)
    assert two_nodes.missing() != ""
    monkeypatch.setattr(two_nodes.sys, "platform", "darwin")
    assert two_nodes.missing() == "network namespaces are Linux's, and this is darwin"
