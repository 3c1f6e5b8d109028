"""The clinic's broken script: each of its three faults fails its own line of the check, and mended it passes."""

import json
import runpy
import sys

import pytest
import torch

from course_utils.datasets import load

MENDS = {
    "leak": [
        ("train = torch.randperm(len(labels))[500:]", "order = torch.randperm(len(labels))"),
        ("val = torch.randperm(len(labels))[:500]", "train, val = order[500:], order[:500]"),
    ],
    "softmax": [(", nn.Softmax(dim=1))", ")")],
    "mean": [("total / len(val)", "total / len(val.split(50))")],
}


@pytest.fixture(scope="module")
def script(project):
    book = json.loads((project / "notebooks" / "12_clinic.ipynb").read_text(encoding="utf-8"))
    sources = ["".join(cell["source"]) for cell in book["cells"]]
    (source,) = [one for one in sources if one.startswith("%%writefile") and "patient.py" in one.split("\n")[0]]
    return source.partition("\n")[2]


@pytest.fixture(scope="module")
def data():
    digits = load("mnist", split="train")
    lots = torch.randint(10, (2000,), generator=torch.Generator().manual_seed(0))
    pictures = digits.images[:2000].flatten(1) / 255
    return {"real": (pictures, digits.targets[:2000]), "lots": (pictures, lots)}


@pytest.fixture
def held(script, data, tmp_path, monkeypatch, capsys):
    """held("leak", …): which of the check's three lines hold where these faults are left in."""

    def run(*left):
        source = script
        for name, changes in MENDS.items():
            for old, new in changes if name not in left else ():
                assert source.count(old) == 1
                source = source.replace(old, new)
        path = tmp_path / "patient.py"
        path.write_text(source, encoding="utf-8")
        said = {}
        for name, tensors in data.items():
            torch.save(tensors, tmp_path / f"{name}.pt")
            monkeypatch.setattr(sys, "argv", [str(path), str(tmp_path / f"{name}.pt"), "0"])
            with torch.random.fork_rng():
                runpy.run_path(str(path), run_name="__main__")
            words = capsys.readouterr().out.split()
            assert words[::2] == ["accuracy", "loss"]
            said[name] = float(words[1]), float(words[3])
        (accuracy, loss), (by_chance, _) = said["real"], said["lots"]
        return accuracy >= 0.85, 0.1 <= loss <= 0.8, by_chance <= 0.2

    return run


def test_mended_it_passes(held):
    assert held() == (True, True, True)


def test_with_all_faults_it_looks_good_and_fails(held):
    assert held(*MENDS) == (True, False, False)


@pytest.mark.parametrize(
    ("fault", "fails"), [("leak", 2), ("softmax", 1), ("mean", 1)], ids=["leak", "softmax", "mean"]
)
def test_each_fault_alone_fails_its_line(held, fault, fails):
    assert not held(fault)[fails]


def test_the_notebook_asks_the_same_three_things(project):
    book = json.loads((project / "notebooks" / "12_clinic.ipynb").read_text(encoding="utf-8"))
    sources = "\n".join("".join(cell["source"]) for cell in book["cells"])
    for line in ("accuracy >= 0.85", "0.1 <= loss <= 0.8", "by_chance <= 0.2"):
        assert line in sources
