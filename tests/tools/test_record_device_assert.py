"""tools/record/device_assert.py as far as it can be seen without a GPU: it reads a program's last words."""

import subprocess
import sys

import pytest
import torch

from course_utils import PROJECT, recorded

ASSERTED = "Loss.cu:1: nll_loss: block: [0,0,0] Assertion `t >= 0 && t < n_classes` failed.\n"
ERROR = "CUDA error: device-side assert triggered"


@pytest.fixture
def script(monkeypatch):
    """The script as a module."""
    monkeypatch.syspath_prepend(PROJECT / "tools" / "record")
    import device_assert

    return device_assert


def said(line, *, asserted=ASSERTED):
    frames = f'Traceback (most recent call last):\n  File "/x/program.py", line {line}, in <module>\n    code\n'
    inner = '  File "/lib/torch/nn/functional.py", line 9, in cross_entropy\n    more\n'
    return f"{asserted}{frames}{inner}RuntimeError: {ERROR}\nCUDA kernel errors might be asynchronously reported\n"


def test_the_programs_own_line_is_kept_with_the_error(script):
    assert script.ends_at(said(7)) == f"line 7: print(doubled.item()) -> RuntimeError: {ERROR}"
    assert script.ends_at(said(5)).startswith("line 5: loss = F.cross_entropy(logits, targets) -> ")


@pytest.mark.parametrize("text", ["", said(7, asserted=""), ASSERTED, "Segmentation fault"])
def test_another_ending_is_no_record(script, text):
    with pytest.raises(script.gpu.NoRecord, match="Expected an assertion of a kernel and a traceback"):
        script.ends_at(text)


def test_both_ways_are_run_and_kept(script, tmp_path, monkeypatch):
    ways = []

    def run(command, *, env, **options):
        ways.append(env.get("CUDA_LAUNCH_BLOCKING"))
        return subprocess.CompletedProcess(command, 1, stdout="", stderr=said(5 if ways[-1] else 7))

    monkeypatch.setenv("CUDA_LAUNCH_BLOCKING", "1")  # the caller's own must not leak into the first way
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(script.subprocess, "run", run)
    monkeypatch.setattr(recorded, "this_machine", lambda: "NVIDIA X (cuda), 16 cores")
    kept = recorded.read(script.record(folder=tmp_path).stem, folder=tmp_path)
    assert ways == [None, "1"]
    assert [line.split(":")[0] for line in kept["figures"].values()] == ["line 7", "line 5"]
    assert list(kept["figures"]) == list(script.WAYS)


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU, and would really be recorded")
def test_without_a_gpu_it_ends_with_a_sentence():
    ended = subprocess.run(
        [sys.executable, PROJECT / "tools" / "record" / "device_assert.py"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.strip().endswith("so there is nothing to record.")
    assert "Traceback" not in ended.stderr
