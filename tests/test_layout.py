"""The shape of the package: imports follow the arrows, modules stay short, `import course_utils` costs nothing."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter

import pytest

from course_utils import PROJECT

MOST_LINES = 170

# Every arrow between rooms: what stands on the left may import the rooms on the right, and nothing else of ours.
# A room is a folder of course_utils or, at its top, a module.
ARROWS = {
    "system seed device metrics plotting": "",  # the ground
    "checks": "system",
    "machine": "device",
    "data checkpoints ranks": "system",
    "exercises": "checks classroom progress",
    "notebook": "checks system",
    "desk": "notebook system",
    "progress": "checks desk notebook system",
    "classroom": "checks desk notebook progress system",
    "datasets": "data system",
    "checkpoint": "checkpoints machine",
    "launch": "ranks system",
    "recorded": "machine system",
    "training": "metrics system",
    "doctor": "datasets machine notebook system",
    "chapters": "checkpoint checks machine plotting system",
    "runner": "datasets device machine notebook system",
    "room": "checks desk machine notebook system",
    "assignments": "checks desk notebook room system",
    "slides": "notebook system",
    "bundle": "data notebook room system",
    "commands": "assignments bundle classroom datasets desk doctor notebook progress room runner slides system",
    "cli": "commands notebook system",
}
ALLOWED = {room: set(to.split()) for rooms, to in ARROWS.items() for room in rooms.split()}
# The outer shell runs notebooks and talks to people: it may use any library. The rest: torch's family, and what a
# room is made of.
SHELL = {"notebook", "doctor", "runner", "room", "bundle", "slides", "commands", "cli"}
FAMILY = {"torch", "torchvision", "numpy", "PIL"}
LIBRARIES = {
    "system": "jinja2 psutil tqdm",
    "device": "psutil",
    "plotting": "matplotlib",
    "data": "filelock pooch requests",
    "ranks": "cloudpickle psutil",
    "desk": "filelock jupyter_core nbformat",
    "progress": "filelock jupyterlab_server",
    "classroom": "psutil tornado",
    "chapters": "matplotlib pynvml torch_clinic",
    "assignments": "nbformat",
}
MADE_OF = {room: set(names.split()) for rooms, names in LIBRARIES.items() for room in rooms.split()}


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
    """What a module (`metrics`, `exercises.training`) imports that its room may not, each as a sentence."""
    room = module.split(".")[0]
    ours, others = imports(source)
    allowed = ALLOWED.get(room, set())
    strange = ours - allowed - {room, "HOME", "INSTALLED", "PROJECT"}
    wrong = {name: f"arrows lead only to {sorted(allowed)}" for name in strange}
    if room not in SHELL:
        made_of = FAMILY | MADE_OF.get(room, set())
        wrong |= {name: f"only {sorted(made_of)} are used here" for name in others - made_of}
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
    # Whoever imports a question has the listener that notes progress; every other `__init__` does nothing.
    if path.name == "__init__.py" and name != "exercises.__init__":
        assert imports(source) == (set(), set()), "an __init__ that re-exports"


@pytest.mark.parametrize(
    ("module", "source", "complaint"),
    [
        ("metrics", "import matplotlib.pyplot as plt", "metrics imports matplotlib"),
        ("seed", "from course_utils import datasets", "seed imports datasets"),
        ("training", "def fit():\n    from course_utils.plotting import curves", "training imports plotting"),
        ("datasets", "from lessonkit.cli import main", "datasets imports cli"),
        ("checks.exercise", "import course_utils.exercises.training", "checks.exercise imports exercises"),
        ("exercises.training", "from course_utils import plotting", "exercises.training imports plotting"),
        ("exercises.training", "import matplotlib", "exercises.training imports matplotlib"),
        ("data.download", "import rich.progress", "data.download imports rich"),
        ("data.download", "from course_utils import datasets", "data.download imports datasets"),
    ],
)
def test_an_import_against_the_arrows_is_seen(module, source, complaint):
    assert complaint in " ".join(against_the_arrows(module, source))


def test_imports_along_the_arrows_are_let_through():
    assert against_the_arrows("training", "import json\nimport torch\nfrom course_utils.metrics import Mean") == []
    assert against_the_arrows("cli", "import click\nfrom lessonkit.commands import lab") == []
    assert against_the_arrows("exercises.training", "from lessonkit.checks.exercise import Exercise") == []
    assert against_the_arrows("data.idx", "from course_utils.data.errors import DataError") == []


def test_the_arrows_form_no_circle_and_every_room_has_its_row():
    assert set(TopologicalSorter(ALLOWED).static_order()) == {name.split(".")[0] for name in NAMES} - {"__init__"}


def test_the_top_shows_what_a_learner_imports_and_each_folder_says_what_it_holds():
    top = [path for path in PATHS if path.parent == PROJECT / "course_utils"]
    assert len(top) <= 13
    rooms = [path for path in (PROJECT / "course_utils").rglob("*") if path.is_dir() and list(path.glob("*.py"))]
    for room in rooms:
        assert ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))), room


@pytest.mark.parametrize("folder", ["scripts", "tests", "tools"])
def test_no_folder_of_programs_is_a_package(folder):
    assert not (PROJECT / folder / "__init__.py").exists()


def test_importing_the_package_imports_nothing_else():
    program = "import sys, course_utils; print([m for m in ('torch', 'numpy', 'matplotlib') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
