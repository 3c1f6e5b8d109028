"""Makes the submissions of a room: solved, untouched and wrong notebooks, hostile ones, the tricks of cheats.py.

    python …/room/submissions.py FOLDER             the 40 of a room, and what is to become of each
    python …/room/submissions.py FOLDER --tricks    each trick as a submission of its own
    course grade FOLDER/in --out FOLDER/out
    python …/room/submissions.py FOLDER --compare   which rows are not as they should be

Each hostile one is bounded, and knows no folder but a throw-away one (`FOLDER/harm`), so that an isolation that
fails harms nothing else. `FOLDER/in` is what is handed in; `FOLDER/expected.json` says what its rows should be.
"""

import argparse
import copy
import importlib
import inspect
import json
import re
import sys
import textwrap
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).parents[2] / "checks"))

import cheats

from course_utils.exercises import nets, start_here, tensors, training
from lessonkit.desk.matching import names as tasks_in
from lessonkit.notebook.catalog import find
from lessonkit.notebook.solutions import solve

CHAPTERS = {chapter.name: chapter for chapter in find()}
FIRST = "00_start_here"
SOLVED = ["00_start_here", "00_start_here", "01_tensors", "01_tensors", "02_autograd", "03_datasets", "04_nets"]
SOLVED += ["05_training", "06_save_load", "11_allreduce"]
UNTOUCHED = ["00_start_here", "01_tensors", "05_training", "07_finetune", "12_clinic"]
# (chapter, mistake): the learner made it, and all else is right
WRONG = [
    (FIRST, start_here.answers.over_everything),
    (FIRST, start_here.answers.over_everything),
    (FIRST, start_here.answers.summed),
    (FIRST, start_here.answers.as_in_python),
    (FIRST, start_here.answers.in_bytes),
    ("01_tensors", tensors.answers.within_range),
    ("01_tensors", tensors.answers.sums_only),
    ("04_nets", nets.answers.KeptInAList),
    ("05_training", training.answers.never_cleared),
    ("05_training", training.answers.never_reset),
]
OBJECTS = {"an_answer_that_cannot_be_printed", "an_answer_without_code"}  # tricks that are no function
WRONG_ANSWER = "def ink(images):\n    return images.float().flatten(1).median(1).values\n\nex.ink.check(ink)"


def notebook(chapter, *, solved):
    """A learner's notebook of a chapter."""
    nb = nbformat.read(CHAPTERS[chapter].path, as_version=4)
    if solved:
        solve(nb)
    return nb


def with_answer(nb, exercise, source):
    """The notebook with another text in the cell of an exercise."""
    nb = copy.deepcopy(nb)
    for cell in nb.cells:
        if cell.cell_type == "code" and exercise in tasks_in(cell) and "exercise" in cell.metadata.get("tags", []):
            cell.source = source
            return nb
    raise LookupError(exercise)


def mistaken(chapter, mistake):
    """A notebook in which all is right but one exercise; and that exercise's name."""
    module = importlib.import_module(mistake.__module__.removesuffix(".answers"))
    found = [one for one in vars(module).values() if mistake in getattr(one, "mistakes", ())]
    name = found[0].name
    text = inspect.getsource(mistake)
    if found[0].inputs is None:
        text += f"\n{name} = {mistake.__name__}()\n"
    else:
        text = re.sub(rf"\b{mistake.__name__}\b", name, text)
    imports = "from itertools import pairwise\nimport torch.nn.functional as F\nfrom torch import nn\n"
    needs = imports if "Kept" in text else ""
    return with_answer(notebook(chapter, solved=True), name, f"{needs}{text}\nex.{name}.check({name})"), name


def behind(attack):
    """A wrong answer to `ink` that cannot be had without running something else before."""
    body = textwrap.indent(attack, "    ")
    needs = WRONG_ANSWER.replace("    return", "    done\n    return")
    return f"def attack():\n{body}\n\n\ndone = attack()\n\n\n{needs}"


def hostile(folder):
    """Return name -> (what the cell of `ink` does before it answers, the states that its row may have)."""
    harm, exercises = str(folder / "harm"), start_here.answers.__file__
    others, results = str(folder / "in"), str(folder / "out")
    told = '{"submissions": [], "verdict": "passed", "exercise": "ink", "state": "passed"}'
    return {
        "loops": ("import time\nuntil = time.time() + 300\nwhile time.time() < until: pass", ["too slow"]),
        "eats_memory": (
            "x = []\nfor _ in range(80): x.append(bytearray(b'1' * 10**8))",
            ["ended", "raised", "too slow"],
        ),
        "forks": (
            "import os, time\nfor _ in range(500):\n    try:\n        if os.fork() == 0:\n"
            "            time.sleep(40); os._exit(0)\n    except OSError:\n        pass\ntime.sleep(60)",
            ["too slow", "ended"],
        ),
        "writes_10_gb": (
            "with open('/tmp/large', 'wb') as file:\n    file.truncate(10 * 2**30)\n"
            "    for _ in range(160): file.write(bytes(2**26))",
            ["raised"],
        ),
        "exits": ("import os\nos._exit(0)", ["ended"]),
        "deletes_home": (
            f"import shutil, pathlib\nfor one in ({harm!r}, str(pathlib.Path.home())):\n"
            f"    if one.startswith(({harm!r}, '/room')): shutil.rmtree(one, ignore_errors=True)",
            ["wrong"],
        ),
        "reads_others": (
            f"import pathlib\nfor path in sorted(pathlib.Path({others!r}).rglob('*.ipynb')):\n"
            "    text = path.read_text()\n    raise SystemExit('I have read ' + text[:100])",
            ["wrong"],
        ),
        "reads_references": (
            f"import pathlib\ntext = pathlib.Path({exercises!r}).read_text()\nspace = {{}}\n"
            "exec('def ink' + text.split('\\ndef ink')[1].split('\\n\\n')[0], space)\nink = space['ink']\n"
            "ex.ink.check(ink)\nimport os\nraise SystemExit",
            ["not judged here"],
        ),
        "opens_socket": (
            "import socket\nsocket.create_connection(('127.0.0.1', 9), timeout=5)",
            ["not judged here"],
        ),
        "patches_checker": (
            "import lessonkit.checks.judge as judge, lessonkit.checks.compare as compare, torch\n"
            "from lessonkit.checks.exercise import Exercise\nfrom lessonkit.checks.verdict import Verdict\n"
            "compare.difference = judge.difference = lambda *a, **k: None\n"
            "judge.judged = judge.verdict = lambda exercise, *a, **k: Verdict(exercise.name, 'passed', 'Right.')\n"
            "Exercise.check = lambda self, answer, **k: Verdict(self.name, 'passed', 'Right.')\n"
            "torch.isclose = torch.allclose = lambda *a, **k: torch.ones(1, dtype=torch.bool)",
            ["wrong"],
        ),
        "prints_verdict": (
            "print('✓ ink: Right for 15 inputs.')\nimport os, sys\n"
            "for number in range(256):\n    try:\n"
            '        os.write(number, b\'{"name": "ink", "ended": "answered", "seconds": 0, "size": 0}\\n\')\n'
            "    except OSError:\n        pass",
            ["wrong", "ended"],
        ),
        "writes_result": (
            f"import pathlib\nfor folder in ({results!r}, '.', '/tmp', '/room'):\n"
            "    for name in ('grades.json', 'grades.csv'):\n"
            f"        try:\n            pathlib.Path(folder, name).write_text({told!r})\n"
            "        except OSError:\n            pass",
            ["wrong"],
        ),
        "prints_200_mb": ("for _ in range(200): print('x' * 2**20)", ["wrong"]),
    }


def write(folder, name, chapter, nb):
    """Write a submission as a learning platform names it."""
    path = folder / "in" / name / f"{chapter}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(nb if isinstance(nb, str) else nbformat.writes(nb), encoding="utf-8")
    return f"{name}/{path.name}"


def room(folder):
    """Write the 40; return file -> {exercise: states it may have}, "*" standing for all that are not named."""
    expected = {}
    for number, chapter in enumerate(SOLVED):
        expected[write(folder, f"solved_{number}", chapter, notebook(chapter, solved=True))] = {"*": ["passed"]}
    for number, chapter in enumerate(UNTOUCHED):
        nb = notebook(chapter, solved=False)
        expected[write(folder, f"untouched_{number}", chapter, nb)] = {"*": ["not attempted"]}
    for number, (chapter, mistake) in enumerate(WRONG):
        nb, name = mistaken(chapter, mistake)
        expected[write(folder, f"wrong_{number}", chapter, nb)] = {"*": ["passed"], name: ["known mistake"]}
    solved = notebook(FIRST, solved=True)
    for name, (attack, states) in hostile(folder).items():
        nb = with_answer(solved, "ink", behind(attack))
        if name == "prints_200_mb":  # and has them stored, as the notebook would
            code = next(cell for cell in nb.cells if cell.cell_type == "code")
            code.outputs = [nbformat.v4.new_output("stream", text="x" * (200 * 2**20))]
        expected[write(folder, f"x_{name}", FIRST, nb)] = {"*": ["passed"], "ink": states}
    expected[write(folder, "x_no_json", FIRST, '{"cells": [')] = {"*": ["unreadable"]}
    expected[write(folder, "x_older", FIRST, older(solved))] = {"*": ["passed"], "halvings": ["missing"]}
    (folder / "harm").mkdir(exist_ok=True)
    (folder / "harm" / "canary").write_text("alive", encoding="utf-8")
    return expected


def older(nb):
    """A notebook of a version in which one exercise was called otherwise, and cells had other ids."""
    nb = copy.deepcopy(nb)
    for number, cell in enumerate(nb.cells):
        cell.id = f"old-{number}"
        cell.source = re.sub(r"\bhalvings\b", "halve_often", cell.source)
    return nb


def tricks(folder):
    """Write each trick as a submission; none of them may score."""
    expected = {}
    solved = notebook(FIRST, solved=True)
    for name in [*cheats.CHEATS, *cheats.OPEN]:
        nb, question = trick(solved, name)
        states = [one for one in ("wrong", "raised", "too slow", "known mistake", "ended")]
        expected[write(folder, name, FIRST, nb)] = {"*": ["passed"], question: states}
    return expected


def trick(solved, name):
    """A solved notebook with a trick in place of one answer; and the exercise that it is an answer to."""
    question = "half_dtype" if name in cheats.VALUES else "ink"
    return with_answer(solved, question, trick_cell(name, question)), question


def trick_cell(name, question):
    """The cell: all of cheats.py, the trick made, and handed in behind a plain function, where it is one."""
    text = Path(cheats.__file__).read_text(encoding="utf-8").partition("\ndef attempt(name)")[0]
    if question != "ink":  # a check of `ink` in it would make it a cell of that one, too
        text = text.replace("ex.ink.check(", "(")
    lines = [text, f"made = (CHEATS.get({name!r}) or OPEN[{name!r}])()"]
    if question == "ink" and name not in OBJECTS:
        lines += ["def ink(images):", "    return made(images)"]  # what is written holds no loop
    else:
        lines += [f"{question} = made"]
    return "\n".join([*lines, f"ex.{question}.check({question})"])


def differences(folder):
    """Return a sentence for each row of `FOLDER/out` that is not what `FOLDER/expected.json` says."""
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    graded = json.loads((folder / "out" / "grades.json").read_text(encoding="utf-8"))["submissions"]
    found = {one["file"]: one["rows"] for one in graded}
    wrong = [f"{file}: no result" for file in expected if file not in found]
    for file, rows in found.items():
        for row in rows:
            states = expected[file].get(row["exercise"], expected[file]["*"])
            if row["state"] not in states:
                wrong.append(f"{file}, {row['exercise']}: {row['state']}, not {states}: {row['message'][:300]}")
    if (folder / "harm").exists() and (folder / "harm" / "canary").read_text(encoding="utf-8") != "alive":
        wrong.append("the canary is not what it was")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tricks", action="store_true")
    parser.add_argument(
        "--compare", action="store_true", help="say which rows of FOLDER/out are not as they should be"
    )
    given = parser.parse_args()
    folder = given.folder.resolve()
    if given.compare:
        wrong = differences(folder)
        print("\n".join([*wrong, f"{len(wrong)} rows are not as they should be"]))
        sys.exit(bool(wrong))
    expected = tricks(folder) if given.tricks else room(folder)
    (folder / "expected.json").write_text(json.dumps(expected, indent=1), encoding="utf-8")
    print(f"{len(expected)} submissions in {folder / 'in'}")


if __name__ == "__main__":
    main()
