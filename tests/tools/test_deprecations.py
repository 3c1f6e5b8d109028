"""Deprecations are heard in every process of a chapter, and each is told with the line that it comes from."""

import json
import os
import subprocess
import sys
from pathlib import Path

import deprecations
import nbformat
import pytest
import toys
from toys import code, notebook

from course_utils import PROJECT
from lessonkit.runner.report import NAME, read

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the toy forks a DataLoader's worker")

# A module of the course that warns: compiled under a name in course_utils, as none of its modules does.
OF_THE_COURSE = """
from course_utils import PROJECT
source = "import warnings\\ndef old(): warnings.warn('planted in the course', FutureWarning)"
module = {"__name__": "course_utils.planted"}
exec(compile(source, str(PROJECT / "course_utils" / "planted.py"), "exec"), module)
module["old"]()
"""
# What is not blamed on us: a library that calls, within itself, what is deprecated.
OF_A_LIBRARY = """
library = {"__name__": "library.inside"}
exec("import warnings\\ndef old(): warnings.warn('planted in a library', PendingDeprecationWarning)", library)
library["old"]()
"""
IN_A_RANK = """
from course_utils.launch import run_ranks
def job(rank):
    warnings.warn("planted in a rank", DeprecationWarning)
run_ranks(job, world_size=2, timeout=600)
"""
IN_A_WORKER = """
from torch.utils.data import DataLoader, Dataset
class Old(Dataset):
    def __len__(self): return 2
    def __getitem__(self, index):
        warnings.warn("planted in a worker", DeprecationWarning)
        return index
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    list(DataLoader(Old(), num_workers=1, multiprocessing_context="fork"))
"""
IN_A_PROGRAM = """
import subprocess, sys, pathlib
job = pathlib.Path("planted_job.py")
job.write_text("import warnings; warnings.warn('planted in a program', DeprecationWarning)")
subprocess.run([sys.executable, "-W", "ignore", str(job)], check=True)
job.unlink()
"""
IN_A_CELL = """
import warnings
def old():
    warnings.warn("planted in a cell", DeprecationWarning, stacklevel=2)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    for _ in range(3):
        old()
"""
CELLS = [IN_A_CELL, OF_A_LIBRARY, OF_THE_COURSE, IN_A_RANK, IN_A_WORKER, IN_A_PROGRAM]
WARNS = {"shows-warning"}


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """(results, {chapter: deprecations}) of a toy chapter with something planted in each cell."""
    folder = tmp_path_factory.mktemp("planted")
    cells = [code(source, *WARNS) for source in CELLS]
    books = toys.write(
        folder / "notebooks", _00_planted=notebook(*cells), _01_clean=notebook(code("import warnings"))
    )
    command = [sys.executable, "-m", "lessonkit.cli", "run", "--notebooks", str(books), "--jobs", "1"]
    command += ["--out", str(folder / "out")]
    environment = os.environ | deprecations.with_ears(folder / "ears")
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    results = read(folder / "out" / NAME)["chapters"]
    executed = {result.name: nbformat.read(folder / "out" / f"{result.name}.ipynb", 4) for result in results}
    return results, deprecations.read(folder / "ears", executed)


def one(planted, text):
    """The one deprecation of the toy with this text."""
    (found,) = [one for one in planted[1]["00_planted"] if one.text == text]
    return found


def test_the_toy_ran(planted):
    assert [(result.name, result.status, result.error) for result in planted[0]] == [
        ("00_planted", "passed", None),
        ("01_clean", "passed", None),
    ]
    assert not [one for one in planted[1].get("01_clean", []) if one.ours]


def test_one_in_a_cell_is_counted_each_time_though_it_is_ignored(planted):
    found = one(planted, "planted in a cell")
    assert (found.ours, found.by, found.times, found.processes) == (True, "cell 1", 3, ["the kernel"])
    assert found.kind == "DeprecationWarning"


def test_one_within_a_library_is_not_the_courses_and_says_who_reached_it(planted):
    found = one(planted, "planted in a library")
    assert (found.ours, found.by, found.reached) == (False, "library.inside", "cell 2")


def test_one_in_course_utils_names_the_file(planted):
    found = one(planted, "planted in the course")
    assert (found.ours, found.by) == (True, str(Path("course_utils", "planted.py")))
    assert found.reached.endswith("< cell 3") and "planted.py:2" in found.reached


def test_one_in_both_ranks_is_heard(planted):
    found = one(planted, "planted in a rank")
    assert (found.ours, found.times) == (True, 2)
    assert found.by == "cell 4", "a function of a cell keeps its cell's name on its way to a rank"
    assert found.processes == ["a rank"]


def test_one_in_a_worker_of_a_dataloader_is_heard(planted):
    found = one(planted, "planted in a worker")
    assert (found.ours, found.by, found.times) == (True, "cell 5", 2)
    assert found.processes[0].endswith("of the kernel")


def test_one_in_a_program_that_was_told_to_ignore_it_is_heard(planted):
    found = one(planted, "planted in a program")
    assert (found.ours, found.by, found.times) == (True, "script planted_job.py", 1)
    assert found.processes == ["planted_job.py"]


def test_the_table_has_a_line_for_each_chapter_and_one_for_each_deprecation(planted):
    results, found = planted
    lines = deprecations.table(results, found)
    assert [line.split()[:2] for line in lines[:3]] == [
        ["chapter", "status"],
        ["00_planted", "passed"],
        ["01_clean", "passed"],
    ]
    ours, theirs = deprecations.counts(found["00_planted"])
    assert ours == 5 and theirs >= 1
    assert lines[1].split()[3:5] == [str(ours), str(theirs)]
    assert any(
        "00_planted: the course's, cell 1: DeprecationWarning, 3 times in the kernel: planted" in line
        for line in lines
    )


def test_nothing_shown_is_changed(tmp_path):
    program = (
        "import warnings\n"
        "warnings.warn('shown', DeprecationWarning)\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    warnings.warn('caught', FutureWarning)\n"
        "print(len(caught), len(warnings.filters))\n"
        "warnings.resetwarnings()\n"
        "warnings.warn('after a reset', FutureWarning)\n"
        "warnings.simplefilter('error')\n"
        "try:\n    warnings.warn('an error', DeprecationWarning)\n"
        "except DeprecationWarning as error: print(error)\n"
    )
    plain = {name: value for name, value in os.environ.items() if name != "COURSE_DEPRECATIONS"}

    def said(environment):
        return subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=120
        )

    without, heard = said(plain), said(plain | deprecations.with_ears(tmp_path / "ears"))
    count, filters = without.stdout.split()[:2]
    assert heard.stdout.split()[:2] == [count, str(int(filters) + 1)] and count == "1"
    assert heard.stdout.split()[2:] == without.stdout.split()[2:] == ["an", "error"]
    assert heard.stderr == without.stderr and "shown" in heard.stderr
    (file,) = (tmp_path / "ears").glob("*.jsonl")
    texts = [json.loads(line)["text"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert texts == ["shown", "caught", "after a reset", "an error"]
