"""The shape of the packages: imports follow the arrows, and `import course_utils` costs nothing."""

import ast
import subprocess
import sys
from collections import Counter
from graphlib import TopologicalSorter

import pytest
from depends import PACKAGES

from course_utils import PROJECT
from lessonkit.notebook.catalog import find
from lessonkit.notebook.reader import load
from lessonkit.review.anatomy import imported, syntax_trees

# Every arrow between rooms: what stands on the left may import the rooms on the right, and nothing else of ours.
# A room is a folder of a package or a module at its top; lessonkit.teach has rooms of its own.
ARROWS = {
    # notebooks import course_utils, which uses the judge and the ground of the engine
    "course_utils.seed course_utils.device course_utils.metrics course_utils.plotting": "",
    "course_utils.progress_bar": "",
    "course_utils.machine": "course_utils.device lessonkit.system",
    "course_utils.checkpoints course_utils.ranks": "lessonkit.system",
    "course_utils.data": "course_utils.progress_bar lessonkit.system",
    "course_utils.datasets": "course_utils.data lessonkit.system",
    "course_utils.checkpoint": "course_utils.checkpoints lessonkit.system",
    "course_utils.pictures": "lessonkit.system",
    "course_utils.launch": "course_utils.ranks",
    "course_utils.recorded": "course_utils.machine lessonkit.system",
    "course_utils.training": "course_utils.metrics course_utils.progress_bar",
    "course_utils.exercises": "lessonkit.checks",
    "course_utils.chapters": "course_utils.datasets course_utils.machine course_utils.plotting course_utils.ranks "
    "lessonkit.checks lessonkit.system torch_clinic",
    # the engine, which knows no course
    "lessonkit.system": "",
    "lessonkit.checks": "lessonkit.system",
    "lessonkit.notebook": "lessonkit.checks lessonkit.system",
    "lessonkit.desk lessonkit.doctor lessonkit.runner": "lessonkit.notebook lessonkit.system",
    "lessonkit.review": "lessonkit.checks lessonkit.notebook lessonkit.system",
    "lessonkit.progress": "lessonkit.checks lessonkit.desk lessonkit.notebook lessonkit.system",
    "lessonkit.reporting": "lessonkit.checks lessonkit.desk lessonkit.progress lessonkit.system",
    "lessonkit.commands": "lessonkit.desk lessonkit.doctor lessonkit.notebook lessonkit.progress "
    "lessonkit.reporting lessonkit.review lessonkit.runner lessonkit.system torch_clinic",
    "lessonkit.cli": "lessonkit.system",
    # what an instructor uses
    "teach.room": "lessonkit.checks lessonkit.desk lessonkit.notebook lessonkit.system teach.slides",
    "teach.assignments": "lessonkit.checks lessonkit.desk lessonkit.notebook lessonkit.system teach.room",
    "teach.slides": "lessonkit.notebook lessonkit.system",
    "teach.bundle": "lessonkit.notebook lessonkit.system teach.room",
    "teach.classroom": "lessonkit.checks lessonkit.notebook lessonkit.progress lessonkit.reporting "
    "lessonkit.system",
    "teach.commands": "lessonkit.commands lessonkit.notebook lessonkit.progress lessonkit.reporting "
    "lessonkit.system teach.assignments teach.bundle teach.classroom teach.room teach.slides",
    "torch_clinic": "",
}
ALLOWED = {room: set(to.split()) for rooms, to in ARROWS.items() for room in rooms.split()}
# Rooms that run notebooks or talk to people may use any library. The others use torch's family and what is listed.
SHELL = {"lessonkit.notebook", "lessonkit.runner", "lessonkit.review", "lessonkit.commands", "lessonkit.cli"}
SHELL |= {"teach.room", "teach.bundle", "teach.slides", "teach.commands"}
FAMILY = {"torch", "torchvision", "numpy", "PIL"}
LIBRARIES = {
    "lessonkit.system": "jinja2 psutil",
    "lessonkit.doctor": "psutil soundfile",
    "lessonkit.desk": "filelock jupyter_core nbformat",
    "lessonkit.progress": "filelock jupyterlab_server",
    "lessonkit.reporting": "",
    "teach.classroom": "psutil tornado",
    "teach.assignments": "nbformat",
    "course_utils.device": "psutil",
    "course_utils.plotting": "matplotlib",
    "course_utils.progress_bar": "tqdm",
    "course_utils.data": "filelock requests",
    "course_utils.ranks": "cloudpickle psutil",
    "course_utils.chapters": "ipykernel matplotlib psutil pynvml",
}
MADE_OF = {room: set(names.split()) for room, names in LIBRARIES.items()}
WITHOUT_TORCH = {"lessonkit.system", "lessonkit.desk", "lessonkit.progress", "lessonkit.reporting", "torch_clinic"}
WITHOUT_TORCH |= {"lessonkit.doctor", "teach.classroom", "teach.assignments"}


def room_of(module):
    """The room of a module, as `lessonkit.checks` or `teach.room`."""
    parts = module.split(".")
    if parts[0] == "torch_clinic":
        return "torch_clinic"
    if parts[:2] == ["lessonkit", "teach"]:
        return ".".join(parts[1:3])
    return ".".join(parts[:2])


def imports(source):
    """(rooms of ours, top-level names of others) that a source imports, inside functions too."""
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
            top = name.partition(".")[0]
            if top in PACKAGES:
                ours.add(room_of(name))
            elif top not in sys.stdlib_module_names:
                others.add(top)
    return ours, others


def against_the_arrows(module, source):
    """What a module (`lessonkit.checks.judge`) imports that its room may not, each as a sentence."""
    room = room_of(module)
    ours, others = imports(source)
    allowed = ALLOWED.get(room, set())
    wrong = {
        name: f"arrows lead only to {sorted(allowed)}" for name in ours - allowed - {room, "course_utils.PROJECT"}
    }
    if room not in SHELL:
        made_of = MADE_OF.get(room, set()) | (set() if room in WITHOUT_TORCH else FAMILY)
        wrong |= {name: f"only {sorted(made_of)} are used here" for name in others - made_of}
    return [f"{module} imports {name}: {why}" for name, why in sorted(wrong.items())]


PATHS = sorted(
    path for package in PACKAGES for path in (PROJECT / package).rglob("*.py") if "content" not in path.parts
)
NAMES = [".".join(path.relative_to(PROJECT).with_suffix("").parts) for path in PATHS]


@pytest.mark.parametrize(("name", "path"), list(zip(NAMES, PATHS, strict=True)), ids=NAMES)
def test_a_module_follows_the_arrows(name, path):
    source = path.read_text(encoding="utf-8")
    assert against_the_arrows(name.removesuffix(".__init__"), source) == []
    assert "import *" not in source
    # A chapter's package puts questions and answers together; every other `__init__` does nothing.
    if path.name == "__init__.py" and not name.startswith("course_utils.exercises."):
        assert imports(source) == (set(), set()), "an __init__ that re-exports"


@pytest.mark.parametrize(
    ("module", "source", "complaint"),
    [
        ("course_utils.metrics", "import matplotlib.pyplot as plt", "course_utils.metrics imports matplotlib"),
        ("course_utils.seed", "from course_utils import datasets", "imports course_utils.datasets"),
        (
            "course_utils.training",
            "def fit():\n    from course_utils.plotting import curves",
            "course_utils.plotting",
        ),
        ("course_utils.datasets", "from lessonkit.notebook.catalog import find", "imports lessonkit.notebook"),
        ("course_utils.exercises.nets.answers", "from lessonkit.teach.room import rows", "imports teach.room"),
        ("course_utils.exercises.nets.answers", "import matplotlib", "imports matplotlib"),
        ("course_utils.data.download", "import rich.progress", "course_utils.data.download imports rich"),
        ("lessonkit.checks.exercise", "import course_utils.exercises.nets", "imports course_utils.exercises"),
        ("lessonkit.checks.exercise", "from lessonkit.progress.listener import X", "imports lessonkit.progress"),
        ("lessonkit.runner.run", "from course_utils import machine", "imports course_utils.machine"),
        (
            "lessonkit.progress.listener",
            "from lessonkit.teach.classroom import state_file",
            "imports teach.classroom",
        ),
        ("lessonkit.desk.copies", "import torch", "lessonkit.desk.copies imports torch"),
        ("lessonkit.teach.slides.deck", "from lessonkit.teach.room import grades_page", "imports teach.room"),
        ("torch_clinic.cases", "from lessonkit.checks.verdict import Note", "imports lessonkit.checks"),
        ("torch_clinic.cases", "import torch", "torch_clinic.cases imports torch"),
    ],
)
def test_an_import_against_the_arrows_is_seen(module, source, complaint):
    assert complaint in " ".join(against_the_arrows(module, source))


def test_imports_along_the_arrows_are_let_through():
    training = "import json\nimport torch\nfrom course_utils.metrics import Mean"
    assert against_the_arrows("course_utils.training", training) == []
    assert against_the_arrows("lessonkit.cli", "import click\nfrom lessonkit.system import disk") == []
    assert against_the_arrows("course_utils.exercises.nets", "from lessonkit.checks.exercise import Exercise") == []
    assert against_the_arrows("course_utils.data.idx", "from course_utils.data.errors import DataError") == []


def test_the_arrows_form_no_circle_and_every_room_has_its_row():
    rooms = {room_of(name) for name in NAMES} - {"course_utils.__init__", "lessonkit.__init__", "teach.__init__"}
    assert set(TopologicalSorter(ALLOWED).static_order()) == rooms


def test_no_arrow_leads_from_the_engine_or_the_clinic_to_the_course_or_from_the_engine_to_the_instructor():
    for room, allowed in ALLOWED.items():
        if room.startswith(("lessonkit.", "teach.", "torch_clinic")):
            assert not [one for one in allowed if one.startswith("course_utils")], room
        if room.startswith(("lessonkit.", "course_utils.")):
            assert not [one for one in allowed if one.startswith("teach.")], room
        if room.startswith("course_utils."):
            engine = {one for one in allowed if one.startswith("lessonkit.")}
            assert engine <= {"lessonkit.checks", "lessonkit.system"}, room


def test_the_top_shows_what_a_learner_imports_and_each_folder_says_what_it_holds():
    entries = [path for path in (PROJECT / "course_utils").iterdir() if path.name not in ("__pycache__", "content")]
    assert len(entries) <= 18, sorted(path.name for path in entries)
    for package in PACKAGES:
        for room in [path for path in (PROJECT / package).rglob("*") if path.is_dir() and list(path.glob("*.py"))]:
            assert ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))), room


def test_a_module_at_the_top_serves_two_chapters():
    """What one chapter alone uses stands in course_utils/chapters/."""
    faces = {path.stem for path in (PROJECT / "course_utils").glob("[!_]*.py")}
    cells = [set(modules(load(chapter.path))) for chapter in find()]
    lonely = {face for face in faces if sum(f"course_utils.{face}" in found for found in cells) < 2}
    assert not lonely, "the place of these is course_utils/chapters/"


def modules(book):
    return (name for tree in syntax_trees(book) for name in imported(tree, "course_utils"))


@pytest.mark.parametrize("folder", ["scripts", "tests", "tools"])
def test_no_folder_of_programs_is_a_package(folder):
    assert not (PROJECT / folder / "__init__.py").exists()


def test_importing_the_package_imports_nothing_else():
    program = "import sys, course_utils; print([m for m in ('torch', 'numpy', 'lessonkit') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_a_kernel_that_imports_an_exercise_loads_no_module_of_the_instructor():
    program = (
        "import sys\nfrom course_utils.exercises import tensors as ex\nex.survives.check(None)\n"
        "print([m for m in sys.modules if m.startswith('lessonkit.teach.') or m == 'lessonkit.teach'])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_no_two_test_files_have_one_name():
    """Without packages among the tests, pytest imports each by its name alone and refuses the second."""
    names = Counter(path.name for path in (PROJECT / "tests").rglob("test_*.py"))
    assert [name for name, number in names.items() if number > 1] == []
