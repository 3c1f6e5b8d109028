"""What a run was asked for: the device, the parameters to inject, and the job that a worker gets."""

import json

import pytest
import toys
from toys import code, notebook, parameters

from lessonkit.notebook import catalog
from lessonkit.runner.request import RunRequest, resolve_device, setting
from lessonkit.system.errors import Refused


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return toys.write(
        tmp_path_factory.mktemp("request") / "notebooks",
        _00_start=notebook(parameters(), code("1")),
        _05_training=notebook(parameters('PROFILE = "quick"\nLR = 1e-4\nSIZES = [1, 2]'), code("1")),
        _11_bare=notebook(code("1")),
    )


def test_a_device_that_is_not_there_is_refused_in_a_sentence(monkeypatch):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    for name in ("cuda", "mps"):
        with pytest.raises(Refused, match=rf"--device {name}: .* finds no {name} device here; there is: cpu"):
            resolve_device(name)
    assert resolve_device("auto") == "cpu"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert resolve_device("auto") == "cuda"


def test_only_parameters_that_differ_are_injected(folder, tmp_path):
    start, training, bare = catalog.find(folder)
    assert RunRequest(out=tmp_path).injected(start) == {}
    assert RunRequest(out=tmp_path).injected(bare) == {}
    asked = RunRequest(out=tmp_path, profile="full", device="cpu", settings=("SEED=3",))
    assert asked.injected(start) == {"PROFILE": "full", "DEVICE": "cpu", "SEED": 3}
    same = RunRequest(out=tmp_path, settings=("LR=1e-4", "SIZES=[1, 3]"))
    assert same.injected(training) == {"SIZES": [1, 3]}


@pytest.mark.parametrize(
    ("text", "pair"),
    [("A=1", ("A", 1)), ("A=x=y", ("A", "x=y")), ("A=null", ("A", None)), ('A="1"', ("A", "1")), ("A=", ("A", ""))],
)
def test_a_setting_is_json_or_text(text, pair):
    assert setting(text) == pair


def test_the_job_of_a_chapter_is_all_that_its_worker_needs(folder, tmp_path):
    start = catalog.find(folder)[0]
    asked = RunRequest(out=tmp_path, answers="solved", limit=7.5, parameters={"00_start": {"SEED": 3}})
    assert json.loads(json.dumps(asked.job(start))) == {
        "name": "00_start",
        "notebook": str((folder / "00_start.ipynb").resolve()),
        "output": str(tmp_path / "00_start.ipynb"),
        "answers": "solved",
        "extent": "whole",
        "parameters": {"SEED": 3},
        "limit": 7.5,
        "goal": 30.0,
    }
