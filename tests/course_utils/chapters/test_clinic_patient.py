"""The clinic's broken script: each of its three faults fails its own line of the check, and mended it passes."""

import json
import sys

import pytest
import torch

from course_utils.chapters.clinic import run_script
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
def held(script, data, tmp_path):
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
            words = run_script(path, tmp_path / f"{name}.pt", 0).split()
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


def test_a_script_is_run_as_by_itself_and_leaves_the_kernel_as_it_was(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(
        "import sys, torch\ntorch.manual_seed(7)\nprint(sys.argv[1:], torch.get_num_threads(), __name__)\n"
        "if sys.argv[1] == 'raise':\n    raise ValueError('mended badly')\nsys.exit(3)\n",
        encoding="utf-8",
    )
    state, arguments, threads = torch.get_rng_state(), list(sys.argv), torch.get_num_threads()
    assert run_script(path, "one", 2) == "['one', '2'] 1 __main__\n"
    said = run_script(path, "raise")
    assert said.startswith("['raise'] 1 __main__\nTraceback") and "clinic.py" not in said
    assert said.endswith("ValueError: mended badly\n")
    assert f'File "{path}", line 5' in said
    assert torch.equal(torch.get_rng_state(), state) and sys.argv == arguments
    assert torch.get_num_threads() == threads
