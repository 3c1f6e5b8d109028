"""Nothing in the course runs what a file holds, but in the places listed here, each with its reason."""

import ast
import json
import re
from collections import Counter

import depends
import pytest
import risky
from IPython.core.inputtransformer2 import TransformerManager

from course_utils import PROJECT

PACKAGES = [PROJECT / name for name in depends.PACKAGES]
# (file, function, what it is about) -> (how often, why it may)
ALLOWED = {
    ("course_utils/chapters/multi_gpu/agent.py", "rank", "text as a program"): (
        1,
        "a rank's script, which torchrun would start a Python for",
    ),
    ("course_utils/ranks/pickling.py", "unpack_job", "unpickling"): (
        1,
        "a rank reads what its own parent wrote a moment ago, into a folder that nobody else may enter",
    ),
    ("course_utils/ranks/pickling.py", "_Unpickler", "unpickling"): (1, "the same, and the way back"),
    ("course_utils/ranks/pool.py", "_wait", "unpickling"): (
        1,
        "the parent reads its own ranks' reports, from there",
    ),
    ("lessonkit/teach/room/sandbox/run_answer.py", "Cells._evaluated", "text as a program"): (
        1,
        "runs a submission's cells, in the isolated process that is there for it",
    ),
    ("lessonkit/review/bank.py", "Answer.run", "text as a program"): (
        1,
        "`course check` runs the answers of the bank, which stand in the repository",
    ),
    ("lessonkit/review/exercises.py", "retyped", "text as a program"): (
        1,
        "our own reference, as if typed in a cell",
    ),
    ("lessonkit/review/mutants.py", "mutants", "text as a program"): (1, "our own reference with a fault in it"),
    ("course_utils/exercises/save_load/questions.py", "broken_off", risky.BY_DEFAULT): (
        1,
        "asks whether torch's default opens the learner's own state, written by the same check",
    ),
    ("tools/record/multi_gpu.py", "chapters", "text as a program"): (1, "takes functions from our own chapter 10"),
    ("tools/testing/bundle.py", "main", "an archive unpacked as it comes"): (1, "a bundle of its own"),
}
# (chapter, id of the cell, what it is about) -> why. By default torch.load unpickles nothing, so that is no risk.
TAUGHT = {
    (
        "06_save_load",
        "810b24f1",
        "unpickling",
    ): "shows what an opened file can do: our surprise writes a marker",
    ("06_save_load", "a2667e0a", "unpickling"): "an object of our own whose class has moved: the error is shown",
    ("06_save_load", "204557a0", "unpickling"): "rescues the weights from that file",
    (
        "06_save_load",
        "fc3c9618",
        "unpickling",
    ): "an old file of one's own; the cell says what it could do",
    ("11_allreduce", "recorder", "unpickling"): "torch's own flight recorder, which hands out its dump in this way",
}
# What writes a file in place or renames one, and not by `lessonkit.system.atomic` -> why a power cut may tear it.
IN_PLACE = {
    "course_utils/chapters/multi_gpu/torchrun.py": "logs of processes, below a temporary folder",
    "course_utils/checkpoints/file_format.py": "opens a checkpoint to read and lock it",
    "course_utils/data/archive.py": "all files under other names until they are on the disk: replayed",
    "course_utils/exercises/save_load/answers.py": "answers of learners, wrong ones among them",
    "course_utils/exercises/save_load/questions.py": "damages a file on purpose",
    "course_utils/ranks/members.py": "logs of ranks, below a temporary folder",
    "course_utils/ranks/pool.py": "a job for ranks, below a temporary folder",
    "course_utils/ranks/worker.py": "what ranks say and return, below a temporary folder",
    "lessonkit/desk/lab_settings.py": "settings below a temporary folder, made for each start",
    "lessonkit/desk/storage.py": "moves a folder or a link out of a copy's place; what it writes, atomic writes",
    "lessonkit/progress/database.py": "renames a damaged file with its log, nothing of which is to be read",
    "lessonkit/runner/worker.py": "opens a pipe",
    "lessonkit/system/atomic.py": "is what all others call: replayed",
    "lessonkit/system/fork_server.py": "opens pipes",
    "lessonkit/teach/room/moodle.py": "a ZIP in memory, which the gradebook hands to atomic",
    "lessonkit/system/scratch.py": "locks and moves temporary folders",
    "lessonkit/teach/bundle/build.py": "in a folder beside its place, synced and renamed whole: replayed",
    "lessonkit/teach/bundle/install.py": "a marker that an installation is whole; without it, it is made again",
    "lessonkit/teach/bundle/start.py": "the same",
    "lessonkit/teach/bundle/starters.py": "in the folder that build.py publishes whole",
    "lessonkit/teach/bundle/wheels.py": "in a temporary folder; a wheel is compared with its sum before it is used",
    "lessonkit/teach/room/gather.py": "unpacks below a temporary folder",
    "lessonkit/teach/room/sandbox/launcher.py": "settings of the kernel's own below /proc",
    "lessonkit/teach/room/sandbox/child.py": "opens pipes",
    "lessonkit/teach/room/sandbox/visible.py": "what an isolated process sees of the course, in a temporary folder",
}
# What makes elements or programs of text in a browser.
MAKERS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|setAttribute\(\"on"
)


@pytest.fixture(scope="module")
def cells():
    """(chapter, id of the cell) -> its text as plain Python."""
    found = {}
    for path in sorted((PROJECT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                source = "".join(cell["source"])
                likely = risky.LIKELY.search(source)
                found[path.stem, cell["id"]] = TransformerManager().transform_cell(source) if likely else ""
    return found


def test_no_program_runs_what_a_file_holds_but_where_it_is_listed(fault):
    seen = Counter()
    with fault("programs read for calls that run data", goal=len(risky.PROGRAMS)) as row:
        for name, path in risky.PROGRAMS.items():
            with row.case(name):
                here = risky.found(path.read_text(encoding="utf-8"), name)
                for (function, what), count in here.items():
                    seen[name, function, what] = count
                    allowed, _ = ALLOWED.get((name, function, what), (0, ""))
                    assert count <= allowed, f"{function or 'the module'}: {what}, which is not listed in this test"
    unused = {place for place, (count, why) in ALLOWED.items() if seen[place] < count or not why}
    assert unused == set(), "allowed and not used any more: take it out of the list"


def test_what_the_course_keeps_is_written_by_atomic_or_listed_here():
    packages = tuple(f"{package.name}/" for package in PACKAGES)
    seen = {
        name
        for name, path in risky.PROGRAMS.items()
        if name.startswith(packages) and risky.written(path.read_text(encoding="utf-8"))
    }
    assert seen - set(IN_PLACE) == set(), "call lessonkit.system.atomic, or say in this test why not"
    assert set(IN_PLACE) - seen == set(), "listed and not needed any more: take it out of the list"
    assert risky.written("open(path, 'w')") and risky.written("path.open(mode='r+b')")
    assert risky.written("part.replace(path)") and risky.written("path.write_text(text)")
    assert not risky.written("open(path)\ntext.replace('a', 'b')\natomic.write(path, data)")


def test_a_chapter_unpickles_only_where_it_shows_why(fault, cells):
    seen = set()
    with fault("cells read for calls that run data", goal=len(cells)) as row:
        for (chapter, cell), source in cells.items():
            with row.case(f"{chapter}, cell {cell}"):
                here = {(chapter, cell, what) for _, what in risky.found(source) if what != risky.BY_DEFAULT}
                seen |= here
                assert here <= set(TAUGHT), f"{here - set(TAUGHT)}: not listed in this test"
    assert set(TAUGHT) == seen, "allowed and not used any more: take it out of the list"


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("import pickle\npickle.loads(x)", "unpickling"),
        ("from pickle import loads as take\ntake(x)", "unpickling"),
        ("import cloudpickle as c\nc.load(f)", "unpickling"),
        ("import pickle\nclass Mine(pickle.Unpickler): pass", "unpickling"),
        ("import torch\ntorch.load(p, weights_only=False)", "unpickling"),
        ("import torch\ntorch.load(p, weights_only=choice)", risky.BY_DEFAULT),
        ("import torch as t\nt.load(p)", risky.BY_DEFAULT),
        ("import numpy as np\nnp.load(p, allow_pickle=True)", "unpickling"),
        ("import numpy as np\nnp.load(p, allow_pickle=asked)", "unpickling"),
        ("import marshal\nmarshal.loads(b)", "unpickling"),
        ("import shelve\nshelve.open('x')", "unpickling"),
        ("import joblib\njoblib.load(p)", "unpickling"),
        ("eval(text)", "text as a program"),
        ("def f():\n    exec(text, space)", "text as a program"),
        ("import yaml\nyaml.load(text)", "yaml that makes objects"),
        ("import yaml\nyaml.load(text, Loader=yaml.Loader)", "yaml that makes objects"),
        ("import subprocess\nsubprocess.run(line, shell=True)", "a shell"),
        ("import os\nos.system(line)", "a shell"),
        ("from tempfile import mktemp\nmktemp()", "a name that another may take first"),
        ("import zipfile\nwith zipfile.ZipFile(p) as z:\n    z.extractall(to)", "an archive unpacked as it comes"),
        ("archive.extract(member, to)", "an archive unpacked as it comes"),
        ("import shutil\nshutil.unpack_archive(p)", "an archive unpacked as it comes"),
    ],
)
def test_a_risky_call_is_seen(source, what):
    assert [kind for _, kind in risky.found(source)] == [what]


@pytest.mark.parametrize(
    "source",
    [
        "import torch\ntorch.load(p, weights_only=True)",
        "import numpy as np\nnp.load(p)\nnp.load(p, allow_pickle=False)",
        "import yaml\nyaml.safe_load(t)\nyaml.load(t, Loader=yaml.SafeLoader)",
        "import subprocess\nsubprocess.run([a, b])\nsubprocess.run([a], shell=False)",
        "tar.extractall(to, filter='data')",
        "model.eval()\nre.compile(x)\njson.load(f)",
    ],
)
def test_its_harmless_kin_is_let_through(source):
    assert risky.found(source) == Counter()


def test_every_page_that_is_filled_in_escapes_what_it_is_given():
    made = 0
    for name, path in risky.PROGRAMS.items():
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "Environment(" in text else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Environment"):
                given = {word.arg: ast.unparse(word.value) for word in node.keywords}
                if "loader" in given:
                    made += 1
                    assert given.get("autoescape") == "True", f"{name}, line {node.lineno}"
    assert made >= 1  # system/templates.py, for all pages
    pages = [path for package in PACKAGES for path in package.rglob("*.j2")]
    assert pages
    for path in pages:
        safe = set(re.findall(r"(\w+)\s*\|\s*safe\b", path.read_text(encoding="utf-8")))
        # `words` escapes, and then marks what stands between backticks as code: verdict_html.py.
        assert safe <= {"words"}, f"{path.name}: `safe` is not escaped"


def test_no_script_of_ours_makes_elements_or_programs_of_text():
    scripts = [path for folder in (*PACKAGES, PROJECT / "web") for path in folder.rglob("*.js")]
    ours = [path for path in scripts if "reveal" not in path.parts]  # that is published, with its sums beside it
    assert len(ours) >= 5
    for path in ours:
        text = path.read_text(encoding="utf-8")
        assert MAKERS.findall(text) == [], path.name
