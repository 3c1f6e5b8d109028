"""Each of the maintainer's programs says where it is and what it does, and does nothing while it says so."""

import json
import subprocess
import sys

import pytest

from course_utils import PROJECT

PROGRAMS = [
    path.relative_to(PROJECT).as_posix()
    for path in sorted((PROJECT / "tools").rglob("*.py"))
    if 'if __name__ == "__main__":' in path.read_text(encoding="utf-8")
]
# One after the other in one process, so that all share one `import torch`. Of each a line of JSON: name, exit
# status, what it printed and what it complained of. A program that is called finds its own folder first
# on the path.
ALL = """
import contextlib, io, json, pathlib, runpy, sys
project, given, path = pathlib.Path(sys.argv[1]), sys.argv[2:], list(sys.path)
for program in given:
    there = set(sys.modules)
    sys.argv, sys.path[:], said, complained, status = [program, "--help"], path, io.StringIO(), io.StringIO(), 0
    sys.path.insert(0, str((project / program).parent))
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
        try:
            runpy.run_path(str(project / program), run_name="__main__")
        except SystemExit as end:
            status = end.code or 0
        except BaseException as error:
            status = repr(error)
    print(json.dumps([program, status, said.getvalue(), complained.getvalue()]), flush=True)
    for name in set(sys.modules) - there:  # two folders have a module of the same name
        if str(project / "tools") in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]
"""


@pytest.fixture(scope="module")
def heard(tmp_path_factory):
    """(program -> what it answered, the folder in which they were called)."""
    folder = tmp_path_factory.mktemp("called from here")
    words = [sys.executable, "-c", ALL, str(PROJECT), *PROGRAMS]
    said = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=600)
    assert (said.returncode, said.stderr) == (0, "")
    return {answer[0]: answer[1:] for answer in map(json.loads, said.stdout.splitlines())}, folder


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_answers_help_and_names_its_own_path(program, heard):
    answers, folder = heard
    assert f"python {program}" in (PROJECT / program).read_text(encoding="utf-8").split('"""')[1]
    status, said, complained = answers[program]
    assert (status, complained) == (0, "")
    assert said.startswith("usage: ")
    assert list(folder.iterdir()) == []


def test_a_program_is_called_as_a_person_calls_it(tmp_path):
    """One of them by itself: what the others share could hide that a program imports too little."""
    command = [sys.executable, str(PROJECT / "tools" / "testing" / "soak.py"), "--help"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (result.returncode, result.stderr) == (0, "") and result.stdout.startswith("usage: ")
    assert list(tmp_path.iterdir()) == []
