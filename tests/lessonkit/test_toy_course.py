"""A course that is not ours: lessonkit runs, compares, updates, grades, releases it, and imports no course_utils.

The toy (`tests/toy_course`) is copied into a temporary folder, which COURSE_ROOT names. All of it happens in child
processes whose every attempt to import course_utils is refused and written down, those of kernels and judges too.
"""

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
TOY = REPOSITORY / "tests" / "toy_course"
CHAPTERS = ("00_sums", "01_words")
GAP = "...  # your code here"

# Each Python that has this folder on its path imports it as it starts.
FORBID = '''"""Refuses course_utils, and writes down who asked for it."""
import atexit, os, sys, traceback

LOG = os.environ["FORBIDDEN_LOG"]


def note(text):
    with open(LOG, "a", encoding="utf-8") as file:
        file.write(f"{sys.argv}: {text}\\n")


class Refusing:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] == "course_utils":
            note("".join(traceback.format_stack()))
            raise ModuleNotFoundError(f"{name} is forbidden here", name=name)


sys.meta_path.insert(0, Refusing)
atexit.register(lambda: "course_utils" in sys.modules and note("course_utils is loaded at the end"))
'''


class Toy:
    """A copy of the toy course in a folder, and child processes that know no other course."""

    def __init__(self, folder):
        self.folder, self.root, self.home = folder, folder / "course", folder / "home"
        self.log, forbid = folder / "forbidden.log", folder / "forbid"
        shutil.copytree(TOY, self.root, ignore=shutil.ignore_patterns("__pycache__"))
        self.home.mkdir()
        forbid.mkdir()
        (forbid / "sitecustomize.py").write_text(FORBID, encoding="utf-8")
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith("COURSE_") and name != "CI"
        }
        self.env = kept | {
            "COURSE_ROOT": str(self.root),
            "COURSE_HOME": str(self.home),
            "PYTHONPATH": os.pathsep.join(map(str, (forbid, REPOSITORY))),
            "FORBIDDEN_LOG": str(self.log),
            "JUPYTER_DATA_DIR": str(folder / "jupyter"),
            "IPYTHONDIR": str(folder / "ipython"),
            "OMP_NUM_THREADS": "1",
        }

    def notebook(self, name):
        return self.root / "lessons" / f"{name}.ipynb"

    def python(self, *arguments, status=0):
        """What a Python prints that ends with this status."""
        words = [sys.executable, *map(str, arguments)]
        ran = subprocess.run(words, env=self.env, cwd=self.folder, capture_output=True, text=True, timeout=600)
        assert ran.returncode == status, ran.stdout + ran.stderr
        assert not self.log.exists(), self.log.read_text(encoding="utf-8")
        return ran.stdout + (ran.stderr if status else "")

    def course(self, *arguments, status=0):
        """What a command of `course` prints that ends with this status."""
        return self.python("-m", "lessonkit.cli", *arguments, status=status)


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    return Toy(tmp_path_factory.mktemp("toy"))


def answered(path, to, **answers):
    """Write a notebook with `name=text` typed into the stub `name`, or given to the letter's variable `name`."""
    nb = nbformat.read(path, as_version=4)
    for name, text in answers.items():
        [cell] = [one for one in nb.cells if f"ex.{name}.check(" in one.source or f"{name} = None" in one.source]
        cell.source = cell.source.replace(GAP, text).replace(f"{name} = None", f"{name} = {text}")
    to.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nb, to)


def test_what_is_forbidden_is_noticed(tmp_path):
    toy = Toy(tmp_path)
    with pytest.raises(AssertionError, match="course_utils is forbidden here"):
        toy.python("-c", "import course_utils.metrics")
    with pytest.raises(AssertionError, match="find_spec"):
        toy.python("-c", "try:\n    import course_utils\nexcept ImportError:\n    pass")


@pytest.mark.parametrize(
    ("options", "exercises"),
    [
        ([], [{"attempted": 0, "passed": 0, "total": 2}, {"attempted": 0, "passed": 0, "total": 2}]),
        (
            ["--answers", "solved"],
            [{"attempted": 2, "passed": 2, "total": 2}, {"attempted": 2, "passed": 2, "total": 2}],
        ),
        (["--core", "00"], [{"attempted": 0, "passed": 0, "total": 1}]),
    ],
    ids=["untouched", "solved", "core"],
)
def test_it_is_run(toy, options, exercises):
    out = toy.folder / "run"
    toy.course("run", *options, "--out", out)
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    run = CHAPTERS[: len(exercises)]
    assert [(one["name"], one["status"]) for one in report["chapters"]] == [(name, "passed") for name in run]
    assert [one["exercises"] for one in report["chapters"]] == exercises
    assert f"{len(run)} of {len(run)} chapters passed" in (out / "report.html").read_text(encoding="utf-8")


# nbval's kernels get what `course run` gives its own.
COMPARE = """
import os, sys

import pytest

from lessonkit.runner.environment import kernel_environment

os.environ.update(kernel_environment())
sys.exit(pytest.main(sys.argv[1:]))
"""


def test_stored_outputs_are_compared_and_refreshed(toy):
    stored = {name: toy.notebook(name).read_bytes() for name in CHAPTERS}
    compared = ("-c", COMPARE, "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--nbval", "--nbval-current-env")
    assert "passed" in toy.python(*compared, toy.notebook("00_sums"))
    planted = stored["00_sums"].replace(b"total 15", b"total 16")
    assert planted != stored["00_sums"]
    toy.notebook("00_sums").write_bytes(planted)
    assert "total 16" in toy.python(*compared, toy.notebook("00_sums"), status=1)
    said = toy.course("refresh")
    assert "00_sums: written, outputs of 1 cells changed" in said
    assert "01_words: written, outputs of 0 cells changed" in said
    assert {name: toy.notebook(name).read_bytes() for name in CHAPTERS} == stored


def test_its_content_is_checked(toy):
    assert "0 errors" in toy.course("check")
    answers = toy.root / "toybox" / "exercises" / "sums" / "answers.py"
    before = answers.read_text(encoding="utf-8")
    try:
        answers.write_text(before.replace("found.append(whole)", "found.append(number)", 1), encoding="utf-8")
        assert "totals" in toy.course("check", "00", "--exercise", "totals", status=1)
    finally:
        answers.write_text(before, encoding="utf-8")


PREPARE = """
from lessonkit.commands import lab
from lessonkit.desk.folder import Desk, work_folder

lab.prepare(Desk(work_folder()))
assert lab.arrange(Desk(work_folder()))
"""
# A kernel with the environment that JupyterLab gives it, in the folder of the copies.
EXECUTE = """
import sys, tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from lessonkit.commands import lab
from lessonkit.desk.folder import Desk, work_folder

desk = Desk(work_folder())
nb = nbformat.read(desk.copy(sys.argv[1]), as_version=4)
with tempfile.TemporaryDirectory() as config:
    client = NotebookClient(nb, kernel_name="python3", resources={"metadata": {"path": str(desk.work)}})
    client.execute(env=lab.environment(Path(config), desk))
"""


def test_an_answer_survives_an_update_and_its_check_is_noted(tmp_path):
    toy = Toy(tmp_path)
    toy.python("-c", PREPARE)
    work = toy.home / "work"
    start = (work / "START.md").read_text(encoding="utf-8")
    assert "**Begin here: [00 · A total is made one number at a time](00_sums.ipynb)**" in start
    assert "The first exercise is *Exercise: every total on the way*." in start
    assert "glossary" not in start  # the toy has none
    answered(
        work / "01_words.ipynb",
        work / "01_words.ipynb",
        count_words="return {word: text.lower().split().count(word) for word in text.lower().split()}",
        spaces='"b"',
    )
    original = nbformat.read(toy.notebook("01_words"), as_version=4)
    original.cells[3].source += "\n\nA sentence that is new."
    nbformat.write(original, toy.notebook("01_words"))
    assert "01_words: its new version, with 2 answers of yours" in toy.course("update")
    copy = nbformat.read(work / "01_words.ipynb", as_version=4)
    assert any("A sentence that is new." in cell.source for cell in copy.cells)
    assert any("text.lower().split().count(word)" in cell.source for cell in copy.cells)
    assert "is up to date" in toy.course("update")

    assert "Nothing is noted" in toy.course("progress")
    toy.python("-c", EXECUTE, "01_words")
    noted = json.loads(toy.course("progress", "--json"))
    states = {one["name"]: (one["passed"], one["tries"]) for one in noted["chapters"][1]["exercises"]}
    assert states == {"count_words": (True, 1), "two spaces": (False, 1)}
    assert noted["next"] == {"chapter": "00_sums", "exercise": "totals"}
    assert "1 of 2" in toy.course("progress")


def test_submissions_are_released_collected_and_graded(toy):
    released, given = toy.folder / "released", toy.folder / "in"
    toy.course("release", "--to", released)
    assert json.loads((released / "manifest.json").read_text(encoding="utf-8"))["notebooks"].keys() == {
        f"{name}.ipynb" for name in CHAPTERS
    }
    assert "not attempted" not in (released / "00_sums.ipynb").read_text(encoding="utf-8")
    solved = {
        "totals": "return [sum(numbers[: n + 1]) for n in range(len(numbers))]",
        "widest_gap": "return max(abs(a - b) for a, b in zip(numbers, numbers[1:]))",
    }
    answered(released / "00_sums.ipynb", given / "ada" / "00_sums.ipynb", **solved)
    answered(released / "00_sums.ipynb", given / "bob" / "00_sums.ipynb")
    mistake = solved | {"totals": "return sum(numbers)"}
    answered(released / "00_sums.ipynb", given / "cleo" / "00_sums.ipynb", **mistake)
    answered(released / "01_words.ipynb", given / "ada" / "01_words.ipynb", spaces='"b"')
    assert "4 notebooks of 3 learners" in toy.course("collect", given, "--to", toy.folder / "got")
    # A system without isolation grades what is trusted; with one, `--unconfined` changes nothing.
    toy.course("grade", toy.folder / "got", "--out", toy.folder / "grades", "--unconfined")
    with (toy.folder / "grades" / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = [(one["learner"], one["exercise"], one["state"], one["mistake"]) for one in csv.DictReader(file)]
    assert rows == [
        ("ada", "totals", "passed", ""),
        ("ada", "widest_gap", "passed", ""),
        ("ada", "count_words", "not attempted", ""),
        ("ada", "two spaces", "known mistake", "b"),
        ("bob", "totals", "not attempted", ""),
        ("bob", "widest_gap", "not attempted", ""),
        ("cleo", "totals", "known mistake", "the_last_total"),
        ("cleo", "widest_gap", "passed", ""),
    ]


SEEN = """
import json, sys
from pathlib import Path

from lessonkit.system.place import PROJECT
from lessonkit.teach.room.sandbox import isolation
from lessonkit.teach.room.sandbox.visible import make_tree

tree = make_tree(Path(sys.argv[1]))
isolation._shown = lambda tree: {place: place for place in (str(PROJECT), sys.argv[2])}  # as if both were shown
files = sorted(path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file())
print(json.dumps([files, isolation._hidden()]))
"""


def test_a_submission_sees_its_questions_and_nothing_else_of_it(toy):
    files, hidden = json.loads(toy.python("-c", SEEN, toy.folder / "tree", REPOSITORY))
    own = [name for name in files if not name.startswith("lessonkit/")]
    assert own == [
        "course.toml",
        "toybox/__init__.py",
        "toybox/exercises/__init__.py",
        "toybox/exercises/sums/__init__.py",
        "toybox/exercises/sums/questions.py",
        "toybox/exercises/words/__init__.py",
        "toybox/exercises/words/questions.py",
        "toybox/letters/__init__.py",
    ]
    for name in ("the_last_total", "each_spelling_apart", "Three: that is what"):
        assert not any(name in (toy.folder / "tree" / one).read_text(encoding="utf-8") for one in files)
    of_the_course = {str(toy.root / name) for name in ("lessons", "answers", "toybox")}
    assert set(hidden) == of_the_course | {str(REPOSITORY / name) for name in ("lessonkit", "torch_clinic")}


def test_slides_and_an_nbgrader_course_are_made_of_it(toy):
    toy.course("slides", "00", "--further", "--solved", "--out", toy.folder / "slides.html")
    page = (toy.folder / "slides.html").read_text(encoding="utf-8")
    assert "Lists and words · chapter 00" in page and "A total is made one number at a time" in page
    assert "PyTorch" not in page and "CC BY" not in page
    said = toy.course("nbgrader", "--to", toy.folder / "nbgrader")
    assert "00_sums: 3 points (totals 1, widest_gap 2)" in said


def test_this_machine_is_examined(toy):
    said = json.loads(toy.course("doctor", "--json"))
    assert {"ok"} <= {one["state"] for one in said}


def test_a_course_without_data_sets_says_so(toy):
    assert "names no hook `data`" in toy.course("data", "list", status=2)


def test_a_course_that_cannot_be_read_is_refused_in_a_sentence(tmp_path):
    toy = Toy(tmp_path)
    (toy.root / "course.toml").write_text("titel = 1\n", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "lessonkit.cli", "run"], env=toy.env, capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 2
    assert ran.stderr.startswith(f"Refused: {toy.root / 'course.toml'} cannot be used")
    assert "Traceback" not in ran.stderr
