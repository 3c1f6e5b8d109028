"""tools/record/gpu.py as far as it can be seen without a GPU: it refuses in words, and keeps whole records."""

import importlib.util
import json
import subprocess
import sys

import nbformat
import pytest
import torch

from course_utils import PROJECT, recorded

SCRIPT = PROJECT / "tools" / "record" / "gpu.py"
FIGURES = {
    "devices": ["cuda:0 paper: 1.0 of 2.0 GiB free"],
    "survey": ["GPU 0 paper GPU-a… 1.0 GiB free"],
    "children": {"GPUs": 1},
    "memory": [["before", 0, 0, 400]],
    "snapshot": [[1.0, "conv2d"]],
    "overlap": {"one stream": 2.0},
    "copies": {"plain": [1.0, 2.0]},
    "early": {"read at once": 0.0},
    "roofline": [["add 1", 1, 12, 1e-6]],
    "timeline": [["compute", 0.0, 1.0]],
}


@pytest.fixture
def script():
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("record_gpu", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def chapter_that_leaves(figures):
    """A stand-in for the run of the chapter: it writes these figures where the chapter would."""

    def run(number, folder):
        place = folder / "results" / "08_gpu"
        place.mkdir(parents=True)
        (place / "figures.json").write_text(json.dumps(figures), encoding="utf-8")

    return run


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU, and would really be recorded")
@pytest.mark.parametrize("name", ["gpu.py", "speed.py"])
def test_without_a_gpu_it_ends_with_a_sentence_and_writes_nothing(name):
    there = sorted(recorded.FOLDER.glob("*")) if recorded.FOLDER.exists() else None
    result = subprocess.run(
        [sys.executable, SCRIPT.with_name(name)], cwd=PROJECT, capture_output=True, text=True, timeout=60
    )
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.strip().endswith("so there is nothing to record.")
    assert "Traceback" not in result.stderr
    assert (sorted(recorded.FOLDER.glob("*")) if recorded.FOLDER.exists() else None) == there


def test_what_the_chapter_found_is_kept_under_its_label(script, tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(recorded, "this_machine", lambda: "NVIDIA X (cuda), 16 cores")
    monkeypatch.setattr(script, "run_chapter", chapter_that_leaves({**FIGURES, "device": "cuda", "more": 1}))
    path = script.record(folder=tmp_path)
    assert path == tmp_path / "gpu.json"
    kept = recorded.read("gpu", folder=tmp_path)
    assert kept["figures"] == FIGURES
    assert recorded.label(kept).startswith("Recorded on NVIDIA X (cuda), 16 cores, torch ")


@pytest.mark.parametrize(
    ("left", "why"),
    [
        ({**FIGURES, "device": "cpu"}, "ran without CUDA"),
        (FIGURES, "ran without CUDA"),
        ({"device": "cuda:0", **FIGURES, "early": {}, "copies": None}, "found nothing for copies, early; expected"),
    ],
)
def test_a_run_that_is_not_whole_leaves_the_earlier_record(script, left, why, tmp_path, monkeypatch):
    monkeypatch.setattr(recorded, "this_machine", lambda: "NVIDIA X (cuda), 16 cores")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(script, "run_chapter", chapter_that_leaves(left))
    recorded.write("gpu", what="Earlier.", figures=FIGURES, folder=tmp_path)
    with pytest.raises(script.NoRecord, match=why):
        script.record(folder=tmp_path)
    assert recorded.read("gpu", folder=tmp_path)["what"] == "Earlier."


def test_a_chapter_that_fails_is_not_recorded(script, tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(script.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 1))
    with pytest.raises(script.NoRecord, match=r"did not pass on this GPU \(exit status 1\)"):
        script.record(folder=tmp_path / "records")
    assert not (tmp_path / "records").exists()


def test_no_figures_at_all_are_named(script, tmp_path):
    with pytest.raises(script.NoRecord, match=r"figures\.json was not found"):
        script.figures_of(tmp_path)


def test_script_and_chapter_speak_of_the_same_figures(script):
    cells = nbformat.read(PROJECT / "notebooks" / "08_gpu.ipynb", 4).cells
    source = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    assert all(f'here_or_recorded("{key}"' in source for key in script.KEYS)
    assert source.count("here_or_recorded(") == len(script.KEYS) + 1  # and its definition
