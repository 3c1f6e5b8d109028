"""tools/record/everything.py without a GPU: it refuses in words; its steps, here toys, run on when one fails."""

import importlib.util
import json
import subprocess
import sys
import time

import pytest
import torch

from course_utils import PROJECT

SCRIPT = PROJECT / "tools" / "record" / "everything.py"


@pytest.fixture
def script(monkeypatch):
    """The script as a module."""
    monkeypatch.syspath_prepend(SCRIPT.parent)
    spec = importlib.util.spec_from_file_location("record_everything", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def step(script, name, program, minutes=1.0):
    return script.Step(name, "a toy", (sys.executable, "-c", program), minutes)


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU, and would really be recorded")
def test_without_a_gpu_it_says_so_and_runs_nothing():
    ended = subprocess.run([sys.executable, SCRIPT], cwd=PROJECT, capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.strip().endswith("so there is nothing to record.")


def test_each_step_names_a_file_that_is_there(script):
    for each in script.STEPS:
        named = [part for part in each.command if part.endswith(".py")]
        assert named or "-m" in each.command
        assert all((PROJECT / part).is_file() for part in named)


def test_a_step_that_fails_or_hangs_does_not_stop_the_others(script, tmp_path):
    hang = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(600)'])"
    steps = [
        step(script, "good", "print('kept')"),
        step(script, "bad", "print('before'); raise SystemExit(3)"),
        step(script, "hung", hang, minutes=0.05),
        step(script, "last", "print('still here')"),
    ]
    began = time.monotonic()
    rows = script.run_all(steps, minutes=5, folder=tmp_path)
    assert time.monotonic() - began < 120  # the hung one would take ten minutes
    assert {name: row["outcome"] for name, row in rows.items()} == {
        "good": "passed",
        "bad": "failed, exit status 3",
        "hung": "ended after 3 s",
        "last": "passed",
    }
    assert rows["last"]["last line"] == "still here"
    kept = json.loads((tmp_path / "records.json").read_text(encoding="utf-8"))
    assert kept["steps"] == rows and kept["machine"] and kept["versions"]["torch"] == torch.__version__
    assert (tmp_path / "good.log").read_text(encoding="utf-8") == "kept\n"


def test_without_time_a_step_is_named_as_left_out(script, tmp_path):
    rows = script.run_all([step(script, "late", "print('never')")], minutes=0.1, folder=tmp_path)
    assert rows["late"]["outcome"] == "left out: no time was left"
    assert not (tmp_path / "late.log").exists()


def test_the_record_of_two_gpus_trains_the_net_of_chapter_10(monkeypatch):
    monkeypatch.syspath_prepend(SCRIPT.parent)
    made = importlib.import_module("multi_gpu").make_resnet()
    assert made(torch.zeros(2, 1, 28, 28)).shape == (2, 10)
    assert (
        sum(parameter.numel() for parameter in made.parameters()) == 11_172_810
    )  # ResNet-18, small stem, 10 classes
