"""The shape of the package: imports follow the arrows, modules stay short, `import course_utils` costs nothing."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
MOST_LINES = 170

# Leaves: all that each may import besides the standard library, from the package and from outside.
LEAVES = {
    "seed": {"torch", "numpy"},
    "device": {"torch", "psutil"},
    "metrics": {"torch"},
    "machine": {"torch"},
    "idx": set(),
    "limits": set(),
    "timelimit": set(),
    "progress": {"tqdm"},
    "atomic": set(),
    "seal": set(),
    "rng": {"torch", "numpy"},
    "foreign": {"torch"},
    "container": {"torch", "atomic", "foreign", "seal"},
    "fitting": {"torch"},
    "loading": {"torch", "rng", "container", "fitting"},
    "listing": {"container"},
    "checkpoint": {"torch", "container", "listing", "fitting", "loading", "rng"},
    "gpus": {"pynvml"},
    "training": {"torch", "metrics", "progress"},
    "plotting": {"torch", "numpy", "matplotlib"},
    "memory_view": {"torch", "matplotlib", "plotting"},
    "processes": {"psutil"},
    "orphans": {"psutil", "processes"},
    "parcel": {"torch"},
    "stacks": set(),
    "rank": {"torch", "psutil", "orphans", "parcel"},
    "launch": {"torch", "orphans", "parcel", "processes", "stacks"},
    "torchrun": {"orphans", "processes"},
    "hvd": {"torch"},
    "collectives": {"torch"},
    "traffic": {"torch"},
    "agreement": {"torch"},
    "segment": {"torch"},
    "windows": {"torch"},
    "barrier": {"machine"},
    "shared_memory": {"torch", "barrier", "collectives", "segment", "windows"},
    "cost_model": {"torch"},
    "own_ddp": {"torch"},
    "cases": set(),
    "pasted": set(),
    "plain": {"torch"},
}
# The outer shell, which runs notebooks and talks to people: it may import anything, only the shell imports it.
SHELL = {"cli", "lab", "doctor", "facts", "refresh", "order", "series", "child", "chapter", "catalog"}
SHELL |= {"report", "page", "display", "outcome", "solutions", "kernel", "tidy", "data_commands"}
# Between the two (data sets, exercises): anything but the shell, and of other people's packages only these.
BETWEEN = {"torch", "torchvision", "numpy", "PIL", "filelock", "tqdm"}


def imports(source, package="course_utils"):
    """(modules of this package, top-level names of others) that a source imports, inside functions too."""
    ours, others = set(), set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import; write the full name"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            top, _, rest = name.partition(".")
            if top == package:
                ours.add(rest.split(".")[0])
            elif top not in sys.stdlib_module_names:
                others.add(top)
    return ours, others


def against_the_arrows(module, source):
    """What a module (`metrics`, `exercises.training`) imports that it may not, each as a sentence."""
    ours, others = imports(source)
    if module in LEAVES:
        wrong = (ours | others) - LEAVES[module]
        return [f"{module} imports {name}: a leaf may import {sorted(LEAVES[module])}" for name in sorted(wrong)]
    if module in SHELL:
        return []
    wrong = {name: "only the shell imports the shell" for name in ours & SHELL}
    wrong |= {name: f"only {sorted(BETWEEN)} are used here" for name in others - BETWEEN}
    if "exercises" in ours:
        wrong["exercises"] = "exercises are for notebooks"
    if module.startswith("exercises.") and "plotting" in ours:
        wrong["plotting"] = "an exercise never draws"
    return [f"{module} imports {name}: {why}" for name, why in sorted(wrong.items())]


PATHS = sorted((PROJECT / "course_utils").rglob("*.py"))
NAMES = [".".join(path.relative_to(PROJECT / "course_utils").with_suffix("").parts) for path in PATHS]


@pytest.mark.parametrize(("name", "path"), list(zip(NAMES, PATHS, strict=True)), ids=NAMES)
def test_a_module_follows_the_arrows_and_can_be_read_in_one_sitting(name, path):
    source = path.read_text(encoding="utf-8")
    assert against_the_arrows(name, source) == []
    if not name.startswith("exercises."):  # an exercise file grows with its chapter's questions
        assert len(source.splitlines()) <= MOST_LINES
    assert "import *" not in source
    if path.name == "__init__.py":
        assert imports(source) == (set(), set()), "an __init__ that re-exports"


@pytest.mark.parametrize(
    ("module", "source", "complaint"),
    [
        ("metrics", "import matplotlib.pyplot as plt", "metrics imports matplotlib"),
        ("seed", "from course_utils import datasets", "seed imports datasets"),
        ("training", "def fit():\n    from course_utils.plotting import curves", "training imports plotting"),
        ("datasets", "from course_utils.cli import main", "datasets imports cli"),
        ("exercise", "import course_utils.exercises.training", "exercise imports exercises"),
        ("exercises.training", "from course_utils import plotting", "an exercise never draws"),
        ("exercises.training", "import matplotlib", "exercises.training imports matplotlib"),
        ("download", "import rich.progress", "download imports rich"),
    ],
)
def test_an_import_against_the_arrows_is_seen(module, source, complaint):
    assert complaint in " ".join(against_the_arrows(module, source))


def test_imports_along_the_arrows_are_let_through():
    assert against_the_arrows("training", "import json\nimport torch\nfrom course_utils.metrics import Mean") == []
    assert against_the_arrows("cli", "from course_utils import doctor, series") == []
    assert against_the_arrows("exercises.training", "from course_utils import metrics, exercise") == []


@pytest.mark.parametrize("folder", ["scripts", "tests"])
def test_no_folder_of_programs_is_a_package(folder):
    assert not (PROJECT / folder / "__init__.py").exists()


def test_importing_the_package_imports_nothing_else():
    program = "import sys, course_utils; print([m for m in ('torch', 'numpy', 'matplotlib') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
