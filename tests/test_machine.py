"""The machine's figures: the right keys and plausible values."""

import json
import time

import torch

from course_utils import machine


def test_describe_has_what_a_report_needs_and_can_be_written():
    start = time.monotonic()
    found = machine.describe()
    assert time.monotonic() - start < 5
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
