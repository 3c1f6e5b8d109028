"""What goes into a bundle: the course's own files, data by its licence, the wheel that fits, and what starts it."""

import ast
import functools
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import command_line
import pytest

from course_utils import PROJECT
from course_utils.data import registry, settings
from lessonkit.notebook import catalog
from lessonkit.system.course import Course
from lessonkit.system.errors import Refused
from lessonkit.teach.bundle import contents, starters, targets, wheels
from lessonkit.teach.bundle import start as started
from lessonkit.teach.bundle.targets import Target

CHAPTERS = catalog.find()
DOWNLOADED = [name for name in registry.names() if registry.find(name).files]
LINUX = Target("linux", "3.12")


def package(*names):
    hashes = {"sha256": "0" * 64}
    listed = [{"url": f"https://index.example/{name}", "size": 1, "hashes": hashes} for name in names]
    return {"name": "delta", "version": "1.0", "wheels": listed}


def test_the_course_goes_along_without_tests_and_without_anything_of_a_learner():
    files, _ = contents.course_files(catalog.select(CHAPTERS, ["00", "05"]))
    assert all(path.is_file() for path in files.values())
    assert {name.split("/")[1] for name in files if name.count("/") > 1} == {
        *("course_utils", "data", "docs", "notebooks", "scripts", "tools"),
        *contents.ENGINE,
    }
    chapters = [name for name in files if re.fullmatch(r"course/notebooks/\d\d_.*", name)]
    assert chapters == ["course/notebooks/00_start_here.ipynb", "course/notebooks/05_training.ipynb"]
    assert not [name for name in files if re.search(r"/(tests|work|build|\.git|data/cache)/|__pycache__", name)]


def test_a_course_without_a_package_whose_chapters_stand_elsewhere_keeps_its_places(toy, tmp_path, monkeypatch):
    monkeypatch.setattr(contents, "course", lambda: Course(notebooks="lessons"))
    chapters = catalog.find(shutil.copytree(toy / "notebooks", tmp_path / "elsewhere"))
    files, left = contents.course_files(chapters, project=toy)
    assert "course/lessons/05_training.ipynb" in files and "course/tools/backend.py" in files and left == []
    assert not [name for name in files if name.startswith(("course/work/", "course/course_utils/"))]


def test_what_git_does_not_track_is_left_out_and_said(toy):
    chapters = catalog.find(toy / "notebooks")
    whole, left = contents.course_files(chapters, project=toy)
    assert "course/tools/backend.py" in whole and left == [], "no clone: all of it"
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], cwd=toy, check=True)
    (toy / "tools" / "grades.csv").write_text("Ana,3\n")
    assert set(contents.course_files(chapters, project=toy)[0]) == {*whole, "course/tools/grades.csv"}
    subprocess.run([*git, "add", "pyproject.toml", "README.md", "course_utils", "notebooks"], cwd=toy, check=True)
    files, left = contents.course_files(chapters, project=toy)
    assert "course/README.md" in files and "course/notebooks/05_training.ipynb" in files
    assert "tools/grades.csv" in left and not [name for name in files if name.startswith("course/tools")]


def test_data_go_along_as_far_as_their_licence_lets_them(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_DATA", str(tmp_path))
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    raw = tmp_path / "MNIST" / "raw"
    raw.mkdir(parents=True)
    for file in registry.find("mnist").files:
        (raw / file.packed_name).write_bytes(b"12345")
    monkeypatch.setattr(settings, "CACHE", tmp_path / "none")
    found = {one.data_set.name: one for one in contents.data_for(CHAPTERS)}
    assert set(found) == set(DOWNLOADED)
    files, _ = contents.course_files(CHAPTERS)
    assert "course/data/samples/mnist.zip" in files, "what is whole in the repository comes with the course"
    mnist = found["mnist"]
    assert mnist.sentence().startswith("MNIST (CC BY-SA 3.0) for 00, 01,") and mnist.size == 20
    assert "course/data/cache/MNIST/raw/t10k-labels-idx1-ubyte.gz" in mnist.files()
    assert "its licence lets nobody pass it on (various owners, not stated); the sample is (36 pictures" in (
        found["hymenoptera"].sentence()
    )
    assert "COURSE_OFFLINE=1 forbids a download; there is no sample" in found["fashion_mnist"].sentence()
    assert found["hymenoptera"].files() == found["fashion_mnist"].files() == {}
    with pytest.raises(Refused, match="MNIST"):
        contents.fetch(mnist)  # five bytes are no MNIST: verified before they are passed on


def test_data_that_no_server_has_stay_out(alone, tmp_path, monkeypatch):
    monkeypatch.delenv("COURSE_OFFLINE", raising=False)
    monkeypatch.setattr(settings, "CACHE", tmp_path / "cache")
    spec = replace(registry.find("fashion_mnist"), mirrors=("http://127.0.0.1:9/",))
    monkeypatch.setitem(registry.SPECS, "fashion_mnist", spec)
    (one,) = contents.data_for(catalog.select(CHAPTERS, ["11"]))[1:]
    assert one.sentence() == "Fashion-MNIST (MIT) for 11: to be fetched, at most 55 MB"
    assert re.search("not in the bundle, as no download server answered", contents.fetch(one).sentence())


def test_the_licences_are_those_of_the_page_about_data():
    page = (PROJECT / "data" / "README.md").read_text(encoding="utf-8")
    for name in DOWNLOADED:
        (row,) = re.findall(rf"^\| `{name}` .*$", page, re.MULTILINE)
        data_set = registry.find(name)
        assert data_set.licence.split(",")[0] in row
        assert data_set.passed_on == ("not passed on" not in row), row


@pytest.mark.parametrize(
    ("target", "names", "chosen"),
    [
        (LINUX, ["delta-1.0-py3-none-any.whl", "delta-1.0-cp312-cp312-manylinux_2_17_x86_64.whl"], 1),
        (
            LINUX,
            ["delta-1.0-cp312-cp312-manylinux_2_17_x86_64.whl", "delta-1.0-cp38-abi3-manylinux2014_x86_64.whl"],
            0,
        ),
        (
            Target("linux-arm", "3.11"),
            ["delta-1.0-py3-none-any.whl", "delta-1.0-py3-none-manylinux_2_28_aarch64.whl"],
            1,
        ),
        (Target("macos", "3.13"), ["delta-1.0-cp313-cp313-macosx_11_0_arm64.whl", "delta-1.0-py3-none-any.whl"], 0),
        (Target("macos", "3.13"), ["delta-1.0-cp313-cp313-macosx_10_9_universal2.whl"], 0),
        (Target("windows", "3.11"), ["delta-1.0-py3-none-any.whl", "delta-1.0-py3-none-win_amd64.whl"], 1),
        (
            Target("macos", "3.13"),
            ["delta-1.0-cp313-cp313-macosx_11_0_arm64.whl", "delta-1.0-cp313-cp313-macosx_14_0_arm64.whl"],
            1,
        ),
    ],
)
def test_the_wheel_is_the_one_that_an_installer_takes(target, names, chosen):
    assert wheels._package(package(*names), target).file == names[chosen]


def test_every_pinned_name_of_this_machine_is_a_target():
    assert targets.read("linux-arm-3.11") == Target("linux-arm", "3.11")
    assert str(targets.here()).endswith("{}.{}".format(*sys.version_info))
    known = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'requires-python = ">={targets.PYTHONS[0]},<3.{int(targets.PYTHONS[-1][2:]) + 1}"' in known


def first_page():
    return Path(starters.__file__).with_name("first.py").read_text(encoding="ascii")


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 1), (3, 10, 14), (3, 14, 0)])
def test_another_python_is_told_which_one_it_takes(version, monkeypatch):
    page = first_page()
    ast.parse(page, feature_version=(3, 4))
    assert not re.search(r"\bf['\"]|:=|print ", page)
    monkeypatch.setattr(sys, "version_info", version)
    with pytest.raises(SystemExit, match=rf"This is Python {version[0]}.{version[1]} .*needs 3.11, 3.12 or 3.13"):
        exec(compile(page, "start.py", "exec"), {"__file__": "start.py"})


def test_a_bundle_that_was_unpacked_in_part_says_so(tmp_path):
    (tmp_path / "start.py").write_text(first_page())
    ran = subprocess.run([sys.executable, tmp_path / "start.py"], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 1 and "The folder course is missing" in ran.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows has no sh")
def test_the_shell_takes_the_first_python_that_fits(tmp_path):
    names = starters.write(tmp_path, [LINUX, Target("macos", "3.11")], in_place=True, installed=6_100_000_000)
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "dirname").symlink_to(shutil.which("dirname"))
    (tmp_path / "start.py").write_text("a python starts this")

    def python(name, version):
        answer = "exit 0" if version in ("3.11", "3.12") else "exit 1"
        text = f'#!/bin/sh\n[ "$1" = -c ] && {answer}\necho {name} "$@"\n'
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)

    def run():
        line = ["/bin/sh", tmp_path / "start.sh", "--to", "my folder"]
        return subprocess.run(line, env={"PATH": str(programs)}, capture_output=True, text=True, timeout=60)

    ran = run()
    assert ran.returncode == 1 and "needs Python 3.11 or 3.12, and none was found" in ran.stderr
    python("python3", "3.9")
    assert run().returncode == 1
    python("python3.11", "3.11")
    assert run().stdout == f"python3.11 {tmp_path}/start.py --to my folder\n"
    page = (tmp_path / "READ_ME.txt").read_text(encoding="utf-8")
    assert "You need Python 3.11 or 3.12" in page and "6,100 MB" in page and "{" not in page
    assert "sh start.sh" in page and "sh start.command" in page and "start.bat" not in page
    batch = (tmp_path / "start.bat").read_bytes()
    assert batch.count(b"\n") == batch.count(b"\r\n") > 5 and b"(3.12 3.11)" in batch and batch.isascii()
    assert set(names) == {"start.py", "start.sh", "start.command", "start.bat", "READ_ME.txt"}


def test_a_path_that_windows_does_not_take_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(started, "_long_paths", lambda: False)
    with pytest.raises(SystemExit, match=r"is too deep: some paths would have \d+ characters.*--to C:\\course"):
        started.make_folder(tmp_path / "new", tmp_path / "bundle", needed=1, longest=200)


@pytest.fixture
def course(monkeypatch, capsys):
    """Runs the command in this process: (exit status, standard output, standard error)."""

    return functools.partial(command_line.course, monkeypatch, capsys, "bundle")


def test_the_command_refuses_in_words(course, tmp_path):
    (tmp_path / "room.zip").write_bytes(b"mine")
    for arguments, sentence in (
        (("--to", tmp_path / "room.zip"), "room.zip is there already"),
        (("--to", tmp_path / "new.zip", "--chapters", "77"), "no chapter called 77; there are: 00_start_here"),
        (("--to", tmp_path / "new.zip", "--python", "3.9"), "'3.9' is not one of '3.11', '3.12', '3.13'"),
        (("--to", tmp_path / "new.zip", "--platform", "beos"), "'beos' is not one of 'linux'"),
    ):
        status, _, errors = course(*arguments)
        assert status == 2 and sentence in errors
    assert [path.name for path in tmp_path.iterdir()] == ["room.zip"]


def test_without_somebody_to_ask_nothing_is_fetched(course, tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(wheels, "resolve", lambda target, *_, **__: made.append(target) or [])
    several = ("--platform", "linux", "--platform", "windows", "--python", "3.12")
    status, said, errors = course("--to", tmp_path / "room.zip", "--chapters", "02", *several)
    assert (status, errors) == (2, "Refused: nothing was downloaded; with --yes the command does not ask\n")
    assert made == [LINUX, Target("windows", "3.12")]
    assert "The course: 1 chapters" in said and not list(tmp_path.iterdir())
    assert course("--to", tmp_path / "room.zip", "--chapters", "02", "--dry-run")[0] == 0
    assert not list(tmp_path.iterdir())
