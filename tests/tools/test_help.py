"""Each of the maintainer's programs says where it is and what it does, and does nothing while it says so."""

import subprocess
import sys

import pytest

from course_utils import PROJECT

PROGRAMS = [
    path.relative_to(PROJECT).as_posix()
    for path in sorted((PROJECT / "tools").rglob("*.py"))
    if 'if __name__ == "__main__":' in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_answers_help_and_names_its_own_path(program, tmp_path):
    assert f"python {program}" in (PROJECT / program).read_text(encoding="utf-8").split('"""')[1]
    command = [sys.executable, str(PROJECT / program), "--help"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("usage: ")
    assert list(tmp_path.iterdir()) == []
