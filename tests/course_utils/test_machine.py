"""The machine's figures: the right keys and plausible values."""

import json
import platform
import subprocess
import sys
import time

import torch

from course_utils import machine


def test_describe_has_what_a_report_needs_and_can_be_written():
    start = time.monotonic()
    found = machine.describe()
    assert time.monotonic() - start < 30
    assert set(found) == {
        "cores",
        "threads",
        "cpu_capability",
        "bf16_in_hardware",
        "matmul_gflops",
        "os",
        "python",
        "torch",
        "torchvision",
        "accelerator",
    }
    assert found["cores"] >= 1
    assert found["threads"] == torch.get_num_threads()
    assert isinstance(found["bf16_in_hardware"], bool)
    assert found["matmul_gflops"] > 0.1
    assert json.loads(json.dumps(found)) == found


def test_bf16_is_timed_where_torch_has_no_list_of_features(monkeypatch):
    monkeypatch.setattr(torch.cpu, "get_capabilities", dict, raising=False)
    for rates, expected in (({torch.bfloat16: 9.0, torch.float32: 10.0}, True), ({torch.bfloat16: 0.1}, False)):
        monkeypatch.setattr(machine, "matmul_rate", lambda dtype, rates=rates, **_: rates.get(dtype, 10.0))
        assert machine.bf16_in_hardware() is expected


def test_bf16_is_read_from_the_list_of_features(monkeypatch):
    features = {"avx512_bf16": False, "amx_bf16": True, "cpu_name": "bf16"}
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: features, raising=False)
    assert machine.bf16_in_hardware() is True
    features["amx_bf16"] = False
    assert machine.bf16_in_hardware() is False


def test_versions_are_those_of_what_is_installed_and_torchs_own_word():
    found = machine.versions("python", "torch", "numpy", "no-such-package-2718")
    assert list(found) == ["python", "torch", "numpy"]
    assert found["python"] == platform.python_version()
    assert found["torch"] == torch.__version__


def test_the_accelerator_is_the_best_device_and_the_cpu_is_none(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert machine.accelerator() == "mps"
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert machine.accelerator() is None
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "NVIDIA X")
    assert machine.accelerator() == "NVIDIA X (cuda)"


def test_cores_are_counted_without_torch():
    program = "import sys; from course_utils import machine; print(machine.cores(), 'torch' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.split() == [str(machine.cores()), "False"]


def test_measuring_leaves_threads_and_random_numbers_as_they_were():
    before, threads = torch.random.get_rng_state(), torch.get_num_threads()
    assert machine.work_seconds(repeats=1) > 0
    assert torch.equal(torch.random.get_rng_state(), before) and torch.get_num_threads() == threads
