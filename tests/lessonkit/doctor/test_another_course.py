"""`course doctor` for a course that names no hooks, package or distribution: the engine's findings alone."""

import json
import os
import subprocess
import sys

import nbformat
import pytest
from toys import notebook, text

from course_utils import PROJECT

LOADED = "import sys; from lessonkit.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"


@pytest.fixture
def doctor(tmp_path):
    """Runs `course doctor` for a course of one notebook: (exit status, standard output, modules it loaded)."""
    (tmp_path / "course.toml").write_text('title = "Another course"\n', encoding="utf-8")
    (tmp_path / "notebooks").mkdir()
    nbformat.write(notebook(text("# 00 · Knots")), tmp_path / "notebooks" / "00_knots.ipynb")

    def run(*words):
        env = os.environ | {"COURSE_ROOT": str(tmp_path), "COURSE_HOME": str(tmp_path), "PYTHONPATH": str(PROJECT)}
        command = [sys.executable, "-c", LOADED, "doctor", *words]
        ran = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, encoding="utf-8", timeout=600)
        return ran.returncode, ran.stdout, set(ran.stderr.splitlines()[-1].split())

    return run


def test_the_engine_s_findings_are_there_and_neither_torch_nor_our_course_is_loaded(doctor):
    status, told, loaded = doctor("--json")
    found = {one["name"]: one["state"] for one in json.loads(told)}
    assert list(found) == [
        *("Python", "packages", "bytecode", "memory", "/dev/shm", "disk", "folders", "ports"),
        *("course folder", "text", "home", "clock", "proxy", "browser"),
    ]
    assert status == ("problem" in found.values())
    assert not loaded & {"torch", "course_utils"}


def test_there_is_something_to_send_back(doctor):
    _, told, _ = doctor("--mail")
    names = [line[:10].strip() for line in told.splitlines()]
    assert names[:6] == ["verdict", "system", "python", "course", "memory", "disk"]
    assert not {"torch", "network", "data"} & set(names)
