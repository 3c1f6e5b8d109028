"""Where the packages of a course are found."""

import subprocess
import sys
from pathlib import Path

from lessonkit.system import course
from lessonkit.system.place import PROJECT


def test_a_package_that_is_not_there_has_no_folder():
    assert course.package_folder("no_such_package") is None and course.package_folder("") is None
    assert course.package_folder("course_utils") == PROJECT / "course_utils"


def test_the_engine_is_where_this_module_lies_whatever_a_search_finds(monkeypatch):
    monkeypatch.setattr(course, "find_spec", lambda name: None)
    assert course.package_folder("lessonkit") == Path(course.__file__).parents[1]


def test_folders_in_the_current_one_that_are_called_like_ours_are_not_taken_for_them(tmp_path):
    names = ("lessonkit", "torch_clinic", "course_utils")
    for name in names:
        (tmp_path / name).mkdir()
    program = (
        "import sys; sys.path[:0] = [sys.argv[1]]\nfrom lessonkit.system.course import package_folder\n"
        "sys.path[:0] = ['']\nprint(*map(package_folder, sys.argv[2:]), sep='\\n')"
    )
    command = [sys.executable, "-c", program, str(PROJECT), *names]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == [str(PROJECT / name) for name in names]
